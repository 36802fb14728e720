//! What an import does to one record. Beside the record stands, in its field `import`, what the source said last, part by part, as short
//! digests. A part that the source says again is left as it is now, so a person's own change stays; a part that the source changed is
//! taken over. A record that was there before its first import keeps everything it has and gets what it lacks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::Source;
use super::item::Item;
use crate::store::Record;

/// The field that remembers the import.
pub(super) const FIELD: &str = "import";
/// The parts that are no fields; field names of sources never begin with a dot.
const TITLE: &str = ".title";
const STATUS: &str = ".status";
const BODY: &str = ".body";
/// Bytes of a digest: a change of a part that keeps its digest goes unseen once in 2^64.
const DIGEST: usize = 8;

/// An item with its links resolved to ids.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) id: String,
    pub(super) item: Item,
    /// Relation and id of the other end.
    pub(super) links: BTreeSet<(String, String)>,
}

/// What there is to do.
#[derive(Debug)]
pub(super) enum Step {
    Create,
    /// The record as it will be; links to add and to remove.
    Change(Box<Record>, Links),
    Trash,
    Nothing,
    /// A person put it into Trash: it stays there.
    LeftInTrash,
}

/// Links to add and to remove: relation and id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Links {
    pub(super) add: BTreeSet<(String, String)>,
    pub(super) remove: BTreeSet<(String, String)>,
}

/// What to do with `resolved` where `known` is stored under its id.
pub(super) fn step(known: Option<&Record>, source: Source, resolved: &Resolved) -> Step {
    let Some(known) = known else {
        return if resolved.item.gone {
            Step::Nothing
        } else {
            Step::Create
        };
    };
    if known.deleted_at.is_some() {
        return if resolved.item.gone {
            Step::Nothing
        } else {
            Step::LeftInTrash
        };
    }
    if resolved.item.gone {
        return Step::Trash;
    }
    let before = known.fields.get(FIELD);
    let now = memory(source, resolved);
    if before == Some(&now) {
        return Step::Nothing;
    }
    let (mut record, links) = merged(known, before, resolved);
    record.fields.insert(FIELD.to_owned(), now);
    Step::Change(Box::new(record), links)
}

/// The fields of a new record.
pub(super) fn fields(source: Source, resolved: &Resolved) -> Map<String, Value> {
    let mut fields = resolved.item.fields.clone();
    fields.insert(FIELD.to_owned(), memory(source, resolved));
    fields
}

fn merged(known: &Record, before: Option<&Value>, resolved: &Resolved) -> (Record, Links) {
    let item = &resolved.item;
    let parts = before.and_then(|memory| memory.get("parts"));
    let said = |part: &str| {
        parts
            .and_then(|parts| parts.get(part))
            .and_then(Value::as_str)
    };
    // Whether the source says something new of a part that has `own` content now.
    let new = |part: &str, digest: &str, own: bool| match said(part) {
        Some(before) => before != digest,
        None => !own,
    };
    let mut record = known.clone();
    for (part, digest) in digests(item) {
        match part.as_str() {
            TITLE if new(TITLE, &digest, true) => record.title.clone_from(&item.title),
            STATUS if new(STATUS, &digest, known.status.is_some()) => {
                record.status.clone_from(&item.status);
            }
            BODY if new(BODY, &digest, !known.body.is_empty()) => {
                record.body.clone_from(&item.body);
            }
            TITLE | STATUS | BODY => {}
            field => {
                let own = known.fields.contains_key(field);
                if let Some(value) = item.fields.get(field).filter(|_| new(field, &digest, own)) {
                    record.fields.insert(field.to_owned(), value.clone());
                }
            }
        }
    }
    // What the source said once and says no more.
    let fields = parts
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::keys);
    for field in fields.filter(|field| !field.starts_with('.') && !item.fields.contains_key(*field))
    {
        record.fields.shift_remove(field);
    }
    let linked: BTreeSet<(String, String)> = remembered_links(before);
    let links = Links {
        add: resolved.links.difference(&linked).cloned().collect(),
        remove: linked.difference(&resolved.links).cloned().collect(),
    };
    (record, links)
}

/// What the source says now.
fn memory(source: Source, resolved: &Resolved) -> Value {
    let links: Vec<Value> = resolved
        .links
        .iter()
        .map(|(relation, to)| json!([relation, to]))
        .collect();
    let mut memory = json!({
        "source": source.as_str(),
        "id": resolved.item.key,
        "parts": digests(&resolved.item),
    });
    if let (Some(memory), false) = (memory.as_object_mut(), links.is_empty()) {
        memory.insert("links".to_owned(), links.into());
    }
    memory
}

fn remembered_links(memory: Option<&Value>) -> BTreeSet<(String, String)> {
    let list = memory
        .and_then(|memory| memory.get("links"))
        .and_then(Value::as_array);
    let pair = |link: &Value| {
        let text = |at: usize| link.get(at).and_then(Value::as_str).map(str::to_owned);
        Some((text(0)?, text(1)?))
    };
    list.into_iter().flatten().filter_map(pair).collect()
}

fn digests(item: &Item) -> BTreeMap<String, String> {
    let mut all = BTreeMap::from([(TITLE.to_owned(), digest(&item.title))]);
    if let Some(status) = &item.status {
        all.insert(STATUS.to_owned(), digest(status));
    }
    if !item.body.is_empty() {
        all.insert(BODY.to_owned(), digest(&item.body));
    }
    let fields = item
        .fields
        .iter()
        .map(|(name, value)| (name.clone(), digest(&value.to_string())));
    all.extend(fields);
    all
}

fn digest(text: &str) -> String {
    use std::fmt::Write as _;
    let mut hex = String::with_capacity(DIGEST * 2);
    for byte in Sha256::digest(text).iter().take(DIGEST) {
        // Writing to a String cannot fail.
        _ = write!(hex, "{byte:02x}");
    }
    hex
}
