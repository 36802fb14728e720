//! Answers: JSON where the first message is the answer, else a stream of events that ends with it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde_json::Value;
use tokio::sync::mpsc;

use super::child::{Child, QUEUE};

/// Sends a request and gives what comes back. For the newer generation `modern` says whether its `_meta` was whole.
pub(super) async fn answer(child: Arc<Child>, message: Value, modern: Option<bool>) -> Response {
    let (number, mut told) = child.request(message).await;
    let mut given_up = GivenUp(Some((Arc::clone(&child), number)));
    let Some(first) = told.recv().await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    if first.get("method").is_none() {
        given_up.answered();
        let status = modern.map_or(StatusCode::OK, |whole| status(&first, whole));
        return (status, axum::Json(first)).into_response();
    }
    let (write, events) = mpsc::channel(QUEUE);
    tokio::spawn(async move {
        let mut next = Some(first);
        while let Some(message) = next {
            let answered = message.get("method").is_none();
            if write.send(message).await.is_err() {
                break;
            }
            if answered {
                given_up.answered();
                return;
            }
            next = tokio::select! {
                next = told.recv() => next,
                () = write.closed() => None,
            };
        }
    });
    stream(events)
}

/// What belongs to no request, for as long as the client listens.
pub(super) fn unasked(child: &Arc<Child>) -> Response {
    let mut said = child.unasked();
    let (write, events) = mpsc::channel(QUEUE);
    tokio::spawn(async move {
        while let Ok(message) = said.recv().await {
            if write.send(message).await.is_err() {
                return;
            }
        }
    });
    stream(events)
}

/// The status of an answer of the newer generation.
fn status(answer: &Value, whole: bool) -> StatusCode {
    match answer["error"]["code"].as_i64() {
        Some(-32601) => StatusCode::NOT_FOUND,
        Some(-32022..=-32020) => StatusCode::BAD_REQUEST,
        Some(-32602) if !whole => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

fn stream(events: mpsc::Receiver<Value>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/event-stream")];
    (kind, Body::new(Events(events))).into_response()
}

struct Events(mpsc::Receiver<Value>);

impl HttpBody for Events {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let message = ready!(self.0.poll_recv(context));
        Poll::Ready(message.map(|message| Ok(Frame::data(format!("data: {message}\n\n").into()))))
    }
}

/// Tells the process when the client goes away before the answer.
struct GivenUp(Option<(Arc<Child>, u64)>);

impl GivenUp {
    fn answered(&mut self) {
        self.0 = None;
    }
}

impl Drop for GivenUp {
    fn drop(&mut self) {
        if let Some((child, number)) = self.0.take() {
            tokio::spawn(async move { child.given_up(number).await });
        }
    }
}
