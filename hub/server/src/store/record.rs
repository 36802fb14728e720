//! A record as the hub handles it, and its way from and to a row.

use ensemble_hub_api::{Handle, Kind};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::error::StoreError;

/// The columns of [`Record::from_row`], in the table `records` called `r`.
pub(super) const COLUMNS: &str = "r.id, r.space_id, r.kind, r.title, r.status, r.created_at, r.updated_at, \
     r.version, r.deleted_at, r.fields, r.body, r.actor";

/// One thing the hub keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub id: String,
    pub space: String,
    pub kind: Kind,
    pub title: String,
    pub status: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// 1, and one more with each change.
    pub version: i64,
    /// In Trash since then. Reads never return such a record.
    pub deleted_at: Option<Timestamp>,
    /// What only this kind has, under the names of the wire.
    pub fields: Map<String, Value>,
    /// Markdown.
    pub body: String,
    /// Who changed it last: `person`, `agent` or `system`.
    pub actor: String,
}

/// What a new record starts with.
#[derive(Clone, Debug)]
pub struct NewRecord {
    pub space: String,
    pub kind: Kind,
    pub title: String,
    pub status: Option<String>,
    pub fields: Map<String, Value>,
    pub body: String,
    /// A fixed id, for records that come from elsewhere; otherwise the store makes one.
    pub id: Option<String>,
    /// When it was made, when that was not now.
    pub at: Option<Timestamp>,
    /// When it was last changed, when that was after it was made.
    pub changed_at: Option<Timestamp>,
}

impl NewRecord {
    /// A record with nothing but its title.
    pub fn new(space: impl Into<String>, kind: Kind, title: impl Into<String>) -> Self {
        Self {
            space: space.into(),
            kind,
            title: title.into(),
            status: None,
            fields: Map::new(),
            body: String::new(),
            id: None,
            at: None,
            changed_at: None,
        }
    }
}

impl Record {
    /// A text field that is there and not empty.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields
            .get(field)?
            .as_str()
            .filter(|text| !text.is_empty())
    }

    /// A list of texts; empty when the field is missing or something else.
    pub fn texts(&self, field: &str) -> Vec<&str> {
        self.fields
            .get(field)
            .and_then(Value::as_array)
            .map(|items| items.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default()
    }

    /// The record's handle.
    pub fn handle(&self) -> String {
        Handle::new(self.kind, &self.id).to_string()
    }

    /// A yes or no; `None` when the field is missing or something else.
    pub fn flag(&self, field: &str) -> Option<bool> {
        self.fields.get(field)?.as_bool()
    }

    pub(super) fn from_row(row: &SqliteRow) -> Result<Self, StoreError> {
        let kind: String = row.try_get("kind")?;
        let fields: String = row.try_get("fields")?;
        let deleted: Option<i64> = row.try_get("deleted_at")?;
        Ok(Self {
            id: row.try_get("id")?,
            space: row.try_get("space_id")?,
            kind: Kind::parse(&kind).ok_or(StoreError::Unreadable { what: "kind" })?,
            title: row.try_get("title")?,
            status: row.try_get("status")?,
            created_at: instant(row.try_get("created_at")?)?,
            updated_at: instant(row.try_get("updated_at")?)?,
            version: row.try_get("version")?,
            deleted_at: deleted.map(instant).transpose()?,
            fields: serde_json::from_str(&fields)
                .map_err(|_| StoreError::Unreadable { what: "fields" })?,
            body: row.try_get("body")?,
            actor: row.try_get("actor")?,
        })
    }

    /// The record as the ledger keeps it.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "kind": self.kind,
            "title": self.title,
            "status": self.status,
            "version": self.version,
            "updatedAt": self.updated_at.as_microsecond(),
            "deletedAt": self.deleted_at.map(Timestamp::as_microsecond),
            "fields": self.fields,
            "body": self.body,
            "actor": self.actor,
        })
    }
}

/// An instant of a column.
pub(super) fn instant(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(|_| StoreError::Unreadable { what: "time" })
}
