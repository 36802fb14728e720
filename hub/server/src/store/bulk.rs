//! Many records and links in few statements, for imports and whatever else writes thousands: what is written is what [`Change::create`] and
//! [`Change::link`] write, row by row in the same order.

use serde_json::{Value, json};
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::change::fields_text;
use super::error::StoreError;
use super::ledger::Entry;
use super::names::name_key;
use super::record::{NewRecord, Record};
use super::{Change, index};
use crate::text::fold::fold;

/// Rows of one statement.
const ROWS: usize = 100;
/// Rows of one statement of the index; each takes four of the 32,766 values that a statement may have.
const INDEX_ROWS: usize = 2_000;

impl Change {
    /// Adds records; `action` is what the ledger calls it.
    pub async fn create_all(
        &mut self,
        action: &str,
        new: Vec<NewRecord>,
    ) -> Result<(), StoreError> {
        let records: Vec<Record> = new.into_iter().map(|new| self.made(new)).collect();
        let mut rows = Vec::with_capacity(records.len());
        for records in records.chunks(ROWS) {
            rows.extend(self.insert_all(records).await?);
            let entries = records.iter().map(|record| Entry {
                space: &record.space,
                action,
                record_id: &record.id,
                before: None,
                after: Some(record.to_json()),
            });
            self.log_all(entries.collect()).await?;
        }
        // Last and in as few statements as can be: the index writes out what it has gathered before each statement of several rows.
        for rows in rows.chunks(INDEX_ROWS) {
            index::insert_all(&mut self.tx, rows).await?;
        }
        Ok(())
    }

    /// Links records of a space, from and relation and to; a link that is there already stays one link. How many are new.
    pub async fn link_all(
        &mut self,
        action: &str,
        space: &str,
        links: &[(&str, &str, &str)],
    ) -> Result<usize, StoreError> {
        let mut count = 0;
        for links in links.chunks(ROWS) {
            let wanted: Value = links
                .iter()
                .map(|(from, relation, to)| json!([from, relation, to]))
                .collect();
            // Both ends have to be in this space: a link never crosses the boundary.
            let rows = sqlx::query(
                "INSERT OR IGNORE INTO links (space_id, from_id, relation, to_id, from_kind, live)
                 SELECT ?1, f.id, wanted.value ->> 1, t.id, f.kind, f.deleted_at IS NULL AND t.deleted_at IS NULL
                 FROM json_each(?2) AS wanted CROSS JOIN records f ON f.id = wanted.value ->> 0 AND f.space_id = ?1
                 CROSS JOIN records t ON t.id = wanted.value ->> 2 AND t.space_id = ?1
                 RETURNING from_id, relation, to_id",
            )
            .bind(space)
            .bind(wanted.to_string())
            .fetch_all(&mut *self.tx)
            .await?;
            let mut made: Vec<(String, Value)> = Vec::with_capacity(rows.len());
            for row in &rows {
                let (relation, to): (String, String) = (row.try_get(1)?, row.try_get(2)?);
                let after = json!({ "link": { "relation": relation, "to": to } });
                made.push((row.try_get(0)?, after));
            }
            let entries = made.iter().map(|(from, after)| Entry {
                space,
                action,
                record_id: from,
                before: None,
                after: Some(after.clone()),
            });
            self.log_all(entries.collect()).await?;
            count += made.len();
        }
        Ok(count)
    }

    /// Inserts the rows of the table; each record with its row's number.
    async fn insert_all<'a>(
        &mut self,
        records: &'a [Record],
    ) -> Result<Vec<(i64, &'a Record)>, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new(
            "INSERT INTO records (id, space_id, kind, title, title_key, title_fold, status, created_at, updated_at, version,
                fields, body, actor) ",
        );
        query.push_values(records, |mut row, record| {
            row.push_bind(&record.id)
                .push_bind(&record.space)
                .push_bind(record.kind.as_str())
                .push_bind(&record.title)
                .push_bind(name_key(&record.title))
                .push_bind(fold(&record.title))
                .push_bind(&record.status)
                .push_bind(record.created_at.as_microsecond())
                .push_bind(record.updated_at.as_microsecond())
                .push_bind(record.version)
                .push_bind(fields_text(record))
                .push_bind(&record.body)
                .push_bind(&record.actor);
        });
        query.push(" RETURNING seq, id");
        let rows = query.build().fetch_all(&mut *self.tx).await?;
        let mut numbered = Vec::with_capacity(records.len());
        for row in &rows {
            let (seq, id): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
            if let Some(record) = records.iter().find(|record| record.id == id) {
                numbered.push((seq, record));
            }
        }
        Ok(numbered)
    }
}
