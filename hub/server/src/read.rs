//! Reading one record in full: its card, what its kind is linked to, and its text in parts. A
//! record of another kind than the asked one is refused, not shown.

use ensemble_hub_api::{Body, Kind, limits, sentences};
use serde_json::{Value, json};

use crate::error::RouteError;
use crate::store::Record;
use crate::target;
use crate::text::cut;
use crate::text::trust::neutral;
use crate::view::{self, Card, Reader};

mod diagrams;
mod relations;

/// Which record, and which part of its text.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The kind; may be left out where `id` is a handle or a link.
    pub kind: Option<String>,
    /// An id, a handle or a Hub link.
    pub id: String,
    /// Where the part begins, in characters.
    pub offset: u32,
    /// Characters of the part; 0 for what the kind gives when nothing is asked.
    pub limit: u32,
}

/// Characters that one answer gives of a record of `kind`: when nothing is asked, and at the most. Pages and diagrams come whole where
/// they can; anything else comes in smaller parts.
pub const fn bounds(kind: Kind) -> (u32, u32) {
    match kind {
        Kind::Page => (limits::PAGE_BODY_MAX, limits::PAGE_BODY_MAX),
        Kind::Diagram => (limits::DIAGRAM_BODY_MAX, limits::DIAGRAM_BODY_MAX),
        _ => (limits::BODY_DEFAULT, limits::BODY_MAX),
    }
}

/// The record that `asked` names, with its text from `asked.offset` on.
///
/// # Errors
/// [`RouteError`] if nothing in this space has that id, or it is of another kind.
pub async fn read(reader: &Reader<'_>, asked: &Asked) -> Result<Card, RouteError> {
    let handle = target::handle(asked.kind.as_deref(), &asked.id)?;
    let (default, most) = bounds(handle.kind);
    if asked.limit > most {
        let needs = format!(
            "a whole number from 1 to {most} for {}",
            handle.kind.with_article()
        );
        return Err(RouteError::BadRequest(sentences::bad_query(
            "limit", &needs,
        )));
    }
    let limit = if asked.limit == 0 {
        default
    } else {
        asked.limit
    };
    let record = target::record(reader, &handle).await?;
    let mut card = reader.card_of(&record).await?;
    relations::add(reader, &record, &mut card).await?;
    let text = full_text(&record);
    // Windows are counted in what is shown, so that they fit together.
    let text = neutral(&text);
    card.insert("body".to_owned(), json!(body(&text, asked.offset, limit)));
    if matches!(record.kind, Kind::Page | Kind::Task) && asked.offset == 0 {
        diagrams::add(reader, &record, &mut card).await?;
    }
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
