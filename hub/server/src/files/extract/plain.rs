//! Text as it is, in the encodings that people's files have: UTF-8, UTF-16 with its mark, else Windows-1252, which every byte is a letter of.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::{Broken, UNREADABLE};

/// Bytes that are looked at for what no text has.
const LOOKED_AT: usize = 8 * 1024;

/// The text of these bytes.
pub(super) fn text(bytes: &[u8]) -> Result<String, Broken> {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None if bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0) => return Err(UNREADABLE),
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    let (text, _, _) = encoding.decode(bytes);
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}
