//! Reading records: one by id, many by ids, by name, and lists with filters. Bounds: a list is at most [`ROWS_MAX`] rows, whatever is asked.

use ensemble_hub_api::Kind;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::Store;
use super::error::StoreError;
use super::record::{COLUMNS, Record};
use super::titles::{TitleFilter, title_filter};
use super::window::{EventWindow, push_window};

/// Rows of one list.
const ROWS_MAX: u32 = 1_000;

/// Characters of a folded title that order a list; folding can make a title many times longer.
pub(super) const NAME_KEY: usize = 200;

/// A list's order; the id decides between equals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Newest change first.
    #[default]
    Updated,
    /// Newest first.
    Created,
    /// By the first [`NAME_KEY`] characters of the folded title.
    Title,
    /// By the day in the field `due`; what has none comes last.
    Due,
    /// By the instant in the field `start`.
    Start,
}

impl Order {
    /// What records are ordered by, in the table `records` called `r`.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Updated => "r.updated_at",
            Self::Created => "r.created_at",
            Self::Title => "substr(r.title_fold, 1, 200)",
            Self::Due => "coalesce(json_extract(r.fields, '$.due'), '9999-12-31')",
            Self::Start => "coalesce(json_extract(r.fields, '$.start'), '')",
        }
    }

    /// Whether the greatest comes first.
    pub(super) const fn descends(self) -> bool {
        matches!(self, Self::Updated | Self::Created)
    }

    /// `ORDER BY`. Where `sorted`, the few that a filter leaves are sorted, and no index of the order is walked for them.
    pub(super) fn push(self, query: &mut QueryBuilder<Sqlite>, sorted: bool) {
        let way = if self.descends() { " DESC" } else { "" };
        query.push(if sorted { " ORDER BY +" } else { " ORDER BY " });
        query.push(self.key()).push(way);
        query.push(", r.id").push(way);
    }
}

/// Which records. Everything left empty does not filter.
#[derive(Clone, Debug, Default)]
pub struct RecordQuery {
    pub kinds: Vec<Kind>,
    pub statuses: Vec<String>,
    /// Records without one of these.
    pub except_statuses: Vec<String>,
    pub order: Order,
    /// Words that all stand in the title, in any order; case and accents do not count.
    pub title_words: Option<String>,
    /// Text fields with exactly this value.
    pub field_equals: Vec<(String, String)>,
    /// A text field at or after the first and before the second value, compared as text (instants in UTC, dates).
    pub field_between: Option<(String, String, String)>,
    /// Records with a link (relation, target id).
    pub linked_to: Option<(String, String)>,
    /// Without what is switched off (skills).
    pub enabled: bool,
    /// Events that are on in a window; of an event that came in twice (one `uid`, one start) only one.
    pub events_in: Option<EventWindow>,
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
        // One read transaction, so that the total and the rows belong together.
        let mut tx = self.reader.begin().await?;
        let titles = title_filter(&mut tx, space, asked).await?;
        let total = total(&mut tx, space, asked, titles.as_ref()).await?;

        let few = asked.leaves_few(titles.as_ref());
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(COLUMNS);
        if few {
            // Sorted by their numbers first: whole records are only read of those that are shown.
            query.push(" FROM records r WHERE r.seq IN (SELECT r.seq");
        }
        filter(&mut query, space, asked, titles.as_ref());
        asked.order.push(&mut query, few);
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
        if few {
            query.push(")");
            asked.order.push(&mut query, few);
        }
        let rows = query.build().fetch_all(&mut *tx).await?;
        tx.commit().await?;
        Ok(Page {
            items: rows
                .iter()
                .map(Record::from_row)
                .collect::<Result<_, _>>()?,
            total,
        })
    }
}

impl RecordQuery {
    /// Whether nothing filters but kinds, statuses and the words of the title.
    pub(super) fn is_plain(&self) -> bool {
        self.field_equals.is_empty()
            && self.field_between.is_none()
            && self.linked_to.is_none()
            && !self.enabled
            && self.events_in.is_none()
            && self.except_statuses.is_empty()
    }

    /// Whether a filter with an index of its own leaves little of the list.
    pub(super) fn leaves_few(&self, titles: Option<&TitleFilter>) -> bool {
        let fields = self.field_equals.iter().map(|(field, _)| field);
        let between = self.field_between.iter().map(|(field, _, _)| field);
        fields.chain(between).any(|field| indexed(field).is_some())
            || self.linked_to.is_some()
            || self.events_in.is_some()
            || titles.is_some_and(TitleFilter::leaves_few)
    }
}

/// How many records match in all; without looking at them where only kinds and statuses are asked.
pub(super) async fn total(
    connection: &mut sqlx::SqliteConnection,
    space: &str,
    asked: &RecordQuery,
    titles: Option<&TitleFilter>,
) -> Result<u64, StoreError> {
    let known = match titles {
        Some(titles) => titles.count(),
        None if asked.is_plain() => {
            let mut sum = QueryBuilder::<Sqlite>::new(
                "SELECT coalesce(sum(n), 0) FROM record_counts r WHERE r.space_id = ",
            );
            sum.push_bind(space.to_owned());
            kinds_and_statuses(&mut sum, asked, false);
            Some(sum.build_query_scalar().fetch_one(&mut *connection).await?)
        }
        None => None,
    };
    let total: i64 = if let Some(total) = known {
        total
    } else {
        let mut count = QueryBuilder::<Sqlite>::new("SELECT count(*)");
        filter(&mut count, space, asked, titles);
        count.build_query_scalar().fetch_one(connection).await?
    };
    Ok(u64::try_from(total).unwrap_or(0))
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
    // CROSS JOIN keeps this order: over the wanted ids, not over all records of the space.
    query.push(" FROM json_each(").push_bind(wanted);
    query.push(") AS wanted CROSS JOIN records r ON r.id = wanted.value WHERE r.space_id = ");
    query.push_bind(space.to_owned());
    query.push(" AND r.deleted_at IS NULL ORDER BY wanted.key");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(Record::from_row).collect()
}

