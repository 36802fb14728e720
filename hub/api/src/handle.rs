//! Handles: how a record is named in a call. `ensemble://<kind>/<id>` is the handle; a Hub link ends in `/<kind>/<id>` and means the same.
//! A handle names a record, it grants nothing: the space of the request decides what can be read.

use std::fmt;

use crate::kind::Kind;

/// The scheme of handles and resource URIs.
pub const SCHEME: &str = "ensemble://";
/// The longest id that is read from a handle, in bytes.
const ID_MAX: usize = 128;

/// A record's kind and id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle {
    pub kind: Kind,
    pub id: String,
}

impl Handle {
    /// The handle of this record.
    pub fn new(kind: Kind, id: impl Into<String>) -> Self {
        Self {
            kind,
            id: id.into(),
        }
    }

    /// Reads a handle or a Hub link. `None` when the text is neither: a bare id or a title is the caller's to try next.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let path = if let Some(rest) = text.strip_prefix(SCHEME) {
            rest.strip_prefix("items/").unwrap_or(rest)
        } else {
            link_path(text)?
        };
        let path = path.split(['?', '#']).next()?.trim_matches('/');
        let mut segments = path.rsplit('/');
        let (id, kind) = (segments.next()?, segments.next()?);
        // A handle is exactly kind and id; a link may stand below any prefix.
        if text.starts_with(SCHEME) && segments.next().is_some() {
            return None;
        }
        let kind = kind_of(kind)?;
        is_id(id).then(|| Self::new(kind, id))
    }

    /// The link to this record in the hub at `base` (no slash at its end).
    pub fn link(&self, base: &str) -> String {
        format!("{base}/{}/{}", self.kind, self.id)
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}/{}", self.kind, self.id)
    }
}

/// A kind by its name, or by that of its list: `people`, `repos`, …
fn kind_of(name: &str) -> Option<Kind> {
    match name {
        "people" => Some(Kind::Person),
        _ => Kind::parse(name).or_else(|| Kind::parse(name.strip_suffix('s')?)),
    }
}

/// The path of an `http` or `https` link, or a path that starts with a slash.
fn link_path(text: &str) -> Option<&str> {
    if text.starts_with('/') {
        return Some(text);
    }
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))?;
    rest.split_once('/').map(|(_host, path)| path)
}

/// Whether a text can be a record's id: letters, digits, `-` and `_`.
pub fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= ID_MAX
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_and_links_name_the_same_record() {
        let task = Some(Handle::new(Kind::Task, "019a-b_c"));
        for text in [
            "ensemble://task/019a-b_c",
            " ensemble://task/019a-b_c ",
            "ensemble://tasks/019a-b_c",
            "ensemble://items/task/019a-b_c",
            "http://127.0.0.1:4000/task/019a-b_c",
            "https://app.example.com/w/home/task/019a-b_c?tab=page#notes",
            "https://app.example.com/task/019a-b_c/",
            "/task/019a-b_c",
        ] {
            assert_eq!(Handle::parse(text), task, "{text}");
        }
        let handle = Handle::new(Kind::Repo, "r1");
        assert_eq!(Handle::parse(&handle.to_string()), Some(handle.clone()));
        assert_eq!(Handle::parse(&handle.link("http://h")), Some(handle));
    }

    #[test]
    fn what_is_no_handle_is_left_to_the_caller() {
        for text in [
            "",
            "019a",
            "Fix the timeout",
            "ensemble://",
            "ensemble://task",
            "ensemble://task/",
            "ensemble://task/../x",
            "ensemble://task/a/b",
            "ensemble://secret/1",
            "https://example.com",
            "https://github.com/encode/httpx",
            "ensemble://task/a b",
            "ftp://x/task/1",
        ] {
            assert_eq!(Handle::parse(text), None, "{text}");
        }
    }
}
