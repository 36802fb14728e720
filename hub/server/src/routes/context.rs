//! `GET context`: one record and what it links to. `rel` pages one relation; `format=packet` gives one Markdown text.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::{limits, sentences};

use crate::auth::Caller;
use crate::context::{self, Asked, Wanted};
use crate::error::RouteError;
use crate::hub::Hub;
use crate::lists::Part;
use crate::params::Params;
use crate::target;
use crate::view::{Card, Reader};

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<Card>, RouteError> {
    let item = params.text("item", target::ITEM_MAX)?.ok_or_else(|| {
        RouteError::BadRequest(sentences::bad_query(
            "item",
            "a handle, a Hub link or an id",
        ))
    })?;
    let asked = Asked {
        item: item.to_owned(),
        kind: params.text("kind", limits::NAME_MAX)?.map(str::to_owned),
        wanted: wanted(&params)?,
    };
    let reader = Reader::of(&hub, &caller);
    Ok(Json(context::context(&reader, &asked).await?))
}

fn wanted(params: &Params) -> Result<Wanted, RouteError> {
    let refused = |sentence: &str| Err(RouteError::BadRequest(sentence.to_owned()));
    let packet = match params.text("format", limits::NAME_MAX)? {
        None | Some("json") => false,
        Some("packet") => true,
        Some(_) => return refused(&sentences::bad_query("format", "json or packet")),
    };
    match params.text("rel", limits::NAME_MAX)? {
        Some(_) if packet => refused(sentences::REL_OR_PACKET),
        Some(rel) => {
            let side = context::side(rel)?;
            Ok(Wanted::One(side, Part::of(params, side.rel)?))
        }
        // What would have no effect is refused: it is an answer to another question.
        None if params.text("after", limits::CURSOR_MAX)?.is_some()
            || params.number("offset", 0, u32::MAX, 0)? > 0 =>
        {
            refused(sentences::REL_NEEDED)
        }
        None if packet => Ok(Wanted::Packet),
        None => Ok(Wanted::All),
    }
}
