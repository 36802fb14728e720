//! Files that the hub keeps, or is to keep. A plugin names them; their bytes stay in the host, but for parts that it asks for.

use serde_json::Value;

use crate::bindings::imports::ensemble::hub::{files, uploads};
use crate::bindings::imports::ensemble::workspace::folder;
use crate::{Block, Error, Presentation, ShownFile};

/// A file that this call opened. It means nothing in another call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handle(String);

impl Handle {
    /// The host's name for it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A block of an answer that shows the file; the host puts the bytes in. What cannot be shown as asked, because it is
    /// too large or no text, becomes a resource with its bytes.
    #[must_use]
    pub fn shown(&self, presentation: Presentation, mime_type: &str) -> Block {
        Block::File(ShownFile {
            handle: self.0.clone(),
            presentation,
            mime_type: mime_type.to_owned(),
        })
    }
}

/// A file that this call takes in, and that the hub does not have yet. A call takes in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming(String);

/// Takes in the file that `data` is in base64: the standard alphabet, with its padding, and nothing else. Its bytes go to the
/// host and do not come back.
///
/// # Errors
/// [`Error::Invalid`] for a text that is cut or altered, [`Error::TooLarge`] for more than 25 MB.
pub fn from_base64(data: &str) -> Result<Incoming, Error> {
    uploads::from_base64(data).map(Incoming)
}

/// Takes in a file of the working folder. Its bytes do not pass through the plugin.
///
/// # Errors
/// [`Error::Invalid`] for a path that leads out of the folder or to what is no plain file, or may hold a secret;
/// [`Error::Denied`] where the host does not see the person's folder.
pub fn from_folder(path: &str) -> Result<Incoming, Error> {
    folder::open(path).map(Incoming)
}

/// Adds the file to the hub: the answer's JSON, as text, with the size and the SHA-256 of what it keeps, which the host has
/// compared. `options` is an object with `attachTo` and `summarize`, where wanted.
///
/// # Errors
/// What the host or the hub said.
pub fn add(
    file: &Incoming,
    filename: &str,
    media_type: Option<&str>,
    options: &Value,
) -> Result<String, Error> {
    uploads::save(&file.0, filename, media_type, &options.to_string())
}

/// Opens a file by the id of its record: its details as the hub gives them, and a handle on the original.
///
/// # Errors
/// What the host or the hub said.
pub fn open(id: &str) -> Result<(Value, Handle), Error> {
    let (details, handle) = files::open(id)?;
    Ok((crate::hub::parsed(&details)?, Handle(handle)))
}

/// At most `limit` bytes of the original from `offset`, never more than 1 MiB at once; none at its end.
///
/// # Errors
/// What the host or the hub said.
pub fn bytes(file: &Handle, offset: u64, limit: u32) -> Result<Vec<u8>, Error> {
    files::bytes(&file.0, offset, limit)
}
