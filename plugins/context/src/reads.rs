//! The reads that are one hub request each; the hub's JSON is the answer.

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Output, Value, args, given};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    limit: Option<u32>,
    #[serde(default)]
    kinds: Vec<String>,
    near: Option<String>,
}

pub(crate) fn search(arguments: Value) -> Result<Output, Error> {
    let Search {
        query,
        limit,
        kinds,
        near,
    } = args(arguments)?;
    let kinds = (!kinds.is_empty()).then(|| kinds.join(","));
    let query = Query::none()
        .with("q", query)
        .maybe("limit", limit)
        .maybe("kinds", kinds)
        .maybe("near", given(near));
    hub::get_text("/api/bridge/search", query).map(Output::json_text)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    kind: Option<String>,
    id: Option<String>,
    #[serde(rename = "ref")]
    handle: Option<String>,
    offset: Option<u64>,
    limit: Option<u32>,
}

pub(crate) fn read(arguments: Value) -> Result<Output, Error> {
    let Read {
        kind,
        id,
        handle,
        offset,
        limit,
    } = args(arguments)?;
    let query = Query::none()
        .maybe("kind", given(kind))
        .with("id", one(given(id), given(handle))?)
        .maybe("offset", offset)
        .maybe("limit", limit);
    hub::get_text("/api/bridge/read", query).map(Output::json_text)
}

/// Answers call a handle `ref`, and agents pass it on under that name. Both are taken where they say the same.
fn one(id: Option<String>, handle: Option<String>) -> Result<String, Error> {
    match (id, handle) {
        (Some(id), Some(handle)) => {
            let (id, handle) = (id.trim(), handle.trim());
            let last = handle.rsplit('/').next();
            if id == handle || last == Some(id) {
                return Ok(handle.to_owned());
            }
            Err(Error::Invalid(
                "“id” and “ref” name different records: give one of them.".to_owned(),
            ))
        }
        (Some(named), None) | (None, Some(named)) => Ok(named),
        (None, None) => Err(Error::Invalid(
            "Say which record: give “ref”, the handle as an answer shows it, or “id” together with “kind”."
                .to_owned(),
        )),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A route without parameters.
pub(crate) fn fixed(arguments: Value, path: &str) -> Result<Output, Error> {
    let Nothing {} = args(arguments)?;
    hub::get_text(path, Query::none()).map(Output::json_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_once() {
        let text = |text: &str| Some(text.to_owned());
        let handle = "ensemble://task/1";
        for (id, by_ref) in [
            (text(handle), None),
            (None, text(handle)),
            (text(handle), text(handle)),
            (text("1"), text(handle)),
        ] {
            assert_eq!(one(id, by_ref), Ok(handle.to_owned()));
        }
        assert!(matches!(one(None, None), Err(Error::Invalid(_))));
        assert!(matches!(
            one(text("2"), text(handle)),
            Err(Error::Invalid(_))
        ));
    }
}
