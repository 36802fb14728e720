//! Adding a file: the original first, then what can be read out of it, then the record, its text and its ledger row in one transaction. What
//! fails on the way leaves no record; an original without one is only bytes that nobody can ask for.

use std::io;
use std::path::PathBuf;

use ensemble_hub_api::{Kind, limits};
use serde_json::{Map, Value, json};

use super::extract::{self, Extracted};
use super::format::{self, Format};
use super::originals::{Kept, Originals};
use crate::store::{Actor, NewRecord, Record, Store, StoreError, one_line};
use crate::text::cut;

/// What the ledger calls it.
const ACTION: &str = "hub.add_file";

/// Where the bytes are.
#[derive(Debug)]
pub enum Source {
    /// A file of this computer; never a folder or a device.
    Path(PathBuf),
    Bytes(Vec<u8>),
}

/// What is known of a file besides its bytes.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Its name with the extension, by which its format is known.
    pub name: String,
    /// What it is about, in the person's words.
    pub summary: Option<String>,
    pub tags: Vec<String>,
    /// The app it came from.
    pub app: Option<String>,
}

/// A file that is there now.
#[derive(Clone, Debug)]
pub struct Added {
    pub record: Record,
    /// Characters of its text.
    pub text_characters: Option<usize>,
    /// Why there is no text, or not all of it.
    pub note: Option<String>,
}

/// Why a file was not added; the text is a sentence for the person.
#[derive(Debug, thiserror::Error)]
pub enum AddFileError {
    #[error("A file needs a name of 1 to 500 characters.")]
    Name,
    #[error("There is no file at that path: check it, and give the path of one file.")]
    Missing,
    #[error("That is not a file: give the path of one file.")]
    NotAFile,
    #[error("The file could not be read or kept.")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds a file to a space.
///
/// # Errors
/// [`AddFileError`] if the source cannot be read, or the data folder or the database cannot be written.
pub async fn add(
    store: &Store,
    space: &str,
    actor: Actor,
    source: Source,
    about: About,
) -> Result<Added, AddFileError> {
    let name = one_line(&about.name);
    if name.is_empty() || name.chars().count() > limits::TITLE_MAX {
        return Err(AddFileError::Name);
    }
    let originals = Originals::of(store.data_dir());
    let keeper = originals.clone();
    let kept = tokio::task::spawn_blocking(move || keep(&keeper, source))
        .await
        .map_err(io::Error::other)??;
    let format = format::of(&name, &kept.beginning);
    let extracted = extract::text(&originals, &kept, format).await;
    let mut fields = fields_of_original(&kept, format, &extracted);
    details(&mut fields, &about);
    let mut change = store.change(actor).await?;
    let new = NewRecord {
        fields,
        ..NewRecord::new(space, Kind::File, name)
    };
    let record = change.create(ACTION, new).await?;
    if let Some(text) = &extracted.text {
        change.set_file_text(&record.id, text).await?;
    }
    change.commit().await?;
    Ok(Added {
        record,
        text_characters: extracted.text.map(|text| text.chars().count()),
        note: extracted.note,
    })
}

fn keep(originals: &Originals, source: Source) -> Result<Kept, AddFileError> {
    match source {
        Source::Bytes(bytes) => Ok(originals.keep(bytes.as_slice())?),
        Source::Path(path) => match ensemble_plain_file::open(&path) {
            Ok((file, _)) => Ok(originals.keep(file)?),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::InvalidInput => AddFileError::NotAFile,
                io::ErrorKind::NotFound => AddFileError::Missing,
                _ => error.into(),
            }),
        },
    }
}

/// The fields that say what an original is.
pub(crate) fn fields_of_original(
    kept: &Kept,
    format: Format,
    extracted: &Extracted,
) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("format".to_owned(), format.label.into());
    fields.insert("mediaType".to_owned(), format.media_type.into());
    fields.insert("size".to_owned(), kept.size.into());
    fields.insert("sha256".to_owned(), kept.sha256.as_str().into());
    if let Some(pages) = extracted.pages {
        fields.insert("pages".to_owned(), pages.into());
    }
    if let Some(note) = &extracted.note {
        fields.insert("textNote".to_owned(), note.as_str().into());
    }
    fields
}

fn details(fields: &mut Map<String, Value>, about: &About) {
    if let Some(summary) = &about.summary {
        let (summary, _) = cut::excerpt(summary.trim(), limits::SUMMARY_MAX);
        fields.insert("summary".to_owned(), summary.into());
    }
    if !about.tags.is_empty() {
        let tags: Vec<String> = about
            .tags
            .iter()
            .take(limits::TAGS_MAX)
            .map(|tag| cut::head(&one_line(tag), limits::NAME_MAX).to_owned())
            .collect();
        fields.insert("tags".to_owned(), json!(tags));
    }
    if let Some(app) = &about.app {
        let app = one_line(app);
        fields.insert("app".to_owned(), cut::head(&app, limits::NAME_MAX).into());
    }
}
