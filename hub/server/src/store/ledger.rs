//! The ledger: who changed what, when, from what to what. Written only inside a [`super::Change`], never altered.

use jiff::Timestamp;
use serde_json::Value;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::Store;
use super::change::Actor;
use super::error::StoreError;
use super::record::instant;

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerRow {
    pub seq: i64,
    pub space: String,
    pub at: Timestamp,
    pub actor: String,
    pub actor_name: String,
    pub key_id: Option<String>,
    pub action: String,
    pub record_id: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// The transaction that it belongs to; absent for rows of older versions.
    pub change_id: Option<String>,
    /// The change that this one took back.
    pub undoes: Option<String>,
}

impl Store {
    /// The changes of a record, oldest first, at most 1,000.
    pub async fn ledger_of(
        &self,
        space: &str,
        record_id: &str,
    ) -> Result<Vec<LedgerRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM ledger WHERE space_id = ? AND record_id = ? ORDER BY seq LIMIT 1000",
        )
        .bind(space)
        .bind(record_id)
        .fetch_all(&self.reader)
        .await?;
        rows.iter().map(LedgerRow::from_row).collect()
    }
}

impl LedgerRow {
    pub(super) fn from_row(row: &SqliteRow) -> Result<Self, StoreError> {
        let parsed = |text: Option<String>| {
            text.map(|text| serde_json::from_str(&text))
                .transpose()
                .map_err(|_| StoreError::Unreadable { what: "ledger" })
        };
        Ok(Self {
            seq: row.try_get("seq")?,
            space: row.try_get("space_id")?,
            at: instant(row.try_get("at")?)?,
            actor: row.try_get("actor")?,
            actor_name: row.try_get("actor_name")?,
            key_id: row.try_get("key_id")?,
            action: row.try_get("action")?,
            record_id: row.try_get("record_id")?,
            before: parsed(row.try_get("before_json")?)?,
            after: parsed(row.try_get("after_json")?)?,
            change_id: row.try_get("change_id")?,
            undoes: row.try_get("undoes")?,
        })
    }
}

/// What one ledger row says.
pub(super) struct Entry<'a> {
    pub(super) space: &'a str,
    pub(super) action: &'a str,
    pub(super) record_id: &'a str,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

/// What all rows of one change share.
#[derive(Clone, Copy)]
pub(super) struct Stamp<'a> {
    pub(super) actor: &'a Actor,
    pub(super) at: Timestamp,
    /// The change.
    pub(super) change_id: &'a str,
    /// The change that it takes back.
    pub(super) undoes: Option<&'a str>,
}

/// Several rows in one statement, in this order.
pub(super) async fn write_all(
    connection: &mut SqliteConnection,
    stamp: Stamp<'_>,
    entries: Vec<Entry<'_>>,
) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut query = QueryBuilder::<Sqlite>::new(
        "INSERT INTO ledger (space_id, at, actor, actor_name, key_id, action, record_id, before_json, after_json, change_id, undoes) ",
    );
    query.push_values(entries, |mut row, entry| {
        row.push_bind(entry.space)
            .push_bind(stamp.at.as_microsecond())
            .push_bind(stamp.actor.kind.as_str())
            .push_bind(&stamp.actor.name)
            .push_bind(&stamp.actor.key_id)
            .push_bind(entry.action)
            .push_bind(entry.record_id)
            .push_bind(entry.before.map(|value| value.to_string()))
            .push_bind(entry.after.map(|value| value.to_string()))
            .push_bind(stamp.change_id)
            .push_bind(stamp.undoes);
    });
    query.build().execute(connection).await?;
    Ok(())
}
