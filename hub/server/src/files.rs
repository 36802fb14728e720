//! Files: their details and the text that was read out of them. A file is a record (name, format, size, summary, …), an original below the
//! data folder, and a text; the text is given here and nowhere else.
//!
//! To add a format: its row in [`format`], and a reader in [`extract`] where its text can be read.

mod add;
pub(crate) mod attach;
pub mod extract;
pub(crate) mod fetch;
pub mod format;
pub(crate) mod name;
pub mod originals;
pub(crate) mod upload;

use ensemble_hub_api::{Handle, Kind, Trust, limits, sentences};
use serde_json::{Value, json};

use crate::clock::instant;
use crate::error::RouteError;
use crate::lists::{self, Part};
use crate::store::{FileQuery, Record, StoreError};
use crate::text::cut;
use crate::text::trust::{neutral, one_line};
use crate::view::{Card, Reader};

pub(crate) use add::fields_of_original;
pub use add::{About, AddFileError, Added, Ready, Source, add};

/// The name of the list.
pub const NAME: &str = "files";

/// Kinds whose files can be listed.
pub(crate) const ON: [Kind; 5] = [
    Kind::Task,
    Kind::Page,
    Kind::Project,
    Kind::Person,
    Kind::Repo,
];

/// Which files of a space.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Words in the name, summary or text.
    pub query: Option<String>,
    /// The handle of a record.
    pub on: Option<String>,
    pub part: Part,
}

/// Which part of a file's text.
#[derive(Clone, Copy, Debug)]
pub struct TextPart {
    pub offset: u32,
    pub limit: u32,
}

/// `GET files`: the files of a space, newest first.
pub async fn list(reader: &Reader<'_>, asked: &Listed) -> Result<Card, RouteError> {
    let on = match &asked.on {
        Some(text) => Some(target(reader, text).await?),
        None => None,
    };
    let query = FileQuery {
        words: asked.query.clone(),
        on,
        limit: asked.part.limit,
        begin: asked.part.by_creation()?,
    };
    let found = reader.store.files(reader.space, &query).await?;
    let cards: Vec<Card> = found.records.iter().map(|file| row(reader, file)).collect();
    let found = lists::as_walk(found);
    Ok(lists::answer(NAME, cards, &found, &asked.part))
}

/// `GET files/{id}`: one file's details, and a part of its text when that is asked for.
pub async fn details(
    reader: &Reader<'_>,
    id: &str,
    text: Option<TextPart>,
) -> Result<Card, RouteError> {
    let record = find(reader, id).await?;
    let mut card = row(reader, &record);
    if let Some(summary) = record.text("summary") {
        let (summary, _) = cut::excerpt(&neutral(summary), limits::SUMMARY_MAX);
        card.insert("summary".to_owned(), summary.into());
    }
    if let Some(sha256) = record.text("sha256") {
        card.insert("sha256".to_owned(), sha256.into());
    }
    card.insert("hasOriginal".to_owned(), original(&record).is_ok().into());
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    if let Some(part) = text {
        let kept = reader.store.file_text(reader.space, &record.id).await?;
        match kept {
            Some(kept) => {
                card.insert("text".to_owned(), text_part(&kept, part, &mut notes));
            }
            None => notes.push(
                record
                    .text("textNote")
                    .unwrap_or("Ensemble has no text of this file.")
                    .to_owned(),
            ),
        }
    }
    card.insert("notes".to_owned(), json!(notes));
    Ok(card)
}

/// A part of the text. What a file says was written by anybody: it is labelled so, whoever saved the file.
fn text_part(text: &str, part: TextPart, notes: &mut Vec<String>) -> Value {
    // Windows are counted in what is shown, so that they fit together.
    let text = neutral(text);
    let body = crate::read::body(&text, part.offset, part.limit);
    if let Some(next) = body.next_offset {
        notes.push(format!(
            "The text has {} characters: call again with text and offset {next} for the next part.",
            body.total_characters
        ));
    }
    let mut shown = json!(body);
    if let Some(fields) = shown.as_object_mut() {
        fields.insert("trust".to_owned(), json!(Trust::Untrusted));
        fields.insert("trustLabel".to_owned(), Trust::Untrusted.label().into());
    }
    shown
}

/// The hash and size of a file's original.
pub fn original(record: &Record) -> Result<(&str, u64), RouteError> {
    let size = record.fields.get("size").and_then(Value::as_u64);
    record
        .text("sha256")
        .zip(size)
        .ok_or_else(|| RouteError::NotFound(sentences::ORIGINAL_MISSING.to_owned()))
}

/// The file of this id. A record of another kind is named as such.
pub async fn find(reader: &Reader<'_>, id: &str) -> Result<Record, RouteError> {
    let found = reader.store.record(reader.space, id).await?;
    let record =
        found.ok_or_else(|| RouteError::NotFound(sentences::unknown_record(Kind::File)))?;
    match record.kind {
        Kind::File | Kind::Document => Ok(record),
        other => Err(RouteError::BadRequest(sentences::other_kind(
            Kind::File,
            other,
        ))),
    }
}

/// The id of the record whose files are asked for.
async fn target(reader: &Reader<'_>, text: &str) -> Result<String, RouteError> {
    let handle = Handle::parse(text)
        .filter(|handle| ON.contains(&handle.kind))
        .ok_or_else(|| RouteError::BadRequest(sentences::bad_query("on", sentences::FILES_ON)))?;
    let found = reader.store.record(reader.space, &handle.id).await?;
    found
        .filter(|record| record.kind == handle.kind)
        .map(|record| record.id)
        .ok_or_else(|| RouteError::NotFound(sentences::unknown_record(handle.kind)))
}

/// A file as a list shows it.
pub(crate) fn row(reader: &Reader<'_>, record: &Record) -> Card {
    let mut card = reader.label(record);
    for field in ["format", "mediaType"] {
        if let Some(text) = record.text(field) {
            card.insert(field.to_owned(), short(text));
        }
    }
    for field in ["size", "pages"] {
        if let Some(number) = record.fields.get(field).and_then(Value::as_u64) {
            card.insert(field.to_owned(), number.into());
        }
    }
    let tags: Vec<Value> = record
        .texts("tags")
        .into_iter()
        .take(limits::TAGS_MAX)
        .map(short)
        .collect();
    if !tags.is_empty() {
        card.insert("tags".to_owned(), tags.into());
    }
    if let Some(summary) = record.text("summary") {
        card.insert("summary".to_owned(), short(summary));
    }
    if let Some(app) = record.text("app") {
        card.insert("sourceApp".to_owned(), short(app));
    }
    card.insert("created".to_owned(), instant(record.created_at).into());
    card
}

fn short(text: &str) -> Value {
    cut::excerpt(&one_line(text), limits::EXCERPT_MAX).0.into()
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        _ = write!(text, "{byte:02x}");
    }
    text
}

/// Why a file was not saved, as an answer.
pub(crate) fn refused(error: AddFileError) -> RouteError {
    match error {
        AddFileError::Store(error) => RouteError::Store(error),
        AddFileError::Io(error) => {
            tracing::error!(%error, "a file could not be kept");
            RouteError::Store(if error.kind() == std::io::ErrorKind::StorageFull {
                StoreError::DiskFull
            } else {
                StoreError::Unreadable { what: "originals" }
            })
        }
        other => RouteError::BadRequest(other.to_string()),
    }
}
