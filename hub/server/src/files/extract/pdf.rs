//! PDF: the text of each page, in the order of the pages. No decryption, no pictures, and every stream inflates to so much and no more.

use lopdf::{Document, LoadOptions};

use super::{Broken, TEXT_MAX, UNREADABLE};

/// Bytes that one stream may inflate to.
const STREAM_MAX: usize = 32 << 20;
/// Pages that are read.
const PAGES_MAX: usize = 2_000;

const LOCKED: &str = "The PDF is encrypted, so its text was not read.";

/// The text and the number of pages.
pub(super) fn text(bytes: &[u8]) -> Result<(String, Option<u64>), Broken> {
    let options = LoadOptions {
        max_decompressed_size: Some(STREAM_MAX),
        ..LoadOptions::default()
    };
    let document = Document::load_mem_with_options(bytes, options).map_err(|_| UNREADABLE)?;
    if document.is_encrypted() {
        return Err(LOCKED);
    }
    let pages: Vec<u32> = document.get_pages().into_keys().collect();
    let mut out = String::new();
    let mut characters = 0;
    for page in pages.iter().take(PAGES_MAX) {
        // one page that cannot be read does not take the others with it
        let Ok(text) = document.extract_text_with_limit(&[*page], STREAM_MAX) else {
            continue;
        };
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(text.trim());
        characters += text.chars().count();
        if characters > TEXT_MAX {
            break;
        }
    }
    Ok((out, Some(pages.len() as u64)))
}
