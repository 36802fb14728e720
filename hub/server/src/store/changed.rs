//! What changed since when: the records of a space behind a number of the ledger, and a word to whoever waits for the next.

use ensemble_hub_api::{Handle, Kind};
use sqlx::Row as _;
use tokio::sync::watch;

use super::Store;
use super::error::StoreError;

impl Store {
    /// The ledger's present number in this space. That of all spaces would tell how much happens in others.
    pub async fn changed_until(&self, space: &str) -> Result<i64, StoreError> {
        let seq: Option<i64> = sqlx::query_scalar("SELECT max(seq) FROM ledger WHERE space_id = ?")
            .bind(space)
            .fetch_one(&self.reader)
            .await?;
        Ok(seq.unwrap_or(0))
    }

    /// The handles of the records that changed behind `after`, each once; the number up to which they were looked at, and whether there are
    /// more behind it.
    pub async fn changed_since(
        &self,
        space: &str,
        after: i64,
        limit: u32,
    ) -> Result<(Vec<Handle>, i64, bool), StoreError> {
        let rows = sqlx::query(
            "SELECT l.seq, r.kind, r.id FROM ledger l JOIN records r ON r.id = l.record_id
             WHERE l.space_id = ? AND l.seq > ? ORDER BY l.seq LIMIT ?",
        )
        .bind(space)
        .bind(after)
        .bind(limit)
        .fetch_all(&self.reader)
        .await?;
        let mut handles: Vec<Handle> = Vec::new();
        let mut cursor = after;
        for row in &rows {
            cursor = row.try_get(0)?;
            let kind: String = row.try_get(1)?;
            let kind = Kind::parse(&kind).ok_or(StoreError::Unreadable { what: "kind" })?;
            let handle = Handle::new(kind, row.try_get::<String, _>(2)?);
            if !handles.contains(&handle) {
                handles.push(handle);
            }
        }
        Ok((handles, cursor, rows.len() == limit as usize))
    }

    /// Is told of every change of this process that was made permanent.
    pub(crate) fn told(&self) -> watch::Receiver<()> {
        self.tell.subscribe()
    }
}
