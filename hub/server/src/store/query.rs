//! Reading records: one by id, many by ids, by name, and lists with filters. Bounds: a list is at most [`ROWS_MAX`] rows, whatever is asked.

use ensemble_hub_api::Kind;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::Store;
use super::error::StoreError;
use super::names::name_key;
use super::record::{COLUMNS, Record};
use crate::text::fold::fold;

/// Rows of one list.
const ROWS_MAX: u32 = 1_000;
/// Records of one name that [`Store::find_by_title`] returns.
const NAMESAKES_MAX: u32 = 50;

/// A list's order; the id decides between equals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Newest change first.
    #[default]
    Updated,
    /// Newest first.
    Created,
    /// By folded title.
    Title,
}

/// Which records. Everything left empty does not filter.
#[derive(Clone, Debug, Default)]
pub struct RecordQuery {
    pub kinds: Vec<Kind>,
    pub statuses: Vec<String>,
    pub order: Order,
    /// Words that all stand in the title, in any order; case and accents do not count.
    pub title_words: Option<String>,
    /// Text fields with exactly this value.
    pub field_equals: Vec<(String, String)>,
    /// A text field at or after the first and before the second value, compared as text (instants in UTC, dates).
    pub field_between: Option<(String, String, String)>,
    /// Records with a link (relation, target id).
    pub linked_to: Option<(String, String)>,
    /// 0 means the most that a list has.
    pub limit: u32,
    pub offset: u32,
}

/// A part of a list, with how many there are in all.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total: u64,
}

impl Store {
    /// The record of this id in this space.
    pub async fn record(&self, space: &str, id: &str) -> Result<Option<Record>, StoreError> {
        let mut connection = self.reader.acquire().await?;
        by_id(&mut connection, space, id).await
    }

    /// The records of these ids that are in this space, in the order asked; those that are not are left out.
    pub async fn by_ids(&self, space: &str, ids: &[String]) -> Result<Vec<Record>, StoreError> {
        let mut connection = self.reader.acquire().await?;
        by_ids(&mut connection, space, ids).await
    }

    /// A list of records.
    pub async fn records(
        &self,
        space: &str,
        asked: &RecordQuery,
    ) -> Result<Page<Record>, StoreError> {
        let mut count = QueryBuilder::<Sqlite>::new("SELECT count(*) FROM records r");
        filter(&mut count, space, asked);
        // One read transaction, so that the total and the rows belong together.
        let mut tx = self.reader.begin().await?;
        let total: i64 = count.build_query_scalar().fetch_one(&mut *tx).await?;

        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(COLUMNS).push(" FROM records r");
        filter(&mut query, space, asked);
        query.push(match asked.order {
            Order::Updated => " ORDER BY r.updated_at DESC, r.id DESC",
            Order::Created => " ORDER BY r.created_at DESC, r.id DESC",
            Order::Title => " ORDER BY r.title_fold, r.id",
        });
        let limit = if asked.limit == 0 {
            ROWS_MAX
        } else {
            asked.limit.min(ROWS_MAX)
        };
        query
            .push(" LIMIT ")
            .push_bind(limit)
            .push(" OFFSET ")
            .push_bind(asked.offset);
        let rows = query.build().fetch_all(&mut *tx).await?;
        tx.commit().await?;
        Ok(Page {
            items: rows
                .iter()
                .map(Record::from_row)
                .collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or(0),
        })
    }

    /// The records of this kind with this name: those spelled exactly so, else those that differ only in case, white space or Unicode form.
    /// Oldest first.
    pub async fn find_by_title(
        &self,
        space: &str,
        kind: Kind,
        title: &str,
    ) -> Result<Vec<Record>, StoreError> {
        let mut connection = self.reader.acquire().await?;
        by_title(&mut connection, space, kind, title).await
    }
}

/// One record, on any connection.
pub(super) async fn by_id(
    connection: &mut sqlx::SqliteConnection,
    space: &str,
    id: &str,
) -> Result<Option<Record>, StoreError> {
    let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
    query
        .push(COLUMNS)
        .push(" FROM records r WHERE r.id = ")
        .push_bind(id.to_owned());
    query.push(" AND r.space_id = ").push_bind(space.to_owned());
    query.push(" AND r.deleted_at IS NULL");
    let row = query.build().fetch_optional(connection).await?;
    row.as_ref().map(Record::from_row).transpose()
}

