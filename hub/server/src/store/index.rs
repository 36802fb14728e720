//! The search index: which words stand in which record. Texts are turned into safe tokens before they reach SQLite, so no search text is ever
//! read as query syntax. Ranking is not done here; this finds candidates in the space.
//!
//! Beside the words of title and body each row has its scope: the space, the kind, and for open tasks their labels. The measure of SQLite
//! (bm25) looks at every match, so it is only asked where there are few; where there are many, the newest are taken as they come.

use ensemble_hub_api::{Kind, TaskStatus};
use serde_json::Value;
use sqlx::{AssertSqlSafe, QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::error::StoreError;
use super::record::{COLUMNS, Record};
use super::{Store, titles};
use crate::text::terms::{index_text, literal_token};

/// Candidates of one search.
const CANDIDATES_MAX: u32 = 2_000;
/// Matches among which wanted records are looked for.
const AMONG: u32 = 10_000;
/// Kinds that are asked of the index; more are sorted out afterwards.
const KINDS_ASKED: usize = 8;
/// Records that are read at once when the index is filled again.
const REFILL: i64 = 500;
/// Characters of a record that are indexed; the rest of a longer text is not found by its words.
const INDEXED_MAX: usize = 400_000;
/// Labels of one record that are looked for as a whole.
const LABELS_MAX: usize = 50;
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
    /// Records of the space that match an index query (made by `text::terms`), best first, with SQLite's bm25 (lower is better; a title's
    /// words weigh ten times a body's). No kinds means all.
    pub async fn index_candidates(
        &self,
        space: &str,
        fts_query: &str,
        kinds: &[Kind],
        limit: u32,
    ) -> Result<Vec<(String, f64)>, StoreError> {
        let Some(asked) = scoped(space, fts_query, kinds) else {
            return Ok(Vec::new());
        };
        let mut query =
            QueryBuilder::<Sqlite>::new("SELECT r.id, bm25(records_index, 10.0, 1.0, 0.0) AS rank");
        matching(&mut query, space, asked, kinds);
        query
            .push(" ORDER BY rank, r.id LIMIT ")
            .push_bind(limit.min(CANDIDATES_MAX));
        let rows = query.build().fetch_all(&self.reader).await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect()
    }

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

    /// The ids of the records that came last among those that match.
    pub async fn index_newest(
        &self,
        space: &str,
        fts_query: &str,
        kinds: &[Kind],
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        let Some(asked) = scoped(space, fts_query, kinds) else {
            return Ok(Vec::new());
        };
        let mut query = QueryBuilder::<Sqlite>::new("SELECT r.id");
        matching(&mut query, space, asked, kinds);
        query
            .push(" ORDER BY records_index.rowid DESC LIMIT ")
            .push_bind(limit.min(CANDIDATES_MAX));
        Ok(query.build_query_scalar().fetch_all(&self.reader).await?)
    }

    /// Which of these records are among the newest 10,000 that match.
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
             WHERE +r.seq IN (SELECT rowid FROM records_index WHERE records_index MATCH ? ORDER BY rowid DESC LIMIT ?)
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

    /// The open tasks that have exactly this label, at most 2,000.
    pub async fn open_tasks_labelled(
        &self,
        space: &str,
        label: &str,
    ) -> Result<Vec<Record>, StoreError> {
        let asked = format!(
            "scope : ({} AND {})",
            quoted(&space_token(space)),
            quoted(&label_token(label))
        );
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(COLUMNS);
        matching(&mut query, space, asked, &[Kind::Task]);
        query.push(" LIMIT ").push_bind(CANDIDATES_MAX);
        let rows = query.build().fetch_all(&self.reader).await?;
        let mut found: Vec<Record> = rows
            .iter()
            .map(Record::from_row)
            .collect::<Result<_, _>>()?;
        // The index folds letters; the label is what it is.
        found.retain(|task| is_open(task) && task.texts("labels").contains(&label));
        Ok(found)
    }
}

/// The records that match, in no order yet.
fn matching(query: &mut QueryBuilder<Sqlite>, space: &str, asked: String, kinds: &[Kind]) {
    // CROSS JOIN keeps the index in front: the other way round SQLite asks it once for every record of the space.
    query.push(
        " FROM records_index CROSS JOIN records r ON r.seq = records_index.rowid WHERE records_index MATCH ",
    );
    query.push_bind(asked);
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
}

/// The query in the space and, where they are few, the kinds; `None` for no words.
fn scoped(space: &str, fts_query: &str, kinds: &[Kind]) -> Option<String> {
    if fts_query.trim().is_empty() {
        return None;
    }
    let mut scope = quoted(&space_token(space));
    if (1..=KINDS_ASKED).contains(&kinds.len()) {
        let kinds: Vec<String> = kinds
            .iter()
            .map(|kind| quoted(&kind_token(*kind)))
            .collect();
        scope = format!("{scope} AND ({})", kinds.join(" OR "));
    }
    Some(format!(
        "({{title body}} : ({fts_query})) AND (scope : ({scope}))"
    ))
}

pub(super) fn quoted(token: &str) -> String {
    format!("\"{token}\"")
}

pub(super) fn space_token(space: &str) -> String {
    let letters = space.chars().filter(char::is_ascii_alphanumeric);
    std::iter::once('s').chain(letters).collect()
}

pub(super) fn kind_token(kind: Kind) -> String {
    format!("k{}", kind.as_str())
}

fn label_token(label: &str) -> String {
    format!("l{}", literal_token(label))
}

fn is_open(task: &Record) -> bool {
    let status = task.status.as_deref().and_then(TaskStatus::parse);
    status.is_some_and(TaskStatus::is_open)
}

/// What is asked for besides words.
fn scope(record: &Record) -> String {
    let mut scope = format!("{} {}", space_token(&record.space), kind_token(record.kind));
    if record.kind == Kind::Task && is_open(record) {
        for label in record.texts("labels").into_iter().take(LABELS_MAX) {
            scope.push(' ');
            scope.push_str(&label_token(label));
        }
    }
    scope
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
