//! Opening the database: the folder is the owner's alone, the schema goes forward only, and a file that is damaged, foreign or from a
//! newer version is refused with its name before anything is written to it.

use std::fs;
use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, SqliteConnection, SqlitePool};

use super::error::{OpenError, code};

/// The database's name in the data folder.
pub(crate) const FILE: &str = "hub.sqlite3";
/// Marks the file as a hub's, so that another program's database is never migrated ("ensH").
const APPLICATION_ID: i64 = 0x656e_7348;
/// How long a statement waits for another process's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a request waits for a connection; longer than the busy timeout, so that the busy error is what is reported.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);
/// Readers at once; more only queue on two to eight cores.
const READERS: u32 = 6;
/// Pages after which the write-ahead log is folded back (4 MB), so that it stays bounded.
const AUTOCHECKPOINT: &str = "1000";

/// Pages that the writer keeps in memory, in KB (negative, as SQLite has it): a large import writes all over the file, and with SQLite's two
/// megabytes it would read and write the same pages again and again.
const WRITER_CACHE: &str = "-49152";

/// The same of each reader: the upper pages of the indexes that a search and a brief ask.
const READER_CACHE: &str = "-6144";

/// The schema, one step per file; the step's number is its place, from 1.
const STEPS: [&str; 8] = [
    include_str!("schema/0001_foundation.sql"),
    include_str!("schema/0002_files.sql"),
    include_str!("schema/0003_scale.sql"),
    include_str!("schema/0004_speed.sql"),
    include_str!("schema/0005_changes.sql"),
    include_str!("schema/0006_ends.sql"),
    include_str!("schema/0007_sign_in.sql"),
    include_str!("schema/0008_oauth.sql"),
];

/// The step after which the search indexes, which it makes anew and empty, are filled; they are filled once, from wherever the steps began.
const REFILL_AFTER: usize = 6;

/// Pages of a file that is checked as a whole when it is opened (64 MB).
const CHECKED_PAGES: i64 = 16_384;

/// The open connections.
pub(super) struct Pools {
    pub(super) reader: SqlitePool,
    pub(super) writer: SqlitePool,
}

/// Opens or creates the database of this folder.
pub(super) async fn open(data_dir: &Path) -> Result<Pools, OpenError> {
    let path = data_dir.join(FILE);
    prepare_files(data_dir, &path).map_err(|source| OpenError::Folder {
        folder: data_dir.display().to_string(),
        source,
    })?;
    let file = path.display().to_string();
    let options = options(&path).map_err(|source| refused(&file, source))?;
    let mut connection = options
        .connect()
        .await
        .map_err(|source| refused(&file, source))?;
    migrate(&mut connection, &file).await?;
    connection
        .close()
        .await
        .map_err(|source| refused(&file, source))?;

    let pool = |max: u32| {
        SqlitePoolOptions::new()
            .max_connections(max)
            .min_connections(0)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None)
            // A local file does not go away like a network connection.
            .test_before_acquire(false)
            .before_acquire(|connection, _| Box::pin(is_between_changes(connection)))
    };
    Ok(Pools {
        // One writer: transactions of this process queue here in order instead of contending for the file's lock.
        writer: pool(1).connect_lazy_with(options.clone().pragma("cache_size", WRITER_CACHE)),
        reader: pool(READERS).connect_lazy_with(
            options
                .pragma("query_only", "ON")
                .pragma("cache_size", READER_CACHE),
        ),
    })
}

