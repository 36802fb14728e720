//! The hub's pages: sign-in, Connect your apps, Plugins and Log. Plain HTML without scripts, one style sheet, no other file.
//!
//! What holds for every page: it is made from data by templates that escape; nothing of it may be framed, cached, or load anything from
//! elsewhere; what changes something is a form of a page of this hub ([`session`]).
//!
//! To add a page: a file here with its handler, one line in [`router`], and its entry in [`frame`] where people find it there.

mod connect;
mod connections;
mod consent;
mod frame;
mod host;
mod log;
mod password;
mod plugins;
mod session;
mod sign_in;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use ensemble_hub_api::oauth;
use maud::html;
use reqwest::Url;

pub use host::{HostPages, LogFilter, LogLine, PluginCard, Reaches};
pub(crate) use password::Checks;

use crate::hub::Hub;
use crate::store::StoreError;

/// The largest form.
const FORM_MAX: usize = 16 * 1024;

/// Nothing from elsewhere, no script, no frame around it.
const POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Pages on the way of an app's connection: many apps open them in a window of their own and wait for that window to come back.
const BESIDE_ITS_OPENER: [&str; 2] = [oauth::CONSENT, "/sign-in"];

const STYLE: &str = include_str!("web/style.css");

/// Every page.
pub(crate) fn router(hub: Hub) -> Router {
    Router::new()
        .route("/", get(|| async { Redirect::to("/connect") }))
        .route("/sign-in", get(sign_in::page).post(sign_in::sign_in))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/set-up", get(sign_in::set_up_page).post(sign_in::set_up))
        .route("/connect", get(connect::page))
        .route("/connect/keys", post(connect::make))
        .route("/connect/keys/{id}/revoke", post(connect::revoke))
        .route(
            "/connect/apps/{id}/disconnect",
            post(connections::disconnect),
        )
        .route(oauth::CONSENT, get(consent::page).post(consent::answer))
        .route(oauth::CONNECTIONS, get(connections::listed))
        .route("/plugins", get(plugins::page))
        .route("/log", get(log::page))
        .route("/style.css", get(style))
        .layer(DefaultBodyLimit::max(FORM_MAX))
        .layer(middleware::from_fn_with_state(hub.clone(), guarded))
        .with_state(hub)
}

async fn style() -> impl IntoResponse {
    let kind = HeaderValue::from_static("text/css; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], STYLE)
}

/// Refuses what is not meant for this hub, and gives every page its common headers.
async fn guarded(State(hub): State<Hub>, request: Request, next: Next) -> Response {
    let meant = session::meant(&hub, request.method(), request.headers());
    let apart = !BESIDE_ITS_OPENER.contains(&request.uri().path());
    let mut response = match meant {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if apart {
        let name = HeaderName::from_static("cross-origin-opener-policy");
        headers.insert(name, HeaderValue::from_static("same-origin"));
    }
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(POLICY));
    response
}

/// Why there is no page; each has its own, with what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WebError {
    /// Nobody is signed in; afterwards the page that was asked for is shown.
    #[error("Sign in first.")]
    SignIn { then: String },
    #[error(
        "This form is not from a page of this hub: open the page again and send it from there."
    )]
    NotFromHere,
    #[error("This is not the hub's address: open it under the one that it was started with.")]
    OtherHost,
    #[error("There is no such page.")]
    NoPage,
    #[error("{0}")]
    Bad(String),
    #[error("Too many tries: wait {0} seconds.")]
    TooMany(u64),
    #[error("The hub could not do this: try it again.")]
    Broken,
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl WebError {
    fn status(&self) -> StatusCode {
        match self {
            Self::SignIn { .. } => StatusCode::SEE_OTHER,
            Self::NotFromHere => StatusCode::FORBIDDEN,
            Self::OtherHost => StatusCode::MISDIRECTED_REQUEST,
            Self::NoPage => StatusCode::NOT_FOUND,
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Store(StoreError::Busy) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken | Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        if let Self::SignIn { then } = &self {
            return Redirect::to(&sign_in_for(then)).into_response();
        }
        if let Self::Store(error) = &self {
            tracing::error!(%error, "hub.page.failed");
        }
        let says = self.to_string();
        let page = frame::bare(
            "Not done",
            &html! { p { (says) } p { a href="/" { "To the start" } } },
        );
        let mut response = (self.status(), page).into_response();
        if let Self::TooMany(seconds) = self {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// The sign-in page that leads on to this path.
fn sign_in_for(then: &str) -> String {
    let made = Url::parse_with_params("http://hub/sign-in", [("then", then)]);
    made.map_or_else(
        |_| "/sign-in".to_owned(),
        |url| format!("/sign-in?{}", url.query().unwrap_or_default()),
    )
}

/// A path of this hub, or its start: a link cannot lead elsewhere after the sign-in.
fn local(path: &str) -> &str {
    let here = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(|c: char| c == '\\' || c.is_control());
    if here { path } else { "/" }
}
