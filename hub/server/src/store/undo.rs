//! Taking a change back: everything one transaction did, in reverse order, to the state that its ledger rows kept. A record that was changed
//! again since is not touched, and then nothing is. What the change had made goes to Trash; the ledger forgets nothing.

use std::collections::BTreeMap;

use ensemble_hub_api::sentences;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::change::Actor;
use super::error::StoreError;
use super::ledger::LedgerRow;
use super::record::{Record, instant};
use super::{Change, Store, index};

/// What the ledger calls it.
const ACTION: &str = "undo";

/// A change that was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The change that took it back; undoing this one does it again.
    pub change_id: String,
    /// The records that are as they were, by id.
    pub records: Vec<String>,
}

/// Why a change cannot be taken back. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    /// No change of this id in this space.
    #[error("{}", sentences::UNDO_UNKNOWN)]
    Unknown,
    /// It was taken back before.
    #[error("{}", sentences::UNDO_DONE)]
    Done,
    /// A record was changed again since.
    #[error("{}", sentences::undo_changed(.title, .by))]
    Changed {
        /// The record's title now.
        title: String,
        /// Who changed it last.
        by: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for UndoError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl Store {
    /// Takes the change `id` of this space back, in the name of `actor`.
    ///
    /// # Errors
    /// [`UndoError`]; its text is a sentence for the person.
    pub async fn undo(&self, space: &str, id: &str, actor: Actor) -> Result<Undone, UndoError> {
        let mut change = self.change(actor).await?;
        let records = change.take_back(space, id).await?;
        let change_id = change.id().to_owned();
        change.commit().await?;
        Ok(Undone { change_id, records })
    }
}

impl Change {
    /// The rows of a change, newest first.
    async fn rows_of(&mut self, space: &str, id: &str) -> Result<Vec<LedgerRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM ledger WHERE change_id = ? AND space_id = ? ORDER BY seq DESC",
        )
        .bind(id)
        .bind(space)
        .fetch_all(&mut *self.tx)
        .await?;
        rows.iter().map(LedgerRow::from_row).collect()
    }

    /// Takes a change back inside this one; the records that are as they were.
    pub async fn take_back(&mut self, space: &str, id: &str) -> Result<Vec<String>, UndoError> {
        let rows = self.rows_of(space, id).await?;
        if rows.is_empty() {
            return Err(UndoError::Unknown);
        }
        self.undoes = Some(id.to_owned());
        let mut touched: BTreeMap<String, Record> = BTreeMap::new();
        for row in &rows {
            if let Some(link) = link_of(row) {
                self.take_link_back(row, &link).await?;
                continue;
            }
            let current = match touched.remove(&row.record_id) {
                Some(current) => current,
                None => self.unchanged_since(row, id).await?,
            };
            let restored = self.set_back(&current, row.before.as_ref()).await?;
            touched.insert(row.record_id.clone(), restored);
        }
        Ok(touched.into_keys().collect())
    }

    /// The record as the row left it; refused when it is another by now.
    async fn unchanged_since(&mut self, row: &LedgerRow, id: &str) -> Result<Record, UndoError> {
        let ids = [row.record_id.clone()];
        let found = self.by_ids_in_trash_too(&row.space, &ids).await?.pop();
        let current = found.ok_or(StoreError::Unreadable { what: "record" })?;
        let version = row.after.as_ref().and_then(|after| after.get("version"));
        if version.and_then(Value::as_i64) == Some(current.version) {
            return Ok(current);
        }
        let undone: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM ledger WHERE undoes = ?)")
                .bind(id)
                .fetch_one(&mut *self.tx)
                .await?;
        if undone {
            return Err(UndoError::Done);
        }
        let by: Option<String> = sqlx::query_scalar(
            "SELECT actor_name FROM ledger WHERE record_id = ? ORDER BY seq DESC LIMIT 1",
        )
        .bind(&current.id)
        .fetch_optional(&mut *self.tx)
        .await?;
        Err(UndoError::Changed {
            title: current.title,
            by: by.unwrap_or_default(),
        })
    }

    /// Writes the state that a record had; one that was not there goes to Trash.
    async fn set_back(
        &mut self,
        current: &Record,
        before: Option<&Value>,
    ) -> Result<Record, StoreError> {
        let record = match before {
            Some(before) => Record {
                version: current.version + 1,
                ..state(current, before)?
            },
            None => Record {
                version: current.version + 1,
                deleted_at: Some(micros(self.now())?),
                ..current.clone()
            },
        };
        let seq = self.write(current, &record).await?;
        if record.deleted_at.is_some() {
            index::remove(&mut self.tx, seq).await?;
        } else {
            index::write(&mut self.tx, seq, &record).await?;
        }
        let (was, is) = (current.to_json(), record.to_json());
        self.log(ACTION, &record.space, &record.id, Some(was), Some(is))
            .await?;
        Ok(record)
    }

    async fn take_link_back(
        &mut self,
        row: &LedgerRow,
        link: &Map<String, Value>,
    ) -> Result<(), StoreError> {
        let text = |name| link.get(name).and_then(Value::as_str).unwrap_or_default();
        let link = (row.record_id.as_str(), text("relation"), text("to"));
        if row.after.is_some() {
            self.unlink(ACTION, &row.space, link).await
        } else {
            self.link(ACTION, &row.space, link).await
        }
    }
}

/// The link that a row is about, when it is about one.
fn link_of(row: &LedgerRow) -> Option<Map<String, Value>> {
    let of = row.after.as_ref().or(row.before.as_ref())?;
    of.get("link")?.as_object().cloned()
}

/// The record `of` in the state that the ledger kept.
pub(super) fn state(of: &Record, kept: &Value) -> Result<Record, StoreError> {
    let unreadable = StoreError::Unreadable { what: "ledger" };
    let text = |name: &str| kept.get(name).and_then(Value::as_str).map(str::to_owned);
    let at = |name: &str| {
        kept.get(name)
            .and_then(Value::as_i64)
            .map(instant)
            .transpose()
    };
    let (Some(title), Some(body), Some(updated_at)) =
        (text("title"), text("body"), at("updatedAt")?)
    else {
        return Err(unreadable);
    };
    Ok(Record {
        title,
        body,
        updated_at,
        status: text("status"),
        deleted_at: at("deletedAt")?,
        fields: kept
            .get("fields")
            .and_then(Value::as_object)
            .cloned()
            .ok_or(unreadable)?,
        version: kept
            .get("version")
            .and_then(Value::as_i64)
            .unwrap_or(of.version),
        // Rows of older versions do not say it.
        actor: text("actor").unwrap_or_else(|| of.actor.clone()),
        ..of.clone()
    })
}

/// As the columns keep it.
fn micros(at: Timestamp) -> Result<Timestamp, StoreError> {
    instant(at.as_microsecond())
}
