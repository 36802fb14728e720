//! The connections that are open at once, and which one gives way when there are too many.
//!
//! | a connection | gives way |
//! |---|---|
//! | on which nothing was asked with a valid key, between requests or before the first | first, the oldest of them first |
//! | on which something was, between requests | when there is none of those |
//! | with a request under way, until its answer was taken | never |
//!
//! So whoever only opens connections takes the place of nobody who uses one. A connection without a key is closed after [`UNKNOWN_IDLE`]
//! anyway.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Connections at once. Each costs a task and two buffers.
const CONNECTIONS_MAX: usize = 256;
/// How long a connection may be idle on which nobody has shown a valid key yet.
const UNKNOWN_IDLE: Duration = Duration::from_secs(10);

/// All of them.
#[derive(Debug)]
pub(super) struct Connections {
    places: Arc<Semaphore>,
    open: Arc<Mutex<BTreeMap<u64, Seat>>>,
    opened: u64,
    /// Told whenever a request ends, so that who waits for a place looks again.
    idle: Arc<Notify>,
}

/// What is known of one connection. It travels with each request of it.
#[derive(Clone, Debug)]
pub struct Seat(Arc<State>);

#[derive(Debug)]
struct State {
    requests: AtomicUsize,
    known: AtomicBool,
    give_way: Notify,
    idle: Arc<Notify>,
}

/// A connection's place among those at once; dropped with it.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) seat: Seat,
    number: u64,
    open: Arc<Mutex<BTreeMap<u64, Seat>>>,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    pub(super) fn new() -> Self {
        Self {
            places: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            open: Arc::default(),
            opened: 0,
            idle: Arc::default(),
        }
    }

    /// A place for one more; while all are taken, one that is idle is asked to give way.
    pub(super) async fn place(&mut self) -> Option<Place> {
        let place = loop {
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                break place;
            }
            self.make_way();
            tokio::select! {
                place = Arc::clone(&self.places).acquire_owned() => break place.ok()?,
                () = self.idle.notified() => {}
            }
        };
        let seat = Seat(Arc::new(State {
            requests: AtomicUsize::new(0),
            known: AtomicBool::new(false),
            give_way: Notify::new(),
            idle: Arc::clone(&self.idle),
        }));
        self.opened += 1;
        lock(&self.open).insert(self.opened, seat.clone());
        Some(Place {
            seat,
            number: self.opened,
            open: Arc::clone(&self.open),
            _permit: place,
        })
    }

    fn make_way(&self) {
        let open = lock(&self.open);
        let idle = || open.values().filter(|seat| seat.is_idle());
        let first = idle()
            .find(|seat| !seat.is_known())
            .or_else(|| idle().next());
        if let Some(seat) = first {
            seat.0.give_way.notify_one();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.open).remove(&self.number);
    }
}

impl Seat {
    /// Somebody with a valid key has asked something on this connection.
    pub fn is_of_a_caller(&self) {
        self.0.known.store(true, Ordering::Relaxed);
    }

    fn is_known(&self) -> bool {
        self.0.known.load(Ordering::Relaxed)
    }

    fn is_idle(&self) -> bool {
        self.0.requests.load(Ordering::Relaxed) == 0
    }

    /// A request begins; it ends with the value.
    pub(super) fn begin(&self) -> Underway {
        self.0.requests.fetch_add(1, Ordering::Relaxed);
        Underway(self.clone())
    }

    /// Ends when the connection should be closed. It is polled by the task that drives the connection, so that no request begins between
    /// this and the end.
    pub(super) async fn should_end(&self) {
        loop {
            tokio::select! {
                () = self.0.give_way.notified() => {
                    if self.is_idle() {
                        return;
                    }
                }
                () = tokio::time::sleep(UNKNOWN_IDLE) => {
                    if self.is_idle() && !self.is_known() {
                        return;
                    }
                }
            }
        }
    }
}

/// A request that is not answered yet, or whose answer is still being taken.
#[derive(Debug)]
pub(super) struct Underway(Seat);

impl Drop for Underway {
    fn drop(&mut self) {
        let state = &self.0.0;
        if state.requests.fetch_sub(1, Ordering::Relaxed) == 1 {
            state.idle.notify_one();
        }
    }
}

impl Underway {
    /// The body with this in it, so that the request ends when the last of its answer was taken.
    pub(super) fn until_taken(self, body: Body) -> Body {
        Body::new(Taken {
            body,
            _underway: self,
        })
    }
}

struct Taken {
    body: Body,
    _underway: Underway,
}

impl HttpBody for Taken {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// What is locked is whole at every moment, also after a panic.
fn lock(open: &Mutex<BTreeMap<u64, Seat>>) -> std::sync::MutexGuard<'_, BTreeMap<u64, Seat>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}
