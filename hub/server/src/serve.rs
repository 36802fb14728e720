//! Serving: the router behind a bounded HTTP/1.1 server, and `api.json` for as long as it runs.
//!
//! Bounds: connections at once ([`connections`]), the size and time of a request's head, and the time that running requests get when the
//! hub stops.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::files::originals::Originals;
use crate::hub::Hub;

mod api_file;
mod connections;
mod lock;
mod routes;

pub use api_file::ApiFile;
pub use connections::Seat;
pub use routes::{RequestBody, Routes};

use connections::{Connections, Place};

/// A request's head, in bytes: keys, spaces and queries of the longest allowed size fit.
const HEAD_MAX: usize = 64 * 1024;
/// How long a request's head may take, and how long a kept connection may idle once a valid key was shown on it. Longer than the client
/// keeps it, so that the client is rarely met by a closed one.
const HEAD_TIMEOUT: Duration = Duration::from_mins(1);
/// How long running requests get when the hub stops.
const DRAIN: Duration = Duration::from_secs(10);
/// From when on an unfinished original is nobody's any more.
const LEFT_OVER: Duration = Duration::from_hours(24);
/// How long accepting pauses when the system is out of file handles.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Why serving failed; the text is a sentence for the person.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("The hub's address cannot be read: start the hub again.")]
    Address(#[source] std::io::Error),
    #[error(
        "The file api.json cannot be written in the hub's data folder: check that you may write there."
    )]
    ApiFile(#[source] std::io::Error),
    #[error(
        "A hub runs on this data folder already: stop it, or choose another folder with --data."
    )]
    InUse,
}

/// Serves the hub on this listener until `shutdown` is cancelled, then lets running requests finish (at most 10 s) and closes the database.
///
/// # Errors
/// [`ServeError`] when it cannot begin; once it runs, single connections fail alone.
pub async fn serve(
    listener: TcpListener,
    hub: Hub,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    Serving::begin(listener, hub).await?.until(shutdown).await;
    Ok(())
}

/// A hub that programs of the same person find: its data folder is its own, and `api.json` says where it is.
#[derive(Debug)]
pub struct Serving {
    listener: TcpListener,
    hub: Hub,
    beside: Routes,
    file: ApiFile,
    /// Held until the end.
    _lock: lock::FolderLock,
}

impl Serving {
    /// Takes the data folder and writes `api.json`. Connections wait until [`Self::until`].
    ///
    /// # Errors
    /// [`ServeError`] when another hub has the folder, or `api.json` cannot be written.
    pub async fn begin(listener: TcpListener, hub: Hub) -> Result<Self, ServeError> {
        let address = listener.local_addr().map_err(ServeError::Address)?;
        let lock = lock::FolderLock::take(hub.data_dir()).map_err(ServeError::ApiFile)?;
        let Some(lock) = lock else {
            hub.close().await;
            return Err(ServeError::InUse);
        };
        let url = reachable_url(address);
        hub.set_base_url(&url);
        let file = ApiFile::write(hub.data_dir(), address.port(), &url, hub.launch_token())
            .map_err(ServeError::ApiFile)?;
        Ok(Self {
            listener,
            hub,
            beside: Routes::default(),
            file,
            _lock: lock,
        })
    }

    /// Serves these routes at the same address.
    #[must_use]
    pub fn with(self, beside: Routes) -> Self {
        Self { beside, ..self }
    }

    /// Answers until `shutdown` is cancelled, then ends as [`serve`] says.
    pub async fn until(self, shutdown: CancellationToken) {
        sweep(&self.hub);
        let router = self.beside.0.merge(self.hub.router());
        accept_until(&self.listener, &router, &shutdown).await;
        self.file.remove();
        self.hub.close().await;
    }
}

/// Removes what uploads left that ended with the hub that received them. Another program may be adding a file beside this hub: what was
/// written to within a day stays.
fn sweep(hub: &Hub) {
    let now = u64::try_from(hub.store().now().as_second()).unwrap_or(0);
    let before = Duration::from_secs(now).saturating_sub(LEFT_OVER);
    let before = SystemTime::UNIX_EPOCH + before;
    match Originals::of(hub.data_dir()).sweep(before) {
        Ok(0) => {}
        Ok(removed) => tracing::info!(removed, "hub.originals.swept"),
        Err(error) => tracing::warn!(%error, "hub.originals.not_swept"),
    }
}

/// Where this computer reaches a listener: one on all addresses is reached over loopback.
fn reachable_url(address: SocketAddr) -> String {
    let (ip, port) = (address.ip(), address.port());
    if ip.is_unspecified() {
        let loopback = if ip.is_ipv6() { "[::1]" } else { "127.0.0.1" };
        return format!("http://{loopback}:{port}");
    }
    format!("http://{address}")
}

/// Serves other routes on this listener by the same rules until `shutdown` is cancelled, then lets running requests finish (at most 10 s).
pub async fn serve_routes(listener: TcpListener, routes: Routes, shutdown: CancellationToken) {
    accept_until(&listener, &routes.0, &shutdown).await;
}

async fn accept_until(listener: &TcpListener, router: &Router, shutdown: &CancellationToken) {
    let graceful = GracefulShutdown::new();
    let mut connections = Connections::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = next(listener, &mut connections) => accepted,
        };
        let Some((stream, place)) = accepted else {
            // Out of file handles or memory: give running connections time to end.
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let seat = place.seat.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            answer(service.clone(), request, seat.clone())
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(HEAD_MAX)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            tokio::select! {
                // A client that goes away or speaks nonsense ends its own connection only.
                ended = connection => if let Err(error) = ended {
                    tracing::debug!(error = %error, "hub.connection.ended");
                },
                () = place.seat.should_end() => tracing::debug!("hub.connection.gave_way"),
            }
            drop(place);
        });
    }
    if tokio::time::timeout(DRAIN, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("hub.stop.requests_cut");
    }
}

/// The next connection with its place among those at once; `None` when the system refused.
async fn next(listener: &TcpListener, connections: &mut Connections) -> Option<(TcpStream, Place)> {
    let (stream, _) = listener.accept().await.ok()?;
    // Answers are small and whole: waiting to fill a packet only delays them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error = %error, "hub.connection.nodelay");
    }
    Some((stream, connections.place().await?))
}

async fn answer(
    service: TowerToHyperService<Router>,
    request: Request<Incoming>,
    seat: Seat,
) -> Result<Response<Body>, Infallible> {
    let underway = seat.begin();
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(seat);
    let response = hyper::service::Service::call(&service, request).await?;
    Ok(response.map(|body| underway.until_taken(body)))
}
