//! Whether the database is whole: SQLite's own check, references that lead nowhere, and the ledger against what it tells of. What disagrees is
//! named by table and id; nothing is repaired.

use sqlx::Row as _;

use super::Store;
use super::error::StoreError;

/// Things that are named of one kind.
const SHOWN: i64 = 20;

/// A record whose state is not the one that its last row in the ledger has.
const RECORDS: &str = "SELECT r.id FROM records r LEFT JOIN ledger l ON l.seq = (
        SELECT max(o.seq) FROM ledger o WHERE o.record_id = r.id AND json_extract(o.after_json, '$.version') IS NOT NULL)
    WHERE l.seq IS NULL OR json_extract(l.after_json, '$.version') <> r.version OR json_extract(l.after_json, '$.title') <> r.title
        OR json_extract(l.after_json, '$.body') <> r.body OR json_extract(l.after_json, '$.deletedAt') IS NOT r.deleted_at
    LIMIT ?";

/// A link whose last row in the ledger is missing, or says that it was removed; and one that the ledger has and the table does not.
const LINKS: &str = "WITH told AS (
        SELECT record_id, coalesce(json_extract(after_json, '$.link.relation'), json_extract(before_json, '$.link.relation')) AS relation,
            coalesce(json_extract(after_json, '$.link.to'), json_extract(before_json, '$.link.to')) AS target,
            max(seq), after_json IS NOT NULL AS made
        FROM ledger WHERE json_extract(coalesce(after_json, before_json), '$.link.to') IS NOT NULL
        GROUP BY 1, 2, 3)
    SELECT from_id || ' ' || relation || ' ' || to_id FROM links
        WHERE (from_id, relation, to_id) NOT IN (SELECT record_id, relation, target FROM told WHERE made)
    UNION ALL
    SELECT record_id || ' ' || relation || ' ' || target FROM told
        WHERE made AND (record_id, relation, target) NOT IN (SELECT from_id, relation, to_id FROM links)
    LIMIT ?";

impl Store {
    /// What is wrong with the database; empty when nothing is. Reads all of it.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub async fn verify(&self) -> Result<Vec<String>, StoreError> {
        let mut tx = self.reader.begin().await?;
        let mut wrong = Vec::new();
        let verdicts: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(20)")
            .fetch_all(&mut *tx)
            .await?;
        wrong.extend(verdicts.into_iter().filter(|verdict| verdict != "ok"));
        for row in sqlx::query("PRAGMA foreign_key_check")
            .fetch_all(&mut *tx)
            .await?
        {
            let table: String = row.try_get(0)?;
            wrong.push(format!("a row of {table} refers to nothing"));
        }
        for (statement, what) in [(RECORDS, "record"), (LINKS, "link")] {
            let ids: Vec<String> = sqlx::query_scalar(statement)
                .bind(SHOWN)
                .fetch_all(&mut *tx)
                .await?;
            wrong.extend(
                ids.into_iter()
                    .map(|id| format!("the ledger does not agree with the {what} {id}")),
            );
        }
        tx.commit().await?;
        Ok(wrong)
    }
}
