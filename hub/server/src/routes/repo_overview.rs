//! `GET repos/{id}/overview`: the outline of a repository's files.

use axum::Json;
use axum::extract::{Path, State};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::repos;
use crate::view::{Card, Reader};

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    Path(id): Path<String>,
) -> Result<Json<Card>, RouteError> {
    Ok(Json(
        repos::overview(&Reader::of(&hub, &caller), &id).await?,
    ))
}