/// Records by id, on any connection.
pub(super) async fn by_ids(
    connection: &mut sqlx::SqliteConnection,
    space: &str,
    ids: &[String],
) -> Result<Vec<Record>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = serde_json::Value::from(ids).to_string();
    let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
    query.push(COLUMNS);
    query.push(" FROM json_each(").push_bind(wanted);
    query.push(") AS wanted JOIN records r ON r.id = wanted.value WHERE r.space_id = ");
    query.push_bind(space.to_owned());
    query.push(" AND r.deleted_at IS NULL ORDER BY wanted.key");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(Record::from_row).collect()
}

/// Records by name, on any connection.
pub(super) async fn by_title(
    connection: &mut sqlx::SqliteConnection,
    space: &str,
    kind: Kind,
    title: &str,
) -> Result<Vec<Record>, StoreError> {
    let key = name_key(title);
    if key.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
    query
        .push(COLUMNS)
        .push(" FROM records r WHERE r.space_id = ")
        .push_bind(space.to_owned());
    query.push(" AND r.title_key = ").push_bind(key);
    query.push(" AND r.kind = ").push_bind(kind.as_str());
    query.push(" AND r.deleted_at IS NULL ORDER BY r.created_at, r.id LIMIT ");
    query.push_bind(NAMESAKES_MAX);
    let rows = query.build().fetch_all(connection).await?;
    let all: Vec<Record> = rows
        .iter()
        .map(Record::from_row)
        .collect::<Result<_, _>>()?;
    let asked = title.trim();
    let exact: Vec<Record> = all
        .iter()
        .filter(|record| record.title == asked)
        .cloned()
        .collect();
    Ok(if exact.is_empty() { all } else { exact })
}

fn filter(query: &mut QueryBuilder<Sqlite>, space: &str, asked: &RecordQuery) {
    query
        .push(" WHERE r.space_id = ")
        .push_bind(space.to_owned())
        .push(" AND r.deleted_at IS NULL");
    if !asked.kinds.is_empty() {
        query.push(" AND r.kind IN (");
        let mut list = query.separated(", ");
        for kind in &asked.kinds {
            list.push_bind(kind.as_str());
        }
        query.push(")");
    }
    if !asked.statuses.is_empty() {
        query.push(" AND r.status IN (");
        let mut list = query.separated(", ");
        for status in &asked.statuses {
            list.push_bind(status.clone());
        }
        query.push(")");
    }
    // The number of words is bounded so that the statement is.
    for word in fold(asked.title_words.as_deref().unwrap_or_default())
        .split_whitespace()
        .take(32)
    {
        query
            .push(" AND instr(r.title_fold, ")
            .push_bind(word.to_owned())
            .push(") > 0");
    }
    for (field, value) in &asked.field_equals {
        push_field(query, field);
        query.push(" = ").push_bind(value.clone());
    }
    if let Some((field, from, to)) = &asked.field_between {
        push_field(query, field);
        query.push(" >= ").push_bind(from.clone());
        push_field(query, field);
        query.push(" < ").push_bind(to.clone());
    }
    if let Some((relation, to)) = &asked.linked_to {
        query.push(" AND EXISTS (SELECT 1 FROM links l WHERE l.from_id = r.id AND l.relation = ");
        query
            .push_bind(relation.clone())
            .push(" AND l.to_id = ")
            .push_bind(to.clone())
            .push(")");
    }
}

/// `AND` the value of a field; the path is a bound value, quoted as JSON paths are.
fn push_field(query: &mut QueryBuilder<Sqlite>, field: &str) {
    let path = format!("$.\"{}\"", field.replace('"', ""));
    query
        .push(" AND json_extract(r.fields, ")
        .push_bind(path)
        .push(")");
}

/// A count as the first column.
pub(super) fn count(row: &sqlx::sqlite::SqliteRow) -> Result<u64, StoreError> {
    Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0))
}
