//! `GET files`: the space's files, newest first. `query` is words of the name, summary or text; `on` the handle of a record.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::limits;

use crate::auth::Caller;
use crate::error::RouteError;
use crate::files::{self, Listed};
use crate::hub::Hub;
use crate::lists::Part;
use crate::params::Params;
use crate::view::{Card, Reader};

/// Longest handle or link, in characters.
const HANDLE_MAX: usize = 2_000;

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<Card>, RouteError> {
    let asked = Listed {
        query: params.text("query", limits::QUERY_MAX)?.map(str::to_owned),
        on: params.text("on", HANDLE_MAX)?.map(str::to_owned),
        part: Part::of(&params, files::NAME)?,
    };
    let reader = Reader::of(&hub, &caller);
    Ok(Json(files::list(&reader, &asked).await?))
}
