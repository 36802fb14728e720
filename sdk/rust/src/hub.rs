//! The hub's routes, in the space and with the key that the host bound to this call.
//!
//! Only routes that `plugin.toml` declares are let through. Errors carry the hub's own sentence: pass them on unchanged.

use std::fmt::Display;

use serde_json::Value;

use crate::Error;
use crate::bindings::imports::ensemble::hub::{act, change, read};

pub use change::Method;

/// Query parameters, in order. What is absent is not sent.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// No parameters.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.0.push((name.to_owned(), value.to_string()));
        self
    }

    /// Adds a parameter where there is a value.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

/// `GET`: the answer's JSON, parsed. `path` starts with `/api/` and has no query.
///
/// # Errors
/// What the host or the hub said.
pub fn get(path: &str, query: Query) -> Result<Value, Error> {
    parsed(&get_text(path, query)?)
}

/// As [`get`], for an answer that is passed through: the JSON as text.
///
/// # Errors
/// What the host or the hub said.
#[expect(
    clippy::needless_pass_by_value,
    reason = "a query is built for one request: `Query::none().with(…)`"
)]
pub fn get_text(path: &str, query: Query) -> Result<String, Error> {
    read::get(path, &query.0)
}

/// `POST` or `PATCH`: the answer's JSON, as text. The host adds an idempotency key, the same when it has to send again.
///
/// # Errors
/// What the host or the hub said.
pub fn send(method: Method, path: &str, body: &Value) -> Result<String, Error> {
    change::send(method, path, &body.to_string())
}

/// Runs one action of the hub: the answer's JSON, as text. `input` is an object; what it has to hold, the hub says. The host
/// adds an idempotency key, the same when it has to send again.
///
/// # Errors
/// What the host or the hub said. For an input that is wrong, [`Error::Invalid`] ends with the schema that it has to keep.
pub fn run(action: &str, input: &Value) -> Result<String, Error> {
    act::run(action, &input.to_string())
}

/// Fills the one `{…}` of a path template with an id.
///
/// # Errors
/// [`Error::Invalid`] for a text that is no id: ids are made of letters, digits, `-`, `_`, `.` and `~`, at most 128.
pub fn path(template: &str, id: &str) -> Result<String, Error> {
    let id = id.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
    if id.trim_matches('.').is_empty() || id.len() > 128 || !id.chars().all(plain) {
        let shown: String = id.chars().filter(|c| !c.is_control()).take(80).collect();
        return Err(Error::Invalid(format!(
            "“{shown}” is not an id: give the id as a list or a search shows it."
        )));
    }
    let (before, rest) = template.split_once('{').unwrap_or((template, ""));
    let after = rest.split_once('}').map_or("", |(_, after)| after);
    Ok(format!("{before}{id}{after}"))
}

pub(crate) fn parsed(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|_| {
        Error::Failed("Ensemble answered with something that cannot be read.".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_takes_its_place_in_the_path() {
        assert_eq!(
            path("/a/{id}", " 0198-ab_c.d~e "),
            Ok("/a/0198-ab_c.d~e".to_owned())
        );
        assert_eq!(path("/a/{id}/b", "x"), Ok("/a/x/b".to_owned()));
    }

    #[test]
    fn a_text_that_is_no_id_is_refused() {
        for text in [
            "", " ", ".", "..", "../keys", "a/b", "a?x=1", "a#b", "a b", "a%2Fb", "é", "a\nb",
        ] {
            assert!(
                matches!(path("/a/{id}", text), Err(Error::Invalid(_))),
                "{text:?}"
            );
        }
        assert!(path("/a/{id}", &"a".repeat(129)).is_err());
    }

    #[test]
    fn absent_parameters_are_not_sent() {
        let query = Query::none()
            .with("q", "a b")
            .maybe("limit", Some(3))
            .maybe("near", None::<&str>);
        assert_eq!(
            query.0,
            [
                ("q".to_owned(), "a b".to_owned()),
                ("limit".to_owned(), "3".to_owned())
            ]
        );
    }
}
