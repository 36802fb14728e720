//! What an upload brings: a name, and the bytes as base64. Both are checked whole before anything is kept; the bytes go to the disk piece by
//! piece as they are decoded. Base64 that is cut, broken over lines or padded wrongly is refused: a file is never saved in part.

use std::borrow::Cow;
use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_hub_api::limits;
use serde::{Deserialize, Serialize};

use super::originals::{Originals, Staged};
use super::{format, name};
use crate::error::RouteError;
use crate::params;
use crate::repos::protected::{self, Secret, Watch};

/// Characters that are decoded at once; a multiple of four.
const PIECE: usize = 64 * 1024;
/// Characters of a media type.
const MEDIA_TYPE_MAX: usize = 100;

pub(crate) const TOO_LARGE: &str = "The file is larger than 25 MB (26,214,400 bytes): nothing was saved. The person adds larger files with `ensemble hub file add`.";
const SPACED: &str = "`dataBase64` holds white space or line breaks: send the base64 text in one piece. Nothing was saved.";
const CUT: &str = "`dataBase64` is cut: the length of base64 text is a multiple of four. Send all of it; nothing was saved.";
const BAD: &str = "`dataBase64` is not base64: use A–Z, a–z, 0–9, + and /, with = only as padding at its end, and no data: in front. Nothing was saved.";
const MEDIA_TYPE: &str = "`mediaType` has to be a media type such as text/markdown: leave it out to have it taken from the name and the bytes.";
const OTHER_TYPE: &str = "The bytes are not what `mediaType` says: send the file that it names, or leave it out. Nothing was saved.";

/// The body of `POST write/files`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Upload<'a> {
    #[serde(borrow)]
    filename: Cow<'a, str>,
    #[serde(borrow)]
    data_base64: Cow<'a, str>,
    media_type: Option<String>,
    attach_to: Option<String>,
    summarize: Option<bool>,
}

/// What is said about the bytes, in the form in which a repeated upload is recognized.
#[derive(Debug, Serialize)]
pub(crate) struct Said {
    pub(crate) filename: String,
    pub(crate) sha256: String,
    pub(crate) media_type: Option<String>,
    pub(crate) attach_to: Option<String>,
    pub(crate) summarize: bool,
}

/// Checks an upload and writes its bytes to the disk, under no name yet. Waits for the disk.
pub(crate) fn received(body: &[u8], originals: &Originals) -> Result<(Said, Staged), RouteError> {
    let upload: Upload<'_> = params::parsed(body)?;
    let filename = name::checked(&upload.filename)?;
    if protected::by_name(&filename) {
        return Err(RouteError::BadRequest(Secret::Name.sentence(&filename)));
    }
    let media_type = upload.media_type.as_deref().map(media_type).transpose()?;
    let text = upload.data_base64.as_bytes();
    measured(text)?;
    let mut decoded = Decoded::new(text);
    let staged = originals.stage(&mut decoded).map_err(|error| {
        if error.kind() == io::ErrorKind::InvalidData {
            bad(BAD)
        } else {
            super::refused(error.into())
        }
    })?;
    if decoded.watch.found() {
        return Err(RouteError::BadRequest(Secret::Content.sentence(&filename)));
    }
    let begins = &staged.about().beginning;
    if media_type
        .as_deref()
        .is_some_and(|media_type| !format::looks_like(media_type, begins))
    {
        return Err(bad(OTHER_TYPE));
    }
    let said = Said {
        filename,
        sha256: staged.about().sha256.clone(),
        media_type,
        attach_to: upload.attach_to,
        summarize: upload.summarize.unwrap_or(false),
    };
    Ok((said, staged))
}

fn bad(sentence: &str) -> RouteError {
    RouteError::BadRequest(sentence.to_owned())
}

/// Refuses base64 whose length cannot be right.
fn measured(text: &[u8]) -> Result<(), RouteError> {
    if text.iter().any(u8::is_ascii_whitespace) {
        return Err(bad(SPACED));
    }
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let bytes = (text.len() as u64 / 4 * 3).saturating_sub(padding as u64);
    if bytes > limits::UPLOAD_MAX {
        return Err(RouteError::TooLarge(TOO_LARGE));
    }
    if text.len().is_multiple_of(4) {
        Ok(())
    } else {
        Err(bad(CUT))
    }
}

/// A media type without its parameters, in small letters.
pub(super) fn media_type(given: &str) -> Result<String, RouteError> {
    let plain = given.split(';').next().unwrap_or_default();
    let plain = plain.trim().to_ascii_lowercase();
    let token = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    let fits = plain.len() <= MEDIA_TYPE_MAX
        && plain
            .split_once('/')
            .is_some_and(|(kind, rest)| token(kind) && token(rest));
    if fits {
        Ok(plain)
    } else {
        Err(bad(MEDIA_TYPE))
    }
}

/// The bytes that a base64 text stands for.
struct Decoded<'a> {
    rest: &'a [u8],
    piece: io::Cursor<Vec<u8>>,
    watch: Watch,
}

impl<'a> Decoded<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self {
            rest: text,
            piece: io::Cursor::default(),
            watch: Watch::default(),
        }
    }
}

impl Read for Decoded<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.piece.position() == self.piece.get_ref().len() as u64 && !self.rest.is_empty() {
            let (piece, rest) = self.rest.split_at(self.rest.len().min(PIECE));
            // Padding ends the text: what follows it is not a part of it.
            if !rest.is_empty() && piece.ends_with(b"=") {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let bytes = STANDARD.decode(piece);
            let bytes = bytes.map_err(|_| io::ErrorKind::InvalidData)?;
            self.watch.see(&bytes);
            self.piece = io::Cursor::new(bytes);
            self.rest = rest;
        }
        self.piece.read(into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Option<Vec<u8>> {
        measured(text.as_bytes()).ok()?;
        let mut bytes = Vec::new();
        let mut from = Decoded::new(text.as_bytes());
        from.read_to_end(&mut bytes).ok().map(|_| bytes)
    }

    #[test]
    fn base64_is_taken_whole_or_not_at_all() {
        assert_eq!(decoded("aGVsbG8="), Some(b"hello".to_vec()));
        assert_eq!(decoded(""), Some(Vec::new()));
        for bad in [
            "aGVsbG8",
            "aGVsbG8=\n",
            "aGVs bG8=",
            "aGVsbG9=",
            "aGVsb===",
            "aGV=bG8=",
            "aGVsb_8=",
            "====",
            "data:text/plain;base64,aGVsbG8=",
        ] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_text_of_many_pieces_is_the_same_bytes() {
        let bytes: Vec<u8> = (0..=250).cycle().take(PIECE * 3 + 1).collect();
        let text = STANDARD.encode(&bytes);
        assert_eq!(decoded(&text), Some(bytes.clone()));
        // Padding where a piece ends is not the end of the text.
        let padded = STANDARD.encode(&bytes[..PIECE / 4 * 3 - 1]);
        assert_eq!(padded.len(), PIECE);
        assert_eq!(decoded(&format!("{padded}{text}")), None);
    }

    #[test]
    fn a_media_type_is_two_words() {
        assert_eq!(
            media_type("Text/Plain; charset=utf-8").unwrap(),
            "text/plain"
        );
        for bad in ["", "text", "text/", "/x", "a/b/c", "text/\r\nx"] {
            assert!(media_type(bad).is_err(), "{bad:?}");
        }
    }
}
