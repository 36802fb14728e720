//! Answers kept for repeated writes. Looked up and stored inside the change itself, so that of two equal requests at the same time one does the
//! work and the other gets its answer. Only successes are kept: a refused write may be tried again with the same key.

use ensemble_hub_api::limits;
use sqlx::Row as _;

use super::change::Change;
use super::error::StoreError;

/// What a repeated write is known by.
#[derive(Clone, Debug)]
pub struct Repeat {
    pub space: String,
    /// The caller's key id: two callers never share answers.
    pub key_id: String,
    pub idem_key: String,
    /// sha256 of method, route and body.
    pub request_hash: String,
}

/// What is known of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Nothing: do it.
    New,
    /// It was done, with this answer.
    Done { status: u16, response: String },
    /// The key was used for something else.
    Other,
}

impl Change {
    /// Looks a write up, and forgets answers that are older than a day.
    pub async fn kept(&mut self, repeat: &Repeat) -> Result<Kept, StoreError> {
        let age = limits::IDEMPOTENCY_HOURS * 3_600_000_000;
        sqlx::query("DELETE FROM idempotency WHERE at < ?")
            .bind(self.now().as_microsecond() - age)
            .execute(&mut *self.tx)
            .await?;
        let row = sqlx::query(
            "SELECT request_hash, status, response FROM idempotency WHERE space_id = ? AND key_id = ? AND idem_key = ?",
        )
        .bind(&repeat.space)
        .bind(&repeat.key_id)
        .bind(&repeat.idem_key)
        .fetch_optional(&mut *self.tx)
        .await?;
        let Some(row) = row else { return Ok(Kept::New) };
        if row.try_get::<String, _>("request_hash")? != repeat.request_hash {
            return Ok(Kept::Other);
        }
        let status: i64 = row.try_get("status")?;
        Ok(Kept::Done {
            status: u16::try_from(status).unwrap_or(200),
            response: row.try_get("response")?,
        })
    }

    /// Keeps the answer of this change.
    pub async fn keep(
        &mut self,
        repeat: &Repeat,
        status: u16,
        response: &str,
    ) -> Result<(), StoreError> {
        let at = self.now().as_microsecond();
        sqlx::query(
            "INSERT INTO idempotency (space_id, key_id, idem_key, request_hash, status, response, at)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&repeat.space)
        .bind(&repeat.key_id)
        .bind(&repeat.idem_key)
        .bind(&repeat.request_hash)
        .bind(i64::from(status))
        .bind(response)
        .bind(at)
        .execute(&mut *self.tx)
        .await?;
        Ok(())
    }
}
