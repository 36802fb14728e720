//! The context graph: links of a record, read from either end. A link to or from a record in Trash or in another space is not shown.

use ensemble_hub_api::Kind;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::Store;
use super::error::StoreError;
use super::query::Page;
use super::record::{COLUMNS, Record};

/// Links of one answer.
const LINKS_MAX: u32 = 500;

/// The end of a link that is the asked record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Links from the record to others.
    From,
    /// Links from others to the record.
    To,
}

/// Which links of a record. Everything left empty does not filter.
#[derive(Clone, Debug)]
pub struct LinkQuery {
    pub id: String,
    pub direction: Direction,
    pub relations: Vec<String>,
    /// Kinds of the record at the other end.
    pub kinds: Vec<Kind>,
    /// Statuses of the record at the other end.
    pub statuses: Vec<String>,
    /// 0 means the most that an answer has.
    pub limit: u32,
    pub offset: u32,
}

impl LinkQuery {
    /// All links of this record in this direction.
    pub fn new(id: impl Into<String>, direction: Direction) -> Self {
        Self {
            id: id.into(),
            direction,
            relations: Vec::new(),
            kinds: Vec::new(),
            statuses: Vec::new(),
            limit: 0,
            offset: 0,
        }
    }

    /// Links that are shown at the most.
    fn most(&self) -> u32 {
        match self.limit {
            0 => LINKS_MAX,
            limit => limit.min(LINKS_MAX),
        }
    }
}

/// A link with the record at its other end.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    pub relation: String,
    pub record: Record,
}

impl Store {
    /// Where this record's links lead, at most 500; by relation, then newest change first.
    pub async fn links_from(&self, space: &str, id: &str) -> Result<Vec<Linked>, StoreError> {
        self.first_links(space, &LinkQuery::new(id, Direction::From))
            .await
    }

    /// What links to this record, at most 500; by relation, then newest change first.
    pub async fn links_to(&self, space: &str, id: &str) -> Result<Vec<Linked>, StoreError> {
        self.first_links(space, &LinkQuery::new(id, Direction::To))
            .await
    }

    /// Links of a record with filters: by relation, then newest change first; with how many there are in all.
    pub async fn links(&self, space: &str, asked: &LinkQuery) -> Result<Page<Linked>, StoreError> {
        let mut tx = self.reader.begin().await?;
        let items = first(&mut tx, space, asked).await?;
        let shown = u64::try_from(items.len()).unwrap_or(u64::MAX);
        let total = if shown > 0 && shown < u64::from(asked.most()) {
            u64::from(asked.offset) + shown
        } else {
            let mut count = QueryBuilder::<Sqlite>::new("SELECT count(*)");
            filter(&mut count, space, asked);
            super::query::count(&count.build().fetch_one(&mut *tx).await?)?
        };
        tx.commit().await?;
        Ok(Page { items, total })
    }

    /// The same without counting them all.
    pub async fn first_links(
        &self,
        space: &str,
        asked: &LinkQuery,
    ) -> Result<Vec<Linked>, StoreError> {
        let mut connection = self.reader.acquire().await?;
        first(&mut connection, space, asked).await
    }

    /// The ids of all records at most one link away from this one, in either direction.
    pub async fn neighbours(&self, space: &str, id: &str) -> Result<Vec<String>, StoreError> {
        let ids = sqlx::query_scalar(
            "SELECT to_id FROM links WHERE from_id = ?1 AND space_id = ?2
             UNION SELECT from_id FROM links WHERE to_id = ?1 AND space_id = ?2
             ORDER BY 1 LIMIT 2000",
        )
        .bind(id)
        .bind(space)
        .fetch_all(&self.reader)
        .await?;
        Ok(ids)
    }
}

/// The links that are shown.
async fn first(
    connection: &mut SqliteConnection,
    space: &str,
    asked: &LinkQuery,
) -> Result<Vec<Linked>, StoreError> {
    let mut query = QueryBuilder::<Sqlite>::new("SELECT first.relation, ");
    query.push(COLUMNS);
    // Sorted by their numbers first: whole records are only read of those that are shown.
    query.push(" FROM (SELECT l.relation AS relation, r.seq AS seq");
    filter(&mut query, space, asked);
    query.push(" ORDER BY l.relation, r.updated_at DESC, r.id DESC LIMIT ");
    query.push_bind(asked.most()).push(" OFFSET ");
    query.push_bind(asked.offset);
    query.push(") AS first CROSS JOIN records r ON r.seq = first.seq ORDER BY first.relation, r.updated_at DESC, r.id DESC");
    let rows = query.build().fetch_all(connection).await?;
    let linked = |row| {
        Ok(Linked {
            relation: SqliteRow::try_get(row, "relation")?,
            record: Record::from_row(row)?,
        })
    };
    rows.iter().map(linked).collect()
}

fn filter(query: &mut QueryBuilder<Sqlite>, space: &str, asked: &LinkQuery) {
    // CROSS JOIN keeps this order: over the links of one record, not over all records of a kind.
    query.push(match asked.direction {
        Direction::From => {
            " FROM links l CROSS JOIN records r INDEXED BY records_as_ends ON r.id = l.to_id WHERE l.from_id = "
        }
        Direction::To => {
            " FROM links l CROSS JOIN records r INDEXED BY records_as_ends ON r.id = l.from_id WHERE l.to_id = "
        }
    });
    query.push_bind(asked.id.clone());
    query.push(" AND l.space_id = ").push_bind(space.to_owned());
    query.push(" AND l.live = 1 AND r.space_id = l.space_id AND r.deleted_at IS NULL");
    any_of(query, "l.relation", &asked.relations);
    let kinds: Vec<String> = asked
        .kinds
        .iter()
        .map(|kind| kind.as_str().to_owned())
        .collect();
    any_of(query, "r.kind", &kinds);
    if asked.direction == Direction::To {
        // Says nothing new; it spares looking at records of other kinds.
        any_of(query, "l.from_kind", &kinds);
    }
    any_of(query, "r.status", &asked.statuses);
}

fn any_of(query: &mut QueryBuilder<Sqlite>, column: &'static str, values: &[String]) {
    if values.is_empty() {
        return;
    }
    query.push(" AND ").push(column).push(" IN (");
    let mut list = query.separated(", ");
    for value in values {
        list.push_bind(value.clone());
    }
    query.push(")");
}
