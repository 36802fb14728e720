//! `GET read`: one record in full, its text in parts. `id` is an id with `kind`, or a handle or Hub link.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::{limits, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Params;
use crate::read::{self, Asked};
use crate::target;
use crate::view::{Card, Reader};

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<Card>, RouteError> {
    let id = params.text("id", target::ITEM_MAX)?.ok_or_else(|| {
        RouteError::BadRequest(sentences::bad_query("id", "an id, a handle or a link"))
    })?;
    let asked = Asked {
        kind: params.text("kind", limits::NAME_MAX)?.map(str::to_owned),
        id: id.to_owned(),
        offset: params.number("offset", 0, u32::MAX, 0)?,
        limit: params.number("limit", 1, limits::DIAGRAM_BODY_MAX, 0)?,
    };
    Ok(Json(read::read(&Reader::of(&hub, &caller), &asked).await?))
}
