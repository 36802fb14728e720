//! Cards: how a record is shown in a list. A card says what it is, who is speaking (`trust`), and
//! how to ask for it again (`ref`); what does not apply is absent; every text has a bound.

use std::collections::{BTreeMap, BTreeSet};

use ensemble_hub_api::{Handle, Kind, limits};
use serde_json::{Map, Value, json};

use crate::auth::Caller;
use crate::clock::instant;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::store::{Record, Store};
use crate::text::cut;
use crate::text::trust::{self, one_line};

/// Whose records are read, and how links to them begin.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// The hub's store.
    pub store: &'a Store,
    /// The space of the request; nothing outside of it is read.
    pub space: &'a str,
    /// The base of links into the hub, without a slash at its end.
    pub base: &'a str,
}

/// A card: field names of the wire with their values.
pub type Card = Map<String, Value>;

/// Names of the records that others refer to, by id.
#[derive(Debug, Default)]
pub struct Names(BTreeMap<String, String>);

impl Names {
    fn of(&self, record: &Record, field: &str) -> Option<&str> {
        self.0.get(record.text(field)?).map(String::as_str)
    }
}

/// Fields whose value is the id of another record, and the field of the card for its name.
const REFERENCES: [(&str, &str); 4] = [
    ("owner", "owner"),
    ("projectId", "project"),
    ("repoId", "repo"),
    ("parentId", "parent"),
];

impl<'a> Reader<'a> {
    /// What `caller` may read of `hub`.
    pub fn of(hub: &'a Hub, caller: &'a Caller) -> Self {
        Self {
            store: hub.store(),
            space: &caller.space.id,
            base: hub.base_url(),
        }
    }
}

impl Reader<'_> {
    /// The names of everything that `records` refer to by a field.
    pub async fn names(&self, records: &[Record]) -> Result<Names, RouteError> {
        let ids: BTreeSet<String> = records
            .iter()
            .flat_map(|record| {
                REFERENCES
                    .iter()
                    .filter_map(|(field, _)| record.text(field))
            })
            .map(str::to_owned)
            .collect();
        let ids: Vec<String> = ids.into_iter().collect();
        let found = self.store.by_ids(self.space, &ids).await?;
        Ok(Names(
            found
                .into_iter()
                .map(|record| (record.id.clone(), title(&record)))
                .collect(),
        ))
    }

    /// The cards of `records`, in their order.
    pub async fn cards(&self, records: &[Record]) -> Result<Vec<Card>, RouteError> {
        let names = self.names(records).await?;
        Ok(records
            .iter()
            .map(|record| self.card(record, &names))
            .collect())
    }

    /// The card of one record.
    pub async fn card_of(&self, record: &Record) -> Result<Card, RouteError> {
        let names = self.names(std::slice::from_ref(record)).await?;
        Ok(self.card(record, &names))
    }

    /// The card of `record` with the names it refers to.
    pub fn card(&self, record: &Record, names: &Names) -> Card {
        let mut card = self.label(record);
        card.insert("updatedAt".to_owned(), instant(record.updated_at).into());
        if let (Some(status), true) = (&record.status, shows_status(record.kind)) {
            card.insert("status".to_owned(), status.as_str().into());
        }
        for field in fields_of(record.kind) {
            if let Some(value) = record.fields.get(*field).and_then(bounded) {
                card.insert((*field).to_owned(), value);
            }
        }
        for (field, name) in REFERENCES {
            if let Some(id) = record.text(field).filter(|_| field != name) {
                card.insert(field.to_owned(), id.into());
            }
            if let Some(known) = names.of(record, field) {
                card.insert(name.to_owned(), known.into());
            }
        }
        if let Some((field, text)) = excerpt_of(record) {
            card.insert(field.to_owned(), text.into());
        }
        card
    }

    /// What names a record and says who is speaking, without its details.
    pub fn label(&self, record: &Record) -> Card {
        let handle = Handle::new(record.kind, record.id.as_str());
        let trust = trust_of(record);
        let mut card = Card::new();
        card.insert("id".to_owned(), record.id.as_str().into());
        card.insert("kind".to_owned(), record.kind.as_str().into());
        card.insert(name_field(record.kind).to_owned(), title(record).into());
        card.insert("ref".to_owned(), handle.to_string().into());
        card.insert("url".to_owned(), handle.link(self.base).into());
        card.insert("trust".to_owned(), json!(trust));
        card.insert("trustLabel".to_owned(), trust.label().into());
        card
    }
}

/// What `record` is called, as every answer shows it: others write titles too.
pub fn title(record: &Record) -> String {
    one_line(&record.title)
}

/// Who is speaking in `record`.
pub fn trust_of(record: &Record) -> ensemble_hub_api::Trust {
    trust::of(record.kind, record.text("source"))
}

/// The handle of `record`, as text.
pub fn handle(record: &Record) -> String {
    Handle::new(record.kind, record.id.as_str()).to_string()
}

