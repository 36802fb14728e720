//! Records that a write names by id or by name. One name means one record: several are refused with their ids, never chosen among.

use ensemble_hub_api::limits::{CANDIDATES_MAX, NAME_MAX};
use ensemble_hub_api::{Handle, Kind, sentences};

use crate::error::RouteError;
use crate::store::{Change, Record};
use crate::text::cut;

/// The record of this kind with this id, handle or name.
pub(crate) async fn by_id_or_name(
    change: &mut Change,
    space: &str,
    kind: Kind,
    given: &str,
) -> Result<Record, RouteError> {
    let given = given.trim();
    if given.is_empty() || given.chars().nth(NAME_MAX).is_some() {
        return Err(RouteError::BadRequest(sentences::nobody_called(
            kind, given,
        )));
    }
    let id = Handle::parse(given)
        .filter(|handle| handle.kind == kind)
        .map(|handle| handle.id);
    let found = change.record(space, id.as_deref().unwrap_or(given)).await?;
    if let Some(record) = found.filter(|record| record.kind == kind) {
        return Ok(record);
    }
    by_name(change, space, kind, given).await
}

/// The one record of this kind with this name.
pub(crate) async fn by_name(
    change: &mut Change,
    space: &str,
    kind: Kind,
    name: &str,
) -> Result<Record, RouteError> {
    let mut found = change.find_by_title(space, kind, name).await?;
    if found.len() > 1 {
        let candidates: Vec<String> = found.iter().take(CANDIDATES_MAX).map(candidate).collect();
        return Err(RouteError::BadRequest(sentences::several_called(
            kind,
            name,
            &candidates,
        )));
    }
    found
        .pop()
        .ok_or_else(|| RouteError::BadRequest(sentences::nobody_called(kind, name)))
}

/// The id, with what tells two of the same name apart.
fn candidate(record: &Record) -> String {
    match record.text("email").or_else(|| record.text("role")) {
        Some(more) => format!("{} ({})", record.id, cut::head(more, 80)),
        None => record.id.clone(),
    }
}
