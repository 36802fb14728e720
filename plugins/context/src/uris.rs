//! Resource URIs name hub reads, nothing else: no URI opens a file or another address.

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Embedded, Error};

#[derive(Debug, PartialEq)]
enum Named {
    Fixed(&'static str),
    Item { kind: String, id: String },
}

pub(crate) fn read(uri: &str) -> Result<Vec<Embedded>, Error> {
    let json = match named(uri).ok_or_else(|| Error::unknown_resource(uri))? {
        Named::Fixed(path) => hub::get_text(path, Query::none())?,
        Named::Item { kind, id } => {
            let query = Query::none().with("kind", kind).with("id", id);
            hub::get_text("/api/bridge/read", query)?
        }
    };
    Ok(vec![Embedded::json(uri, json)])
}

fn named(uri: &str) -> Option<Named> {
    let name = uri.strip_prefix("ensemble://")?;
    Some(match name {
        "today" => Named::Fixed("/api/bridge/today"),
        "decisions" => Named::Fixed("/api/bridge/decisions"),
        "gaps" => Named::Fixed("/api/bridge/gaps"),
        _ => {
            let (kind, id) = name.strip_prefix("items/")?.split_once('/')?;
            let kind = word(kind)?;
            let id = word(id)?;
            Named::Item { kind, id }
        }
    })
}

/// A kind or an id: neither holds a slash, a query or an escape.
fn word(text: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    (!text.is_empty() && text.len() <= 128 && text.chars().all(fits)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_one_read() {
        assert_eq!(
            named("ensemble://today"),
            Some(Named::Fixed("/api/bridge/today"))
        );
        assert_eq!(
            named("ensemble://items/meeting_note/0198-a"),
            Some(Named::Item {
                kind: "meeting_note".to_owned(),
                id: "0198-a".to_owned()
            })
        );
    }

    #[test]
    fn anything_else_is_unknown() {
        for uri in [
            "ensemble://tasks",
            "ensemble://items/task",
            "ensemble://items/task/",
            "ensemble://items//x",
            "ensemble://items/task/a/b",
            "ensemble://items/task/..%2F",
            "ensemble://items/task/a?space=b",
            "ensemble://today/",
            "file:///etc/passwd",
            "",
        ] {
            assert_eq!(named(uri), None, "{uri}");
        }
    }
}