/// The text of a record that a person reads first: its body, else its notes or summary.
pub fn main_text(record: &Record) -> &str {
    if record.body.trim().is_empty() {
        record
            .text("notes")
            .or_else(|| record.text("summary"))
            .unwrap_or("")
    } else {
        &record.body
    }
}

/// As many of `cards` as stand in `bytes` of JSON, and how many were left out.
pub fn fit<T: serde::Serialize>(mut cards: Vec<T>, bytes: usize) -> (Vec<T>, usize) {
    let (mut used, mut keep) = (0_usize, 0_usize);
    for card in &cards {
        used = used.saturating_add(serde_json::to_vec(card).map_or(bytes, |json| json.len()));
        if used > bytes {
            break;
        }
        keep += 1;
    }
    let left_out = cards.len() - keep;
    cards.truncate(keep);
    (cards, left_out)
}

/// Under which name a card shows the title of its record.
pub const fn name_field(kind: Kind) -> &'static str {
    match kind {
        Kind::Person | Kind::Project | Kind::Skill | Kind::File | Kind::Document => "name",
        Kind::Repo => "fullName",
        _ => "title",
    }
}

const fn shows_status(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Task | Kind::Project | Kind::Deliverable | Kind::Approval | Kind::Decision
    )
}

/// The fields of a kind that its card shows as they are.
fn fields_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Task => &["priority", "due", "branch", "labels", "todayFocus"],
        Kind::Project => &["summary"],
        Kind::Person => &["email", "role", "team", "relationship", "lastInteraction"],
        Kind::Repo => &[
            "provider",
            "description",
            "defaultBranch",
            "tracked",
            "myRole",
            "languages",
            "sourceUrl",
        ],
        Kind::Deliverable => &["due"],
        Kind::Meeting | Kind::Event => {
            &["start", "end", "allDay", "location", "joinUrl", "sourceUrl"]
        }
        Kind::File | Kind::Document => &["format", "mediaType", "size", "pages", "app", "summary"],
        Kind::Skill => &[
            "slug",
            "description",
            "version",
            "enabled",
            "provenance",
            "confidence",
        ],
        Kind::Artifact => &["app", "source", "sourceUrl"],
        Kind::Approval => &["app", "action", "expires"],
        Kind::Decision => &["askedBy", "tool", "options", "expires"],
        Kind::Page => &["labels"],
        Kind::Diagram => &["format"],
        Kind::Plot => &["plotType", "summary"],
        // Their own actions show them whole.
        Kind::Board
        | Kind::Comment
        | Kind::Dataset
        | Kind::Routine
        | Kind::Reminder
        | Kind::DeskItem => &[],
    }
}

/// The beginning of a record's text, and the field under which its card shows it.
fn excerpt_of(record: &Record) -> Option<(&'static str, String)> {
    let field = match record.kind {
        Kind::Task => "descriptionExcerpt",
        Kind::Deliverable => "notesExcerpt",
        Kind::Page | Kind::Artifact | Kind::Approval | Kind::Decision | Kind::Meeting => "excerpt",
        _ => return None,
    };
    let text = one_line(main_text(record));
    (!text.is_empty()).then(|| (field, cut::excerpt(&text, limits::EXCERPT_MAX).0))
}

/// Words of one list that a card shows.
const WORDS_MAX: usize = 20;

/// A field as a card shows it: texts on one line and cut, lists of texts, numbers, yes and no.
fn bounded(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(short(text)),
        Value::Array(items) => {
            let words = items
                .iter()
                .filter_map(Value::as_str)
                .take(WORDS_MAX)
                .map(short);
            let words: Vec<Value> = words.collect();
            (!words.is_empty()).then(|| words.into())
        }
        Value::Bool(_) | Value::Number(_) => Some(value.clone()),
        Value::Null | Value::Object(_) => None,
    }
}

fn short(text: &str) -> Value {
    cut::excerpt(&one_line(text), limits::EXCERPT_MAX).0.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_to_its_bytes_and_says_how_many_are_missing() {
        let cards: Vec<Value> = (0..10).map(|n| json!({ "id": n })).collect();
        let (kept, left_out) = fit(cards.clone(), 40);
        assert_eq!((kept.len(), left_out), (5, 5));
        assert_eq!(fit(cards, 1_000).1, 0);
    }

    #[test]
    fn values_of_cards_are_bounded() {
        assert_eq!(bounded(&json!("a\nb")), Some(json!("a b")));
        assert_eq!(bounded(&json!({ "deep": 1 })), None);
        let long = bounded(&json!("é".repeat(5_000))).unwrap();
        assert_eq!(long.as_str().unwrap().chars().count(), limits::EXCERPT_MAX);
        let many: Vec<String> = (0..500).map(|n| n.to_string()).collect();
        assert_eq!(
            bounded(&json!(many)).unwrap().as_array().unwrap().len(),
            WORDS_MAX
        );
    }
}
