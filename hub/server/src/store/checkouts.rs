//! Which folder of this computer holds the files of a repository. Only the person's own command writes here: it is no field of a record, so
//! that no import and no agent can name a folder. What was allowed on one computer says nothing of a folder of that name on another, so a
//! restored database allows none.

use std::path::Path;

use sqlx::{ConnectOptions as _, Connection as _, Row as _};

use super::error::{OpenError, StoreError};
use super::{Store, open};

/// A repository whose files may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckoutRow {
    /// The repository's record.
    pub id: String,
    pub space_id: String,
    /// What the repository is called.
    pub title: String,
    /// Absolute, with its links resolved.
    pub path: String,
}

fn name(repo_id: &str) -> String {
    format!("checkout/{repo_id}")
}

/// Takes back what was allowed in a database that no hub runs on; how many folders it was.
pub(crate) async fn forget_all_checkouts(file: &Path) -> Result<u64, OpenError> {
    let shown = file.display().to_string();
    let failed = |source| open::refused(&shown, source);
    let options = open::options(file).map_err(failed)?;
    let mut connection = options.connect().await.map_err(failed)?;
    let done = sqlx::query("DELETE FROM settings WHERE name LIKE 'checkout/%'")
        .execute(&mut connection)
        .await
        .map_err(failed)?;
    connection.close().await.map_err(failed)?;
    Ok(done.rows_affected())
}

impl Store {
    /// The folder of this repository; `None` if none was allowed, or it is not in this space.
    pub async fn checkout(&self, space: &str, repo_id: &str) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar(
            "SELECT s.value FROM settings s JOIN spaces p ON p.account_id = s.account_id
             JOIN records r ON r.space_id = p.id
             WHERE s.name = ? AND p.id = ? AND r.id = ? AND r.kind = 'repo' AND r.deleted_at IS NULL",
        )
        .bind(name(repo_id))
        .bind(space)
        .bind(repo_id)
        .fetch_optional(&self.reader)
        .await?)
    }

    /// The allowed folders of an account, by name.
    pub async fn checkouts(&self, account_id: &str) -> Result<Vec<CheckoutRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT r.id, r.space_id, r.title, s.value FROM settings s JOIN records r ON s.name = 'checkout/' || r.id
             WHERE s.account_id = ? AND s.name LIKE 'checkout/%' AND r.deleted_at IS NULL ORDER BY r.title_key, r.id",
        )
        .bind(account_id)
        .fetch_all(&self.reader)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(CheckoutRow {
                    id: row.try_get("id")?,
                    space_id: row.try_get("space_id")?,
                    title: row.try_get("title")?,
                    path: row.try_get("value")?,
                })
            })
            .collect()
    }

    /// Lets the files of a repository be read from this folder.
    pub async fn allow_checkout(
        &self,
        account_id: &str,
        repo_id: &str,
        path: &str,
    ) -> Result<(), StoreError> {
        self.set_setting(account_id, &name(repo_id), path).await
    }

    /// Takes that back; whether it had been allowed.
    pub async fn forget_checkout(
        &self,
        account_id: &str,
        repo_id: &str,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM settings WHERE account_id = ? AND name = ?")
            .bind(account_id)
            .bind(name(repo_id))
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected() > 0)
    }
}