pub(super) fn filter(
    query: &mut QueryBuilder<Sqlite>,
    space: &str,
    asked: &RecordQuery,
    titles: Option<&TitleFilter>,
) {
    let by_number = asked.events_in.is_some() || titles.is_some_and(TitleFilter::leaves_few);
    match &asked.linked_to {
        // CROSS JOIN keeps this order: over the links of one record, not over all records.
        Some((relation, to)) => {
            query.push(" FROM links l CROSS JOIN records r ON r.id = l.from_id WHERE l.to_id = ");
            query.push_bind(to.clone()).push(" AND l.relation = ");
            query.push_bind(relation.clone()).push(" AND r.space_id = ");
        }
        // The events of a window are found by their ids, the few titles by their numbers: no index of the space is to be walked for them.
        None if by_number => {
            query.push(" FROM records r WHERE +r.space_id = ");
        }
        None => {
            query.push(" FROM records r WHERE r.space_id = ");
        }
    }
    query
        .push_bind(space.to_owned())
        .push(" AND r.deleted_at IS NULL");
    kinds_and_statuses(query, asked, by_number);
    if let Some(titles) = titles {
        titles.push(query);
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
        if field == "due" && asked.statuses.is_empty() {
            // Says nothing new; without a status the index by due date begins at it.
            query.push(" AND ").push(Order::Due.key()).push(" < ");
            query.push_bind(to.clone());
        }
    }
    if asked.enabled {
        query.push(ENABLED);
    }
    if !asked.except_statuses.is_empty() {
        query.push(" AND coalesce(r.status, '') NOT IN (");
        let mut list = query.separated(", ");
        for status in &asked.except_statuses {
            list.push_bind(status.clone());
        }
        query.push(")");
    }
    if let Some(window) = &asked.events_in {
        push_window(query, "r", window);
        // Evaluated once: the window of a calendar is small, whatever its history.
        query.push(" AND r.id IN (SELECT min(o.id) FROM records o WHERE o.space_id = ");
        query.push_bind(space.to_owned());
        query.push(" AND o.kind = 'event' AND o.deleted_at IS NULL");
        // Says nothing new; an index begins at it.
        query.push(" AND coalesce(json_extract(o.fields, '$.end'), json_extract(o.fields, '$.start'), '') >= ");
        query.push_bind(window.from.clone().min(window.first_day.clone()));
        push_window(query, "o", window);
        query.push(
            " GROUP BY coalesce(json_extract(o.fields, '$.uid'), o.id), json_extract(o.fields, '$.start'))",
        );
    }
}

/// `AND` the kinds and statuses; with `by_number`, no index of them is walked.
fn kinds_and_statuses(query: &mut QueryBuilder<Sqlite>, asked: &RecordQuery, by_number: bool) {
    if !asked.kinds.is_empty() {
        query.push(if by_number {
            " AND +r.kind IN ("
        } else {
            " AND r.kind IN ("
        });
        let mut list = query.separated(", ");
        for kind in &asked.kinds {
            list.push_bind(kind.as_str());
        }
        query.push(")");
    }
    if !asked.statuses.is_empty() {
        query.push(if by_number {
            " AND +r.status IN ("
        } else {
            " AND r.status IN ("
        });
        let mut list = query.separated(", ");
        for status in &asked.statuses {
            list.push_bind(status.clone());
        }
        query.push(")");
    }
}

/// `AND` a record that is not switched off.
pub(super) const ENABLED: &str =
    " AND (r.kind <> 'skill' OR coalesce(json_extract(r.fields, '$.enabled'), 1) <> 0)";

/// `AND` the value of a field; the path is a bound value, quoted as JSON paths are. Paths that have an index stand in the statement, where
/// the index is found by them.
fn push_field(query: &mut QueryBuilder<Sqlite>, field: &str) {
    if let Some(value) = indexed(field) {
        query.push(" AND ").push(value);
        return;
    }
    let path = format!("$.\"{}\"", field.replace('"', ""));
    query
        .push(" AND json_extract(r.fields, ")
        .push_bind(path)
        .push(")");
}

/// The value of a field that has an index, as the index has it.
fn indexed(field: &str) -> Option<&'static str> {
    match field {
        "due" => Some("json_extract(r.fields, '$.due')"),
        "priority" => Some("json_extract(r.fields, '$.priority')"),
        "todayFocus" => Some("json_extract(r.fields, '$.todayFocus')"),
        _ => None,
    }
}

/// A count as the first column.
pub(super) fn count(row: &sqlx::sqlite::SqliteRow) -> Result<u64, StoreError> {
    Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0))
}
