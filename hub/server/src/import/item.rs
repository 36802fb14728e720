//! What a source is read into: one item for each record to be, the names it refers to, and the rows that could not be read.

use std::collections::BTreeSet;

use ensemble_hub_api::Kind;
use jiff::Timestamp;
use serde_json::{Map, Value};

/// Bad rows that are kept; more are counted.
const BAD_MAX: usize = 1_000;

/// A record to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Stays the same when the source is read again, and is this item's alone within its source.
    pub key: String,
    /// Where it stands, for a person: `line 7`, `notes/a.md`.
    pub place: String,
    pub kind: Kind,
    pub title: String,
    pub status: Option<String>,
    pub fields: Map<String, Value>,
    pub body: String,
    /// When it was made and last changed at the source.
    pub created: Option<Timestamp>,
    pub updated: Option<Timestamp>,
    pub links: Vec<Link>,
    /// The source says that this is no more: a record of it goes to Trash.
    pub gone: bool,
}

/// A link of an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    pub relation: &'static str,
    /// A field that also keeps the other's id (`projectId`, …).
    pub field: Option<&'static str>,
    pub to: Target,
}

/// The other end of a link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// An item of the same source, by its key.
    Item(String),
    /// Somebody or something by name: the record that is there, else a new one.
    Named(Named),
}

/// A person, project or repository by what the source says of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    pub kind: Kind,
    pub name: String,
    /// Of a person; compared without case.
    pub email: Option<String>,
    /// Of a person: the name at GitHub; compared without case.
    pub login: Option<String>,
    /// Nobody new is made of it.
    pub known_only: bool,
}

impl Named {
    /// By name alone.
    pub fn new(kind: Kind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            email: None,
            login: None,
            known_only: false,
        }
    }
}

/// A row that was not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// Where it stands.
    pub place: String,
    /// What is wrong, as a sentence.
    pub reason: String,
}

/// A source, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    pub items: Vec<Item>,
    /// The first bad rows, in the order of the source.
    pub bad: Vec<BadRow>,
    /// How many bad rows there are in all.
    pub bad_total: usize,
    /// What a person should know besides: columns that were not imported, links that lead nowhere.
    pub notes: Vec<String>,
}

impl Item {
    /// An item with nothing but its title.
    pub fn new(key: impl Into<String>, kind: Kind, title: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            place: String::new(),
            kind,
            title: title.into(),
            status: None,
            fields: Map::new(),
            body: String::new(),
            created: None,
            updated: None,
            links: Vec::new(),
            gone: false,
        }
    }

    /// Sets a field, unless the value is empty.
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        let value = value.into();
        let empty = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        if !empty {
            self.fields.insert(field.to_owned(), value);
        }
    }

    /// Links it to what is named.
    pub fn link(&mut self, relation: &'static str, field: Option<&'static str>, to: Target) {
        let link = Link {
            relation,
            field,
            to,
        };
        if !self.links.contains(&link) {
            self.links.push(link);
        }
    }
}

impl Parsed {
    /// Names a row that cannot be imported.
    pub fn bad(&mut self, place: impl Into<String>, reason: impl Into<String>) {
        self.bad_total += 1;
        if self.bad.len() < BAD_MAX {
            self.bad.push(BadRow {
                place: place.into(),
                reason: reason.into(),
            });
        }
    }

    /// Two rows with one key would overwrite each other on every import: the second is a bad row.
    pub(super) fn without_repeats(mut self) -> Self {
        let mut seen = BTreeSet::new();
        for item in std::mem::take(&mut self.items) {
            if seen.insert(item.key.clone()) {
                self.items.push(item);
            } else {
                let reason = "This is the same as an earlier one: only the first was imported.";
                self.bad(item.place, reason);
            }
        }
        self
    }
}
