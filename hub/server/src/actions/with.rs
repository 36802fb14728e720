//! What an action works with: the hub, the caller's space and, for a change, the one transaction that everything of it belongs to.

use std::collections::BTreeSet;

use ensemble_hub_api::{Kind, limits, relation, sentences};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Prepared;
use super::ask;
use super::input::Patch;
use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::read;
use crate::store::{Change, NewRecord, Record, Store, StoreError};
use crate::tasks::named::Look;
use crate::tasks::write::Write;
use crate::view::{Card, Reader};

/// A reading action.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) hub: Hub,
    pub(crate) caller: Caller,
}

impl Reading {
    pub(crate) fn space(&self) -> &str {
        &self.caller.space.id
    }

    pub(crate) fn store(&self) -> &Store {
        self.hub.store()
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader::of(&self.hub, &self.caller)
    }

    /// The record of this kind that `given` names: its id, handle, link in Ensemble, or exact name where one record has it.
    pub(crate) async fn record(&self, kind: Kind, given: &str) -> Result<Record, RouteError> {
        ask::one(&mut Look::Stored(self.store()), self.space(), kind, given).await
    }

    /// Today in the person's time zone.
    pub(crate) async fn today(&self) -> Result<jiff::civil::Date, RouteError> {
        let zone = self.hub.time_zone(&self.caller.space.account_id).await?;
        Ok(zone.to_datetime(self.store().now()).date())
    }

    /// A record with its links and a part of its text, as `read` gives it, with the version that an update can be tied to.
    pub(crate) async fn in_full(
        &self,
        record: &Record,
        offset: u32,
        limit: u32,
    ) -> Result<Value, RouteError> {
        let asked = read::Asked {
            kind: Some(record.kind.as_str().to_owned()),
            id: record.id.clone(),
            offset,
            limit,
        };
        let mut card = read::read(&self.reader(), &asked).await?;
        card.insert("version".to_owned(), record.version.into());
        Ok(Value::Object(card))
    }

    /// A record of any of these kinds, named by handle, link or id.
    pub(crate) async fn any(&self, kinds: &[Kind], given: &str) -> Result<Record, RouteError> {
        ask::any(&mut Look::Stored(self.store()), self.space(), kinds, given).await
    }
}

/// What a change answers with.
#[derive(Debug)]
pub(crate) struct Done {
    /// What there is now.
    pub(crate) result: Value,
    /// What was done, in one sentence.
    pub(crate) message: String,
}

impl Done {
    pub(crate) fn new(result: Value, message: impl Into<String>) -> Self {
        Self {
            result,
            message: message.into(),
        }
    }
}

/// A changing action. Everything it does is made permanent together, after it has returned without an error.
#[derive(Debug)]
pub(crate) struct Changing {
    pub(crate) hub: Hub,
    pub(crate) caller: Caller,
    /// What the ledger calls it: `bridge.<name>`.
    pub(crate) action: String,
    pub(crate) write: Box<Write>,
    /// What was got before the transaction began, for an action that prepares.
    pub(crate) prepared: Option<Prepared>,
    /// The records whose lists of links this change put others in the place of.
    pub(super) relinked: BTreeSet<String>,
}

impl Changing {
    /// An action that is called `name`, about to change.
    pub(crate) const fn new(
        hub: Hub,
        caller: Caller,
        action: String,
        write: Box<Write>,
        prepared: Option<Prepared>,
    ) -> Self {
        Self {
            hub,
            caller,
            action,
            write,
            prepared,
            relinked: BTreeSet::new(),
        }
    }

    pub(crate) fn space(&self) -> &str {
        &self.caller.space.id
    }

    /// The transaction.
    pub(crate) const fn change(&mut self) -> &mut Change {
        &mut self.write.change
    }

    /// The record of this kind that `given` names, as this change sees it: its id, handle, link in Ensemble, or exact name where one record
    /// has it.
    pub(crate) async fn record(&mut self, kind: Kind, given: &str) -> Result<Record, RouteError> {
        let space = self.caller.space.id.clone();
        ask::one(&mut Look::Changed(self.change()), &space, kind, given).await
    }

    /// A record of any of these kinds, named by handle, link or id.
    pub(crate) async fn any(&mut self, kinds: &[Kind], given: &str) -> Result<Record, RouteError> {
        let space = self.caller.space.id.clone();
        ask::any(&mut Look::Changed(self.change()), &space, kinds, given).await
    }

