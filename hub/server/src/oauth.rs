//! The authorization server: how an app that a person adds by its address gets tokens, and how that ends.
//!
//! The policy is our own; RFC 6749, 7009, 7591, 7636, 8414, 8707, 9207 and 9728 say how it looks on the wire. What is absent: implicit grant,
//! `client_credentials`, PKCE but S256, a token for another resource, and any redirect before the client and its address are known to be right
//! and the person has answered. No key, cookie or space header is anybody's identity here; the cookie of a request says only which browser
//! began it. Secrets are kept as hashes.
//!
//! The page on which a person answers is not here. It calls [`pending`], then [`approve`] or [`deny`], with the account that signed in and the
//! session of the cookie ([`session`]).

mod authorize;
mod basic;
mod clients;
mod consent;
mod document;
mod error;
mod form;
mod metadata;
mod redirects;
mod register;
mod resource;
mod revoke;
mod scopes;
mod token;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use ensemble_hub_api::oauth as wire;

use crate::clock::HubClock;
use crate::hub::Hub;
use crate::limiter::WriteLimiter;

pub use crate::store::oauth::Connection;
pub use consent::{
    Answered, ConsentError, Pending, approve, connections, deny, disconnect, pending,
};
pub use document::{Documents, NoDocument};
pub use metadata::resource_metadata;
pub use scopes::Scopes;

pub use authorize::session;
pub(crate) use resource::is_resource;

use error::OauthError;

/// The longest body, in bytes.
const BODY_MAX: usize = 64 * 1024;
/// How long one request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(25);
/// Requests a minute of the whole hub, by route. A client that is refused is told when to come again.
const REGISTERS: u32 = 60;
const AUTHORIZES: u32 = 240;
const TOKENS: u32 = 1_200;

/// What the authorization server keeps in memory.
#[derive(Debug)]
pub(crate) struct State {
    registers: WriteLimiter,
    authorizes: WriteLimiter,
    tokens: WriteLimiter,
    known: document::Known,
    apps_challenge: OnceLock<String>,
}

impl State {
    pub(crate) fn new(clock: &Arc<dyn HubClock>) -> Self {
        let limiter = |number| WriteLimiter::per_minute(Arc::clone(clock), number);
        Self {
            registers: limiter(REGISTERS),
            authorizes: limiter(AUTHORIZES),
            tokens: limiter(TOKENS),
            known: document::Known::default(),
            apps_challenge: OnceLock::new(),
        }
    }

    pub(crate) fn documents(&self) -> &OnceLock<Arc<dyn Documents>> {
        self.known.source()
    }

    pub(crate) fn apps_challenge(&self) -> &OnceLock<String> {
        &self.apps_challenge
    }
}

/// The routes of the authorization server.
pub(crate) fn router() -> Router<Hub> {
    let mut open = Router::new()
        .route(wire::REGISTER, post(register::post))
        .route(wire::TOKEN, post(token::post))
        .route(wire::REVOKE, post(revoke::post))
        .route(wire::APPS_CHALLENGE, get(metadata::apps_challenge));
    for place in wire::RESOURCE_METADATA_PLACES {
        open = open.route(place, get(metadata::resource));
    }
    for place in wire::SERVER_METADATA_PLACES {
        open = open.route(place, get(metadata::server));
    }
    let open = open
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(shared));
    let browser = Router::new()
        .route(wire::AUTHORIZE, get(authorize::get))
        .method_not_allowed_fallback(wrong_method);
    open.merge(browser)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(middleware::from_fn(bounded))
}

async fn wrong_method() -> OauthError {
    OauthError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "invalid_request",
        "This address does not take that method: see the server's metadata.",
    )
}

/// Lets pages of any origin ask, before anybody is asked who they are. Nothing here goes by a cookie, so no origin gains anything.
async fn shared(request: Request, next: Next) -> Response {
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, OPTIONS"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, accept, mcp-protocol-version",
        ),
        (
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            "www-authenticate, retry-after",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "3600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Gives every request a deadline and every answer its common headers.
async fn bounded(request: Request, next: Next) -> Response {
    let answered = tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await;
    let mut response = answered.unwrap_or_else(|_| OauthError::busy(1).into_response());
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}
