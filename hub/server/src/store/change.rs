//! A change: one immediate transaction on the one writing connection. Everything it does is committed together by [`Change::commit`]; dropped
//! without it, nothing happened.

use ensemble_hub_api::Kind;
use jiff::Timestamp;
use serde_json::json;
use sqlx::{Sqlite, SqliteConnection, Transaction};

use super::by_name::{by_title, by_words};
use super::error::StoreError;
use super::ledger::{self, Entry};
use super::names::{name_key, one_line};
use super::query::{by_id, by_ids};
use super::record::{NewRecord, Record};
use super::{Store, index};
use crate::text::fold::fold;

/// What kind of caller changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorKind {
    Person,
    /// An editor or agent with a key.
    Agent,
    /// The hub itself.
    System,
}

impl ActorKind {
    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Agent => "agent",
            Self::System => "system",
        }
    }
}

/// Who changes something, as the ledger says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub kind: ActorKind,
    /// The person's, key's or program's name.
    pub name: String,
    pub key_id: Option<String>,
}

impl Actor {
    /// The hub itself, doing `name`.
    pub fn system(name: impl Into<String>) -> Self {
        Self {
            kind: ActorKind::System,
            name: name.into(),
            key_id: None,
        }
    }

    /// The person, at the command line.
    pub fn person(name: impl Into<String>) -> Self {
        Self {
            kind: ActorKind::Person,
            name: name.into(),
            key_id: None,
        }
    }

    /// An editor or agent with this key.
    pub fn agent(key_name: impl Into<String>, key_id: impl Into<String>) -> Self {
        Self {
            kind: ActorKind::Agent,
            name: key_name.into(),
            key_id: Some(key_id.into()),
        }
    }
}

/// A running change.
#[derive(Debug)]
pub struct Change {
    pub(super) store: Store,
    pub(super) actor: Actor,
    /// What its ledger rows are known by together.
    id: String,
    /// Whether anything was written to the ledger.
    wrote: bool,
    /// The change that this one takes back.
    pub(super) undoes: Option<String>,
    pub(super) tx: Transaction<'static, Sqlite>,
}

impl Store {
    /// Starts a change in the name of `actor`; waits for the one that runs.
    pub async fn change(&self, actor: Actor) -> Result<Change, StoreError> {
        let tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        Ok(Change {
            store: self.clone(),
            actor,
            id: self.new_id(),
            wrote: false,
            undoes: None,
            tx,
        })
    }
}

impl Change {
    /// The id that its ledger rows have together; [`Store::undo`] takes it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether anything was changed so far.
    pub const fn wrote(&self) -> bool {
        self.wrote
    }

    /// Makes everything permanent.
    pub async fn commit(self) -> Result<(), StoreError> {
        let tell = self.store.tell.clone();
        self.tx.commit().await?;
        tell.send_replace(());
        Ok(())
    }

    /// The hub's present instant.
    pub fn now(&self) -> Timestamp {
        self.store.now()
    }

    /// A record as this change sees it.
    pub async fn record(&mut self, space: &str, id: &str) -> Result<Option<Record>, StoreError> {
        by_id(&mut self.tx, space, id).await
    }

    /// Records by id as this change sees them; see [`Store::by_ids`].
    pub async fn by_ids(&mut self, space: &str, ids: &[String]) -> Result<Vec<Record>, StoreError> {
        by_ids(&mut self.tx, space, ids).await
    }

    /// Records by name as this change sees them; see [`Store::find_by_title`].
    pub async fn find_by_title(
        &mut self,
        space: &str,
        kind: Kind,
        title: &str,
    ) -> Result<Vec<Record>, StoreError> {
        by_title(&mut self.tx, space, kind, title).await
    }

    /// At most `limit` records of a kind whose names contain these words, as this change sees them.
    pub async fn find_by_words(
        &mut self,
        space: &str,
        kind: Kind,
        words: &str,
        limit: u32,
    ) -> Result<Vec<Record>, StoreError> {
        by_words(&mut self.tx, space, kind, words, limit).await
    }

    /// Adds a record; `action` is what the ledger calls it.
    pub async fn create(&mut self, action: &str, new: NewRecord) -> Result<Record, StoreError> {
        let record = self.made(new);
        let seq = insert(&mut self.tx, &record).await?;
        index::insert(&mut self.tx, seq, &record).await?;
        self.log(
            action,
            &record.space,
            &record.id,
            None,
            Some(record.to_json()),
        )
        .await?;
        Ok(record)
    }

    /// The record that is made of it.
    pub(super) fn made(&self, new: NewRecord) -> Record {
        let now = self.now();
        let at = truncated(new.at.unwrap_or(now));
        let updated_at = new.changed_at.map_or(at, truncated).max(at);
        Record {
            id: new.id.unwrap_or_else(|| self.store.new_id()),
            space: new.space,
            kind: new.kind,
            title: one_line(&new.title),
            status: new.status,
            created_at: at,
            updated_at,
            version: 1,
            deleted_at: None,
            fields: new.fields,
            body: without_nul(new.body),
            actor: self.actor.kind.as_str().to_owned(),
        }
    }

