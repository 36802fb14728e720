//! `GET repos/{id}/file`: one file of a repository, from `offset`, at most `limit` characters.

use axum::Json;
use axum::extract::{Path, State};
use ensemble_hub_api::{limits, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Params;
use crate::repos::{self, FilePart};
use crate::view::{Card, Reader};

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    Path(id): Path<String>,
    params: Params,
) -> Result<Json<Card>, RouteError> {
    let path = params.text("path", repos::path::PATH_MAX)?;
    let path = path.ok_or_else(|| {
        let needs = "the path of a file, such as src/lib.rs";
        RouteError::BadRequest(sentences::bad_query("path", needs))
    })?;
    let part = FilePart {
        offset: params.number("offset", 0, u32::MAX, 0)?,
        limit: params.number("limit", 1, limits::FILE_TEXT_MAX, limits::FILE_TEXT_DEFAULT)?,
    };
    let reader = Reader::of(&hub, &caller);
    Ok(Json(repos::file(&reader, &id, path, part).await?))
}
