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
    id: String,
    offset: Option<u64>,
    limit: Option<u32>,
}

pub(crate) fn read(arguments: Value) -> Result<Output, Error> {
    let Read {
        kind,
        id,
        offset,
        limit,
    } = args(arguments)?;
    let query = Query::none()
        .maybe("kind", given(kind))
        .with("id", id)
        .maybe("offset", offset)
        .maybe("limit", limit);
    hub::get_text("/api/bridge/read", query).map(Output::json_text)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A route without parameters.
pub(crate) fn fixed(arguments: Value, path: &str) -> Result<Output, Error> {
    let Nothing {} = args(arguments)?;
    hub::get_text(path, Query::none()).map(Output::json_text)
}
