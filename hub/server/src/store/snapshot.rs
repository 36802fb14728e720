//! A copy of the database as one file, and what a file that should be one holds. The copy is made in one read transaction, so a hub that
//! runs meanwhile neither waits nor shows half a change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::str::FromStr as _;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::Store;
use super::error::{OpenError, StoreError};
use super::open;

/// What a database file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of its schema.
    pub schema: i64,
    /// Rows by table.
    pub counts: BTreeMap<String, u64>,
    /// The hashes of the files that its records name.
    pub originals: BTreeSet<String>,
}

impl Store {
    /// Copies the database into a new file.
    pub async fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        // A connection of its own: those of the pool only read, or are the one that writes.
        let mut connection = open::options(&self.data_dir().join(open::FILE))?
            .connect()
            .await?;
        let copied = sqlx::query("VACUUM INTO ?")
            .bind(file.to_string_lossy().into_owned())
            .execute(&mut connection)
            .await;
        connection.close().await?;
        copied?;
        Ok(())
    }
}

/// Checks a database file thoroughly and counts what is in it. The file is only read.
pub async fn inspect(file: &Path) -> Result<Snapshot, OpenError> {
    let shown = file.display().to_string();
    let failed = |source| open::refused(&shown, source);
    let options = SqliteConnectOptions::from_str("sqlite:")
        .map_err(failed)?
        .filename(file)
        .immutable(true)
        .read_only(true)
        .disable_statement_logging();
    let mut connection = options.connect().await.map_err(failed)?;
    open::check_owner(&mut connection, &shown).await?;
    let verdict: String = sqlx::query_scalar("PRAGMA integrity_check(1)")
        .fetch_one(&mut connection)
        .await
        .map_err(failed)?;
    let orphans = sqlx::query("PRAGMA foreign_key_check")
        .fetch_optional(&mut connection)
        .await
        .map_err(failed)?;
    if verdict != "ok" || orphans.is_some() {
        return Err(OpenError::Damaged { file: shown });
    }
    let snapshot = contents(&mut connection).await.map_err(failed)?;
    connection.close().await.map_err(failed)?;
    Ok(snapshot)
}

async fn contents(connection: &mut SqliteConnection) -> Result<Snapshot, sqlx::Error> {
    let schema = sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(&mut *connection)
        .await?;
    let rows: Vec<(String, i64)> = sqlx::query_as(
        "SELECT 'accounts', count(*) FROM accounts
         UNION ALL SELECT 'idempotency', count(*) FROM idempotency
         UNION ALL SELECT 'keys', count(*) FROM keys
         UNION ALL SELECT 'ledger', count(*) FROM ledger
         UNION ALL SELECT 'links', count(*) FROM links
         UNION ALL SELECT 'records', count(*) FROM records
         UNION ALL SELECT 'settings', count(*) FROM settings
         UNION ALL SELECT 'spaces', count(*) FROM spaces",
    )
    .fetch_all(&mut *connection)
    .await?;
    let counts = rows
        .into_iter()
        .map(|(table, rows)| (table, u64::try_from(rows).unwrap_or(0)));
    let originals: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT json_extract(fields, '$.sha256') FROM records
         WHERE kind IN ('file', 'document') AND json_type(fields, '$.sha256') = 'text'",
    )
    .fetch_all(&mut *connection)
    .await?;
    Ok(Snapshot {
        schema,
        counts: counts.collect(),
        originals: originals.into_iter().collect(),
    })
}
