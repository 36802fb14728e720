//! The hub as its own process asks it: the same routes, with the same keys, without a connection.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{Request, Response};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tower::ServiceExt as _;

use crate::hub::Hub;

impl Hub {
    /// What answers a request as if it had come over the network.
    pub fn inside(
        &self,
    ) -> impl Fn(
        Request<reqwest::Body>,
    ) -> Pin<Box<dyn Future<Output = Response<reqwest::Body>> + Send>>
    + Send
    + Sync
    + 'static {
        let router = self.router();
        move |request| {
            let answering = router.clone().oneshot(request.map(Body::new));
            Box::pin(async move {
                match answering.await {
                    Ok(response) => {
                        response.map(|body| reqwest::Body::wrap(Shared(Mutex::new(body))))
                    }
                    Err(never) => {
                        let never: Infallible = never;
                        match never {}
                    }
                }
            })
        }
    }
}

/// A body that may be looked at from several threads, of which one reads it.
struct Shared(Mutex<Body>);

impl Shared {
    fn body(&mut self) -> &mut Body {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(self.body()).poll_frame(context)
    }

    fn size_hint(&self) -> SizeHint {
        let body = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        body.size_hint()
    }
}
