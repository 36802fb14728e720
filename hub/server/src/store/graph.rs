//! The context graph as a caller pages it: how much a record has of each relation, and one relation in parts. Newest record first; when a
//! record was made never changes, so that a part never moves. What is in Trash, in another space or switched off is not there.

use std::collections::BTreeMap;

use ensemble_hub_api::Kind;
use ensemble_hub_api::relation::{End, SIDES, Side};
use serde_json::Value;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::Store;
use super::error::StoreError;
use super::query::ENABLED;
use super::record::{COLUMNS, Record};

/// How many records each relation of a record has, in the order of [`SIDES`]; those without any are not there.
pub type Relations = Vec<(&'static Side, u64)>;

/// A part of one relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Related {
    pub records: Vec<Record>,
    pub total: u64,
    /// Whether there are records behind this part.
    pub more: bool,
}

/// Where a part begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin<'a> {
    /// After so many records.
    Offset(u32),
    /// After the record made at this instant, in microseconds, with this id.
    After(i64, &'a str),
}

impl Store {
    /// Every relation that this record has, with how much of it.
    pub async fn relations(&self, space: &str, id: &str) -> Result<Relations, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT l.relation, 0, count(*)");
        far_end(&mut query, space, id, "to_id", "from_id");
        query.push(" GROUP BY l.relation UNION ALL SELECT l.relation, 1, count(*)");
        far_end(&mut query, space, id, "from_id", "to_id");
        query.push(" GROUP BY l.relation");
        let mut counts: BTreeMap<(String, bool), u64> = BTreeMap::new();
        for row in query.build().fetch_all(&self.reader).await? {
            let count = u64::try_from(row.try_get::<i64, _>(2)?).unwrap_or(0);
            counts.insert((row.try_get(0)?, row.try_get(1)?), count);
        }
        let mut all = Relations::new();
        for side in &SIDES {
            let of = |to| counts.get(&(side.relation.to_owned(), to)).copied();
            let count = match side.end {
                End::From => of(false),
                End::To => of(true),
                // Two records can be linked both ways, which is one relation.
                End::Both if of(false).or(of(true)).is_some() => Some(
                    self.related(space, id, side, 1, Begin::Offset(0))
                        .await?
                        .total,
                ),
                End::Both => None,
            };
            all.extend(count.filter(|count| *count > 0).map(|count| (side, count)));
        }
        Ok(all)
    }

    /// The records of one relation, newest first, at most `limit`.
    pub async fn related(
        &self,
        space: &str,
        id: &str,
        side: &Side,
        limit: u32,
        begin: Begin<'_>,
    ) -> Result<Related, StoreError> {
        let mut tx = self.reader.begin().await?;
        let mut count = QueryBuilder::<Sqlite>::new("SELECT count(*)");
        others(&mut count, space, id, side);
        let total: i64 = count.build_query_scalar().fetch_one(&mut *tx).await?;

        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(COLUMNS);
        // Sorted by their numbers first: whole records are only read of those that are shown.
        query.push(" FROM records r WHERE r.seq IN (SELECT r.seq");
        others(&mut query, space, id, side);
        if let Begin::After(at, id) = begin {
            query.push(" AND (r.created_at, r.id) < (").push_bind(at);
            query.push(", ").push_bind(id.to_owned()).push(")");
        }
        query.push(" ORDER BY r.created_at DESC, r.id DESC LIMIT ");
        query.push_bind(limit.saturating_add(1));
        if let Begin::Offset(offset) = begin {
            query.push(" OFFSET ").push_bind(offset);
        }
        query.push(") ORDER BY r.created_at DESC, r.id DESC");
        let rows = query.build().fetch_all(&mut *tx).await?;
        tx.commit().await?;
        let mut records: Vec<Record> = rows
            .iter()
            .map(Record::from_row)
            .collect::<Result<_, _>>()?;
        let more = records.len() > limit as usize;
        records.truncate(limit as usize);
        Ok(Related {
            records,
            total: u64::try_from(total).unwrap_or(0),
            more,
        })
    }

    /// How many records of `kinds` each of the records in `ids` has at the far end of `relation`.
    pub async fn counts_of(
        &self,
        space: &str,
        ids: &[String],
        relation: &str,
        kinds: &[Kind],
    ) -> Result<BTreeMap<(String, Kind), u64>, StoreError> {
        // From the index of the links alone: they know the kind and whether both ends are outside of Trash.
        let mut query = QueryBuilder::<Sqlite>::new(
            "SELECT wanted.value, kinds.value, (SELECT count(*) FROM links l WHERE l.to_id = wanted.value AND l.relation = ",
        );
        query.push_bind(relation.to_owned());
        query.push(" AND l.from_kind = kinds.value AND l.live = 1 AND l.space_id = ");
        query.push_bind(space.to_owned()).push(") FROM json_each(");
        query.push_bind(Value::from(ids).to_string());
        query.push(") AS wanted CROSS JOIN json_each(");
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        query
            .push_bind(Value::from(kinds).to_string())
            .push(") AS kinds");
        let rows = query.build().fetch_all(&self.reader).await?;
        rows.iter()
            .map(|row| {
                let kind: String = row.try_get(1)?;
                let kind = Kind::parse(&kind).ok_or(StoreError::Unreadable { what: "kind" })?;
                let count = u64::try_from(row.try_get::<i64, _>(2)?).unwrap_or(0);
                Ok(((row.try_get(0)?, kind), count))
            })
            .collect()
    }
}

/// The links of `id` at its `near` end, with the record at the `far` one.
fn far_end(
    query: &mut QueryBuilder<Sqlite>,
    space: &str,
    id: &str,
    far: &'static str,
    near: &'static str,
) {
    query
        .push(" FROM links l CROSS JOIN records r ON r.id = l.")
        .push(far);
    query
        .push(" WHERE l.")
        .push(near)
        .push(" = ")
        .push_bind(id.to_owned());
    query.push(" AND l.space_id = ").push_bind(space.to_owned());
    query.push(" AND r.space_id = l.space_id AND r.deleted_at IS NULL AND r.id <> l.");
    query.push(near).push(ENABLED);
}

/// The records of one relation; each once.
fn others(query: &mut QueryBuilder<Sqlite>, space: &str, id: &str, side: &Side) {
    query.push(" FROM (");
    if side.end != End::To {
        one_way(query, space, id, side, "to_id", "from_id");
    }
    if side.end == End::Both {
        query.push(" UNION ");
    }
    if side.end != End::From {
        one_way(query, space, id, side, "from_id", "to_id");
    }
    query.push(") AS l CROSS JOIN records r ON r.id = l.other WHERE r.space_id = ");
    query.push_bind(space.to_owned());
    query.push(" AND r.deleted_at IS NULL AND r.id <> ");
    query.push_bind(id.to_owned()).push(ENABLED);
}

fn one_way(
    query: &mut QueryBuilder<Sqlite>,
    space: &str,
    id: &str,
    side: &Side,
    far: &'static str,
    near: &'static str,
) {
    query
        .push("SELECT ")
        .push(far)
        .push(" AS other FROM links WHERE ");
    query.push(near).push(" = ").push_bind(id.to_owned());
    query.push(" AND relation = ").push_bind(side.relation);
    query.push(" AND space_id = ").push_bind(space.to_owned());
}
