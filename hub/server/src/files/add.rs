//! Adding a file: the bytes first, then what can be read out of them, then the record, its text, its ledger row and the original's name in one
//! transaction. What fails on the way leaves nothing.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use ensemble_hub_api::{Kind, limits};
use serde_json::{Map, Value, json};

use super::extract::{self, Extracted};
use super::format::{self, Format};
use super::originals::{Kept, Originals, Staged};
use crate::store::{Actor, Change, NewRecord, Record, Store, StoreError, one_line};
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
    /// Its media type, as somebody says; only believed where name and bytes do not say it.
    pub media_type: Option<String>,
    /// The address it was saved from.
    pub source_url: Option<String>,
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
    let originals = Originals::of(store.data_dir());
    let staged = blocking(move || stage(&originals, source)).await?;
    let ready = Ready::of(staged, &about.name, extract::PATIENCE).await?;
    let mut change = store.change(actor).await?;
    let added = ready.write(&mut change, ACTION, space, &about).await?;
    change.commit().await?;
    Ok(added)
}

/// A file that is on the disk and read, and that nothing knows of yet; dropped, it is gone.
#[derive(Debug)]
pub struct Ready {
    name: String,
    staged: Staged,
    format: Format,
    extracted: Extracted,
}

impl Ready {
    /// Reads what is in `staged`, the bytes of a file called `name`; a text that takes longer than `patience` is not kept.
    ///
    /// # Errors
    /// [`AddFileError::Name`].
    pub async fn of(staged: Staged, name: &str, patience: Duration) -> Result<Self, AddFileError> {
        let name = one_line(name);
        if name.is_empty() || name.chars().count() > limits::TITLE_MAX {
            return Err(AddFileError::Name);
        }
        let format = format::of(&name, &staged.about().beginning);
        let extracted = extract::text(&staged, format, patience).await;
        Ok(Self {
            name,
            staged,
            format,
            extracted,
        })
    }

    /// Its size and hash.
    pub const fn kept(&self) -> &Kept {
        self.staged.about()
    }

    /// Writes the record and its text inside of `change`; `action` is what the ledger calls it.
    ///
    /// # Errors
    /// [`AddFileError`] if the original cannot get its name, or the store fails.
    pub async fn write(
        self,
        change: &mut Change,
        action: &str,
        space: &str,
        about: &About,
    ) -> Result<Added, AddFileError> {
        let mut fields = fields_of_original(self.kept(), self.format, &self.extracted);
        details(&mut fields, about);
        let new = NewRecord {
            fields,
            ..NewRecord::new(space, Kind::File, self.name)
        };
        let record = change.create(action, new).await?;
        if let Some(text) = &self.extracted.text {
            change.set_file_text(&record.id, text).await?;
        }
        // Last, so that a change that fails before leaves no original; one that is lost after it leaves bytes that nobody can ask for.
        let staged = self.staged;
        blocking(move || Ok(staged.keep()?)).await?;
        Ok(Added {
            record,
            text_characters: self.extracted.text.map(|text| text.chars().count()),
            note: self.extracted.note,
        })
    }
}

/// Runs what waits for the disk on a thread that may.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AddFileError> + Send + 'static,
) -> Result<T, AddFileError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(io::Error::other)?
}

fn stage(originals: &Originals, source: Source) -> Result<Staged, AddFileError> {
    match source {
        Source::Bytes(bytes) => Ok(originals.stage(bytes.as_slice())?),
        Source::Path(path) => match ensemble_plain_file::open(&path) {
            Ok((file, _)) => Ok(originals.stage(file)?),
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
    if let Some(media_type) = &about.media_type
        && fields.get("mediaType") == Some(&json!(format::BYTES))
    {
        fields.insert("mediaType".to_owned(), media_type.as_str().into());
    }
    if let Some(url) = &about.source_url {
        fields.insert("source".to_owned(), "web".into());
        fields.insert("sourceUrl".to_owned(), url.as_str().into());
    }
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
