//! `GET brief`: the task at hand. `task`, else `repo` and `branch`; `query` searches besides; `limit` bounds hits and excerpts.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::limits;

use crate::auth::Caller;
use crate::brief::{self, Asked, Brief};
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Params;
use crate::view::Reader;

/// Longest address of a remote or name of a branch, in characters.
const PLACE_MAX: usize = 2_000;

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<Brief>, RouteError> {
    let text =
        |name: &str, max: usize| Ok::<_, RouteError>(params.text(name, max)?.map(str::to_owned));
    let limit = params.number("limit", 1, limits::SEARCH_MAX, limits::SEARCH_DEFAULT)?;
    let asked = Asked {
        task: text("task", PLACE_MAX)?,
        repo: text("repo", PLACE_MAX)?,
        branch: text("branch", PLACE_MAX)?,
        query: text("query", limits::QUERY_MAX)?,
        limit: limit as usize,
    };
    Ok(Json(
        brief::brief(&Reader::of(&hub, &caller), &asked).await?,
    ))
}
