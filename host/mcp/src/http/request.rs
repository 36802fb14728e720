//! What of a request is checked and put right before rmcp sees it: what the client takes, which version it names, how its body comes.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use http_body::Body as HttpBody;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use rmcp::transport::common::http_header::HEADER_MCP_PROTOCOL_VERSION;
use tokio_util::bytes::Bytes;

use super::answer::{Body, refusal};
use super::message::TRANSPORT;
use crate::framing::MAX_LINE;

/// How long a body may take to come.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// What a client takes, as rmcp wants to hear it.
const BOTH: &str = "application/json, text/event-stream";

/// What a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Both,
    Json,
    Stream,
}

/// What the client takes; nothing, if it takes nothing that there is.
pub(super) fn takes(headers: &HeaderMap) -> Option<Takes> {
    let lines = headers.get_all(header::ACCEPT).iter();
    let kinds: Vec<String> = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(|kind| {
            kind.split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase()
        })
        .filter(|kind| !kind.is_empty())
        .collect();
    let any = |names: [&str; 2]| kinds.iter().any(|kind| names.contains(&kind.as_str()));
    if kinds.is_empty() || any(["*/*", "*"]) {
        return Some(Takes::Both);
    }
    let json = any(["application/json", "application/*"]);
    let stream = any(["text/event-stream", "text/*"]);
    match (json, stream) {
        (true, true) => Some(Takes::Both),
        (true, false) => Some(Takes::Json),
        (false, true) => Some(Takes::Stream),
        (false, false) => None,
    }
}

/// Whether the body is JSON as it stands.
#[expect(clippy::result_large_err, reason = "the refusal is the answer")]
pub(super) fn is_plain_json(headers: &HeaderMap) -> Result<(), Response<Body>> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let kind = text(header::CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(refusal(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            TRANSPORT,
            "Messages here are application/json: say so in Content-Type.",
        ));
    }
    let coded = headers.contains_key(header::CONTENT_ENCODING)
        && !text(header::CONTENT_ENCODING).is_some_and(|c| c.eq_ignore_ascii_case("identity"));
    if coded {
        return Err(refusal(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            TRANSPORT,
            "Messages here are not compressed: leave Content-Encoding out.",
        ));
    }
    Ok(())
}

/// The whole body, as far as it is allowed to be long and slow.
pub(super) async fn received<B>(body: B) -> Result<Bytes, Response<Body>>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let all = Limited::new(body, MAX_LINE).collect();
    match tokio::time::timeout(BODY_TIMEOUT, all).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(refusal(
            StatusCode::PAYLOAD_TOO_LARGE,
            TRANSPORT,
            &format!("A message has {MAX_LINE} bytes at the most."),
        )),
        Ok(Err(_)) => Err(refusal(
            StatusCode::BAD_REQUEST,
            TRANSPORT,
            "The body did not come whole: send it again.",
        )),
        Err(_) => Err(refusal(
            StatusCode::REQUEST_TIMEOUT,
            TRANSPORT,
            "The body took longer than 30 seconds: send it again.",
        )),
    }
}

/// Makes the headers such as rmcp takes them; false where two versions are named.
pub(super) fn normalise(headers: &mut HeaderMap) -> bool {
    headers.insert(header::ACCEPT, HeaderValue::from_static(BOTH));
    let lines = headers.get_all(HEADER_MCP_PROTOCOL_VERSION).iter();
    let named: Vec<String> = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(|version| version.trim().to_owned())
        .collect();
    let Some(first) = named.first() else {
        return true;
    };
    if named.iter().any(|version| version != first) {
        return false;
    }
    if let Ok(value) = HeaderValue::from_str(first) {
        headers.insert(HEADER_MCP_PROTOCOL_VERSION, value);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &HeaderName, values: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn b06_every_form_of_accept_is_taken_but_one_that_takes_nothing() {
        for (accept, expected) in [
            (&[][..], Some(Takes::Both)),
            (&["*/*"], Some(Takes::Both)),
            (&["application/json, text/event-stream"], Some(Takes::Both)),
            (
                &["application/json", "text/event-stream"],
                Some(Takes::Both),
            ),
            (&["Application/JSON"], Some(Takes::Json)),
            (&["application/*;q=0.5"], Some(Takes::Json)),
            (&["text/event-stream;q=1"], Some(Takes::Stream)),
            (&["text/html"], None),
            (&["image/png, text/html"], None),
        ] {
            assert_eq!(
                takes(&headers(&header::ACCEPT, accept)),
                expected,
                "{accept:?}"
            );
        }
    }

    #[test]
    fn a_version_that_comes_twice_is_one_and_two_are_refused() {
        let name = HeaderName::from_static("mcp-protocol-version");
        for (values, fits) in [
            (&[][..], true),
            (&["2025-11-25"], true),
            (&["2025-11-25, 2025-11-25"], true),
            (&["2025-11-25", "2025-11-25"], true),
            (&["2025-11-25, 2025-06-18"], false),
            (&["2025-11-25", "2025-06-18"], false),
        ] {
            let mut headers = headers(&name, values);
            assert_eq!(normalise(&mut headers), fits, "{values:?}");
            if fits && !values.is_empty() {
                assert_eq!(headers.get_all(&name).iter().count(), 1);
                assert_eq!(headers.get(&name).unwrap(), "2025-11-25");
            }
        }
    }
}
