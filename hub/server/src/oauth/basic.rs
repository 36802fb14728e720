//! Which app sends a request, and whether it is itself: `client_secret_basic`, `client_secret_post`, or none for a public client.
//!
//! Only `Basic` of the Authorization header is read. A key that is sent here unlocks nothing and is not refused.

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::clients;
use super::error::OauthError;
use super::form::Form;
use crate::hub::Hub;
use crate::secret::{hash, same_hash};

const NOT_ITSELF: OauthError = OauthError::client(
    "The app is not registered here, or its secret is not the one it was given: register it again.",
);

/// The id of the app that sent this.
pub(super) async fn client(
    hub: &Hub,
    headers: &HeaderMap,
    form: &Form,
) -> Result<String, OauthError> {
    let basic = basic(headers)?;
    let (id, secret) = (form.one("client_id")?, form.one("client_secret")?);
    let (id, secret) = match &basic {
        Some((known, _)) if secret.is_some() || id.is_some_and(|id| id != known) => {
            return Err(OauthError::request(
                "The app named itself in two ways: use the Authorization header or the body.",
            ));
        }
        Some((id, secret)) => (id.as_str(), Some(secret.as_str())),
        None => (
            id.ok_or(OauthError::client("`client_id` is missing."))?,
            secret,
        ),
    };
    let secret = secret.filter(|secret| !secret.is_empty());
    let is_itself = match clients::secret_of(hub, id).await? {
        None => false,
        Some(None) => secret.is_none(),
        Some(Some(kept)) => secret.is_some_and(|secret| same_hash(&kept, &hash(secret))),
    };
    if is_itself {
        Ok(id.to_owned())
    } else {
        Err(NOT_ITSELF)
    }
}

/// Id and secret of the header, each form-encoded (RFC 6749 §2.3.1).
fn basic(headers: &HeaderMap) -> Result<Option<(String, String)>, OauthError> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let Some(first) = all.next() else {
        return Ok(None);
    };
    let value = first.to_str().unwrap_or_default();
    let Some((scheme, value)) = value.split_once(' ') else {
        return Ok(None);
    };
    if !scheme.eq_ignore_ascii_case("basic") {
        return Ok(None);
    }
    let plain = STANDARD.decode(value.trim()).ok();
    let plain = plain.and_then(|plain| String::from_utf8(plain).ok());
    let pair = plain.as_deref().and_then(|plain| plain.split_once(':'));
    match pair {
        Some((id, secret)) if all.next().is_none() => Ok(Some((decoded(id), decoded(secret)))),
        _ => Err(NOT_ITSELF),
    }
}

fn decoded(part: &str) -> String {
    // a name alone: what a form would have before its equals sign
    let mut pairs = url::form_urlencoded::parse(part.as_bytes());
    pairs
        .next()
        .map(|(name, _)| name.into_owned())
        .unwrap_or_default()
}
