//! Event streams, where a client needs them otherwise: the first bytes at once; one answer out of one; one answer as one.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{HeaderValue, Response, header};
use http_body::{Body as HttpBody, Frame};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tokio_util::bytes::Bytes;

use super::answer::{Body, whole};

/// A comment: proxies and clients see that the stream is there.
const HERE: &[u8] = b": here\n\n";

/// Whether an answer is a stream of events.
pub(super) fn is_stream(response: &Response<Body>) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// The stream with its first bytes sent at once.
pub(super) fn at_once(response: Response<Body>) -> Response<Body> {
    response.map(|body| {
        let stream = Begun {
            first: Some(Bytes::from_static(HERE)),
            body,
        };
        stream.boxed()
    })
}

struct Begun {
    first: Option<Bytes>,
    body: Body,
}

impl HttpBody for Begun {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(Frame::data(first)))),
            None => Pin::new(&mut self.body).poll_frame(context),
        }
    }
}

/// The answer to the request `id` out of a body, a stream or not. What is told on the way is left out: its reader cannot take it.
pub(super) async fn answer_in(response: Response<Body>, id: &Value) -> Option<Value> {
    if !is_stream(&response) {
        let bytes = response.into_body().collect().await.ok()?.to_bytes();
        return serde_json::from_slice(&bytes).ok();
    }
    let mut body = response.into_body();
    let mut kept = Vec::new();
    loop {
        let frame = body.frame().await?.ok()?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        kept.extend_from_slice(&data);
        while let Some(end) = end_of_event(&kept) {
            let event: Vec<u8> = kept.drain(..end).collect();
            if let Some(message) = message_of(&event)
                && message.get("method").is_none()
                && message.get("id") == Some(id)
            {
                return Some(message);
            }
        }
    }
}

fn end_of_event(bytes: &[u8]) -> Option<usize> {
    let at = bytes.windows(2).position(|pair| pair == b"\n\n")?;
    Some(at + 2)
}

/// The message in an event; a comment or an event without data has none.
fn message_of(event: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(event).ok()?;
    let mut data = String::new();
    for line in text.lines() {
        if let Some(part) = line.strip_prefix("data:") {
            data.push_str(part.strip_prefix(' ').unwrap_or(part));
            data.push('\n');
        }
    }
    serde_json::from_str(&data).ok()
}

/// One document as a stream of one event, for who takes nothing else.
pub(super) async fn as_stream(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    let bytes = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(never) => match never {},
    };
    // JSON has no line end in it
    let text = [b"event: message\ndata: ", bytes.as_ref(), b"\n\n"].concat();
    parts.headers.remove(header::CONTENT_LENGTH);
    let kind = HeaderValue::from_static("text/event-stream");
    parts.headers.insert(header::CONTENT_TYPE, kind);
    Response::from_parts(parts, whole(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_answer_is_found_among_what_is_told() {
        let text = ": here\n\nid: 0\nretry: 3\ndata: \n\ndata: {\"method\":\"notifications/progress\",\"id\":7}\n\n\
                    event: message\ndata: {\"id\":8,\"result\":{}}\n\ndata: {\"id\":7,\ndata: \"result\":{\"x\":1}}\n\n";
        let mut response = Response::new(whole(text));
        let kind = HeaderValue::from_static("text/event-stream");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        let found = answer_in(response, &Value::from(7)).await.unwrap();
        assert_eq!(found.pointer("/result/x"), Some(&Value::from(1)));
    }

    #[tokio::test]
    async fn a_document_becomes_one_event() {
        let response = as_stream(Response::new(whole("{\"id\":1}"))).await;
        assert!(is_stream(&response));
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(&bytes[..], b"event: message\ndata: {\"id\":1}\n\n");
    }
}
