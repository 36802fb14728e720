//! Walking a list in parts, so that each record that was there when the walk began comes once, whatever is added, changed or removed between
//! two parts.
//!
//! A part ends in a [`Mark`]: the ledger's number when the walk began, and the key of the last record. The next part begins behind that key.
//! A record that changed since has perhaps another key now, so it is placed by the one it had when the walk began, which the ledger knows; a
//! record that was added since is left to the next walk.

use std::collections::BTreeMap;

use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::Store;
use super::error::StoreError;
use super::query::{NAME_KEY, Order, RecordQuery, filter, total};
use super::record::{COLUMNS, Record};
use super::titles::{TitleFilter, title_filter};
use crate::text::fold::fold;

/// Rows of one part.
const ROWS_MAX: u32 = 200;
/// Changes since the walk began that a part takes into account.
const CHANGES_MAX: u32 = 5_000;

/// What a list is ordered by, as one record has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// An instant, in microseconds.
    At(i64),
    /// A text.
    Text(String),
}

/// Where a part of a list ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The ledger's number when the walk began.
    pub seq: i64,
    /// The key of the last record, as it was then.
    pub key: Key,
    /// Its id.
    pub id: String,
}

/// A record of a list, with the mark behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub record: Record,
    pub mark: Mark,
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    pub steps: Vec<Step>,
    /// How many records match now, in all.
    pub total: u64,
    /// Whether there are records behind this part.
    pub more: bool,
}

/// The list that is walked.
struct List<'a> {
    space: &'a str,
    asked: &'a RecordQuery,
    titles: Option<&'a TitleFilter>,
}

/// What changed since a walk began: for each record the key it had then, and none for one that was added since.
type Changed = BTreeMap<String, Option<Key>>;

impl Store {
    /// A part of a list: after `after`, or from `asked.offset` on. `None` when too much changed since the walk began.
    pub async fn walk(
        &self,
        space: &str,
        asked: &RecordQuery,
        after: Option<&Mark>,
    ) -> Result<Option<Walk>, StoreError> {
        // One read transaction, so that number, total and rows belong together.
        let mut tx = self.reader.begin().await?;
        let titles = title_filter(&mut tx, space, asked).await?;
        let list = List {
            space,
            asked,
            titles: titles.as_ref(),
        };
        let total = total(&mut tx, space, asked, list.titles).await?;
        let seq = match after {
            Some(mark) => mark.seq,
            None => newest(&mut tx, space).await?,
        };
        let changed = match after {
            // When a record was made never changes.
            Some(_) if asked.order != Order::Created => {
                match changes(&mut tx, space, asked.order, seq).await? {
                    Some(changed) => changed,
                    None => return Ok(None),
                }
            }
            _ => Changed::new(),
        };
        let limit = asked.limit.clamp(1, ROWS_MAX);
        let mut found = unchanged(&mut tx, &list, after, &changed, limit + 1).await?;
        if let Some(mark) = after {
            found.extend(moved(&mut tx, &list, mark, &changed).await?);
        }
        tx.commit().await?;
        found.sort_by(|a, b| {
            let way = (&a.0, &a.1.id).cmp(&(&b.0, &b.1.id));
            if asked.order.descends() {
                way.reverse()
            } else {
                way
            }
        });
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let step = |(key, record): (Key, Record)| Step {
            mark: Mark {
                seq,
                key,
                id: record.id.clone(),
            },
            record,
        };
        Ok(Some(Walk {
            steps: found.into_iter().map(step).collect(),
            total,
            more,
        }))
    }
}

/// The ledger's present number in this space. That of all spaces would tell how much happens in others.
async fn newest(connection: &mut SqliteConnection, space: &str) -> Result<i64, StoreError> {
    let seq: Option<i64> = sqlx::query_scalar("SELECT max(seq) FROM ledger WHERE space_id = ?")
        .bind(space)
        .fetch_one(connection)
        .await?;
    Ok(seq.unwrap_or(0))
}

