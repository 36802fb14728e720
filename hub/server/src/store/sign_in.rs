//! Passwords, sessions of browsers, and links to choose a password, as the database knows them: hashes. No secret ever enters this module.

use jiff::SignedDuration;
use sqlx::Row as _;

use super::Store;
use super::error::StoreError;
use super::spaces::AccountRow;

/// How long a browser stays signed in without a request.
const SESSION_IDLE: SignedDuration = SignedDuration::from_hours(24 * 14);
/// How long one stays signed in at all.
pub const SESSION_LONGEST: SignedDuration = SignedDuration::from_hours(24 * 90);
/// How long a link to choose a password works.
pub const LINK_LASTS: SignedDuration = SignedDuration::from_mins(10);
/// A last request is noted at most this often, so that looking at pages does not turn into writing.
const SEEN_NOTED_EVERY: SignedDuration = SignedDuration::from_mins(1);

/// An account that signs in with a password.
#[derive(Debug, Clone)]
pub struct PasswordRow {
    pub account: AccountRow,
    /// As PHC text.
    pub hash: String,
}

impl Store {
    /// Every account that has a password; a hub has few.
    pub async fn passwords(&self) -> Result<Vec<PasswordRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT a.id, a.name, p.hash FROM passwords p JOIN accounts a ON a.id = p.account_id ORDER BY a.created_at, a.id",
        )
        .fetch_all(&self.reader)
        .await?;
        let row = |row: &sqlx::sqlite::SqliteRow| {
            Ok(PasswordRow {
                account: AccountRow {
                    id: row.try_get("id")?,
                    name: row.try_get("name")?,
                },
                hash: row.try_get("hash")?,
            })
        };
        rows.iter().map(row).collect()
    }

    /// Keeps a link to choose a password; a former one of the account works no more.
    pub async fn put_sign_in_link(&self, account: &str, hash: &str) -> Result<(), StoreError> {
        let expires = self.now().as_microsecond() + micros(LINK_LASTS);
        let mut tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::query("DELETE FROM sign_in_links WHERE account_id = ?")
            .bind(account)
            .execute(&mut *tx)
            .await?;
        sqlx::query("INSERT INTO sign_in_links (hash, account_id, expires_at) VALUES (?, ?, ?)")
            .bind(hash)
            .bind(account)
            .bind(expires)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Whose link this is, while it works.
    pub async fn sign_in_link(&self, hash: &str) -> Result<Option<AccountRow>, StoreError> {
        let account: Option<String> = sqlx::query_scalar(
            "SELECT account_id FROM sign_in_links WHERE hash = ? AND expires_at > ?",
        )
        .bind(hash)
        .bind(self.now().as_microsecond())
        .fetch_optional(&self.reader)
        .await?;
        match account {
            Some(id) => self.account(&id).await,
            None => Ok(None),
        }
    }

    /// Uses a link up: the account's name and password are these, and every browser of it is signed out. `None` where the link does not
    /// work any more, and then nothing was changed.
    pub async fn use_sign_in_link(
        &self,
        link: &str,
        name: &str,
        password: &str,
    ) -> Result<Option<AccountRow>, StoreError> {
        let now = self.now().as_microsecond();
        let mut tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let account: Option<String> = sqlx::query_scalar(
            "DELETE FROM sign_in_links WHERE hash = ? AND expires_at > ? RETURNING account_id",
        )
        .bind(link)
        .bind(now)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(id) = account else {
            tx.rollback().await?;
            return Ok(None);
        };
        sqlx::query("UPDATE accounts SET name = ? WHERE id = ?")
            .bind(name)
            .bind(&id)
            .execute(&mut *tx)
            .await?;
        sqlx::query(
            "INSERT INTO passwords (account_id, hash, changed_at) VALUES (?, ?, ?)
             ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at",
        )
        .bind(&id)
        .bind(password)
        .bind(now)
        .execute(&mut *tx)
        .await?;
        sqlx::query("DELETE FROM browser_sessions WHERE account_id = ?")
            .bind(&id)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(Some(AccountRow {
            id,
            name: name.to_owned(),
        }))
    }

    /// Keeps a browser's session, and forgets those that have ended.
    pub async fn put_browser_session(&self, account: &str, hash: &str) -> Result<(), StoreError> {
        let now = self.now().as_microsecond();
        let mut tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::query("DELETE FROM browser_sessions WHERE seen_at < ? OR created_at < ?")
            .bind(now - micros(SESSION_IDLE))
            .bind(now - micros(SESSION_LONGEST))
            .execute(&mut *tx)
            .await?;
        sqlx::query(
            "INSERT INTO browser_sessions (hash, account_id, created_at, seen_at) VALUES (?, ?, ?, ?)",
        )
        .bind(hash)
        .bind(account)
        .bind(now)
        .bind(now)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Who is signed in with a browser's session, while it lasts.
    pub async fn browser_session(&self, hash: &str) -> Result<Option<AccountRow>, StoreError> {
        let now = self.now().as_microsecond();
        let row = sqlx::query(
            "SELECT account_id, seen_at FROM browser_sessions WHERE hash = ? AND seen_at >= ? AND created_at >= ?",
        )
        .bind(hash)
        .bind(now - micros(SESSION_IDLE))
        .bind(now - micros(SESSION_LONGEST))
        .fetch_optional(&self.reader)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let seen: i64 = row.try_get("seen_at")?;
        if now - seen >= micros(SEEN_NOTED_EVERY) {
            sqlx::query("UPDATE browser_sessions SET seen_at = ? WHERE hash = ?")
                .bind(now)
                .bind(hash)
                .execute(&self.writer)
                .await?;
        }
        let account: String = row.try_get("account_id")?;
        self.account(&account).await
    }

    /// Ends a browser's session.
    pub async fn end_browser_session(&self, hash: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM browser_sessions WHERE hash = ?")
            .bind(hash)
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}

fn micros(span: SignedDuration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}
