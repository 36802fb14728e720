//! The search index: which words stand in which record. Texts are turned into safe tokens before they reach SQLite, so no search text is ever
//! read as query syntax. Ranking is not done here; this finds candidates in the space.
//!
//! Beside the words of title and body each row has its scope: the space, its kind in the space, the groups of kinds that are often asked for
//! together, and for open tasks their labels. SQLite's own measure (bm25) is not asked: it looks at every match of every word, also at those of
//! other spaces.

use ensemble_hub_api::Kind;
use serde_json::Value;
use sqlx::{AssertSqlSafe, QueryBuilder, Row as _, Sqlite, SqliteConnection, SqlitePool};

use super::error::StoreError;
use super::query::Page;
use super::record::{COLUMNS, Record};
use super::scope::{label_token, quoted, scope, scoped, space_token};
use super::{Store, titles};
use crate::text::terms::index_text;

/// Candidates of one search.
const CANDIDATES_MAX: u32 = 2_000;
/// Matches among which wanted records are looked for.
const AMONG: u32 = 100_000;
/// Matches from which on the newest are near the end of the index.
const FAR_APART: u32 = 400;
/// Records that are read at once when the index is filled again.
const REFILL: i64 = 500;
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
    /// How many records match, counted up to `most`.
    pub async fn index_count(
        &self,
        space: &str,
        fts_query: &str,
        kinds: &[Kind],
        most: u32,
    ) -> Result<u32, StoreError> {
        let Some(asked) = scoped(space, fts_query, kinds) else {
            return Ok(0);
        };
        let count: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM (SELECT 1 FROM records_index WHERE records_index MATCH ? LIMIT ?)",
        )
        .bind(asked)
        .bind(most)
        .fetch_one(&self.reader)
        .await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// The ids of the records that came last among those that match: for each index query (made by `text::terms`) as many as stand beside
    /// it, each record once. No kinds means all.
    pub async fn index_newest(
        &self,
        space: &str,
        queries: &[(String, u32)],
        kinds: &[Kind],
    ) -> Result<Vec<String>, StoreError> {
        let scoped: Vec<(String, u32)> = queries
            .iter()
            .filter_map(|(query, most)| Some((scoped(space, query, kinds)?, *most)))
            .collect();
        if scoped.is_empty() {
            return Ok(Vec::new());
        }
        // One row with all ids: a row by itself costs more than an id.
        let mut query = QueryBuilder::<Sqlite>::new("SELECT json_group_array(id) FROM (");
        for (at, (asked, most)) in scoped.into_iter().enumerate() {
            query.push(if at == 0 { "" } else { " UNION " });
            query.push("SELECT id FROM (SELECT r.id");
            matching(&mut query, space, asked, kinds);
            query.push(" ORDER BY records_index.rowid DESC LIMIT ");
            query.push_bind(most.min(CANDIDATES_MAX)).push(")");
        }
        query.push(")");
        ids(&fetch_list(&mut query, &self.reader).await?)
    }

    /// The same of one query whose matches may be few and far apart. Upwards the index is walked in less than half the time, so that is tried
    /// first; where there are many, the newest are soon found from the other end.
    pub async fn index_newest_of_few(
        &self,
        space: &str,
        fts_query: &str,
        kinds: &[Kind],
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        let Some(asked) = scoped(space, fts_query, kinds) else {
            return Ok(Vec::new());
        };
        let mut query =
            QueryBuilder::<Sqlite>::new("SELECT json_group_array(id) FROM (SELECT r.id");
        matching(&mut query, space, asked, kinds);
        query.push(" ORDER BY records_index.rowid LIMIT ");
        query.push_bind(FAR_APART).push(")");
        let mut found = ids(&fetch_list(&mut query, &self.reader).await?)?;
        if found.len() >= FAR_APART as usize {
            let query = (fts_query.to_owned(), limit);
            return self.index_newest(space, &[query], kinds).await;
        }
        found.drain(..found.len().saturating_sub(limit as usize));
        Ok(found)
    }

    /// Which of these records match; beyond 100,000 matches, only those among the oldest so many.
    pub async fn index_among(
        &self,
        space: &str,
        fts_query: &str,
        ids: &[String],
    ) -> Result<Vec<String>, StoreError> {
        let Some(asked) = scoped(space, fts_query, &[]) else {
            return Ok(Vec::new());
        };
        let found = sqlx::query_scalar(
            "SELECT r.id FROM json_each(?) AS wanted CROSS JOIN records r ON r.id = wanted.value
             WHERE +r.seq IN (SELECT rowid FROM records_index WHERE records_index MATCH ? LIMIT ?)
               AND r.space_id = ? AND r.deleted_at IS NULL",
        )
        .bind(Value::from(ids).to_string())
        .bind(asked)
        .bind(AMONG)
        .bind(space)
        .fetch_all(&self.reader)
        .await?;
        Ok(found)
    }

    /// The open tasks that have exactly this label, the newest change first, with how many there are in all.
    pub async fn open_tasks_labelled(
        &self,
        space: &str,
        label: &str,
        limit: u32,
    ) -> Result<Page<Record>, StoreError> {
        let asked = format!(
            "scope : ({} AND {})",
            quoted(&space_token(space)),
            quoted(&label_token(label))
        );
        let mut query = QueryBuilder::<Sqlite>::new("SELECT first.total, ");
        query.push(COLUMNS);
        query.push(" FROM (SELECT r.seq AS seq, count(*) OVER () AS total");
        matching(&mut query, space, asked, &[Kind::Task]);
        // The index folds letters; the label is what it is.
        query.push(" AND EXISTS (SELECT 1 FROM json_each(r.fields, '$.labels') WHERE value = ");
        query.push_bind(label.to_owned());
        query.push(") ORDER BY +r.updated_at DESC, r.id LIMIT ");
        query.push_bind(limit);
        query.push(
            ") AS first CROSS JOIN records r ON r.seq = first.seq ORDER BY r.updated_at DESC, r.id",
        );
        let rows = query.build().fetch_all(&self.reader).await?;
        let total = rows.first().map_or(Ok(0), super::query::count)?;
        let items = rows
            .iter()
            .map(Record::from_row)
            .collect::<Result<_, _>>()?;
        Ok(Page { items, total })
    }
}

