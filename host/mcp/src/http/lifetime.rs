//! How the endpoints of one process end: requests that run are finished, then the streams that only wait are closed.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Response;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::BodyExt as _;
use tokio::sync::watch;
use tokio_util::bytes::Bytes;
use tokio_util::sync::CancellationToken;

use super::answer::Body;

/// Shared by all endpoints of a process. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Lifetime {
    streams: CancellationToken,
    running: Arc<watch::Sender<usize>>,
}

impl Default for Lifetime {
    fn default() -> Self {
        Self::new()
    }
}

impl Lifetime {
    /// One that has not ended.
    pub fn new() -> Self {
        Self {
            streams: CancellationToken::new(),
            running: Arc::new(watch::channel(0).0),
        }
    }

    /// Waits until no call runs, `at_most` so long, then ends what only waits.
    pub async fn drain(&self, at_most: Duration) {
        let mut running = self.running.subscribe();
        let idle = running.wait_for(|running| *running == 0);
        if tokio::time::timeout(at_most, idle).await.is_err() {
            tracing::warn!("calls were cut off at the end");
        }
        self.streams.cancel();
    }

    pub(super) fn streams(&self) -> &CancellationToken {
        &self.streams
    }

    /// One call runs until the value is dropped.
    pub(super) fn begin(&self) -> Running {
        self.running.send_modify(|running| *running += 1);
        Running(Arc::clone(&self.running))
    }
}

/// A call that runs.
#[derive(Debug)]
pub(super) struct Running(Arc<watch::Sender<usize>>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0
            .send_modify(|running| *running = running.saturating_sub(1));
    }
}

/// The answer with what is held for it in its body, until the last of it was taken.
pub(super) fn until_taken<T>(held: T, response: Response<Body>) -> Response<Body>
where
    T: Send + Sync + Unpin + 'static,
{
    response.map(|body| Taken { body, _held: held }.boxed())
}

struct Taken<T> {
    body: Body,
    _held: T,
}

impl<T: Unpin> HttpBody for Taken<T> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
