//! What a stretch of time brought, counted in the ledger. Changes that were taken back, and those that took one back, do not count.

use std::collections::BTreeMap;

use jiff::Timestamp;
use sqlx::Row as _;

use super::Store;
use super::error::StoreError;
use super::record::instant;

/// Moves that one recap looks at.
const MOVES_MAX: u32 = 2_000;

/// How many records of a kind were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub kind: String,
    /// Whether an import made them.
    pub imported: bool,
    pub count: u64,
}

/// A record whose status is another than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub record_id: String,
    pub kind: String,
    /// The status at the beginning; absent when it had none.
    pub was: Option<String>,
    /// The status at the end.
    pub is: Option<String>,
}

/// The imports of one source into a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRun {
    /// `import.ics`, …
    pub action: String,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    /// Records that it made or changed.
    pub records: u64,
    /// Transactions, each of which can be undone.
    pub changes: u64,
}

/// Rows of the ledger that stand: neither taken back nor taking back.
const STANDS: &str = "l.undoes IS NULL AND (l.change_id IS NULL OR NOT EXISTS (SELECT 1 FROM ledger u WHERE u.undoes = l.change_id))";

impl Store {
    /// What was made from `from` on and before `to`, by kind.
    pub async fn made(
        &self,
        space: &str,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<Made>, StoreError> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT json_extract(l.after_json, '$.kind') AS kind, l.action LIKE 'import.%' AS imported, count(*) AS made
             FROM ledger l WHERE l.space_id = ? AND l.at >= ? AND l.at < ? AND l.before_json IS NULL
                AND json_extract(l.after_json, '$.version') = 1 AND {STANDS}
             GROUP BY 1, 2 ORDER BY 1, 2"
        )))
        .bind(space)
        .bind(from.as_microsecond())
        .bind(to.as_microsecond())
        .fetch_all(&self.reader)
        .await?;
        let row = |row: &sqlx::sqlite::SqliteRow| {
            let count: i64 = row.try_get("made")?;
            Ok(Made {
                kind: row.try_get("kind")?,
                imported: row.try_get("imported")?,
                count: u64::try_from(count).unwrap_or(0),
            })
        };
        rows.iter().map(row).collect()
    }

    /// The records whose status became another from `from` on and before `to`, each once, the last moved first; and whether there are more.
    pub async fn moved(
        &self,
        space: &str,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<(Vec<Moved>, bool), StoreError> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT l.record_id, json_extract(l.after_json, '$.kind') AS kind,
                json_extract(l.before_json, '$.status') AS was, json_extract(l.after_json, '$.status') AS now
             FROM ledger l WHERE l.space_id = ? AND l.at >= ? AND l.at < ? AND l.before_json IS NOT NULL
                AND json_extract(l.after_json, '$.version') IS NOT NULL AND was IS NOT now AND {STANDS}
             ORDER BY l.seq DESC LIMIT ?"
        )))
        .bind(space)
        .bind(from.as_microsecond())
        .bind(to.as_microsecond())
        .bind(MOVES_MAX + 1)
        .fetch_all(&self.reader)
        .await?;
        let more = rows.len() > MOVES_MAX as usize;
        let mut moved: Vec<Moved> = Vec::new();
        let mut at: BTreeMap<String, usize> = BTreeMap::new();
        for row in rows.iter().take(MOVES_MAX as usize) {
            let one = Moved {
                record_id: row.try_get("record_id")?,
                kind: row.try_get("kind")?,
                was: row.try_get("was")?,
                is: row.try_get("now")?,
            };
            // Rows come newest first: the last one seen says where the record began.
            if let Some(known) = at.get(&one.record_id).and_then(|at| moved.get_mut(*at)) {
                known.was = one.was;
            } else {
                at.insert(one.record_id.clone(), moved.len());
                moved.push(one);
            }
        }
        moved.retain(|one| one.was != one.is);
        Ok((moved, more))
    }

    /// The imports of a space, one for each source, the last first.
    pub async fn import_runs(&self, space: &str) -> Result<Vec<ImportRun>, StoreError> {
        let rows = sqlx::query(
            "SELECT action, min(at) AS first_at, max(at) AS last_at, count(DISTINCT record_id) AS touched,
                count(DISTINCT change_id) AS done
             FROM ledger WHERE space_id = ? AND action LIKE 'import.%' GROUP BY action ORDER BY last_at DESC, action",
        )
        .bind(space)
        .fetch_all(&self.reader)
        .await?;
        let row = |row: &sqlx::sqlite::SqliteRow| {
            let (records, changes): (i64, i64) = (row.try_get("touched")?, row.try_get("done")?);
            Ok(ImportRun {
                action: row.try_get("action")?,
                first_at: instant(row.try_get("first_at")?)?,
                last_at: instant(row.try_get("last_at")?)?,
                records: u64::try_from(records).unwrap_or(0),
                changes: u64::try_from(changes).unwrap_or(0),
            })
        };
        rows.iter().map(row).collect()
    }

    /// How many records of each kind the imports of `action` made, by kind.
    pub async fn imported_kinds(
        &self,
        space: &str,
        action: &str,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT json_extract(after_json, '$.kind') AS kind, count(DISTINCT record_id) AS made FROM ledger
             WHERE space_id = ? AND action = ? AND json_extract(after_json, '$.version') IS NOT NULL GROUP BY 1 ORDER BY 1",
        )
        .bind(space)
        .bind(action)
        .fetch_all(&self.reader)
        .await?;
        rows.iter()
            .map(|row| {
                let made: i64 = row.try_get("made")?;
                Ok((row.try_get("kind")?, u64::try_from(made).unwrap_or(0)))
            })
            .collect()
    }
}
