//! `GET meetings`: the calendar's events from `from` to `to`, in the time zone of the person whose space it is.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::limits;

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::lists::Part;
use crate::meetings::{self, Asked, NAME};
use crate::params::Params;
use crate::view::{Card, Reader};

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<Card>, RouteError> {
    let text =
        |name: &str, max: usize| Ok::<_, RouteError>(params.text(name, max)?.map(str::to_owned));
    let asked = Asked {
        from: text("from", limits::NAME_MAX)?,
        to: text("to", limits::NAME_MAX)?,
        words: text("q", limits::QUERY_MAX)?,
        part: Part::of(&params, NAME)?,
    };
    let zone = hub.time_zone(&caller.space.account_id).await?;
    let reader = Reader::of(&hub, &caller);
    Ok(Json(meetings::meetings(&reader, &zone, &asked).await?))
}