/// Whether a connection is free for the next change. SQLite ends a transaction itself when the disk is full or fails; the rollback that
/// follows then fails too, and the connection would take every later BEGIN for a nested one. It is closed, and a fresh one opened.
async fn is_between_changes(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    if !connection.is_in_transaction() {
        return Ok(true);
    }
    // a rollback may only be waiting for its turn
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

pub(super) fn options(path: &Path) -> Result<SqliteConnectOptions, sqlx::Error> {
    let options = SqliteConnectOptions::from_str("sqlite:")?
        .filename(path)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("wal_autocheckpoint", AUTOCHECKPOINT)
        .pragma("trusted_schema", "OFF")
        .disable_statement_logging();
    Ok(options)
}

/// The folder 0700 and an empty file 0600, before SQLite makes its own files beside it with the same mode.
fn prepare_files(data_dir: &Path, path: &Path) -> std::io::Result<()> {
    create_private_folder(data_dir)?;
    let mut open = fs::OpenOptions::new();
    open.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        open.mode(0o600);
        let file = open.open(path)?;
        // A file that was copied here may be open to others.
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    #[cfg(not(unix))]
    open.open(path)?;
    Ok(())
}

/// Creates a folder that only its owner can enter; one that exists keeps its mode.
pub(crate) fn create_private_folder(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Brings the schema to this version's, each step and its number in one immediate transaction.
async fn migrate(connection: &mut SqliteConnection, file: &str) -> Result<(), OpenError> {
    let failed = |source| refused(file, source);
    // Without the lock for writing first: a file that is up to date is opened also while another program writes.
    let (found, _) = check_owner(connection, file).await?;
    if usize::try_from(found).is_ok_and(|found| found == STEPS.len()) {
        return check(connection, file).await;
    }
    let mut change = connection
        .begin_with("BEGIN IMMEDIATE")
        .await
        .map_err(failed)?;
    let (found, tables) = check_owner(&mut change, file).await?;
    if tables > 0 {
        check(&mut change, file).await?;
    }
    let done = usize::try_from(found).unwrap_or(0);
    for (at, step) in STEPS.iter().enumerate().skip(done) {
        sqlx::raw_sql(*step)
            .execute(&mut *change)
            .await
            .map_err(failed)?;
        if at + 1 == REFILL_AFTER {
            super::index::refill(&mut change)
                .await
                .map_err(|source| OpenError::Unusable { source })?;
        }
        // A pragma takes no bound values; both are numbers of ours.
        let mark = format!("PRAGMA user_version = {}", at + 1);
        sqlx::raw_sql(AssertSqlSafe(mark))
            .execute(&mut *change)
            .await
            .map_err(failed)?;
        let mark = format!("PRAGMA application_id = {APPLICATION_ID}");
        sqlx::raw_sql(AssertSqlSafe(mark))
            .execute(&mut *change)
            .await
            .map_err(failed)?;
    }
    change.commit().await.map_err(failed)
}

/// Refuses a database that is not a hub's or is from a newer version; its schema's number and how many tables it has.
pub(super) async fn check_owner(
    connection: &mut SqliteConnection,
    file: &str,
) -> Result<(i64, i64), OpenError> {
    let failed = |source| refused(file, source);
    let found: i64 = sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    let application: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    if application != APPLICATION_ID && (tables > 0 || found > 0 || application != 0) {
        return Err(OpenError::Foreign {
            file: file.to_owned(),
        });
    }
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if found > known {
        return Err(OpenError::Newer {
            file: file.to_owned(),
            found,
            known,
        });
    }
    Ok((found, tables))
}

/// SQLite's own check of the file's structure. A large file is not read whole each time it is opened, which every command does.
/// A file that is shorter than it says, as after a copy that broke off, SQLite refuses with its first page, whatever its
/// size; of a large one the newest records and changes are looked at besides. Damage elsewhere is an error of the read that meets it, and a
/// backup checks all of the file.
async fn check(connection: &mut SqliteConnection, file: &str) -> Result<(), OpenError> {
    let failed = |source| refused(file, source);
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    let statement = if pages <= CHECKED_PAGES {
        "PRAGMA quick_check(1)"
    } else {
        // Both can be empty: spaces are deleted with their records, and the file stays as large as it was.
        "SELECT CASE WHEN coalesce((SELECT max(seq) FROM records), 0) >= 0 AND coalesce((SELECT max(seq) FROM ledger), 0) >= 0
            THEN 'ok' END"
    };
    let verdict: Option<String> = sqlx::query_scalar(statement)
        .fetch_one(connection)
        .await
        .map_err(failed)?;
    let verdict = verdict.unwrap_or_default();
    if verdict == "ok" {
        Ok(())
    } else {
        Err(OpenError::Damaged {
            file: file.to_owned(),
        })
    }
}

/// The sentence for what SQLite said while opening.
pub(super) fn refused(file: &str, source: sqlx::Error) -> OpenError {
    let file = file.to_owned();
    match code(&source) {
        Some(5 | 6) => OpenError::Busy { file },
        Some(11) => OpenError::Damaged { file },
        // "file is not a database": a header that is not SQLite's.
        Some(26) => OpenError::Foreign { file },
        _ => OpenError::Failed { file, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_transaction_that_sqlite_ended_itself_does_not_spoil_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let pools = open(folder.path()).await.unwrap();
        let mut change = pools.writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
        sqlx::query("CREATE TABLE filler (text TEXT UNIQUE)")
            .execute(&mut *change)
            .await
            .unwrap();
        sqlx::query("INSERT INTO filler VALUES ('a')")
            .execute(&mut *change)
            .await
            .unwrap();
        // ends the transaction as a full disk does
        let ended = sqlx::query("INSERT OR ROLLBACK INTO filler VALUES ('a')");
        assert!(ended.execute(&mut *change).await.is_err());
        drop(change);
        for _ in 0..2 {
            let change = pools.writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
            change.commit().await.unwrap();
        }
    }
}
