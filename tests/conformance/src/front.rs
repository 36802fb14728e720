//! HTTP for a bridge that speaks stdio, so that a suite that only speaks HTTP can be run against it. It changes ids and progress tokens and
//! nothing else of a message. What HTTP itself prescribes (Host and Origin, headers, sessions, status codes) is this front's own and says
//! nothing about the bridge.

mod child;
mod events;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serde_json::{Value, json};

use child::Child;

/// The first version of the newer generation; versions are dates.
const MODERN: &str = "2026-07-28";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

#[derive(Default)]
struct Front {
    sessions: Mutex<HashMap<String, Arc<Child>>>,
    modern: tokio::sync::Mutex<Option<Arc<Child>>>,
}

/// Serves until it is ended.
pub(crate) fn serve(port: u16) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let app = Router::new()
            .route("/mcp", any(handle))
            .with_state(Arc::new(Front::default()));
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        axum::serve(listener, app).await?;
        Ok(())
    })
}

async fn handle(
    State(front): State<Arc<Front>>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !local(&headers) {
        return error(
            StatusCode::FORBIDDEN,
            &Value::Null,
            -32000,
            "This server is for this machine.",
        );
    }
    let session = header(&headers, "mcp-session-id");
    if method == Method::POST {
        return match serde_json::from_slice(&body) {
            Ok(message) => front.post(&headers, session, message).await,
            Err(_) => error(
                StatusCode::BAD_REQUEST,
                &Value::Null,
                -32700,
                "This is not JSON.",
            ),
        };
    }
    let mut sessions = front
        .sessions
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if method == Method::DELETE {
        let ended = session.and_then(|id| sessions.remove(id));
        return ended
            .map_or(StatusCode::NOT_FOUND, |_| StatusCode::OK)
            .into_response();
    }
    match session.and_then(|id| sessions.get(id)) {
        Some(child) if method == Method::GET => events::unasked(child),
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    }
}

impl Front {
    async fn post(&self, headers: &HeaderMap, session: Option<&str>, message: Value) -> Response {
        let id = message.get("id").cloned().unwrap_or_default();
        let named = message.get("method").and_then(Value::as_str);
        let meta = &message["params"]["_meta"];
        let version = header(headers, "mcp-protocol-version").unwrap_or_default();
        let modern = named.is_some_and(|method| {
            method == "server/discover" || meta.get(VERSION).is_some() || version >= MODERN
        });
        let mut started = None;
        let child = if modern {
            let declared = meta.get(VERSION).and_then(Value::as_str);
            if declared.is_some_and(|declared| declared != version)
                || header(headers, "mcp-method") != named
            {
                return error(
                    StatusCode::BAD_REQUEST,
                    &id,
                    -32020,
                    "The headers do not say what the body says.",
                );
            }
            self.modern().await
        } else if named == Some("initialize") {
            Child::start().inspect(|child| started = Some(self.keep(child)))
        } else {
            let Some(session) = session else {
                return error(StatusCode::BAD_REQUEST, &id, -32000, "There is no session.");
            };
            let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(child) = sessions.get(session).cloned() else {
                return error(
                    StatusCode::NOT_FOUND,
                    &id,
                    -32001,
                    "There is no such session.",
                );
            };
            Ok(child)
        };
        let child = match child {
            Ok(child) => child,
            Err(reason) => {
                return error(StatusCode::BAD_GATEWAY, &id, -32603, &reason.to_string());
            }
        };
        if named.is_none() || id.is_null() {
            child.write(&message).await;
            return StatusCode::ACCEPTED.into_response();
        }
        let whole = meta.get(VERSION).is_some() && meta.get(CAPABILITIES).is_some();
        let mut response = events::answer(child, message, modern.then_some(whole)).await;
        if let Some(started) = started.and_then(|id| id.parse().ok()) {
            response.headers_mut().insert("mcp-session-id", started);
        }
        response
    }

    /// The one process of the newer generation.
    async fn modern(&self) -> anyhow::Result<Arc<Child>> {
        let mut modern = self.modern.lock().await;
        if let Some(child) = &*modern
            && child.lives()
        {
            return Ok(Arc::clone(child));
        }
        let child = Child::start()?;
        *modern = Some(Arc::clone(&child));
        Ok(child)
    }

    fn keep(&self, child: &Arc<Child>) -> String {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        // for one suite on one machine, which has nobody to guess it
        let id = format!("session-{}-{}", std::process::id(), child.number());
        sessions.insert(id.clone(), Arc::clone(child));
        id
    }
}

/// Whether a request comes from this machine, and from no page of another one.
fn local(headers: &HeaderMap) -> bool {
    let name = |value: &str| {
        let name = value.rsplit_once("://").map_or(value, |(_, rest)| rest);
        let name = name.rsplit_once(':').map_or(name, |(name, _)| name);
        matches!(name, "localhost" | "127.0.0.1" | "[::1]")
    };
    header(headers, "host").is_some_and(name) && header(headers, "origin").is_none_or(name)
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn error(status: StatusCode, id: &Value, code: i64, message: &str) -> Response {
    let body = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    (status, axum::Json(body)).into_response()
}
