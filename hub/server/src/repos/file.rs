//! One file of a repository, in parts by characters. What is not shown says why, and says the same whether a protected file is there or not.

use std::io::Read as _;

use cap_std::fs::Dir;
use ensemble_hub_api::{Trust, sentences};
use serde_json::json;

use super::tree::Top;
use super::{checkout, kinds, protected};
use crate::error::RouteError;
use crate::text::trust::{neutral, one_line};
use crate::view::Card;

/// Bytes of a file that is shown.
pub(super) const FILE_BYTES: u64 = 2_000_000;

/// Which part of a file's text.
#[derive(Clone, Copy, Debug)]
pub struct FilePart {
    pub offset: u32,
    pub limit: u32,
}

/// What is in a file.
pub(super) enum Content {
    Text(String),
    Binary,
    TooLarge,
}

/// The file at `names` below `top`.
pub(super) fn read(top: &Top, names: &[String], part: FilePart) -> Result<Card, RouteError> {
    let path = names.join("/");
    let (content, size) = open(top, names)?;
    let mut card = Card::new();
    card.insert("path".to_owned(), one_line(&path).into());
    card.insert("size".to_owned(), size.into());
    if let Some(language) = kinds::language(&path) {
        card.insert("language".to_owned(), language.into());
    }
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    match content {
        Content::Text(text) if protected::by_content(&text) => {
            return Err(RouteError::Forbidden(
                sentences::REPO_FILE_PROTECTED.to_owned(),
            ));
        }
        Content::Text(text) => {
            let shown = neutral(&text);
            if shown != text.replace("\r\n", "\n") && shown != text {
                notes.push(sentences::REPO_FILE_CHANGED.to_owned());
            }
            let body = crate::read::body(&shown, part.offset, part.limit);
            if let Some(next) = body.next_offset {
                let total = body.total_characters;
                notes.push(format!(
                    "The file has {total} characters: call again with offset {next} for the next part."
                ));
            }
            let mut text = json!(body);
            if let Some(fields) = text.as_object_mut() {
                fields.insert("trust".to_owned(), json!(Trust::Untrusted));
                fields.insert("trustLabel".to_owned(), Trust::Untrusted.label().into());
            }
            card.insert("text".to_owned(), text);
        }
        Content::Binary => {
            card.insert("binary".to_owned(), true.into());
            notes.push(
                "This file is no text in UTF-8 or UTF-16, so it is named and not shown.".to_owned(),
            );
        }
        Content::TooLarge => {
            notes.push(format!(
                "This file has more than {FILE_BYTES} bytes, so it is named and not shown."
            ));
        }
    }
    card.insert("notes".to_owned(), json!(notes));
    Ok(card)
}

/// Goes to the file one name at a time; each has to be one that may be shown.
fn open(top: &Top, names: &[String]) -> Result<(Content, u64), RouteError> {
    let refused = |sentence: &str| Err(RouteError::Forbidden(sentence.to_owned()));
    let missing = |_| RouteError::NotFound(sentences::REPO_FILE_MISSING.to_owned());
    if names.iter().any(|name| protected::by_name(name)) {
        return refused(sentences::REPO_FILE_PROTECTED);
    }
    let Some((last, folders)) = names.split_last() else {
        return Err(RouteError::NotFound(
            sentences::REPO_FILE_MISSING.to_owned(),
        ));
    };
    let mut dir = top.dir.try_clone().map_err(missing)?;
    let (mut at, mut rules) = (String::new(), top.rules());
    for name in folders {
        at = if at.is_empty() {
            name.clone()
        } else {
            format!("{at}/{name}")
        };
        if rules.leave_out(&at, true) {
            return refused(sentences::REPO_FILE_IGNORED);
        }
        dir = checkout::folder(&dir, name).map_err(missing)?;
        rules = rules.with(&dir, &at);
    }
    if rules.leave_out(&names.join("/"), false) {
        return refused(sentences::REPO_FILE_IGNORED);
    }
    content(&dir, last).map_err(missing)
}

/// What is in the file `name` of `dir`, and its size in bytes.
pub(super) fn content(dir: &Dir, name: &str) -> std::io::Result<(Content, u64)> {
    let (file, size) = checkout::plain_file(dir, name)?;
    if size > FILE_BYTES {
        return Ok((Content::TooLarge, size));
    }
    let mut bytes = Vec::new();
    file.take(FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_BYTES {
        return Ok((Content::TooLarge, size));
    }
    let encoding = encoding_rs::Encoding::for_bom(&bytes).map_or(encoding_rs::UTF_8, |(is, _)| is);
    let (text, broken) = encoding.decode_with_bom_removal(&bytes);
    let content = if broken || text.contains('\0') {
        Content::Binary
    } else {
        Content::Text(text.into_owned())
    };
    Ok((content, size))
}
