//! Reading one record in full: its card, what its kind is linked to, and its text in parts. A
//! record of another kind than the asked one is refused, not shown.

use ensemble_hub_api::{Body, Handle, Kind, handle::is_id, sentences};
use serde_json::{Value, json};

use crate::error::RouteError;
use crate::store::Record;
use crate::text::cut;
use crate::text::trust::neutral;
use crate::view::{self, Card, Reader};

mod relations;

/// The kinds that can be read, as a refusal names them.
pub const KINDS: &str = "one of task, project, repo, skill, deliverable, person, artifact, \
     document, meeting, approval, decision, diagram, plot, page, event";
/// Which record, and which part of its text.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The kind; may be left out where `id` is a handle or a link.
    pub kind: Option<String>,
    /// An id, a handle or a Hub link.
    pub id: String,
    /// Where the part begins, in characters.
    pub offset: u32,
    /// Characters of the part.
    pub limit: u32,
}

/// The record that `asked` names, with its text from `asked.offset` on.
///
/// # Errors
/// [`RouteError`] if nothing in this space has that id, or it is of another kind.
pub async fn read(reader: &Reader<'_>, asked: &Asked) -> Result<Card, RouteError> {
    let handle = target(asked)?;
    let found = reader.store.record(reader.space, &handle.id).await?;
    let record =
        found.ok_or_else(|| RouteError::NotFound(sentences::unknown_record(handle.kind)))?;
    if !same_kind(handle.kind, record.kind) {
        return Err(RouteError::BadRequest(sentences::other_kind(
            handle.kind,
            record.kind,
        )));
    }
    let mut card = reader.card_of(&record).await?;
    relations::add(reader, &record, &mut card).await?;
    let text = full_text(&record);
    // Windows are counted in what is shown, so that they fit together.
    let text = neutral(&text);
    card.insert(
        "body".to_owned(),
        json!(body(&text, asked.offset, asked.limit)),
    );
    let mut notes = vec![json!(sentences::REFERENCE_NOTE)];
    if matches!(record.kind, Kind::File | Kind::Document) {
        notes.push(json!(
            "This is the file's summary: its own text is not part of this answer."
        ));
    }
    card.insert("notes".to_owned(), Value::Array(notes));
    Ok(card)
}

/// The part of `text` from `offset`, at most `limit` characters.
pub fn body(text: &str, offset: u32, limit: u32) -> Body {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let part = cut::part(text, offset as usize, limit as usize);
    Body {
        text: part.text.to_owned(),
        offset: count(part.offset),
        limit,
        total_characters: count(part.total),
        truncated: part.next.is_some(),
        next_offset: part.next.map(count),
    }
}

/// The kind and id that were asked for.
fn target(asked: &Asked) -> Result<Handle, RouteError> {
    let bad_kind = || RouteError::BadRequest(sentences::bad_query("kind", KINDS));
    let kind = match asked.kind.as_deref() {
        Some(name) => Some(Kind::parse(name).ok_or_else(bad_kind)?),
        None => None,
    };
    let id = asked.id.trim();
    match (Handle::parse(id), kind) {
        (Some(handle), Some(kind)) if !same_kind(kind, handle.kind) => Err(RouteError::BadRequest(
            sentences::other_kind(kind, handle.kind),
        )),
        (Some(handle), _) => Ok(handle),
        (None, Some(kind)) if is_id(id) => Ok(Handle::new(kind, id)),
        (None, None) if is_id(id) => Err(bad_kind()),
        (None, _) => Err(RouteError::BadRequest(
            sentences::HANDLE_UNREADABLE.to_owned(),
        )),
    }
}

/// Files are read as documents too.
fn same_kind(asked: Kind, is: Kind) -> bool {
    let file = |kind| matches!(kind, Kind::File | Kind::Document);
    asked == is || (file(asked) && file(is))
}

/// The whole text of a record, as its kind has it.
fn full_text(record: &Record) -> String {
    let notes = record.text("notes");
    match (record.kind, notes) {
        (Kind::Meeting, Some(notes)) if !record.body.trim().is_empty() => {
            format!("## Notes\n\n{notes}\n\n## Transcript\n\n{}", record.body)
        }
        _ => view::main_text(record).to_owned(),
    }
}
