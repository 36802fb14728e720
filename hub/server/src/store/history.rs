//! What happened, read out of the ledger: the changes of a space, and the earlier states of one record.

use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::change::ActorKind;
use super::error::StoreError;
use super::query::Page;
use super::record::{Record, instant};
use super::undo::state;
use super::{Change, Store};

/// One change of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// What [`Store::undo`] takes; absent for changes of older versions, which cannot be undone.
    pub id: Option<String>,
    /// Its first row in the ledger.
    pub seq: i64,
    pub at: Timestamp,
    /// `person`, `agent` or `system`.
    pub actor: String,
    pub actor_name: String,
    /// `bridge.hub_create_tasks`, …
    pub action: String,
    /// How many records it touched.
    pub records: u64,
    /// The first of them.
    pub record_id: String,
    /// That record's title and kind now.
    pub title: String,
    pub kind: String,
    /// Whether a later change took it back.
    pub undone: bool,
    /// The change that this one took back.
    pub undoes: Option<String>,
}

/// An earlier or present state of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// The record as it was; `record.version` is its number.
    pub record: Record,
    pub at: Timestamp,
    pub actor_name: String,
    pub action: String,
}

impl Store {
    /// The changes of a space, the newest first, at most 500; `before` continues behind a row's `seq`.
    pub async fn changes(
        &self,
        space: &str,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Page<ChangeRow>, StoreError> {
        self.changes_by(space, None, before, limit).await
    }

    /// The same of one kind of actor.
    pub async fn changes_by(
        &self,
        space: &str,
        actor: Option<ActorKind>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Page<ChangeRow>, StoreError> {
        let mut tx = self.reader.begin().await?;
        // Rows without a change of their own stand for themselves.
        let total: i64 = sqlx::query_scalar(
            "SELECT count(DISTINCT coalesce(change_id, 'row ' || seq)) FROM ledger WHERE space_id = ?1 AND (?2 IS NULL OR actor = ?2)",
        )
        .bind(space)
        .bind(actor.map(ActorKind::as_str))
        .fetch_one(&mut *tx)
        .await?;
        let mut query = QueryBuilder::<Sqlite>::new(
            "SELECT l.*, coalesce(r.title, '') AS title, coalesce(r.kind, '') AS kind,
                (SELECT count(DISTINCT o.record_id) FROM ledger o WHERE o.change_id = l.change_id) AS touched,
                EXISTS (SELECT 1 FROM ledger u WHERE u.undoes = l.change_id) AS undone
             FROM ledger l LEFT JOIN records r ON r.id = l.record_id
             WHERE (l.change_id IS NULL OR NOT EXISTS (SELECT 1 FROM ledger e WHERE e.change_id = l.change_id AND e.seq < l.seq))
               AND l.space_id = ",
        );
        query.push_bind(space.to_owned());
        if let Some(actor) = actor {
            query.push(" AND l.actor = ").push_bind(actor.as_str());
        }
        if let Some(before) = before {
            query.push(" AND l.seq < ").push_bind(before);
        }
        query
            .push(" ORDER BY l.seq DESC LIMIT ")
            .push_bind(limit.min(500));
        let rows = query.build().fetch_all(&mut *tx).await?;
        tx.commit().await?;
        Ok(Page {
            total: u64::try_from(total).unwrap_or(0),
            items: rows
                .iter()
                .map(ChangeRow::from_row)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The states of a record, the newest first, at most 200.
    pub async fn versions(&self, of: &Record) -> Result<Vec<Version>, StoreError> {
        let rows = sqlx::query(VERSIONS)
            .bind(&of.space)
            .bind(&of.id)
            .fetch_all(&self.reader)
            .await?;
        rows.iter().map(|row| Version::from_row(row, of)).collect()
    }
}

impl Change {
    /// The states of a record as this change sees them; see [`Store::versions`].
    pub async fn versions(&mut self, of: &Record) -> Result<Vec<Version>, StoreError> {
        let rows = sqlx::query(VERSIONS)
            .bind(&of.space)
            .bind(&of.id)
            .fetch_all(&mut *self.tx)
            .await?;
        rows.iter().map(|row| Version::from_row(row, of)).collect()
    }
}

/// Links stand in the ledger under a record too; only states of the record itself have a version.
const VERSIONS: &str = "SELECT * FROM ledger WHERE space_id = ? AND record_id = ? AND json_extract(after_json, '$.version') IS NOT NULL
    ORDER BY seq DESC LIMIT 200";

impl Version {
    fn from_row(row: &SqliteRow, of: &Record) -> Result<Self, StoreError> {
        let unreadable = StoreError::Unreadable { what: "ledger" };
        let after: String = row.try_get("after_json")?;
        let after = serde_json::from_str(&after).map_err(|_| unreadable)?;
        Ok(Self {
            record: state(of, &after)?,
            at: instant(row.try_get("at")?)?,
            actor_name: row.try_get("actor_name")?,
            action: row.try_get("action")?,
        })
    }
}

impl ChangeRow {
    fn from_row(row: &SqliteRow) -> Result<Self, StoreError> {
        let touched: i64 = row.try_get("touched")?;
        Ok(Self {
            id: row.try_get("change_id")?,
            seq: row.try_get("seq")?,
            at: instant(row.try_get("at")?)?,
            actor: row.try_get("actor")?,
            actor_name: row.try_get("actor_name")?,
            action: row.try_get("action")?,
            records: u64::try_from(touched).unwrap_or(0).max(1),
            record_id: row.try_get("record_id")?,
            title: row.try_get("title")?,
            kind: row.try_get("kind")?,
            undone: row.try_get("undone")?,
            undoes: row.try_get("undoes")?,
        })
    }
}
