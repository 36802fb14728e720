//! What is answered to a line that is no message. One bad line gets one reply, and nothing that is itself a response or an
//! error ever gets one, so that two peers that answer errors with errors cannot go on for ever.

use serde_json::{Value, json};

use super::MAX_LINE;

/// The JSON-RPC codes of the framing.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;

fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Not JSON, or not UTF-8.
pub(super) fn not_json() -> Value {
    let sentence = "This line is not JSON: each message is one line of UTF-8 JSON.";
    error(&Value::Null, PARSE_ERROR, sentence)
}

/// JSON, but not a request or a notification.
pub(super) fn not_a_message(id: &Value, why: &str) -> Value {
    error(id, INVALID_REQUEST, why)
}

/// Over the limit.
pub(super) fn too_long() -> Value {
    let sentence = format!(
        "A message may have {MAX_LINE} bytes, and this one has more: send less at once, and a file by its path."
    );
    error(&Value::Null, INVALID_REQUEST, &sentence)
}

/// Neither generation was begun: no `initialize`, and no version in `_meta`.
pub(super) fn not_begun(id: &Value) -> Value {
    let sentence = "Send initialize first, or name the protocol version and the client's capabilities in _meta \
                    (io.modelcontextprotocol/protocolVersion, io.modelcontextprotocol/clientCapabilities).";
    error(id, INVALID_PARAMS, sentence)
}

/// Parameters that are no object.
pub(super) fn bad_params(id: &Value, method: &str) -> Value {
    let sentence = format!("The parameters of {method} have to be an object.");
    error(id, INVALID_PARAMS, &sentence)
}

/// More requests at once than a client has use for.
pub(super) fn too_many(id: &Value, limit: usize) -> Value {
    let sentence = format!("{limit} requests are in work already: wait for one of them.");
    error(id, INTERNAL_ERROR, &sentence)
}