    /// Adds a record; a title without text and one over 500 characters are refused.
    pub(crate) async fn create(&mut self, new: NewRecord) -> Result<Record, RouteError> {
        let new = NewRecord {
            title: title(&new.title)?,
            ..new
        };
        let action = self.action.clone();
        Ok(self.change().create(&action, new).await?)
    }

    /// Adds a record that belongs to the project that `project` names, where it names one.
    pub(crate) async fn create_in(
        &mut self,
        mut new: NewRecord,
        project: Option<&str>,
    ) -> Result<Record, RouteError> {
        let Some(project) = project else {
            return self.create(new).await;
        };
        let project = self.record(Kind::Project, project).await?;
        new.fields
            .insert("projectId".to_owned(), project.id.as_str().into());
        let record = self.create(new).await?;
        self.link(&record.id, relation::PROJECT, &project.id)
            .await?;
        Ok(record)
    }

    /// Writes an edited record; one that is as it was, its lists of links included, is not written. Those count, so that who read other ones
    /// has read an older version.
    pub(crate) async fn update(
        &mut self,
        before: &Record,
        edited: Record,
    ) -> Result<Record, RouteError> {
        if *before == edited && !self.relinked.contains(&before.id) {
            return Ok(edited);
        }
        // A title that came from elsewhere may be longer; it is only checked when it changes.
        let edited = if before.title == edited.title {
            edited
        } else {
            Record {
                title: title(&edited.title)?,
                ..edited
            }
        };
        let action = self.action.clone();
        Ok(self.change().update(&action, before, edited).await?)
    }

    /// Moves a record to Trash.
    pub(crate) async fn trash(&mut self, record: &Record) -> Result<Record, RouteError> {
        let action = self.action.clone();
        Ok(self.change().trash(&action, record).await?)
    }

    /// Refuses a change that was made from an older state of the record.
    pub(crate) fn fresh(record: &Record, version: Option<i64>) -> Result<(), RouteError> {
        match version {
            Some(read) if read != record.version => Err(RouteError::Store(StoreError::Conflict {
                current: record.version,
            })),
            _ => Ok(()),
        }
    }

    /// Refuses to put a whole text in the place of another one that the caller may never have read.
    pub(crate) fn replaces(
        before: &Record,
        edited: &Record,
        version: Option<i64>,
    ) -> Result<(), RouteError> {
        let (was, is) = (before.says(), edited.says());
        if version.is_some() || was.trim().is_empty() || was == is {
            return Ok(());
        }
        Err(RouteError::Conflict(sentences::replaces_unread(
            before.version,
        )))
    }

    /// The card of a record that this change made or edited.
    pub(crate) async fn card(&self, record: &Record) -> Result<Card, RouteError> {
        Reader::of(&self.hub, &self.caller).card_of(record).await
    }
}

/// A title on one line.
pub(crate) fn title(given: &str) -> Result<String, RouteError> {
    let title = crate::store::one_line(given);
    if (1..=limits::TITLE_MAX).contains(&title.chars().count()) {
        Ok(title)
    } else {
        Err(RouteError::BadRequest(sentences::ANY_TITLE.to_owned()))
    }
}

/// The row of a batch that was refused, by its number from 1.
pub(crate) fn at_row(at: usize, refused: RouteError) -> RouteError {
    let number = at + 1;
    match refused {
        RouteError::BadRequest(what) => RouteError::BadRequest(sentences::bad_row(number, &what)),
        RouteError::NotFound(what) => RouteError::NotFound(sentences::bad_row(number, &what)),
        RouteError::Conflict(what) => RouteError::Conflict(sentences::bad_row(number, &what)),
        other => other,
    }
}

/// An input that keeps the schema and cannot be meant.
pub(crate) fn limited(sentence: &str) -> RouteError {
    RouteError::BadRequest(sentence.to_owned())
}

impl Record {
    /// Its text; that of a meeting is its notes.
    fn says(&self) -> &str {
        match self.kind {
            Kind::Meeting => self.text("notes").unwrap_or_default(),
            _ => &self.body,
        }
    }

    /// Sets or empties a text field.
    pub(crate) fn patch(&mut self, field: &str, with: &Patch<String>) {
        match with {
            Patch::Keep => {}
            Patch::Clear => drop(self.fields.remove(field)),
            Patch::Set(value) => drop(
                self.fields
                    .insert(field.to_owned(), Value::from(value.clone())),
            ),
        }
    }
}

/// The fields of a value that is an object on the wire.
pub(crate) fn object(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    }
}
