//! `GET today`: the day of the person whose space it is, in their time zone.

use axum::Json;
use axum::extract::State;

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::today::{self, Today};
use crate::view::Reader;

pub(super) async fn get(caller: Caller, State(hub): State<Hub>) -> Result<Json<Today>, RouteError> {
    let zone = hub.time_zone(&caller.space.account_id).await?;
    Ok(Json(today::today(&Reader::of(&hub, &caller), &zone).await?))
}
