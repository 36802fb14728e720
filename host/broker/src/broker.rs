//! Opens one session for each call: the key is there, the plugin exists for it, the space is bound. Everything the host
//! itself asks of the hub (`whoami`, the list of spaces) goes through here too and is logged like the rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ensemble_model::limits::LISTING_DEADLINE;
use ensemble_model::{
    Clock, Digest, HubPath, KeyGrants, Limits, Manifest, Method, Principal, Space,
};
use tokio::sync::{Mutex, watch};

use crate::decision::{Decision, DecisionSink, Verdict};
use crate::fault::Fault;
use crate::policy::{Granted, Permit, Policy};
use crate::ports::{FolderPort, HubPort, HubRequest, PortFault, RepositoryPort};
use crate::session::{Session, SessionParts};
use crate::spaces::{self, KeptSpaces};
use crate::whoami;

/// How long the host's own questions may take: they are one row each, and a hub that needs longer is not well.
pub(crate) const OWN_REQUEST: Duration = Duration::from_secs(10);

/// What the log has in place of a tool where a component says what it offers; no tool can have that name.
const LISTING: &str = "(list)";

/// What the broker works with.
#[derive(Debug)]
pub struct Deps {
    /// The connection to the hub.
    pub hub: Arc<dyn HubPort>,
    /// The repository around the editor; `None` where the transport is not local.
    pub repository: Option<Arc<dyn RepositoryPort>>,
    /// The folder that the editor works in; `None` where the transport is not local.
    pub folder: Option<Arc<dyn FolderPort>>,
    /// The decision log.
    pub log: Arc<dyn DecisionSink>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// The person's time zone, an IANA name.
    pub time_zone: String,
}

/// One call that wants to be opened.
#[derive(Debug, Clone, Copy)]
pub struct OpenCall<'a> {
    /// The plugin's declaration.
    pub manifest: &'a Manifest,
    /// What the person allowed it.
    pub granted: &'a Granted,
    /// Which bytes it is.
    pub digest: &'a Digest,
    /// The tool, or the resource's address.
    pub tool: &'a str,
    /// The space that the call names, by id or name.
    pub space: Option<&'a str>,
    /// What the call may use.
    pub limits: Limits,
}

/// The broker. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Broker {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) deps: Deps,
    principal: watch::Sender<Option<Principal>>,
    stale: AtomicBool,
    asking: Mutex<()>,
    spaces: Mutex<Option<KeptSpaces>>,
    handles: AtomicU64,
}

impl Broker {
    /// A broker that knows nothing yet and has sent nothing.
    pub fn new(deps: Deps) -> Self {
        let (principal, _) = watch::channel(None);
        Self {
            inner: Arc::new(Inner {
                deps,
                principal,
                stale: AtomicBool::new(true),
                asking: Mutex::new(()),
                spaces: Mutex::new(None),
                handles: AtomicU64::new(0),
            }),
        }
    }

    /// Follows what is known of the key: `None` until the hub answered, or after it refused the key.
    pub fn watch(&self) -> watch::Receiver<Option<Principal>> {
        self.inner.principal.subscribe()
    }

    /// Who is calling; asks the hub when that is not known, or when a refusal made it doubtful.
    pub async fn principal(&self) -> Result<Principal, Fault> {
        self.identified().await.map_err(|refused| refused.fault)
    }