/// What changed behind number `seq`; `None` when that is too much.
async fn changes(
    connection: &mut SqliteConnection,
    space: &str,
    order: Order,
    seq: i64,
) -> Result<Option<Changed>, StoreError> {
    // Links stand in the ledger under a record too; only states of the record itself have a version.
    let rows = sqlx::query(
        "SELECT record_id, before_json IS NOT NULL, json_extract(before_json, ?1) FROM ledger
         WHERE space_id = ?2 AND seq > ?3
           AND json_extract(coalesce(before_json, after_json), '$.version') IS NOT NULL
         ORDER BY seq LIMIT ?4",
    )
    .bind(match order {
        Order::Updated | Order::Created => "$.updatedAt",
        Order::Title => "$.title",
        Order::Due => "$.fields.due",
        Order::Start => "$.fields.start",
    })
    .bind(space)
    .bind(seq)
    .bind(CHANGES_MAX + 1)
    .fetch_all(connection)
    .await?;
    if rows.len() > CHANGES_MAX as usize {
        return Ok(None);
    }
    let mut changed = Changed::new();
    for row in rows {
        let was_there: bool = row.try_get(1)?;
        let key = match order {
            Order::Updated | Order::Created => {
                Key::At(row.try_get::<Option<i64>, _>(2)?.unwrap_or(0))
            }
            Order::Title | Order::Due | Order::Start => {
                let text: Option<String> = row.try_get(2)?;
                Key::Text(match (order, text) {
                    (Order::Title, text) => {
                        let folded = fold(&text.unwrap_or_default());
                        folded.chars().take(NAME_KEY).collect()
                    }
                    (Order::Due, None) => "9999-12-31".to_owned(),
                    (_, text) => text.unwrap_or_default(),
                })
            }
        };
        // The first change says what the record was when the walk began.
        changed
            .entry(row.try_get(0)?)
            .or_insert(was_there.then_some(key));
    }
    Ok(Some(changed))
}

/// The next records that did not change since the walk began.
async fn unchanged(
    connection: &mut SqliteConnection,
    list: &List<'_>,
    after: Option<&Mark>,
    changed: &Changed,
    limit: u32,
) -> Result<Vec<(Key, Record)>, StoreError> {
    let asked = list.asked;
    let mut query = list.select();
    if !changed.is_empty() {
        query.push(" AND r.id NOT IN (SELECT value FROM json_each(");
        query.push_bind(ids(changed)).push("))");
    }
    if let Some(mark) = after {
        let key = |query: &mut QueryBuilder<Sqlite>| {
            match &mark.key {
                Key::At(at) => query.push_bind(*at),
                Key::Text(text) => query.push_bind(text.clone()),
            };
        };
        let way = if asked.order.descends() { "<" } else { ">" };
        // The first condition says nothing new; it is the one that an index of an expression can begin at.
        query.push(" AND ").push(asked.order.key()).push(" ");
        query.push(way).push("= ");
        key(&mut query);
        query
            .push(" AND (")
            .push(asked.order.key())
            .push(", r.id) ");
        query.push(way).push(" (");
        key(&mut query);
        query.push(", ").push_bind(mark.id.clone()).push(")");
    }
    asked.order.push(&mut query, asked.leaves_few(list.titles));
    query.push(" LIMIT ").push_bind(limit);
    if after.is_none() {
        query.push(" OFFSET ").push_bind(asked.offset);
    }
    let rows = query.build().fetch_all(connection).await?;
    rows.iter()
        .map(|row| {
            let key = match asked.order {
                Order::Updated | Order::Created => Key::At(row.try_get("walk_key")?),
                Order::Title | Order::Due | Order::Start => Key::Text(row.try_get("walk_key")?),
            };
            Ok((key, Record::from_row(row)?))
        })
        .collect()
}

/// The records that changed since the walk began and stood behind `mark` then.
async fn moved(
    connection: &mut SqliteConnection,
    list: &List<'_>,
    mark: &Mark,
    changed: &Changed,
) -> Result<Vec<(Key, Record)>, StoreError> {
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = list.select();
    query.push(" AND r.id IN (SELECT value FROM json_each(");
    query.push_bind(ids(changed)).push("))");
    let rows = query.build().fetch_all(connection).await?;
    let mut found = Vec::new();
    for row in &rows {
        let record = Record::from_row(row)?;
        let Some(Some(key)) = changed.get(&record.id) else {
            continue;
        };
        let (was, end) = ((key, &record.id), (&mark.key, &mark.id));
        let behind = if list.asked.order.descends() {
            was < end
        } else {
            was > end
        };
        if behind {
            found.push((key.clone(), record));
        }
    }
    Ok(found)
}

impl List<'_> {
    fn select(&self) -> QueryBuilder<Sqlite> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(self.asked.order.key()).push(" AS walk_key, ");
        query.push(COLUMNS);
        filter(&mut query, self.space, self.asked, self.titles);
        query
    }
}

fn ids(changed: &Changed) -> String {
    let ids: Vec<&str> = changed.keys().map(String::as_str).collect();
    serde_json::Value::from(ids).to_string()
}