async fn fetch_list(
    query: &mut QueryBuilder<Sqlite>,
    reader: &SqlitePool,
) -> Result<String, StoreError> {
    Ok(query.build_query_scalar().fetch_one(reader).await?)
}

/// The ids of a list in JSON.
fn ids(list: &str) -> Result<Vec<String>, StoreError> {
    serde_json::from_str(list).map_err(|_| StoreError::Unreadable {
        what: "list of ids",
    })
}

/// The records that match, in no order yet.
fn matching(query: &mut QueryBuilder<Sqlite>, space: &str, asked: String, kinds: &[Kind]) {
    // CROSS JOIN keeps the index in front: the other way round SQLite asks it once for every record of the space.
    query.push(
        " FROM records_index CROSS JOIN records r ON r.seq = records_index.rowid WHERE records_index MATCH ",
    );
    query.push_bind(asked);
    // With the sign no index is thought of, so that the statement is not prepared again for each other value.
    query
        .push(" AND +r.space_id = ")
        .push_bind(space.to_owned());
    query.push(" AND r.deleted_at IS NULL");
    if !kinds.is_empty() {
        query.push(" AND +r.kind IN (");
        let mut list = query.separated(", ");
        for kind in kinds {
            list.push_bind(kind.as_str());
        }
        query.push(")");
    }
}

/// Fills the index with every record, after its table was made anew.
pub(super) async fn refill(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut last = 0_i64;
    loop {
        let statement = format!(
            "SELECT r.seq, {COLUMNS} FROM records r WHERE r.seq > ? AND r.deleted_at IS NULL ORDER BY r.seq LIMIT ?"
        );
        let rows = sqlx::query(AssertSqlSafe(statement))
            .bind(last)
            .bind(REFILL)
            .fetch_all(&mut *connection)
            .await?;
        for row in &rows {
            last = row.try_get("seq")?;
            insert(connection, last, &Record::from_row(row)?).await?;
        }
        if rows.is_empty() {
            return Ok(());
        }
    }
}

/// Writes the index row of a record, replacing an older one.
pub(super) async fn write(
    connection: &mut SqliteConnection,
    seq: i64,
    record: &Record,
) -> Result<(), StoreError> {
    remove(connection, seq).await?;
    insert(connection, seq, record).await
}

/// Writes the index row of a record that has none.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    seq: i64,
    record: &Record,
) -> Result<(), StoreError> {
    insert_all(connection, &[(seq, record)]).await
}

/// Writes the index rows of records that have none, in one statement.
pub(super) async fn insert_all(
    connection: &mut SqliteConnection,
    rows: &[(i64, &Record)],
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut query =
        QueryBuilder::<Sqlite>::new("INSERT INTO records_index (rowid, title, body, scope) ");
    query.push_values(rows, |mut row, (seq, record)| {
        row.push_bind(*seq)
            .push_bind(index_text(&record.title))
            .push_bind(index_text(&found_text(record)))
            .push_bind(scope(record));
    });
    query.build().execute(&mut *connection).await?;
    titles::insert_all(connection, rows).await
}

/// Removes the index row of a record.
pub(super) async fn remove(connection: &mut SqliteConnection, seq: i64) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM records_index WHERE rowid = ?")
        .bind(seq)
        .execute(&mut *connection)
        .await?;
    titles::remove(connection, seq).await
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