    /// Writes an edited record. `before` is what the edit started from: when the stored one is at another version, nothing is written.
    pub async fn update(
        &mut self,
        action: &str,
        before: &Record,
        edited: Record,
    ) -> Result<Record, StoreError> {
        // Time can stand still or go back; a change never makes a record look older than it was.
        let updated_at = truncated(self.now()).max(before.updated_at);
        let record = Record {
            id: before.id.clone(),
            space: before.space.clone(),
            kind: before.kind,
            title: one_line(&edited.title),
            created_at: before.created_at,
            updated_at,
            version: before.version + 1,
            body: without_nul(edited.body),
            actor: self.actor.kind.as_str().to_owned(),
            ..edited
        };
        let seq = self.write(before, &record).await?;
        if record.deleted_at.is_some() {
            index::remove(&mut self.tx, seq).await?;
        } else {
            index::write(&mut self.tx, seq, &record).await?;
        }
        let (was, is) = (before.to_json(), record.to_json());
        self.log(action, &record.space, &record.id, Some(was), Some(is))
            .await?;
        Ok(record)
    }

    /// Moves a record to Trash: reads, lists and search no longer show it; the ledger keeps it.
    pub async fn trash(&mut self, action: &str, before: &Record) -> Result<Record, StoreError> {
        let gone = Record {
            deleted_at: Some(truncated(self.now())),
            ..before.clone()
        };
        self.update(action, before, gone).await
    }

    /// Links two records of a space; a link that is there already stays one link.
    pub async fn link(
        &mut self,
        action: &str,
        space: &str,
        link: (&str, &str, &str),
    ) -> Result<(), StoreError> {
        let (from, relation, to) = link;
        // Both ends have to be in this space: a link never crosses the boundary.
        let done = sqlx::query(
            "INSERT OR IGNORE INTO links (space_id, from_id, relation, to_id, from_kind, live)
             SELECT ?1, f.id, ?3, t.id, f.kind, f.deleted_at IS NULL AND t.deleted_at IS NULL FROM records f, records t
             WHERE f.id = ?2 AND f.space_id = ?1 AND t.id = ?4 AND t.space_id = ?1",
        )
        .bind(space)
        .bind(from)
        .bind(relation)
        .bind(to)
        .execute(&mut *self.tx)
        .await?;
        if done.rows_affected() > 0 {
            let after = json!({ "link": { "relation": relation, "to": to } });
            self.log(action, space, from, None, Some(after)).await?;
        }
        Ok(())
    }

    pub(super) async fn log(
        &mut self,
        action: &str,
        space: &str,
        record_id: &str,
        before: Option<serde_json::Value>,
        after: Option<serde_json::Value>,
    ) -> Result<(), StoreError> {
        let entry = Entry {
            space,
            action,
            record_id,
            before,
            after,
        };
        self.log_all(vec![entry]).await
    }

    /// Several rows of the ledger, in this order.
    pub(super) async fn log_all(&mut self, entries: Vec<Entry<'_>>) -> Result<(), StoreError> {
        self.wrote |= !entries.is_empty();
        let stamp = ledger::Stamp {
            actor: &self.actor,
            at: self.store.now(),
            change_id: &self.id,
            undoes: self.undoes.as_deref(),
        };
        ledger::write_all(&mut self.tx, stamp, entries).await
    }

    /// The update itself; its row's number.
    pub(super) async fn write(
        &mut self,
        before: &Record,
        record: &Record,
    ) -> Result<i64, StoreError> {
        let seq: Option<i64> = sqlx::query_scalar(
            "UPDATE records SET title = ?, title_key = ?, title_fold = ?, status = ?, updated_at = ?, version = ?,
                deleted_at = ?, fields = ?, body = ?, actor = ?
             WHERE id = ? AND space_id = ? AND version = ? RETURNING seq",
        )
        .bind(&record.title)
        .bind(name_key(&record.title))
        .bind(fold(&record.title))
        .bind(&record.status)
        .bind(record.updated_at.as_microsecond())
        .bind(record.version)
        .bind(record.deleted_at.map(Timestamp::as_microsecond))
        .bind(fields_text(record))
        .bind(&record.body)
        .bind(&record.actor)
        .bind(&before.id)
        .bind(&before.space)
        .bind(before.version)
        .fetch_optional(&mut *self.tx)
        .await?;
        if let Some(seq) = seq {
            return Ok(seq);
        }
        let current: Option<i64> =
            sqlx::query_scalar("SELECT version FROM records WHERE id = ? AND space_id = ?")
                .bind(&before.id)
                .bind(&before.space)
                .fetch_optional(&mut *self.tx)
                .await?;
        Err(StoreError::Conflict {
            current: current.unwrap_or(0),
        })
    }
}

async fn insert(connection: &mut SqliteConnection, record: &Record) -> Result<i64, StoreError> {
    let done = sqlx::query(
        "INSERT INTO records (id, space_id, kind, title, title_key, title_fold, status, created_at, updated_at, version,
            fields, body, actor)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&record.id)
    .bind(&record.space)
    .bind(record.kind.as_str())
    .bind(&record.title)
    .bind(name_key(&record.title))
    .bind(fold(&record.title))
    .bind(&record.status)
    .bind(record.created_at.as_microsecond())
    .bind(record.updated_at.as_microsecond())
    .bind(record.version)
    .bind(fields_text(record))
    .bind(&record.body)
    .bind(&record.actor)
    .execute(connection)
    .await?;
    Ok(done.last_insert_rowid())
}

pub(super) fn fields_text(record: &Record) -> String {
    serde_json::Value::Object(record.fields.clone()).to_string()
}

/// Columns keep microseconds; a record in hand equals the one read back.
fn truncated(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}

/// NUL ends texts in too many tools to be stored.
fn without_nul(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "\u{fffd}")
    } else {
        text
    }
}
