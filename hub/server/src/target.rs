//! Naming one record: a handle (`ensemble://task/<id>`), a Hub link, or an id together with its kind. One way for every route that takes a
//! record, so that what one answer gives as `ref` can be passed to any other.
//!
//! What is not in the space of the request is unknown, whatever it is elsewhere; a record of another kind than the named one is refused.

use ensemble_hub_api::handle::is_id;
use ensemble_hub_api::{Handle, Kind, sentences};

use crate::error::RouteError;
use crate::store::Record;
use crate::view::Reader;

/// Longest id, handle or link, in characters.
pub const ITEM_MAX: usize = 2_000;

/// The kinds that a caller can name, as a refusal lists them.
pub const KINDS: &str = "one of task, project, repo, skill, deliverable, person, artifact, \
     document, meeting, approval, decision, diagram, plot, page, event";

/// The kind and id that `item` names; `kind` may be left out where it is a handle or a link.
///
/// # Errors
/// [`RouteError::BadRequest`] if that is no name of a record, or of another kind than `kind`.
pub fn handle(kind: Option<&str>, item: &str) -> Result<Handle, RouteError> {
    let bad_kind = || RouteError::BadRequest(sentences::bad_query("kind", KINDS));
    let kind = match kind {
        Some(name) => Some(Kind::parse(name).ok_or_else(bad_kind)?),
        None => None,
    };
    let id = item.trim();
    match (Handle::parse(id), kind) {
        (Some(handle), Some(kind)) if !same_kind(kind, handle.kind) => Err(RouteError::BadRequest(
            sentences::other_kind(kind, handle.kind),
        )),
        (Some(handle), _) => Ok(handle),
        (None, Some(kind)) if is_id(id) => Ok(Handle::new(kind, id)),
        (None, None) if is_id(id) => Err(bad_kind()),
        (None, _) => Err(RouteError::BadRequest(
            sentences::HANDLE_UNREADABLE.to_owned(),
        )),
    }
}

/// The record that `handle` names.
///
/// # Errors
/// [`RouteError`] if nothing in this space has that id, or it is of another kind.
pub async fn record(reader: &Reader<'_>, handle: &Handle) -> Result<Record, RouteError> {
    let found = reader.store.record(reader.space, &handle.id).await?;
    let record =
        found.ok_or_else(|| RouteError::NotFound(sentences::unknown_record(handle.kind)))?;
    if same_kind(handle.kind, record.kind) {
        Ok(record)
    } else {
        Err(RouteError::BadRequest(sentences::other_kind(
            handle.kind,
            record.kind,
        )))
    }
}

/// Files are read as documents too.
pub fn same_kind(asked: Kind, is: Kind) -> bool {
    let file = |kind| matches!(kind, Kind::File | Kind::Document);
    asked == is || (file(asked) && file(is))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_a_link_and_an_id_with_its_kind_name_the_same() {
        let wanted = Handle::new(Kind::Person, "0198-a");
        for (kind, item) in [
            (None, "ensemble://person/0198-a"),
            (None, "ensemble://people/0198-a"),
            (None, "ensemble://items/person/0198-a"),
            (Some("person"), " ensemble://person/0198-a "),
            (None, "https://hub.example.com/p/people/0198-a?tab=1#top"),
            (None, "/person/0198-a"),
            (Some("person"), "0198-a"),
        ] {
            assert_eq!(handle(kind, item).unwrap(), wanted, "{kind:?} {item}");
        }
    }

    #[test]
    fn what_names_no_record_is_refused() {
        for (kind, item) in [
            (None, "0198-a"),
            (None, ""),
            (Some("person"), ""),
            (Some("person"), "Sofía Núñez"),
            (Some("task"), "ensemble://person/0198-a"),
            (Some("nonsense"), "0198-a"),
            (None, "ensemble://person/a/b"),
            (None, "ensemble://person/.."),
            (None, "file:///etc/passwd"),
        ] {
            let refused = handle(kind, item);
            assert!(
                matches!(refused, Err(RouteError::BadRequest(_))),
                "{kind:?} {item}"
            );
        }
    }
}
