//! Refusals, each with a JSON-RPC body; and the headers of every answer.

use std::convert::Infallible;

use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use rmcp::transport::common::http_header::HEADER_SESSION_ID;
use serde_json::{Value, json};
use tokio_util::bytes::Bytes;

use super::message::{INVALID_REQUEST, TRANSPORT};
use crate::errors::shown_long;

/// The body of every answer.
pub type Body = BoxBody<Bytes, Infallible>;

/// What a page of an allowed origin may send, besides what every page may.
const HEADERS: &str = "authorization, content-type, accept, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-ensemble-space, x-ensemble-tools, *";
/// What it may read.
const EXPOSED: &str = "mcp-session-id, www-authenticate, retry-after";

/// Bytes as a body.
pub(super) fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).boxed()
}

/// A refusal: what was wrong and what to do, for the client's log and for its person.
pub fn refusal(status: StatusCode, code: i32, sentence: &str) -> Response<Body> {
    refusal_of(status, code, &Value::Null, sentence)
}

/// The same for a request whose id is known.
pub(super) fn refusal_of(
    status: StatusCode,
    code: i32,
    id: &Value,
    sentence: &str,
) -> Response<Body> {
    let body = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": sentence}});
    json_answer(status, &body)
}

/// One document.
pub(super) fn json_answer(status: StatusCode, document: &Value) -> Response<Body> {
    let mut response = Response::new(whole(document.to_string()));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// What no proxy and no browser may do with an answer.
pub(super) fn with_headers(response: &mut Response<Body>) {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// A refusal of rmcp's in plain text, as one that a client reads.
pub(super) async fn readable(response: Response<Body>, id: &Value) -> Response<Body> {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !(status.is_client_error() || status.is_server_error()) || is_json {
        return response;
    }
    let (parts, body) = response.into_parts();
    let bytes = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(never) => match never {},
    };
    let text = String::from_utf8_lossy(&bytes);
    let said = text.split_once(": ").map_or(&*text, |(_, said)| said);
    let sentence = if status.is_server_error() || said.trim().is_empty() {
        "The bridge could not answer this: try it again.".to_owned()
    } else {
        shown_long(said)
    };
    let code = if status == StatusCode::BAD_REQUEST {
        INVALID_REQUEST
    } else {
        TRANSPORT
    };
    let mut told = refusal_of(status, code, id, &sentence);
    if let Some(allowed) = parts.headers.get(header::ALLOW) {
        told.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    told
}

/// Which pages may ask: credentials are never in a cookie, so that a page can use only what it has itself.
#[derive(Debug, Clone, Copy)]
pub enum Cors {
    /// Those of this computer.
    Loopback,
    /// Any: without a key nothing is answered.
    Any,
}

impl Cors {
    /// The answer to a browser that asks before it asks, and before anybody is asked for a key.
    pub fn preflight(self, headers: &HeaderMap) -> Response<Body> {
        let mut response = Response::new(whole(Bytes::new()));
        *response.status_mut() = StatusCode::NO_CONTENT;
        if self.allow(headers, &mut response) {
            let to = response.headers_mut();
            for (name, value) in [
                (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
                (header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS),
                (header::ACCESS_CONTROL_MAX_AGE, "3600"),
            ] {
                to.insert(name, HeaderValue::from_static(value));
            }
        }
        response
    }

    /// Lets the page that asked read the answer; whether it may.
    pub fn allow(self, asked: &HeaderMap, response: &mut Response<Body>) -> bool {
        let Some(origin) = asked.get(header::ORIGIN) else {
            return false;
        };
        let allowed = match self {
            Self::Any => HeaderValue::from_static("*"),
            Self::Loopback if super::local::is_loopback_origin(origin) => origin.clone(),
            Self::Loopback => return false,
        };
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(EXPOSED),
        );
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
        true
    }
}

/// Whether this is the browser's question before the request.
pub(super) fn is_preflight(method: &Method) -> bool {
    *method == Method::OPTIONS
}

/// The one session that a request names.
pub(super) fn session_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER_SESSION_ID)?.to_str().ok()
}
