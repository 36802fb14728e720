//! `GET search`: ranked word search. `q` is the words; `kinds` names kinds, separated by commas; `near` is a handle whose links come first.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::{Kind, limits, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Params;
use crate::search::{self, Asked, Found};
use crate::store::SEARCHED;
use crate::target;
use crate::view::Reader;

/// Hits for each one of `limit`.
const HITS_EACH: u32 = 3;

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<Found>, RouteError> {
    let limit = params.number("limit", 1, limits::SEARCH_MAX, limits::SEARCH_DEFAULT)?;
    let asked = Asked {
        query: params
            .text("q", limits::QUERY_MAX)?
            .unwrap_or_default()
            .to_owned(),
        kinds: kinds(params.text("kinds", limits::NAME_MAX)?.unwrap_or_default())?,
        near: params.text("near", target::ITEM_MAX)?.map(str::to_owned),
        hits: (limit * HITS_EACH).min(limits::SEARCH_HITS_MAX) as usize,
        typing: true,
    };
    Ok(Json(
        search::find(&Reader::of(&hub, &caller), &asked).await?,
    ))
}

/// The named kinds. Files are found as documents, so each of the two names means both.
fn kinds(names: &str) -> Result<Vec<Kind>, RouteError> {
    let mut kinds = Vec::new();
    for name in names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        let kind = Kind::parse(name).filter(|kind| SEARCHED.contains(kind));
        let kind = kind.ok_or_else(|| {
            let all: Vec<&str> = SEARCHED.iter().map(|kind| kind.as_str()).collect();
            let needs = format!("some of {}, separated by commas", all.join(", "));
            RouteError::BadRequest(sentences::bad_query("kinds", &needs))
        })?;
        match kind {
            Kind::File | Kind::Document => kinds.extend([Kind::File, Kind::Document]),
            other => kinds.push(other),
        }
    }
    Ok(kinds)
}
