//! One call of one plugin, with its space, its policy and its limits bound. Everything that a guest can ask of the world
//! is a method here, and each decides before it does.

mod act;
mod arriving;
mod encoded;
mod files;
mod uploads;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ensemble_model::{Digest, HubPath, Limits, Method, PluginId, Principal, Space};
use jiff::Timestamp;

use crate::broker::Broker;
use crate::decision::Verdict;
use crate::fault::{Denial, Fault};
use crate::policy::{Permit, Policy};
use crate::ports::{HubRequest, Location, PortFault};
use arriving::CountsFrom;

/// A request to the hub ends this much before its call does, so that the guest can still pass on why: that a change may or
/// may not have been made is not for the host to guess.
const LAST_WORD: Duration = Duration::from_millis(500);

pub use files::FileContent;
pub use uploads::Upload;

/// What a session is made of.
#[derive(Debug)]
pub(crate) struct SessionParts {
    pub(crate) plugin: PluginId,
    pub(crate) digest: Digest,
    pub(crate) tool: String,
    pub(crate) principal: Principal,
    pub(crate) space: Option<Space>,
    pub(crate) policy: Policy,
    pub(crate) limits: Limits,
}

/// One call. Dropping it ends it: a request that is under way is given up with it, and the call's own line is written.
#[derive(Debug)]
pub struct Session {
    broker: Broker,
    parts: SessionParts,
    started: Instant,
    counts_from: CountsFrom,
    requests: AtomicU32,
    bytes_out: AtomicU64,
    bytes_in: AtomicU64,
    ending: Mutex<Option<Ending>>,
    files: Mutex<Vec<files::Opened>>,
    taken: Mutex<Option<uploads::Taken>>,
}

#[derive(Debug, Clone)]
enum Ending {
    Done,
    Failed(String),
}

impl Session {
    pub(crate) fn new(broker: Broker, parts: SessionParts) -> Self {
        let started = broker.inner.deps.clock.instant();
        Self {
            broker,
            parts,
            started,
            counts_from: CountsFrom::new(started),
            requests: AtomicU32::new(0),
            bytes_out: AtomicU64::new(0),
            bytes_in: AtomicU64::new(0),
            ending: Mutex::new(None),
            files: Mutex::default(),
            taken: Mutex::default(),
        }
    }

    /// Which plugin runs.
    pub fn plugin(&self) -> &PluginId {
        &self.parts.plugin
    }

    /// Which tool or resource was called.
    pub fn tool(&self) -> &str {
        &self.parts.tool
    }

    /// Which key calls, by the hub's id of it, or by its name where the hub gives none.
    pub fn caller(&self) -> &str {
        let principal = &self.parts.principal;
        principal.key_id.as_deref().unwrap_or(&principal.key_name)
    }

    /// Whether it works in the key's default space, which is the one that resources show.
    pub fn in_default_space(&self) -> bool {
        let default = &self.parts.principal.default_space.id;
        self.parts.space.as_ref().is_none_or(|s| s.id == *default)
    }

    /// What the call may use.
    pub fn limits(&self) -> &Limits {
        &self.parts.limits
    }

    /// The instant after which the call is over, as far as is known now: each piece of a file that is being saved moves it.
    pub fn deadline(&self) -> Instant {
        self.counts_from.get() + self.parts.limits.deadline
    }

    /// What is left until the deadline; zero after it.
    pub fn remaining(&self) -> Duration {
        self.deadline()
            .saturating_duration_since(self.broker.inner.deps.clock.instant())
    }

    /// Now, and the person's time zone as an IANA name.
    pub fn now(&self) -> (Timestamp, String) {
        let deps = &self.broker.inner.deps;
        (deps.clock.now(), deps.time_zone.clone())
    }

    /// `ensemble:hub/read.get`.
    pub async fn hub_get(&self, path: &str, query: Vec<(String, String)>) -> Result<String, Fault> {
        self.hub_request(Method::Get, path, query, None).await
    }

    /// `ensemble:hub/change.send`.
    pub async fn hub_send(
        &self,
        method: Method,
        path: &str,
        body: String,
    ) -> Result<String, Fault> {
        if method == Method::Get {
            return Err(Fault::Invalid(
                "A change is sent with POST or PATCH.".to_owned(),
            ));
        }
        self.hub_request(method, path, Vec::new(), Some(body)).await
    }

    /// `ensemble:workspace/repository.locate`.
    pub async fn locate_repository(&self) -> Result<Location, Fault> {
        let name = "ensemble:workspace/repository";
        let permit = self
            .parts
            .policy
            .capability(name, "The repository around the editor")
            .map_err(|denial| self.denied(name, denial))?;
        let Some(port) = &self.broker.inner.deps.repository else {
            return Err(self.denied(
                name,
                Denial {
                    wanted: "The repository around the editor".to_owned(),
                    missing:
                        "a bridge on the editor's own computer (name the task, or repo and branch)"
                            .to_owned(),
                },
            ));
        };
        let started = self.broker.inner.deps.clock.instant();
        let found = port.locate(&permit).await;
        self.conclude(&permit, started, 0, 0, found.as_ref().err());
        found.map_err(|e| e.fault)
    }

    /// The call is over and gave an answer, or says what became of it. Without this, dropping the session logs it as
    /// cancelled.
    pub fn ended(&self, failure: Option<String>) {
        if let Ok(mut ending) = self.ending.lock() {
            *ending = Some(failure.map_or(Ending::Done, Ending::Failed));
        }
    }

