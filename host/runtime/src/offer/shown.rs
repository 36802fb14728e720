//! Files that an answer shows: the host puts them in, so that their bytes need not pass through the guest.
//!
//! | the guest wants it shown as | it becomes |
//! |---|---|
//! | an image, and it has at most 5 MB | an image |
//! | text, and it is UTF-8 of at most 200,000 characters | text |
//! | anything else, up to 20 MB in one answer | a resource with its bytes |
//! | a handle that this call did not get | nothing: the answer is refused |

use ensemble_broker::{Fault, Session};
use ensemble_model::limits::{MAX_SHOWN_FILE_BYTES, MAX_SHOWN_IMAGE_BYTES, MAX_SHOWN_TEXT};

use super::{Block, Body, Embedded, Media, Text};
use crate::bindings::ensemble::tools::content;

/// Characters of a media type; the longest registered ones have some seventy.
const MAX_MIME: usize = 127;

/// Why an answer cannot be passed on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotShowable {
    #[error("it shows a file that this host did not give it")]
    Unknown,
    #[error(transparent)]
    Fault(Fault),
}

/// What the files of one answer may still hold.
pub(crate) struct Shown<'a> {
    session: &'a Session,
    left: u64,
}

impl<'a> Shown<'a> {
    /// For one answer of this call.
    pub(crate) fn new(session: &'a Session) -> Self {
        Self {
            session,
            left: MAX_SHOWN_FILE_BYTES,
        }
    }

    /// The block that shows a file.
    pub(crate) async fn block(&mut self, file: content::ShownFile) -> Result<Block, NotShowable> {
        let (id, bytes) = self.fetch(&file.handle).await?;
        let mime_type: String = file.mime_type.chars().take(MAX_MIME).collect();
        let image = file.presentation == content::Presentation::Image
            && bytes.len() as u64 <= MAX_SHOWN_IMAGE_BYTES;
        if image {
            return Ok(Block::Image(Media {
                mime_type,
                data: bytes,
                hints: None,
            }));
        }
        let body = match file.presentation {
            content::Presentation::Text => match text(bytes) {
                Ok(text) => return Ok(Block::Text(Text { text, hints: None })),
                Err(bytes) => Body::Blob(bytes),
            },
            content::Presentation::Image | content::Presentation::Embedded => Body::Blob(bytes),
        };
        Ok(Block::Embedded(Embedded {
            uri: format!("ensemble://file/{id}"),
            mime_type: Some(mime_type),
            body,
            hints: None,
        }))
    }

    /// The body of a resource that is a file.
    pub(crate) async fn body(&mut self, handle: &str) -> Result<Body, NotShowable> {
        let (_, bytes) = self.fetch(handle).await?;
        Ok(text(bytes).map_or_else(Body::Blob, Body::Text))
    }

    async fn fetch(&mut self, handle: &str) -> Result<(String, Vec<u8>), NotShowable> {
        if !self.session.has_file(handle) {
            return Err(NotShowable::Unknown);
        }
        let content = self
            .session
            .file_content(handle, self.left)
            .await
            .map_err(NotShowable::Fault)?;
        self.left = self.left.saturating_sub(content.bytes.len() as u64);
        Ok((content.id, content.bytes))
    }
}

/// The text of these bytes if they can be shown as one, else the bytes again.
fn text(bytes: Vec<u8>) -> Result<String, Vec<u8>> {
    let text = String::from_utf8(bytes).map_err(std::string::FromUtf8Error::into_bytes)?;
    if text.len() > MAX_SHOWN_TEXT && text.chars().nth(MAX_SHOWN_TEXT).is_some() {
        return Err(text.into_bytes());
    }
    // the mark of the encoding is no part of the text
    let without_mark = text.strip_prefix('\u{feff}').map(str::to_owned);
    Ok(without_mark.unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_whole_or_it_is_bytes() {
        assert_eq!(text(b"abc".to_vec()), Ok("abc".to_owned()));
        assert_eq!(text("\u{feff}a".into()), Ok("a".to_owned()));
        assert_eq!(text(vec![0xff, 0xfe]), Err(vec![0xff, 0xfe]));
        let most = "ä".repeat(MAX_SHOWN_TEXT);
        assert_eq!(text(most.clone().into_bytes()), Ok(most.clone()));
        let more = most + "ä";
        assert_eq!(text(more.clone().into_bytes()), Err(more.into_bytes()));
    }
}
