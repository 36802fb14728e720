//! Requests that wait for consent. A request belongs to the browser session that began it, and is answered once: whoever takes it out answers it.

use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::oauth::Scopes;
use crate::store::record::instant;
use crate::store::{Store, StoreError};

/// A request that waits.
#[derive(Clone, Debug)]
pub(crate) struct RequestRow {
    pub(crate) hash: String,
    pub(crate) session_hash: String,
    pub(crate) client_id: String,
    pub(crate) client_name: String,
    pub(crate) redirect: String,
    pub(crate) state: Option<String>,
    pub(crate) scopes: Scopes,
    pub(crate) challenge: String,
    pub(crate) persistent: bool,
    pub(crate) expires_at: Timestamp,
}

/// What a person allowed.
#[derive(Debug)]
pub(crate) struct NewGrant<'a> {
    pub(crate) id: &'a str,
    pub(crate) account: &'a str,
    pub(crate) space: &'a str,
    pub(crate) resource: &'a str,
    pub(crate) scopes: Scopes,
    pub(crate) code_hash: &'a str,
    pub(crate) code_until: Timestamp,
}

impl RequestRow {
    fn from_row(row: &SqliteRow) -> Result<Self, StoreError> {
        Ok(Self {
            hash: row.try_get("hash")?,
            session_hash: row.try_get("session_hash")?,
            client_id: row.try_get("client_id")?,
            client_name: row.try_get("client_name")?,
            redirect: row.try_get("redirect")?,
            state: row.try_get("state")?,
            scopes: Scopes::stored(row.try_get("scopes")?),
            challenge: row.try_get("challenge")?,
            persistent: row.try_get::<i64, _>("persistent")? != 0,
            expires_at: instant(row.try_get("expires_at")?)?,
        })
    }
}

impl Store {
    /// Keeps a request, and forgets what has expired.
    pub(crate) async fn insert_oauth_request(&self, new: &RequestRow) -> Result<(), StoreError> {
        let now = self.now().as_microsecond();
        let mut work = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        for expired in [
            "DELETE FROM oauth_requests WHERE expires_at <= ?",
            "DELETE FROM oauth_tokens WHERE expires_at <= ?",
        ] {
            sqlx::query(expired).bind(now).execute(&mut *work).await?;
        }
        sqlx::query(
            "INSERT INTO oauth_requests (hash, session_hash, client_id, client_name, redirect, state, scopes, challenge, persistent, expires_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&new.hash)
        .bind(&new.session_hash)
        .bind(&new.client_id)
        .bind(&new.client_name)
        .bind(&new.redirect)
        .bind(&new.state)
        .bind(new.scopes.to_stored())
        .bind(&new.challenge)
        .bind(i64::from(new.persistent))
        .bind(new.expires_at.as_microsecond())
        .execute(&mut *work)
        .await?;
        work.commit().await?;
        Ok(())
    }

    /// The request of this browser, while it waits.
    pub(crate) async fn oauth_request(
        &self,
        hash: &str,
        session_hash: &str,
    ) -> Result<Option<RequestRow>, StoreError> {
        let row = sqlx::query(
            "SELECT * FROM oauth_requests WHERE hash = ? AND session_hash = ? AND expires_at > ?",
        )
        .bind(hash)
        .bind(session_hash)
        .bind(self.now().as_microsecond())
        .fetch_optional(&self.reader)
        .await?;
        row.as_ref().map(RequestRow::from_row).transpose()
    }

    /// Takes the request out, and with `grant` keeps what was allowed in the same step. Absent: nobody waits under these names any more.
    pub(crate) async fn answer_oauth_request(
        &self,
        hash: &str,
        session_hash: &str,
        grant: Option<&NewGrant<'_>>,
    ) -> Result<Option<RequestRow>, StoreError> {
        let now = self.now().as_microsecond();
        let mut work = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let row = sqlx::query(
            "DELETE FROM oauth_requests WHERE hash = ? AND session_hash = ? AND expires_at > ? RETURNING *",
        )
        .bind(hash)
        .bind(session_hash)
        .bind(now)
        .fetch_optional(&mut *work)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let request = RequestRow::from_row(&row)?;
        if let Some(grant) = grant {
            insert_grant(&mut work, &request, grant, now).await?;
        }
        work.commit().await?;
        Ok(Some(request))
    }
}

async fn insert_grant(
    work: &mut SqliteConnection,
    request: &RequestRow,
    new: &NewGrant<'_>,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO oauth_grants (id, client_id, client_name, account_id, space_id, resource, scopes, persistent, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(new.id)
    .bind(&request.client_id)
    .bind(&request.client_name)
    .bind(new.account)
    .bind(new.space)
    .bind(new.resource)
    .bind(new.scopes.to_stored())
    .bind(i64::from(request.persistent))
    .bind(now)
    .execute(&mut *work)
    .await?;
    sqlx::query("INSERT INTO oauth_codes (hash, grant_id, redirect, challenge, expires_at) VALUES (?, ?, ?, ?, ?)")
        .bind(new.code_hash)
        .bind(new.id)
        .bind(&request.redirect)
        .bind(&request.challenge)
        .bind(new.code_until.as_microsecond())
        .execute(&mut *work)
        .await?;
    Ok(())
}
