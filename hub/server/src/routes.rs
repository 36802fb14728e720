//! The hub's routes. One endpoint per file; each handler takes a [`Caller`] first, so a request without a valid key gets 401 whatever it asks for.
//!
//! What is not in the list: below `/api/bridge` another method is 405 and another path 404; anywhere else a change is 403 and anything else 404.

mod brief;
mod create_task;
mod decisions;
mod docs;
mod gaps;
mod read;
mod search;
mod spaces;
mod task;
mod tasks;
mod today;
mod update_task;
mod whoami;

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderValue, Method, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, patch, post};
use ensemble_hub_api::{limits, paths, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;

/// How long one request may take, its body included; longer than the database's own waiting times.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(25);

/// All routes of this hub.
pub fn router(hub: Hub) -> Router {
    Router::new()
        .route(paths::WHOAMI, get(whoami::get))
        .route(paths::SPACES, get(spaces::get))
        .route(paths::BRIEF, get(brief::get))
        .route(paths::SEARCH, get(search::get))
        .route(paths::READ, get(read::get))
        .route(paths::TODAY, get(today::get))
        .route(paths::DECISIONS, get(decisions::get))
        .route(paths::GAPS, get(gaps::get))
        .route(paths::DOCS, get(docs::get))
        .route(paths::TASKS, get(tasks::get))
        .route(paths::TASK, get(task::get))
        .route(paths::WRITE_TASKS, post(create_task::post))
        .route(paths::WRITE_TASK, patch(update_task::patch))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(limits::REQUEST_BODY_MAX))
        .layer(middleware::from_fn(bounded))
        .with_state(hub)
}

/// Gives every request a deadline and every answer its common headers.
async fn bounded(request: Request, next: Next) -> Response {
    let mut response = match tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => RouteError::TimedOut.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}

/// A path that is no route.
async fn unknown(caller: Result<Caller, RouteError>, method: Method, uri: Uri) -> RouteError {
    let path = uri.path();
    let bridge = path == paths::BRIDGE
        || path
            .strip_prefix(paths::BRIDGE)
            .is_some_and(|rest| rest.starts_with('/'));
    let reads = matches!(method, Method::GET | Method::HEAD | Method::OPTIONS);
    let missing = RouteError::NotFound(sentences::ROUTE_UNKNOWN.to_owned());
    match caller {
        // Outside the bridge nothing answers, with or without a key.
        Err(_) if !bridge => missing,
        Err(refused) => refused,
        Ok(_) if reads => missing,
        Ok(_) if bridge => RouteError::MethodNotAllowed(sentences::ROUTE_READS_ONLY),
        Ok(_) => RouteError::Forbidden(sentences::ROUTE_NOT_FOR_KEYS.to_owned()),
    }
}

/// A route that does not take this method.
async fn wrong_method(caller: Result<Caller, RouteError>, uri: Uri) -> RouteError {
    match caller {
        Err(refused) => refused,
        Ok(_) if uri.path().starts_with(paths::WRITES) => {
            RouteError::MethodNotAllowed(sentences::METHOD_WRONG)
        }
        Ok(_) => RouteError::MethodNotAllowed(sentences::ROUTE_READS_ONLY),
    }
}