    async fn hub_request(
        &self,
        method: Method,
        path: &str,
        query: Vec<(String, String)>,
        body: Option<String>,
    ) -> Result<String, Fault> {
        let parsed = match HubPath::parse(path) {
            Ok(parsed) => parsed,
            Err(reason) => {
                // a trick in the path does not reach the log as it was written
                let shown = format!("{method} (not a hub path)");
                return Err(self.denied(
                    &shown,
                    Denial {
                        wanted: shown.clone(),
                        missing: format!("a plain path ({reason})"),
                    },
                ));
            }
        };
        let permit = self
            .parts
            .policy
            .request(method, &parsed)
            .map_err(|denial| self.denied(&format!("{method} {}", outline(&parsed)), denial))?;
        let sent = sent(&query, body.as_deref());
        self.within_limits(&permit, sent, self.parts.limits.request_bytes)?;
        let request = HubRequest {
            query,
            body,
            ..self.request(method, parsed)
        };
        self.forward(&permit, request).await
    }

    /// A request in this call's space, without query and body.
    fn request(&self, method: Method, path: HubPath) -> HubRequest {
        HubRequest {
            method,
            path,
            query: Vec::new(),
            body: None,
            space: self.parts.space.as_ref().map(|space| space.id.clone()),
            timeout: self.remaining().saturating_sub(LAST_WORD),
            max_response: self.parts.limits.response_bytes,
        }
    }

    /// Sends what was permitted, and writes what became of it.
    async fn forward(&self, permit: &Permit, request: HubRequest) -> Result<String, Fault> {
        let sent = sent(&request.query, request.body.as_deref());
        let started = self.broker.inner.deps.clock.instant();
        let answer = self.broker.inner.deps.hub.request(permit, request).await;
        let received = answer.as_ref().map_or(0, |reply| reply.body.len());
        self.conclude(permit, started, sent, received, answer.as_ref().err());
        answer.map(|reply| reply.body).map_err(|e| e.fault)
    }

    fn within_limits(&self, permit: &Permit, bytes: usize, at_most: usize) -> Result<(), Fault> {
        let limits = &self.parts.limits;
        let fault = if self.requests.fetch_add(1, Ordering::Relaxed) >= limits.hub_requests {
            format!(
                "One call may send {} requests to the hub, and this was one more.",
                limits.hub_requests
            )
        } else if bytes > at_most {
            format!("A request to the hub may have {at_most} bytes, and this one has {bytes}.")
        } else {
            return Ok(());
        };
        let mut line = self.line(permit.what(), Verdict::Denied);
        line.reason = Some("limit".to_owned());
        self.broker.inner.deps.log.record(&line);
        Err(Fault::TooLarge(fault))
    }

    fn denied(&self, route: &str, denial: Denial) -> Fault {
        let mut line = self.line(route, Verdict::Denied);
        line.reason = Some(denial.missing.clone());
        self.broker.inner.deps.log.record(&line);
        Fault::Denied(denial)
    }

    fn conclude(
        &self,
        permit: &Permit,
        started: Instant,
        sent: usize,
        received: usize,
        fault: Option<&PortFault>,
    ) {
        self.bytes_out.fetch_add(sent as u64, Ordering::Relaxed);
        self.bytes_in.fetch_add(received as u64, Ordering::Relaxed);
        let mut line = self.line(permit.what(), Verdict::Permitted);
        line.duration_ms = self.broker.inner.since(started);
        line.bytes_out = sent as u64;
        line.bytes_in = received as u64;
        if let Some(PortFault { fault, key_refused }) = fault {
            line.verdict = Verdict::Failed;
            let reason = if *key_refused {
                "key-refused"
            } else {
                fault.word()
            };
            line.reason = Some(reason.to_owned());
            if *key_refused {
                self.broker.doubt();
            }
        }
        self.broker.inner.deps.log.record(&line);
    }

    fn line(&self, route: &str, verdict: Verdict) -> crate::decision::Decision {
        let mut line = self.broker.inner.line(route, verdict);
        line.plugin = Some(self.parts.plugin.clone());
        line.digest = Some(self.parts.digest.clone());
        line.tool = Some(self.parts.tool.clone());
        // a component that only says what it offers runs for no key and in no space
        let named = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        line.key = named(&self.parts.principal.key_name);
        line.key_id.clone_from(&self.parts.principal.key_id);
        let space = self
            .parts
            .space
            .as_ref()
            .unwrap_or(&self.parts.principal.default_space);
        line.space = named(&space.id);
        line
    }
}

/// Bytes of a request, as the log counts them.
fn sent(query: &[(String, String)], body: Option<&str>) -> usize {
    let query = query
        .iter()
        .map(|(name, value)| name.len() + value.len() + 2);
    body.map_or(0, str::len) + query.sum::<usize>()
}

/// What the log shows of a path that nobody declared: plain words stay, so that a reviewer sees what was tried; anything
/// that can hold a name, an id or a secret does not.
fn outline(path: &HubPath) -> String {
    let plain = |segment: &str| {
        segment.len() <= 24 && segment.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    };
    let shown = path
        .as_str()
        .split('/')
        .map(|segment| if plain(segment) { segment } else { "…" });
    shown.collect::<Vec<_>>().join("/")
}

impl Drop for Session {
    fn drop(&mut self) {
        let ending = self.ending.lock().ok().and_then(|mut ending| ending.take());
        let mut line = self.line("call", Verdict::Permitted);
        line.duration_ms = self.broker.inner.since(self.started);
        line.bytes_out = self.bytes_out.load(Ordering::Relaxed);
        line.bytes_in = self.bytes_in.load(Ordering::Relaxed);
        match ending {
            Some(Ending::Done) => {}
            Some(Ending::Failed(reason)) => {
                line.verdict = Verdict::Failed;
                line.reason = Some(reason);
            }
            None => {
                line.verdict = Verdict::Failed;
                line.reason = Some("cancelled".to_owned());
            }
        }
        self.broker.inner.deps.log.record(&line);
    }
}
