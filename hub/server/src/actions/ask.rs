//! The records that an action names: by id, by handle, by a link in Ensemble, or by the exact name where one record has it. Several are refused
//! with their ids, never chosen among; a name that nobody has names who could be meant.

use ensemble_hub_api::{Handle, Kind, sentences};

use crate::error::RouteError;
use crate::store::Record;
use crate::target::same_kind;
use crate::tasks::named::{self, Look};

/// The one record of this kind that `given` names.
pub(crate) async fn one(
    look: &mut Look<'_>,
    space: &str,
    kind: Kind,
    given: &str,
) -> Result<Record, RouteError> {
    let Some(handle) = Handle::parse(given.trim()) else {
        return named::by_id_or_name(look, space, kind, given).await;
    };
    if !same_kind(kind, handle.kind) {
        return Err(RouteError::BadRequest(sentences::other_kind(
            kind,
            handle.kind,
        )));
    }
    let found = look.record(space, &handle.id).await?;
    found
        .filter(|record| same_kind(kind, record.kind))
        .ok_or_else(|| RouteError::NotFound(sentences::unknown_record(kind)))
}

/// The record of any of these kinds that a handle, a link or an id names.
pub(crate) async fn any(
    look: &mut Look<'_>,
    space: &str,
    kinds: &[Kind],
    given: &str,
) -> Result<Record, RouteError> {
    let given = given.trim();
    let handle = Handle::parse(given);
    let id = handle.as_ref().map_or(given, |handle| handle.id.as_str());
    let found = look.record(space, id).await?;
    found
        .filter(|record| kinds.contains(&record.kind))
        .filter(|record| handle.is_none_or(|handle| same_kind(handle.kind, record.kind)))
        .ok_or_else(|| {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
            RouteError::NotFound(sentences::no_such(&names))
        })
}
