//! Ending a connection from the app's side (RFC 7009): either token of it ends the whole family. A token that is unknown, or another app's, is
//! answered in the same way and left as it is.

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};

use super::basic;
use super::error::OauthError;
use super::form::Form;
use crate::hub::Hub;
use crate::secret::hash;

pub(super) async fn post(
    State(hub): State<Hub>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<StatusCode, OauthError> {
    let limited = hub.oauth().tokens.count("");
    limited.map_err(OauthError::too_many)?;
    let form = Form::body(&headers, body)?;
    let client = basic::client(&hub, &headers, &form).await?;
    let token = form.one("token")?;
    let token = token.ok_or(OauthError::request("`token` is missing."))?;
    hub.store().end_oauth_family(&hash(token), &client).await?;
    Ok(StatusCode::OK)
}
