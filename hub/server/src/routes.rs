//! The hub's routes. One endpoint per file; each handler takes a [`Caller`] first, so a request without a valid key gets 401 whatever it asks for.
//!
//! What is not in the list: below `/api/bridge` another method is 405 and another path 404; anywhere else a change is 403 and anything else 404.

mod act;
mod actions;
mod brief;
mod changes;
mod context;
mod create_task;
mod decisions;
mod docs;
mod file;
mod file_original;
mod files;
mod gaps;
mod meetings;
mod read;
mod records;
mod repo_file;
mod repo_overview;
mod search;
mod spaces;
mod task;
mod tasks;
mod today;
mod update_task;
mod upload;
mod whoami;

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, patch, post};
use ensemble_hub_api::{Kind, limits, paths, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::lists::{self, Shelf};

/// How long one request may take, its body included; longer than the database's own waiting times.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(25);

/// All routes of this hub, and its pages.
pub fn router(hub: Hub) -> Router {
    crate::web::router(hub.clone()).merge(bridge(hub))
}

fn bridge(hub: Hub) -> Router {
    Router::new()
        .route(paths::WHOAMI, get(whoami::get))
        .route(paths::SPACES, get(spaces::get))
        .route(paths::BRIEF, get(brief::get))
        .route(paths::SEARCH, get(search::get))
        .route(paths::READ, get(read::get))
        .route(paths::CONTEXT, get(context::get))
        .merge(record_lists())
        .route(paths::TODAY, get(today::get))
        .route(paths::DECISIONS, get(decisions::get))
        .route(paths::GAPS, get(gaps::get))
        .route(paths::DOCS, get(docs::get))
        .route(paths::TASKS, get(tasks::get))
        .route(paths::TASK, get(task::get))
        .route(paths::FILES, get(files::get))
        .route(paths::FILE, get(file::get))
        .route(paths::FILE_ORIGINAL, get(file_original::get))
        .route(paths::CHANGES, get(changes::get))
        .route(paths::ACTIONS, get(actions::get))
        .route(paths::ACT, post(act::post))
        .route(paths::WRITE_TASKS, post(create_task::post))
        .route(paths::WRITE_TASK, patch(update_task::patch))
        .route(
            paths::WRITE_FILES,
            post(upload::post).layer(DefaultBodyLimit::max(limits::UPLOAD_BODY_MAX)),
        )
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(limits::REQUEST_BODY_MAX))
        .layer(middleware::from_fn(bounded))
        .merge(crate::oauth::router())
        .with_state(hub)
}

/// The lists of records of one kind.
fn record_lists() -> Router<Hub> {
    let list = |shelf: &'static Shelf| get(move |a, b, c| records::list(shelf, a, b, c));
    let one = |kind: Kind| get(move |a, b, c| records::one(kind, a, b, c));
    Router::new()
        .route(paths::PROJECTS, list(&lists::PROJECTS))
        .route(paths::PROJECT, one(Kind::Project))
        .route(paths::REPOS, list(&lists::REPOS))
        .route(paths::REPO, one(Kind::Repo))
        .route(paths::REPO_OVERVIEW, get(repo_overview::get))
        .route(paths::REPO_FILE, get(repo_file::get))
        .route(paths::SKILLS, list(&lists::SKILLS))
        .route(paths::SKILL, one(Kind::Skill))
        .route(paths::PEOPLE, list(&lists::PEOPLE))
        .route(paths::PERSON, one(Kind::Person))
        .route(paths::DELIVERABLES, list(&lists::DELIVERABLES))
        .route(paths::MEETINGS, get(meetings::get))
        .route(paths::DIAGRAMS, list(&lists::DIAGRAMS))
        .route(paths::PLOTS, list(&lists::PLOTS))
}

/// Gives every request a deadline, every refusal its sentence and every answer its common headers.
async fn bounded(request: Request, next: Next) -> Response {
    let mut response = match tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => RouteError::TimedOut.into_response(),
    };
    if let Some(error) = refused_elsewhere(&response) {
        response = error.into_response();
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}

/// The refusal for one that came from a library, with words of its own, before a route could say why.
fn refused_elsewhere(response: &Response) -> Option<RouteError> {
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !(response.status().is_client_error() || response.status().is_server_error())
        || kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
    {
        return None;
    }
    Some(match response.status() {
        StatusCode::NOT_FOUND => RouteError::NotFound(sentences::ROUTE_UNKNOWN.to_owned()),
        StatusCode::METHOD_NOT_ALLOWED => RouteError::MethodNotAllowed(sentences::METHOD_WRONG),
        StatusCode::PAYLOAD_TOO_LARGE => RouteError::TooLarge(sentences::BODY_TOO_LARGE),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => RouteError::NotJson(sentences::BODY_NOT_JSON),
        status if status.is_client_error() => {
            RouteError::BadRequest(sentences::ADDRESS_UNREADABLE.to_owned())
        }
        _ => RouteError::Broken(sentences::INTERNAL),
    })
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
        Ok(_)
            if [paths::WRITES, paths::ACTS]
                .iter()
                .any(|start| uri.path().starts_with(start)) =>
        {
            RouteError::MethodNotAllowed(sentences::METHOD_WRONG)
        }
        Ok(_) => RouteError::MethodNotAllowed(sentences::ROUTE_READS_ONLY),
    }
}
