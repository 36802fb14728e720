//! A hub on the loopback that remembers what arrives, and answers some paths as no hub should.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HeaderMap, LOCATION};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};

use crate::guests::{CALLS, LIES, SPINS};

/// The space that every call of the kit is bound to.
pub(crate) const SPACE: &str = "s1";

/// The routes that the kit declares, besides those of the host.
pub(crate) const ROUTES: [&str; 9] = [
    "/api/bridge/tasks",
    "/api/bridge/tasks/{id}",
    "/api/bridge/hangs",
    "/api/bridge/large",
    "/api/bridge/spins",
    "/api/bridge/calls",
    "/api/bridge/breaks",
    MOVED,
    LIES,
];

/// The one that is answered with another address.
const MOVED: &str = "/api/bridge/moved";

/// Bytes of the answer that is larger than one may be.
const LARGE: usize = 9 << 20;

/// One request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    line: String,
    space: Option<String>,
    authorised: bool,
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let space = self.space.as_deref().unwrap_or("no space");
        write!(f, "{} in {space}", self.line)
    }
}

/// The hub. Dropping it ends it.
pub(crate) struct Hub {
    pub(crate) address: String,
    state: Arc<State>,
    serving: [AbortHandle; 2],
}

struct State {
    seen: Mutex<Vec<Seen>>,
    /// What arrived at another origin than the hub's.
    elsewhere: Mutex<Vec<Seen>>,
    /// Requests whose client left before the answer.
    given_up: watch::Sender<usize>,
    lie: Mutex<&'static str>,
    moved_to: String,
}

impl Hub {
    pub(crate) async fn start() -> std::io::Result<Self> {
        let (here, there) = (listen().await?, listen().await?);
        let address = format!("http://{}", here.local_addr()?);
        let state = Arc::new(State {
            seen: Mutex::default(),
            elsewhere: Mutex::default(),
            given_up: watch::Sender::new(0),
            lie: Mutex::new(""),
            moved_to: format!("http://{}/api/bridge/tasks", there.local_addr()?),
        });
        let serving = [
            tokio::spawn(serve(here, Arc::clone(&state), false)).abort_handle(),
            tokio::spawn(serve(there, Arc::clone(&state), true)).abort_handle(),
        ];
        Ok(Self {
            address,
            state,
            serving,
        })
    }

    /// From now on the kit lists its tools so.
    pub(crate) fn lie(&self, lie: &'static str) {
        *locked(&self.state.lie) = lie;
    }

    /// Waits until a request was given up, which a client that left does not wait for itself.
    pub(crate) async fn one_given_up(&self) {
        let mut given_up = self.state.given_up.subscribe();
        // the sender lives as long as the hub
        drop(given_up.wait_for(|count| *count > 0).await);
    }

    /// What reached it since this was last asked, in one phrase.
    pub(crate) fn saw(&self) -> String {
        let seen = std::mem::take(&mut *locked(&self.state.seen));
        let elsewhere = std::mem::take(&mut *locked(&self.state.elsewhere));
        let given_up = self.state.given_up.send_replace(0);
        let mut phrases = vec![match seen.as_slice() {
            [] => "the hub saw nothing".to_owned(),
            [one] => format!("the hub saw {one}"),
            [first, ..] => format!("the hub saw {} requests, first {first}", seen.len()),
        }];
        if seen.iter().any(|seen| !seen.authorised) {
            phrases.push("one of them without the key".to_owned());
        }
        if given_up > 0 {
            phrases.push("the request was given up".to_owned());
        }
        match elsewhere.first() {
            Some(seen) => phrases.push(format!("another origin saw {seen}")),
            None if seen.iter().any(|seen| seen.line.ends_with(MOVED)) => {
                phrases.push("no other origin saw anything".to_owned());
            }
            None => {}
        }
        phrases.join("; ")
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        for serving in &self.serving {
            serving.abort();
        }
    }
}

async fn listen() -> std::io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await
}

async fn serve(listener: TcpListener, state: Arc<State>, elsewhere: bool) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let state = Arc::clone(&state);
        connections.spawn(async move {
            let service = service_fn(|request| answer(Arc::clone(&state), request, elsewhere));
            let serving = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // a client that leaves in the middle is what some attacks are about
            drop(serving.await);
        });
    }
}

type Answer = Response<Full<Bytes>>;

async fn answer(
    state: Arc<State>,
    request: Request<Incoming>,
    elsewhere: bool,
) -> Result<Answer, Infallible> {
    let path = request.uri().path().to_owned();
    let own = matches!(
        path.as_str(),
        "/api/bridge/whoami" | "/api/bridge/spaces" | LIES
    );
    if elsewhere {
        locked(&state.elsewhere).push(seen(&request));
    } else if !own {
        locked(&state.seen).push(seen(&request));
    }
    Ok(match path.as_str() {
        "/api/bridge/whoami" => json(
            r#"{"canWrite":true,"canUseApps":false,"keyName":"self-test","defaultSpace":{"id":"s0","name":"Zero"}}"#,
        ),
        "/api/bridge/spaces" => json(
            r#"{"spaces":[{"id":"s0","name":"Zero","usable":true},{"id":"s1","name":"One","usable":true},{"id":"s2","name":"Two","usable":true}]}"#,
        ),
        "/api/bridge/hangs" => {
            let _given_up = GivenUp(&state);
            std::future::pending().await
        }
        "/api/bridge/large" => json(&quoted(LARGE)),
        "/api/bridge/spins" => json(&quoted(SPINS)),
        "/api/bridge/calls" => json(&quoted(CALLS)),
        "/api/bridge/breaks" => breaks(request.headers()),
        MOVED => moved(&state.moved_to),
        LIES => json(&format!(r#"{{"lie":"{}"}}"#, locked(&state.lie))),
        _ => json(r#"{"ok":true}"#),
    })
}

fn seen(request: &Request<Incoming>) -> Seen {
    let space = request.headers().get("x-ensemble-space");
    Seen {
        line: format!("{} {}", request.method(), request.uri()),
        space: space.map(|space| String::from_utf8_lossy(space.as_bytes()).into_owned()),
        authorised: request.headers().contains_key(AUTHORIZATION),
    }
}

/// Counts a request whose client left.
struct GivenUp<'a>(&'a State);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        self.0.given_up.send_modify(|count| *count += 1);
    }
}

fn json(body: &str) -> Answer {
    let mut answer = Response::new(Full::from(body.to_owned()));
    let kind = hyper::header::HeaderValue::from_static("application/json");
    answer
        .headers_mut()
        .insert(hyper::header::CONTENT_TYPE, kind);
    answer
}

/// A JSON string of so many bytes.
fn quoted(bytes: usize) -> String {
    format!("\"{}\"", "x".repeat(bytes - 2))
}

/// A broken hub, or what stands before it: an error page with everything on it that was sent, the key too.
fn breaks(sent: &HeaderMap) -> Answer {
    let mut answer = Response::new(Full::from(format!("<h1>500</h1><pre>{sent:?}</pre>")));
    *answer.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    answer
}

fn moved(to: &str) -> Answer {
    let mut answer = json("{}");
    *answer.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    if let Ok(to) = to.parse() {
        answer.headers_mut().insert(LOCATION, to);
    }
    answer
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
