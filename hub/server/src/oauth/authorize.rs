//! The beginning: a browser comes with an app's request. It is checked and kept until the person answers, and nothing else happens, because some
//! clients ask for the address before they open it.
//!
//! What is wrong with a request is said here, on a page, and never sent on: an app that anybody could register would else make this host send
//! a browser anywhere. The request is bound to the browser by a cookie that says nothing else.

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use ensemble_hub_api::oauth as wire;
use jiff::SignedDuration;

use super::Scopes;
use super::clients;
use super::error::OauthError;
use super::form::Form;
use super::{redirects, resource};
use crate::hub::Hub;
use crate::secret::{hash, random};
use crate::store::oauth::RequestRow;

/// How long a request waits for its person.
const WAITS: SignedDuration = SignedDuration::from_mins(10);
/// The cookie that binds a request to its browser.
const COOKIE: &str = "ensemble_oauth";
/// How each session begins, and how long it is.
const SESSION_PREFIX: &str = "eos_";
const SESSION_LENGTH: usize = SESSION_PREFIX.len() + 43;
/// The longest `state`, in bytes.
const STATE_MAX: usize = 8 * 1024;

const REDIRECT: OauthError = OauthError::request(
    "The app wants its answer at an address that it did not register: nothing was sent there.",
);
const RESPONSE_TYPE: OauthError = OauthError::bad(
    "unsupported_response_type",
    "The app has to ask for `response_type=code`.",
);
const PKCE: OauthError = OauthError::request(
    "The app has to send a PKCE `code_challenge` with `code_challenge_method=S256`.",
);

pub(super) async fn get(
    State(hub): State<Hub>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let form = Form::of(query.unwrap_or_default().as_bytes());
    match begun(&hub, &headers, &form).await {
        Ok(response) => response,
        Err(refused) => page(&refused),
    }
}

async fn begun(hub: &Hub, headers: &HeaderMap, form: &Form) -> Result<Response, OauthError> {
    let limited = hub.oauth().authorizes.count("");
    limited.map_err(OauthError::too_many)?;
    let issuer = resource::required(hub)?;
    let id = form.one("client_id")?;
    let id = id.ok_or(OauthError::request("`client_id` is missing."))?;
    let client = clients::find(hub, id).await?;
    let redirect = match (form.one("redirect_uri")?, client.redirects.as_slice()) {
        (None, [only]) => only.clone(),
        (Some(asked), known) if redirects::matches(known, asked) => asked.to_owned(),
        _ => return Err(REDIRECT),
    };
    if form.one("response_type")? != Some("code") {
        return Err(RESPONSE_TYPE);
    }
    let state = form.one("state")?;
    if state.is_some_and(|state| state.len() > STATE_MAX) {
        return Err(OauthError::request("`state` is longer than 8,192 bytes."));
    }
    let challenge = challenge(form)?;
    resource::check(&issuer, form.all("resource"))?;
    let scopes = Scopes::asked(form.one("scope")?);
    let session = match session(headers) {
        Some(session) => session,
        None => random(SESSION_PREFIX)?,
    };
    let request = random("")?;
    let now = hub.store().now();
    let row = RequestRow {
        hash: hash(&request),
        session_hash: hash(&session),
        client_id: client.id,
        client_name: client.name,
        redirect,
        state: state.map(str::to_owned),
        scopes,
        challenge,
        persistent: client.persistent,
        expires_at: now.checked_add(WAITS).unwrap_or(now),
    };
    hub.store().insert_oauth_request(&row).await?;
    Ok(sent_on(&issuer, &request, &session))
}

fn challenge(form: &Form) -> Result<String, OauthError> {
    let value = form.one("code_challenge")?.unwrap_or_default();
    let fits = value.len() == 43
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if fits && form.one("code_challenge_method")? == Some("S256") {
        Ok(value.to_owned())
    } else {
        Err(PKCE)
    }
}

/// The browser's session, when it has one that looks like ours.
pub fn session(headers: &HeaderMap) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter();
    let mut pairs = all
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| *name == COOKIE)?;
    (value.len() == SESSION_LENGTH && value.starts_with(SESSION_PREFIX)).then(|| value.to_owned())
}

/// To the page where the person answers, on this host.
fn sent_on(issuer: &str, request: &str, session: &str) -> Response {
    let secure = if issuer.starts_with("https:") {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!("{COOKIE}={session}; Path=/; HttpOnly; SameSite=Lax{secure}");
    let to = redirects::with(
        &format!("{issuer}{}", wire::CONSENT),
        &[("request", request)],
    );
    let headers = [
        (header::LOCATION, to),
        (header::SET_COOKIE, cookie),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ];
    (StatusCode::FOUND, headers).into_response()
}

/// The refusal as a page. Its words are this program's own: nothing of the request is in it.
fn page(refused: &OauthError) -> Response {
    let sentence = refused.sentence();
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Ensemble</title><h1>This app could not be connected</h1><p>{sentence}</p>"
    );
    let mut response = (refused.status(), Html(html)).into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
