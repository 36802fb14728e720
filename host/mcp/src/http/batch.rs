//! Batches, which only 2025-03-26 has: each message is served by itself, in order, and the answers come as one array. A client that names another
//! version is told that there are none.

use http::request::Parts;
use http::{Response, StatusCode};
use rmcp::transport::common::http_header::HEADER_MCP_PROTOCOL_VERSION;
use serde_json::{Value, json};

use super::answer::{Body, json_answer, refusal, whole};
use super::endpoint::Endpoint;
use super::message::{INVALID_REQUEST, Message, TRANSPORT};
use super::stream;

/// The one version.
const BATCHES: &str = "2025-03-26";

pub(super) async fn answer(
    endpoint: &Endpoint,
    parts: &Parts,
    messages: Vec<Message>,
) -> Response<Body> {
    let version = parts.headers.get(HEADER_MCP_PROTOCOL_VERSION);
    if version.is_some_and(|version| version != BATCHES) {
        return refusal(
            StatusCode::BAD_REQUEST,
            INVALID_REQUEST,
            "This version of the protocol has no batches: send one message at a time.",
        );
    }
    if messages
        .iter()
        .any(|message| message.method() == "initialize")
    {
        return refusal(
            StatusCode::BAD_REQUEST,
            INVALID_REQUEST,
            "`initialize` is no part of a batch: send it alone.",
        );
    }
    let mut answers = Vec::new();
    for message in &messages {
        let bytes = message.to_bytes().into();
        let response = endpoint.handled(parts.clone(), message, bytes).await;
        let Some(id) = message.request_id() else {
            continue;
        };
        let missing = || {
            json!({"jsonrpc": "2.0", "id": id,
                "error": {"code": TRANSPORT, "message": "This part of the batch could not be served."}})
        };
        let found = stream::answer_in(response, id).await;
        answers.push(found.unwrap_or_else(missing));
    }
    if answers.is_empty() {
        let mut accepted = Response::new(whole(Vec::new()));
        *accepted.status_mut() = StatusCode::ACCEPTED;
        return accepted;
    }
    json_answer(StatusCode::OK, &Value::Array(answers))
}
