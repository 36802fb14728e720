//! What a body holds, as far as the transport has to know it. rmcp reads it again, as what it is.

use serde_json::Value;

/// The body is no JSON.
pub(super) const PARSE_ERROR: i32 = -32700;
/// It is JSON and no message of the protocol.
pub const INVALID_REQUEST: i32 = -32600;
/// The request could not be served over this transport.
pub const TRANSPORT: i32 = -32000;
/// The session is not there.
pub(super) const NO_SESSION: i32 = -32001;

/// Messages of one batch.
const BATCH_MAX: usize = 128;

/// What came.
#[derive(Debug)]
pub(super) enum Content {
    One(Message),
    Batch(Vec<Message>),
}

/// One message.
#[derive(Debug)]
pub(super) struct Message {
    value: Value,
}

/// Why there is none.
#[derive(Debug)]
pub(super) struct Unfit {
    pub(super) code: i32,
    pub(super) id: Value,
    pub(super) sentence: &'static str,
}

impl Unfit {
    fn new(code: i32, sentence: &'static str) -> Self {
        Self {
            code,
            id: Value::Null,
            sentence,
        }
    }
}

impl Content {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Unfit> {
        let value: Value = serde_json::from_slice(bytes).map_err(|_| {
            Unfit::new(
                PARSE_ERROR,
                "The body is not JSON: send one JSON-RPC message.",
            )
        })?;
        let Value::Array(messages) = value else {
            return Message::of(value).map(Self::One);
        };
        if messages.is_empty() {
            return Err(Unfit::new(INVALID_REQUEST, "The batch is empty."));
        }
        if messages.len() > BATCH_MAX {
            return Err(Unfit::new(
                INVALID_REQUEST,
                "A batch has 128 messages at the most: send it in parts.",
            ));
        }
        let messages: Result<Vec<Message>, Unfit> = messages.into_iter().map(Message::of).collect();
        messages.map(Self::Batch)
    }
}

impl Message {
    fn of(value: Value) -> Result<Self, Unfit> {
        let unfit = |sentence| Err(Unfit::new(INVALID_REQUEST, sentence));
        let Some(object) = value.as_object() else {
            return unfit("A message is a JSON object.");
        };
        if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return unfit("A message has \"jsonrpc\": \"2.0\".");
        }
        match object.get("id") {
            Some(Value::String(_)) | None => {}
            Some(Value::Number(number)) if number.is_i64() || number.is_u64() => {}
            Some(Value::Null) if object.contains_key("error") => {}
            Some(_) => return unfit("The id of a request is a text or a whole number."),
        }
        let asks = object.get("method").is_some_and(Value::is_string);
        let answers = object.contains_key("result") || object.contains_key("error");
        if !asks && !answers {
            return Err(Unfit {
                id: object.get("id").cloned().unwrap_or_default(),
                ..Unfit::new(
                    INVALID_REQUEST,
                    "A message has a method, a result or an error.",
                )
            });
        }
        Ok(Self { value })
    }

    /// The id of a request; absent for a notification and an answer.
    pub(super) fn request_id(&self) -> Option<&Value> {
        self.value.get("method")?;
        self.value.get("id")
    }

    pub(super) fn method(&self) -> &str {
        let method = self.value.get("method").and_then(Value::as_str);
        method.unwrap_or_default()
    }

    /// Whether it says of itself that it is of the newer generation.
    pub(super) fn is_modern(&self) -> bool {
        let version = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
        self.value.pointer(version).is_some()
    }

    /// A text among the parameters.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.value.get("params")?.get(name)?.as_str()
    }

    /// The resources that a listener of the newer generation wants to hear of.
    pub(super) fn wanted_resources(&self) -> Vec<String> {
        let notifications = self.value.pointer("/params/notifications");
        let wanted = notifications.and_then(|asked| asked.get("resourceSubscriptions"));
        let wanted = wanted.and_then(Value::as_array).into_iter().flatten();
        wanted
            .filter_map(|uri| uri.as_str().map(str::to_owned))
            .collect()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.value.to_string().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_says_what_one_is() {
        for (body, code) in [
            ("", PARSE_ERROR),
            ("{", PARSE_ERROR),
            ("[]", INVALID_REQUEST),
            ("1", INVALID_REQUEST),
            ("{}", INVALID_REQUEST),
            (
                r#"{"jsonrpc":"1.0","method":"ping","id":1}"#,
                INVALID_REQUEST,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"ping","id":null}"#,
                INVALID_REQUEST,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"ping","id":1.5}"#,
                INVALID_REQUEST,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"ping","id":{}}"#,
                INVALID_REQUEST,
            ),
            (r#"{"jsonrpc":"2.0","method":1,"id":1}"#, INVALID_REQUEST),
            (r#"[{"jsonrpc":"2.0"}]"#, INVALID_REQUEST),
        ] {
            assert_eq!(
                Content::read(body.as_bytes()).unwrap_err().code,
                code,
                "{body}"
            );
        }
        let deep = "[".repeat(100_000);
        assert_eq!(
            Content::read(deep.as_bytes()).unwrap_err().code,
            PARSE_ERROR
        );
    }

    #[test]
    fn requests_notifications_and_answers_are_messages() {
        for (body, id) in [
            (
                r#"{"jsonrpc":"2.0","method":"ping","id":1}"#,
                Some(Value::from(1)),
            ),
            (
                r#"{"jsonrpc":"2.0","method":"ping","id":"a"}"#,
                Some(Value::from("a")),
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                None,
            ),
            (r#"{"jsonrpc":"2.0","result":{},"id":1}"#, None),
            (r#"{"jsonrpc":"2.0","error":{},"id":null}"#, None),
        ] {
            let Content::One(message) = Content::read(body.as_bytes()).unwrap() else {
                panic!("{body}");
            };
            assert_eq!(message.request_id(), id.as_ref(), "{body}");
        }
    }
}
