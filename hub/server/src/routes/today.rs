//! `GET today`: the day of the person whose space it is, in their time zone.

use axum::Json;
use axum::extract::State;
use jiff::tz::TimeZone;

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::today::{self, Today};
use crate::view::Reader;

pub(super) async fn get(caller: Caller, State(hub): State<Hub>) -> Result<Json<Today>, RouteError> {
    let setting = hub
        .store()
        .setting(&caller.space.account_id, "timeZone")
        .await?;
    // A zone that this machine does not know is shown as what is used instead.
    let zone = setting
        .and_then(|name| TimeZone::get(&name).ok())
        .unwrap_or(TimeZone::UTC);
    Ok(Json(today::today(&Reader::of(&hub, &caller), &zone).await?))
}
