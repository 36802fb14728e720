//! `GET files/{id}`: one file's details; with `text=true` a part of its text, from `offset`, at most `limit` characters.

use axum::Json;
use axum::extract::{Path, State};
use ensemble_hub_api::{limits, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::files::{self, TextPart};
use crate::hub::Hub;
use crate::params::Params;
use crate::view::{Card, Reader};

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    Path(id): Path<String>,
    params: Params,
) -> Result<Json<Card>, RouteError> {
    let part = TextPart {
        offset: params.number("offset", 0, u32::MAX, 0)?,
        limit: params.number("limit", 1, limits::FILE_TEXT_MAX, limits::FILE_TEXT_DEFAULT)?,
    };
    let text = match params.text("text", limits::NAME_MAX)? {
        None | Some("false") => None,
        Some("true") => Some(part),
        Some(_) => {
            let needs = sentences::bad_query("text", "true or false");
            return Err(RouteError::BadRequest(needs));
        }
    };
    let reader = Reader::of(&hub, &caller);
    Ok(Json(files::details(&reader, &id, text).await?))
}
