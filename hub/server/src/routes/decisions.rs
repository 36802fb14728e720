//! `GET decisions`: what waits for the person.

use axum::Json;
use axum::extract::State;

use crate::auth::Caller;
use crate::decisions::{self, Decisions};
use crate::error::RouteError;
use crate::hub::Hub;
use crate::view::Reader;

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
) -> Result<Json<Decisions>, RouteError> {
    Ok(Json(
        decisions::decisions(&Reader::of(&hub, &caller)).await?,
    ))
}