    /// The same, and whether it was the key that was refused.
    pub(crate) async fn identified(&self) -> Result<Principal, PortFault> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let _one_at_a_time = self.inner.asking.lock().await;
        if let Some(known) = self.known() {
            return Ok(known);
        }
        self.inner.deps.hub.credential().map_err(Fault::Failed)?;
        let answer = self.own_request("/api/bridge/whoami").await;
        match answer.and_then(|body| whoami::principal(&body).map_err(PortFault::from)) {
            Ok(principal) => {
                self.inner.stale.store(false, Ordering::Release);
                self.publish(Some(&principal));
                Ok(principal)
            }
            Err(refused) => {
                if refused.key_refused {
                    self.publish(None);
                }
                Err(refused)
            }
        }
    }

    /// Opens a session for one call, or says why not. No guest has run by then.
    pub async fn open(&self, call: OpenCall<'_>) -> Result<Session, Fault> {
        self.inner.deps.hub.credential().map_err(Fault::Failed)?;
        let principal = self.principal().await?;
        let policy = Policy::effective(call.manifest, call.granted, principal.grants);
        if let Err(denial) = policy.call(call.tool) {
            self.refused(&call, principal, denial.missing.clone());
            return Err(Fault::Denied(denial));
        }
        let space = match call.space {
            Some(wanted) => match self.space(wanted).await {
                Ok(space) => Some(space),
                Err(fault) => {
                    self.refused(&call, principal, "the space".to_owned());
                    return Err(fault);
                }
            },
            None => None,
        };
        Ok(Session::new(
            self.clone(),
            SessionParts {
                plugin: call.manifest.id.clone(),
                digest: call.digest.clone(),
                tool: call.tool.to_owned(),
                principal,
                space,
                policy,
                limits: call.limits,
            },
        ))
    }

    /// A session in which a component says what it offers. Nothing is granted to it, no hub is asked who is calling, and the
    /// log has it without a key.
    pub fn listing(&self, manifest: &Manifest, digest: &Digest) -> Session {
        let nobody = Principal {
            key_name: String::new(),
            key_id: None,
            grants: KeyGrants::default(),
            default_space: Space {
                id: String::new(),
                name: String::new(),
                refusal: None,
            },
        };
        let limits = Limits::of_world(manifest.world).lowered_by(&manifest.limits);
        Session::new(
            self.clone(),
            SessionParts {
                plugin: manifest.id.clone(),
                digest: digest.clone(),
                tool: LISTING.to_owned(),
                policy: Policy::effective(manifest, &Granted::default(), nobody.grants),
                principal: nobody,
                space: None,
                limits: Limits {
                    deadline: limits.deadline.min(LISTING_DEADLINE),
                    ..limits
                },
            },
        )
    }

    /// The line of a call that no guest ever saw.
    fn refused(&self, call: &OpenCall<'_>, who: Principal, missing: String) {
        let mut line = self.inner.line("call", Verdict::Denied);
        line.plugin = Some(call.manifest.id.clone());
        line.digest = Some(call.digest.clone());
        line.tool = Some(call.tool.to_owned());
        line.key = Some(who.key_name);
        line.key_id = who.key_id;
        line.reason = Some(missing);
        self.inner.deps.log.record(&line);
    }

    /// The space of that id or name, from a list kept for half a minute.
    async fn space(&self, wanted: &str) -> Result<Space, Fault> {
        let mut kept = self.inner.spaces.lock().await;
        let now = self.inner.deps.clock.instant();
        let fresh = kept
            .as_ref()
            .is_some_and(|kept| now.saturating_duration_since(kept.asked) < spaces::KEPT);
        if !fresh {
            let body = self
                .own_request("/api/bridge/spaces")
                .await
                .map_err(|e| e.fault)?;
            *kept = Some(KeptSpaces {
                asked: now,
                spaces: spaces::parse(&body)?,
            });
        }
        kept.as_ref().map_or_else(
            || Err(Fault::Failed("The list of spaces is not there.".to_owned())),
            |kept| spaces::resolve(&kept.spaces, wanted),
        )
    }

    /// Forgets what is known of the key, so that the next call asks again.
    pub(crate) fn doubt(&self) {
        self.inner.stale.store(true, Ordering::Release);
    }

    fn known(&self) -> Option<Principal> {
        if self.inner.stale.load(Ordering::Acquire) {
            return None;
        }
        self.inner.principal.borrow().clone()
    }

    fn publish(&self, principal: Option<&Principal>) {
        self.inner.principal.send_if_modified(|now| {
            let changed = now.as_ref() != principal;
            *now = principal.cloned();
            changed
        });
    }

    async fn own_request(&self, path: &'static str) -> Result<String, PortFault> {
        let (mut line, answer) = self.own(Own::get(path)).await?;
        if let Err(fault) = &answer {
            line.verdict = Verdict::Failed;
            line.reason = Some(fault.fault.word().to_owned());
        }
        self.inner.deps.log.record(&line);
        answer
    }

    /// Asks, and gives the line that the answer is to be recorded with.
    pub(crate) async fn own(
        &self,
        asked: Own,
    ) -> Result<(Decision, Result<String, PortFault>), Fault> {
        let path = HubPath::parse(asked.path).map_err(|e| Fault::Invalid(e.to_string()))?;
        let permit = Permit::new(format!("GET {path}"));
        let mut line = self.inner.line(permit.what(), Verdict::Permitted);
        line.space.clone_from(&asked.space);
        let started = self.inner.deps.clock.instant();
        let request = HubRequest {
            method: Method::Get,
            path,
            query: asked.query,
            body: None,
            space: asked.space,
            timeout: asked.timeout,
            max_response: Limits::DEFAULT.response_bytes,
        };
        let answer = self.inner.deps.hub.request(&permit, request).await;
        line.duration_ms = self.inner.since(started);
        if let Ok(reply) = &answer {
            line.bytes_in = reply.body.len() as u64;
        }
        Ok((line, answer.map(|reply| reply.body)))
    }
}

/// What the host itself asks of the hub.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) path: &'static str,
    pub(crate) query: Vec<(String, String)>,
    /// `None` is the key's default.
    pub(crate) space: Option<String>,
    pub(crate) timeout: Duration,
}

impl Own {
    /// One row, in the key's default space.
    pub(crate) fn get(path: &'static str) -> Self {
        Self {
            path,
            query: Vec::new(),
            space: None,
            timeout: OWN_REQUEST,
        }
    }
}

impl Inner {
    /// A name that no other handle of this process has or had.
    pub(crate) fn new_handle(&self) -> String {
        format!("file-{}", self.handles.fetch_add(1, Ordering::Relaxed))
    }

    /// A line of the log with the time on it and everything else still open.
    pub(crate) fn line(&self, route: &str, verdict: Verdict) -> Decision {
        Decision::of(self.deps.clock.now(), route, verdict)
    }

    /// Whole milliseconds since then.
    pub(crate) fn since(&self, started: std::time::Instant) -> u64 {
        let spent = self.deps.clock.instant().saturating_duration_since(started);
        u64::try_from(spent.as_millis()).unwrap_or(u64::MAX)
    }
}
