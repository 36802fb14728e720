//! Registration (RFC 7591): anybody may register an app; that opens nothing.
//!
//! What the document leaves out gets RFC 7591's defaults, and the answer says them. Fields that are not known are ignored. One redirect that is not
//! allowed refuses all, in a sentence.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Scopes;
use super::error::OauthError;
use super::form::too_large;
use super::redirects;
use super::resource;
use crate::hub::Hub;
use crate::secret::{hash, random};
use crate::store::oauth::ClientRow;
use crate::store::one_line;

/// The longest name of an app that is shown, in characters.
const NAME_MAX: usize = 100;

const UNREADABLE: OauthError = OauthError::bad(
    "invalid_client_metadata",
    "The registration could not be read: send a JSON object as RFC 7591 has it.",
);
const REDIRECTS: OauthError = OauthError::bad(
    "invalid_redirect_uri",
    "Send 1 to 20 `redirect_uris`: https, http on this computer, or an app's own scheme; without a fragment or user name.",
);
const METHOD: OauthError = OauthError::bad(
    "invalid_client_metadata",
    "`token_endpoint_auth_method` is none, client_secret_basic or client_secret_post.",
);
const GRANTS: OauthError = OauthError::bad(
    "invalid_client_metadata",
    "Only the authorization code is granted: `grant_types` has authorization_code, `response_types` has code.",
);
const MODE: OauthError = OauthError::bad(
    "invalid_client_metadata",
    "`ensemble_refresh_token_mode` is rotating, or persistent for an app with a secret.",
);

#[derive(Deserialize)]
struct Asked {
    redirect_uris: Option<Vec<String>>,
    client_name: Option<String>,
    token_endpoint_auth_method: Option<String>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
    application_type: Option<String>,
    scope: Option<String>,
    ensemble_refresh_token_mode: Option<String>,
}

pub(super) async fn post(
    State(hub): State<Hub>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, OauthError> {
    let limited = hub.oauth().registers.count("");
    limited.map_err(OauthError::too_many)?;
    resource::required(&hub)?;
    let body = body.map_err(|refused| too_large(&refused))?;
    let asked: Asked = serde_json::from_slice(&body).map_err(|_| UNREADABLE)?;
    let redirects = checked_redirects(&asked)?;
    let method = checked_method(&asked)?;
    let grants = checked_grants(&asked)?;
    let persistent = checked_mode(&asked, method)?;
    let secret = match method {
        "none" => None,
        _ => Some(random("ecs_")?),
    };
    let name = asked.client_name.as_deref().and_then(shown_name);
    let first = redirects.first().map_or("", String::as_str);
    let client = ClientRow {
        id: random("eci_")?,
        name: name.unwrap_or_else(|| redirects::domain(first)),
        secret_hash: secret.as_deref().map(hash),
        persistent,
        redirects,
    };
    hub.store().insert_oauth_client(&client).await?;
    let mut told = json!({
        "client_id": client.id,
        "client_id_issued_at": hub.store().now().as_second(),
        "client_name": client.name,
        "redirect_uris": client.redirects,
        "grant_types": grants,
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "scope": Scopes::asked(asked.scope.as_deref()).to_string(),
    });
    let mut add = |name: &str, value: Value| {
        if let Some(told) = told.as_object_mut() {
            told.insert(name.to_owned(), value);
        }
    };
    if let Some(secret) = secret {
        add("client_secret", json!(secret));
        add("client_secret_expires_at", json!(0));
    }
    if let Some(kind) = asked.application_type {
        add("application_type", json!(application(&kind, &client)));
    }
    if persistent {
        add("ensemble_refresh_token_mode", json!("persistent"));
    }
    Ok((StatusCode::CREATED, Json(told)).into_response())
}

/// A name as a person is shown it: one line, bounded; absent when nothing of it can be seen.
pub(super) fn shown_name(name: &str) -> Option<String> {
    let name = one_line(name);
    let seen = |c: &char| !c.is_control() && !is_mark(*c);
    let name: String = name.chars().filter(seen).take(NAME_MAX).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// What changes how other text is shown, or is not shown: it could make one app's name look like another's.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn checked_redirects(asked: &Asked) -> Result<Vec<String>, OauthError> {
    let all = asked.redirect_uris.clone().unwrap_or_default();
    let few = (1..=redirects::REDIRECTS_MAX).contains(&all.len());
    if few && all.iter().all(|uri| redirects::is_allowed(uri)) {
        Ok(all)
    } else {
        Err(REDIRECTS)
    }
}

fn checked_method(asked: &Asked) -> Result<&'static str, OauthError> {
    match asked.token_endpoint_auth_method.as_deref() {
        None | Some("client_secret_basic") => Ok("client_secret_basic"),
        Some("client_secret_post") => Ok("client_secret_post"),
        Some("none") => Ok("none"),
        Some(_) => Err(METHOD),
    }
}

/// The grants that it gets of those that it asked for.
fn checked_grants(asked: &Asked) -> Result<Vec<&'static str>, OauthError> {
    const CODE: &str = "authorization_code";
    let has = |list: &Option<Vec<String>>, word: &str| {
        list.as_ref()
            .is_none_or(|list| list.is_empty() || list.iter().any(|item| item == word))
    };
    if has(&asked.grant_types, CODE) && has(&asked.response_types, "code") {
        // A refresh token is given to each, because an app that left it out would ask its person every hour.
        Ok(vec![CODE, "refresh_token"])
    } else {
        Err(GRANTS)
    }
}

fn checked_mode(asked: &Asked, method: &str) -> Result<bool, OauthError> {
    match asked.ensemble_refresh_token_mode.as_deref() {
        None | Some("rotating") => Ok(false),
        Some("persistent") if method != "none" => Ok(true),
        Some(_) => Err(MODE),
    }
}

/// What it says that it is, but an app with an address of its own scheme or computer is native: editors say `web` and have both.
fn application(asked: &str, client: &ClientRow) -> &'static str {
    let web = client.redirects.iter().all(|uri| uri.starts_with("https:"));
    if web && asked == "web" {
        "web"
    } else {
        "native"
    }
}
