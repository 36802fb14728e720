//! Routes of others, beside the hub's own or alone: served by the same rules of connections, heads and endings.

use std::convert::Infallible;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Request, Response};
use axum::routing::any;
use hyper::body::Body as HttpBody;

use super::Seat;

/// The body of a request that came.
pub type RequestBody = Body;

/// Paths, and who answers there.
#[derive(Debug, Clone, Default)]
pub struct Routes(pub(super) Router);

impl Routes {
    /// `answer` gets every request for one of these paths, whatever its method, with the seat of its connection.
    pub fn any<A, F, B>(paths: &[&str], answer: A) -> Self
    where
        A: Fn(Request<RequestBody>, Seat) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Response<B>> + Send,
        B: HttpBody<Data = Bytes, Error = Infallible> + Send + 'static,
    {
        let handler = move |seat: axum::Extension<Seat>, request: Request<Body>| {
            let answering = answer(request, seat.0);
            async move { answering.await.map(Body::new) }
        };
        let mut router = Router::new();
        for path in paths {
            router = router.route(path, any(handler.clone()));
        }
        Self(router)
    }
}
