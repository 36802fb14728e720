//! `GET projects`, `repos`, `skills`, `people`, `deliverables`, `diagrams`, `plots`: the lists of records of one kind, and one record of a
//! list in full. `q` is words of the title.

use axum::Json;
use axum::extract::{Path, State};
use ensemble_hub_api::{Handle, Kind, limits, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::lists::{self, Part, Shelf};
use crate::params::Params;
use crate::read::{self, Asked};
use crate::target;
use crate::view::{Card, Reader};

/// A list.
pub(super) async fn list(
    shelf: &Shelf,
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<Card>, RouteError> {
    let part = Part::of(&params, shelf.plural)?;
    let words = params.text("q", limits::QUERY_MAX)?;
    let reader = Reader::of(&hub, &caller);
    Ok(Json(lists::list(&reader, shelf, words, &part).await?))
}

/// One record of a list; what the list does not show is unknown.
pub(super) async fn one(
    kind: Kind,
    caller: Caller,
    State(hub): State<Hub>,
    Path(id): Path<String>,
) -> Result<Json<Card>, RouteError> {
    let reader = Reader::of(&hub, &caller);
    let unknown = || RouteError::NotFound(sentences::unknown_record(kind));
    let record = reader.store.record(reader.space, &id).await?;
    let record = record
        .filter(|record| target::same_kind(kind, record.kind))
        .filter(|record| record.flag("enabled") != Some(false))
        .ok_or_else(unknown)?;
    let asked = Asked {
        id: Handle::new(record.kind, record.id.as_str()).to_string(),
        ..Asked::default()
    };
    let mut cards = [read::read(&reader, &asked).await?];
    lists::add_counts(&reader, std::slice::from_ref(&record), &mut cards).await?;
    let [card] = cards;
    Ok(Json(card))
}
