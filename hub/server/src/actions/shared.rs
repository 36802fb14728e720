//! What groups of records have in common: their lists, texts of one line, the people and other records that an input names, and the person's
//! time zone.

use ensemble_hub_api::{Kind, sentences};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::input::Patch;
use super::with::limited;
use super::{Changing, Reading};
use crate::error::RouteError;
use crate::lists::{self, Part, Shelf};
use crate::store::{NewRecord, Record, RecordQuery, one_line};
use crate::view::{Card, Reader};

/// What a list takes that is narrowed by words of the title alone.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ByTitle {
    /// Words of the title.
    #[schemars(length(max = 1000))]
    pub(super) query: Option<String>,
    /// Entries at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Entries to skip.
    offset: Option<u32>,
    /// The `next` of the answer before, which goes on where it ended whatever changed since.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

impl ByTitle {
    /// The part of the list called `name` that is meant.
    pub(super) fn part(&self, name: &str) -> Result<Part, RouteError> {
        Part::from_input(self.limit, self.offset, self.after.as_deref(), name)
    }
}

impl Reading {
    /// A list that the reading tools give too.
    pub(super) async fn shelf(&self, shelf: &Shelf, asked: &ByTitle) -> Result<Value, RouteError> {
        let part = asked.part(shelf.plural)?;
        let list = lists::list(&self.reader(), shelf, asked.query.as_deref(), &part).await?;
        Ok(Value::Object(list))
    }

    /// The part of a list called `name`, as the cards of its kind, each with the version that an update can be tied to. A number that a skill
    /// has of its own is its `skillVersion`.
    pub(crate) async fn cards(
        &self,
        name: &str,
        query: RecordQuery,
        part: &Part,
    ) -> Result<Value, RouteError> {
        let found = lists::walk(&self.reader(), query, part).await?;
        let mut cards = lists::cards(&self.reader(), &found.steps).await?;
        for (card, step) in cards.iter_mut().zip(&found.steps) {
            if let Some(own) = card.insert("version".to_owned(), step.record.version.into()) {
                card.insert("skillVersion".to_owned(), own);
            }
        }
        Ok(Value::Object(lists::answer(name, cards, &found, part)))
    }

    /// The person's time zone.
    pub(crate) async fn zone(&self) -> Result<TimeZone, RouteError> {
        Ok(self.hub.time_zone(&self.caller.space.account_id).await?)
    }

    /// As [`Changing::thing`].
    pub(crate) async fn thing(&self, given: &str) -> Result<Record, RouteError> {
        self.any(&things(), given).await.map_err(no_thing)
    }
}

/// The kinds that stand for themselves: all but comments, reminders and the desk's own.
fn things() -> Vec<Kind> {
    let more = [Kind::Board, Kind::Dataset, Kind::Routine];
    Kind::ALL.into_iter().chain(more).collect()
}

/// The refusal of an id that is none of them, without the names of them all.
fn no_thing(refused: RouteError) -> RouteError {
    match refused {
        RouteError::NotFound(_) => RouteError::NotFound(
            "There is no record with that id or handle in this space.".to_owned(),
        ),
        other => other,
    }
}

impl Changing {
    /// The person's time zone.
    pub(crate) async fn zone(&self) -> Result<TimeZone, RouteError> {
        Ok(self.hub.time_zone(&self.caller.space.account_id).await?)
    }

    /// The ids of the records of this kind that `given` names, each once.
    pub(crate) async fn ids(
        &mut self,
        kind: Kind,
        given: &[String],
    ) -> Result<Vec<String>, RouteError> {
        let mut ids: Vec<String> = Vec::new();
        for name in given {
            let id = self.record(kind, name).await?.id;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    /// Adds a record that refers to others, each given by field, relation, kind and what names it: the id in the field, and the link that goes
    /// with it.
    pub(crate) async fn create_referring(
        &mut self,
        mut new: NewRecord,
        to: &[(&str, &str, Kind, Option<&str>)],
    ) -> Result<Record, RouteError> {
        let mut links = Vec::new();
        for (field, relation, kind, given) in to {
            if let Some(given) = given {
                let id = self.record(*kind, given).await?.id;
                new.fields
                    .insert((*field).to_owned(), Value::from(id.clone()));
                links.push((*relation, id));
            }
        }
        let record = self.create(new).await?;
        for (relation, id) in links {
            self.link(&record.id, relation, &id).await?;
        }
        Ok(record)
    }

    /// What names a record and says who is speaking, without its details.
    pub(crate) fn label(&self, record: &Record) -> Card {
        Reader::of(&self.hub, &self.caller).label(record)
    }

    /// What a reminder or the desk can hold on to: a record of any kind that stands for itself, by handle, link or id.
    pub(crate) async fn thing(&mut self, given: &str) -> Result<Record, RouteError> {
        self.any(&things(), given).await.map_err(no_thing)
    }

    /// What an update says: that the `thing` was changed, or that it already was so.
    pub(crate) fn says_changed(&self, thing: &str) -> String {
        if self.write.change.wrote() {
            format!("The {thing} was changed.")
        } else {
            format!("The {thing} already was like that.")
        }
    }
}

impl Record {
    /// Sets or empties a text field of one line; a text of white space empties it too.
    pub(crate) fn patch_line(&mut self, field: &str, with: &Patch<String>) {
        let with = match with {
            Patch::Set(text) => match one_line(text) {
                line if line.is_empty() => Patch::Clear,
                line => Patch::Set(line),
            },
            other => other.clone(),
        };
        self.patch(field, &with);
    }

    /// Sets or empties the text that its readers call its notes: the body. Notes in a field are shown where there is no body, so emptying
    /// takes them away too.
    pub(crate) fn patch_notes(&mut self, with: &Patch<String>) {
        match with {
            Patch::Keep => {}
            Patch::Set(text) => self.body.clone_from(text),
            Patch::Clear => {
                self.body.clear();
                self.fields.remove("notes");
            }
        }
    }
}

/// The fields of a new record: those of one line that are given and not empty.
pub(crate) fn lines<const N: usize>(given: [(&str, Option<String>); N]) -> Map<String, Value> {
    given
        .into_iter()
        .filter_map(|(field, text)| Some((field.to_owned(), one_line(&text?))))
        .filter(|(_, line)| !line.is_empty())
        .map(|(field, line)| (field, Value::from(line)))
        .collect()
}

/// The time zone of this name; the person's where none is given.
pub(crate) fn zone_named(name: Option<&str>, persons: TimeZone) -> Result<TimeZone, RouteError> {
    let Some(name) = name else {
        return Ok(persons);
    };
    TimeZone::get(name.trim()).map_err(|_| {
        limited(&format!(
            "The time zone {} is unknown: give a name such as Europe/Berlin.",
            sentences::quoted(name)
        ))
    })
}
