//! Files that the hub keeps. A plugin names them; their bytes stay in the host, but for parts that it asks for.

use serde_json::Value;

use crate::bindings::imports::ensemble::hub::files;
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
