//! The files of a repository, from the one folder that the person allowed for it with `ensemble hub repo allow`.
//!
//! | what | is |
//! |---|---|
//! | a path that leads out, is absolute, or is written as some system reads otherwise ([`path`]) | refused |
//! | keys, passwords and git's own files, by name ([`protected`]) or by what is in them | not listed, not shown |
//! | what `.gitignore` or `.git/info/exclude` leaves out | not listed, not shown |
//! | a symbolic link, also on the way to a file | not followed |
//! | a file that is no text, or too large | named, not shown |
//! | the hub's own data folder, or one around it | never allowed, and refused again at every read |
//!
//! The folder is opened once for a request; every step below goes through that handle, one name at a time.

pub mod checkout;
mod file;
mod kinds;
mod outline;
pub mod path;
pub mod protected;
mod tree;

use std::path::PathBuf;

use ensemble_hub_api::{Kind, Trust, sentences};
use serde_json::json;

use crate::error::RouteError;
use crate::store::Record;
use crate::view::{Card, Reader};

pub use file::FilePart;

/// `GET repos/{id}/overview`.
///
/// # Errors
/// [`RouteError`] if the repository is unknown, or none of its folders may be read.
pub async fn overview(reader: &Reader<'_>, id: &str) -> Result<Card, RouteError> {
    let (record, folder) = allowed(reader, id).await?;
    let mut card = start(reader, &record);
    let found = blocking(reader, folder, |top| outline::of(&top)).await?;
    card.extend(found);
    Ok(card)
}

/// `GET repos/{id}/file`.
///
/// # Errors
/// As [`overview`], and if the path is refused or there is nothing to show.
pub async fn file(
    reader: &Reader<'_>,
    id: &str,
    asked: &str,
    part: FilePart,
) -> Result<Card, RouteError> {
    let names = path::names(asked).map_err(|no| RouteError::BadRequest(no.to_owned()))?;
    let (record, folder) = allowed(reader, id).await?;
    let mut card = start(reader, &record);
    let found = blocking(reader, folder, move |top| file::read(&top, &names, part)).await?;
    card.extend(found);
    Ok(card)
}

/// The repository of this id and its folder.
async fn allowed(reader: &Reader<'_>, id: &str) -> Result<(Record, PathBuf), RouteError> {
    let record = reader.store.record(reader.space, id).await?;
    let record = record
        .filter(|record| record.kind == Kind::Repo)
        .ok_or_else(|| RouteError::NotFound(sentences::unknown_record(Kind::Repo)))?;
    let folder = reader.store.checkout(reader.space, &record.id).await?;
    let folder =
        folder.ok_or_else(|| RouteError::NotFound(sentences::CHECKOUT_MISSING.to_owned()))?;
    Ok((record, PathBuf::from(folder)))
}

/// What every answer begins with. The files of a repository are written by many.
fn start(reader: &Reader<'_>, record: &Record) -> Card {
    let mut card = Card::new();
    card.insert("repo".to_owned(), json!(reader.label(record)));
    card.insert("trust".to_owned(), json!(Trust::Untrusted));
    card.insert("trustLabel".to_owned(), Trust::Untrusted.label().into());
    card
}

/// Opens the folder and looks into it on a thread that may wait.
async fn blocking<T: Send + 'static>(
    reader: &Reader<'_>,
    folder: PathBuf,
    look: impl FnOnce(tree::Top) -> Result<T, RouteError> + Send + 'static,
) -> Result<T, RouteError> {
    let data_dir = reader.store.data_dir().to_owned();
    let looked = tokio::task::spawn_blocking(move || {
        let gone = |_| RouteError::NotFound(sentences::CHECKOUT_GONE.to_owned());
        let dir = checkout::open(&folder, &data_dir).map_err(gone)?;
        look(tree::Top::of(dir, &folder))
    });
    looked
        .await
        .unwrap_or(Err(RouteError::Broken(sentences::INTERNAL)))
}
