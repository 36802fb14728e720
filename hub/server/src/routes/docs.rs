//! `GET docs`: search in the published documentation; the same answer for every caller and space.

use axum::Json;
use ensemble_hub_api::{limits, sentences};

use crate::auth::Caller;
use crate::docs::{self, Found};
use crate::error::RouteError;
use crate::params::Params;

pub(super) async fn get(_caller: Caller, params: Params) -> Result<Json<Found>, RouteError> {
    let query = params
        .text("query", limits::DOCS_QUERY_MAX)?
        .ok_or_else(|| {
            RouteError::BadRequest(sentences::bad_query(
                "query",
                "1 to 200 characters of search words",
            ))
        })?;
    let limit = params.number("limit", 1, limits::SEARCH_MAX, limits::SEARCH_DEFAULT)?;
    Ok(Json(docs::find(query, limit as usize)))
}
