//! Reading an answer: bounded, JSON only, and a refusal reduced to its sentence.

use ensemble_hub_api::{ErrorBody, limits, sentences};
use reqwest::{Response, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::ClientError;
use crate::veil;

/// The longest wait that is passed on, in seconds: a day.
const RETRY_AFTER_MAX: u64 = 86_400;

/// A success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    /// JSON, as it came.
    pub body: Vec<u8>,
}

impl Reply {
    /// The answer as a value.
    ///
    /// # Errors
    /// [`ClientError::BadAnswer`] when it is something else.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        serde_json::from_slice(&self.body).map_err(|_| ClientError::BadAnswer)
    }
}

/// Reads an answer. One to a change that cannot be read, or that something on the way gave instead of the hub, says nothing about
/// whether the change was made.
pub(crate) async fn read(response: Response, changes: bool) -> Result<Reply, ClientError> {
    match read_any(response).await {
        Err(ClientError::BadAnswer | ClientError::TooLarge) if changes => {
            Err(ClientError::OutcomeUnknown)
        }
        Err(ClientError::Refused { status, own, .. }) if changes && !own && is_unclear(status) => {
            Err(ClientError::OutcomeUnknown)
        }
        other => other,
    }
}

/// Whether a refusal without the hub's own sentence leaves open what became of a change.
fn is_unclear(status: u16) -> bool {
    status == StatusCode::REQUEST_TIMEOUT.as_u16() || status >= 500
}

async fn read_any(response: Response) -> Result<Reply, ClientError> {
    let status = response.status();
    let json = is_json(&response);
    let retry_after = retry_after(&response);
    let body = bounded(response).await;
    if status.is_success() {
        let body = body?;
        let readable = json && serde_json::from_slice::<serde::de::IgnoredAny>(&body).is_ok();
        return if readable {
            Ok(Reply {
                status: status.as_u16(),
                body,
            })
        } else {
            Err(ClientError::BadAnswer)
        };
    }
    // The hub never redirects; something else answered.
    if status.is_redirection() || status.is_informational() {
        return Err(ClientError::BadAnswer);
    }
    // A refusal is a refusal, even when its text cannot be read.
    let body = body.ok().filter(|_| json).unwrap_or_default();
    let sentence = sentence(&body);
    Err(ClientError::Refused {
        status: status.as_u16(),
        own: sentence.is_some(),
        sentence: sentence.unwrap_or_else(|| sentences::refused(status.as_u16()).to_owned()),
        retry_after: retry_after.filter(|_| asks_to_wait(status)),
        input_schema: input_schema(&body),
    })
}

/// The hub's own sentence, on one line and bounded.
fn sentence(body: &[u8]) -> Option<String> {
    let ErrorBody { error, .. } = serde_json::from_slice(body).ok()?;
    let error = veil::veiled(&error);
    let mut shown: String = error
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(limits::ERROR_MAX)
        .collect();
    if error.chars().nth(limits::ERROR_MAX).is_some() {
        shown.pop();
        shown.push('…');
    }
    let shown = shown.trim();
    (!shown.is_empty()).then(|| shown.to_owned())
}

/// The schema of what was refused, compact; none where it is no object or longer than anybody reads.
fn input_schema(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct WithSchema {
        input_schema: Map<String, Value>,
    }
    let WithSchema { input_schema } = serde_json::from_slice(body).ok()?;
    let schema = Value::Object(input_schema).to_string();
    (schema.len() <= limits::ERROR_SCHEMA_MAX).then_some(schema)
}

async fn bounded(mut response: Response) -> Result<Vec<u8>, ClientError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| ClientError::Broken)? {
        if body.len() + chunk.len() > limits::ANSWER_BODY_MAX {
            return Err(ClientError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn is_json(response: &Response) -> bool {
    let value = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let kind = value
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// Whole seconds; a date or anything else is as good as nothing.
fn retry_after(response: &Response) -> Option<u64> {
    let value = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    value
        .trim()
        .parse::<u64>()
        .ok()
        .map(|seconds| seconds.min(RETRY_AFTER_MAX))
}

fn asks_to_wait(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_an_object_that_somebody_reads() {
        let of = |body: &str| input_schema(body.as_bytes());
        assert_eq!(
            of(r#"{"error":"x","inputSchema": {"type": "object", "a": 1}}"#).as_deref(),
            Some(r#"{"type":"object","a":1}"#)
        );
        for body in [
            "",
            "x",
            "{}",
            r#"{"inputSchema":null}"#,
            r#"{"inputSchema":"x"}"#,
            r#"{"inputSchema":[1]}"#,
        ] {
            assert_eq!(of(body), None, "{body}");
        }
        let long = "x".repeat(limits::ERROR_SCHEMA_MAX);
        assert_eq!(of(&format!(r#"{{"inputSchema":{{"a":"{long}"}}}}"#)), None);
    }
}
