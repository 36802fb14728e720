//! One file. Where it is to be saved, the path is asked about before anything else; else its details are the first block of the answer and
//! the file itself the second.
//!
//! | the file | is shown as |
//! |---|---|
//! | a PNG, JPEG, GIF or WebP picture of at most 5 MB | an image |
//! | text or code | text, as long as it has at most 200,000 characters |
//! | anything else of at most 20 MB | a resource with its bytes |
//! | a larger one | not at all: the details say what to do |

use ensemble_sdk::files;
use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Output, Presentation, Value, args, json, workspace};
use serde::Deserialize;

/// The largest picture that is shown as one.
const IMAGE_MAX: u64 = 5 << 20;
/// The largest file that one answer carries.
const FILE_MAX: u64 = 20 << 20;
/// No text of 200,000 characters has more bytes.
const TEXT_MAX: u64 = 800_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Get {
    id: String,
    #[serde(default)]
    text: bool,
    offset: Option<u32>,
    limit: Option<u32>,
    content: Option<bool>,
    save_to: Option<String>,
    #[serde(default)]
    overwrite: bool,
}

pub(crate) fn answer(arguments: Value) -> Result<Output, Error> {
    let asked: Get = args(arguments)?;
    let id = id(&asked.id)?;
    if let Some(path) = &asked.save_to {
        // an empty path is refused like any other bad one, and never taken as none
        workspace::check(path, asked.overwrite)?;
    } else if asked.overwrite {
        return Err(Error::Invalid(
            "overwrite is for saveTo: say where to save the file.".to_owned(),
        ));
    }
    let route = hub::path("/api/bridge/files/{id}", id)?;
    let query = if asked.text {
        Query::none()
            .with("text", true)
            .maybe("offset", asked.offset)
            .maybe("limit", asked.limit)
    } else {
        Query::none()
    };
    let mut details = hub::get(&route, query)?;
    if let Some(path) = &asked.save_to {
        let (_, file) = files::open(id)?;
        let saved = workspace::save(&file, path, asked.overwrite)?;
        details["saved"] =
            json!({ "path": saved.path, "bytes": saved.bytes, "sha256": saved.sha256 });
        return Ok(Output::json(&details));
    }
    if asked.content == Some(false) {
        return Ok(Output::json(&details));
    }
    match shown(&details) {
        Ok((presentation, media_type)) => {
            let (_, file) = files::open(id)?;
            let mut output = Output::json(&details);
            output.content.push(file.shown(presentation, &media_type));
            Ok(output)
        }
        Err(reason) => {
            details["notShown"] = json!(reason);
            Ok(Output::json(&details))
        }
    }
}

/// How the file is shown, or why it is not.
fn shown(details: &Value) -> Result<(Presentation, String), String> {
    if details["hasOriginal"] != true {
        return Err("Ensemble has the details of this file, but not the file itself.".to_owned());
    }
    let media_type = details["mediaType"]
        .as_str()
        .unwrap_or("application/octet-stream");
    let size = details["size"].as_u64().unwrap_or(u64::MAX);
    if size > FILE_MAX {
        return Err(format!(
            "The file has {size} bytes, and one answer carries at most {FILE_MAX}: call again with saveTo to write it \
             into the working folder, or with text for its text. Its original is at \
             GET /api/bridge/files/<id>/original."
        ));
    }
    let presentation = match media_type {
        "image/png" | "image/jpeg" | "image/gif" | "image/webp" if size <= IMAGE_MAX => {
            Presentation::Image
        }
        text if is_text(text) && size <= TEXT_MAX => Presentation::Text,
        _ => Presentation::Embedded,
    };
    Ok((presentation, media_type.to_owned()))
}

fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/")
        || [
            "application/json",
            "application/yaml",
            "application/toml",
            "application/xml",
            "image/svg+xml",
        ]
        .contains(&media_type)
}

/// The id in a handle or a link; a bare id as it is.
fn id(text: &str) -> Result<&str, Error> {
    let text = text.trim();
    let bad = || {
        Error::Invalid(
            "That is not a file: give its id, its ensemble://file/<id> handle, or its Hub link."
                .to_owned(),
        )
    };
    if !text.contains('/') {
        return Ok(text);
    }
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.trim_end_matches('/').rsplit('/');
    let (id, kind) = (
        segments.next().ok_or_else(bad)?,
        segments.next().ok_or_else(bad)?,
    );
    if ["file", "files", "document", "documents"].contains(&kind) && !id.is_empty() {
        Ok(id)
    } else {
        Err(bad())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_id_handle_or_link() {
        for text in [
            "f-1",
            " f-1 ",
            "ensemble://file/f-1",
            "ensemble://document/f-1",
            "ensemble://items/document/f-1",
            "https://hub.example/file/f-1?tab=1#x",
        ] {
            assert_eq!(id(text), Ok("f-1"), "{text}");
        }
        for text in ["ensemble://task/f-1", "https://hub.example", "/", "a/b"] {
            assert!(id(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_is_shown_as_what_it_is() {
        let of = |media_type: &str, size: u64| {
            shown(&json!({ "hasOriginal": true, "mediaType": media_type, "size": size }))
                .map(|(presentation, _)| presentation)
        };
        assert_eq!(of("image/png", IMAGE_MAX), Ok(Presentation::Image));
        assert_eq!(of("image/png", IMAGE_MAX + 1), Ok(Presentation::Embedded));
        assert_eq!(of("image/svg+xml", 10), Ok(Presentation::Text));
        assert_eq!(of("text/markdown", TEXT_MAX), Ok(Presentation::Text));
        assert_eq!(of("text/csv", TEXT_MAX + 1), Ok(Presentation::Embedded));
        assert_eq!(of("application/pdf", FILE_MAX), Ok(Presentation::Embedded));
        assert!(
            of("application/pdf", FILE_MAX + 1)
                .unwrap_err()
                .contains("saveTo")
        );
        assert!(shown(&json!({ "size": 1 })).is_err());
    }
}
