//! The search index: which words stand in which record. Texts are turned into safe tokens before they reach SQLite, so no search text is ever
//! read as query syntax. Ranking is not done here; this finds candidates in the space.

use ensemble_hub_api::Kind;
use serde_json::Value;
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::Store;
use super::error::StoreError;
use super::record::Record;
use crate::text::terms::index_text;

/// Candidates of one search.
const CANDIDATES_MAX: u32 = 2_000;
/// Characters of a record that are indexed; the rest of a longer text is not found by its words.
const INDEXED_MAX: usize = 400_000;
/// The fields whose texts are found, besides title and body.
const FOUND_FIELDS: [&str; 18] = [
    "aliases",
    "branch",
    "description",
    "email",
    "fullName",
    "labels",
    "languages",
    "location",
    "notes",
    "question",
    "relationship",
    "role",
    "slug",
    "source",
    "summary",
    "tags",
    "team",
    "transcript",
];

impl Store {
    /// Records of the space that match an index query (made by `text::terms::fts_query`), best first, with SQLite's bm25 (lower is better;
    /// a title's words weigh ten times a body's). No kinds means all.
    pub async fn index_candidates(
        &self,
        space: &str,
        fts_query: &str,
        kinds: &[Kind],
        limit: u32,
    ) -> Result<Vec<(String, f64)>, StoreError> {
        if fts_query.trim().is_empty() {
            return Ok(Vec::new());
        }
        // CROSS JOIN keeps the index in front: the other way round SQLite asks it once for every record of the space.
        let mut query = QueryBuilder::<Sqlite>::new(
            "SELECT r.id, bm25(records_index, 10.0, 1.0) AS rank
             FROM records_index CROSS JOIN records r ON r.seq = records_index.rowid
             WHERE records_index MATCH ",
        );
        query.push_bind(fts_query.to_owned());
        query.push(" AND r.space_id = ").push_bind(space.to_owned());
        query.push(" AND r.deleted_at IS NULL");
        if !kinds.is_empty() {
            query.push(" AND r.kind IN (");
            let mut list = query.separated(", ");
            for kind in kinds {
                list.push_bind(kind.as_str());
            }
            query.push(")");
        }
        query
            .push(" ORDER BY rank, r.id LIMIT ")
            .push_bind(limit.min(CANDIDATES_MAX));
        let rows = query.build().fetch_all(&self.reader).await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect()
    }
}

/// Writes the index row of a record, replacing an older one.
pub(super) async fn write(
    connection: &mut SqliteConnection,
    seq: i64,
    record: &Record,
) -> Result<(), StoreError> {
    remove(connection, seq).await?;
    sqlx::query("INSERT INTO records_index (rowid, title, body) VALUES (?, ?, ?)")
        .bind(seq)
        .bind(index_text(&record.title))
        .bind(index_text(&found_text(record)))
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes the index row of a record.
pub(super) async fn remove(connection: &mut SqliteConnection, seq: i64) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM records_index WHERE rowid = ?")
        .bind(seq)
        .execute(connection)
        .await?;
    Ok(())
}

/// The body and the fields that are searched, as one text.
fn found_text(record: &Record) -> String {
    let mut text: String = record.body.chars().take(INDEXED_MAX).collect();
    for name in FOUND_FIELDS {
        if let Some(value) = record.fields.get(name) {
            gather(value, &mut text, 0);
        }
    }
    text
}

/// Appends every text inside a value: lists, and objects such as the turns of a transcript.
fn gather(value: &Value, text: &mut String, depth: usize) {
    // Bytes, not characters, are a cheap bound here; nothing is cut inside a text.
    if depth > 4 || text.len() > INDEXED_MAX {
        return;
    }
    match value {
        Value::String(part) => {
            text.push('\n');
            text.extend(part.chars().take(INDEXED_MAX));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, text, depth + 1)),
        Value::Object(fields) => fields
            .values()
            .for_each(|field| gather(field, text, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
