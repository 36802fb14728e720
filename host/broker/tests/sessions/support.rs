//! A hub, a clock and a log in memory.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ensemble_broker::{
    Broker, Decision, DecisionSink, Deps, Fault, Granted, HubPort, HubReply, HubRequest, Location,
    OpenCall, Permit, PortFault, PortFuture, RepositoryPort, Session,
};
use ensemble_model::{Clock, Digest, KeyGrants, Limits, Manifest};

#[derive(Debug)]
pub struct State {
    pub credential: Result<(), String>,
    pub refuse: Option<String>,
    pub sent: Vec<HubRequest>,
    grants: KeyGrants,
}

#[derive(Debug)]
pub struct Hub(Mutex<State>);

impl Hub {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

impl HubPort for Hub {
    fn credential(&self) -> Result<(), String> {
        self.lock().credential.clone()
    }

    fn request<'a>(&'a self, _: &'a Permit, request: HubRequest) -> PortFuture<'a, HubReply> {
        Box::pin(async move {
            let mut state = self.lock();
            let path = request.path.to_string();
            state.sent.push(request);
            if state
                .refuse
                .as_ref()
                .is_some_and(|prefix| path.starts_with(prefix))
            {
                let fault = Fault::Failed("This key was revoked.".to_owned());
                return Err(PortFault {
                    fault,
                    key_refused: true,
                });
            }
            let body = match path.as_str() {
                "/api/bridge/whoami" => format!(
                    r#"{{"canWrite":{},"canUseApps":{},"keyName":"laptop","defaultSpace":{{"id":"s1","name":"Home"}}}}"#,
                    state.grants.changes, state.grants.apps
                ),
                "/api/bridge/spaces" => r#"{"spaces":[{"id":"s1","name":"Home","usable":true},{"id":"s2","name":"Studio","usable":true},{"id":"s4","name":"Shared","usable":false,"refusal":"“Shared” is shared with you."}]}"#.to_owned(),
                _ => "{}".to_owned(),
            };
            Ok(HubReply { body })
        })
    }
}

#[derive(Debug)]
pub struct TestClock {
    start: Instant,
    passed: Mutex<Duration>,
}

impl TestClock {
    pub fn advance(&self, by: Duration) {
        *self.passed.lock().unwrap() += by;
    }
}

impl Clock for TestClock {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::UNIX_EPOCH
    }

    fn instant(&self) -> Instant {
        self.start + *self.passed.lock().unwrap()
    }
}

#[derive(Debug, Default)]
struct Lines(Mutex<Vec<Decision>>);

impl DecisionSink for Lines {
    fn record(&self, decision: &Decision) {
        self.0.lock().unwrap().push(decision.clone());
    }
}

#[derive(Debug)]
struct Checkout;

impl RepositoryPort for Checkout {
    fn locate<'a>(&'a self, _: &'a Permit) -> PortFuture<'a, Location> {
        let found = Location {
            repo: Some("encode/httpx".to_owned()),
            branch: None,
        };
        Box::pin(async move { Ok(found) })
    }

    fn directory(&self) -> PathBuf {
        PathBuf::new()
    }
}

/// A plugin that reads (`read`), changes (`changes`), or also locates (`locate`).
pub fn manifest(kind: &str) -> Manifest {
    let world = if kind == "changes" {
        "changer"
    } else {
        "reader"
    };
    let grant = if kind == "changes" { "changes" } else { "read" };
    let more = match kind {
        "changes" => {
            "[[imports]]\ninterface = \"ensemble:hub/change\"\nreason = \"r\"\n[[routes]]\nmethod = \"POST\"\npath = \"/api/bridge/write/tasks\"\nreason = \"r\"\n"
        }
        "locate" => "[[imports]]\ninterface = \"ensemble:workspace/repository\"\nreason = \"r\"\n",
        _ => "",
    };
    Manifest::parse(&format!(
        "id = \"probe\"\nversion = \"0.1.0\"\ngroup = \"g\"\ntitle = \"T\"\ndescription = \"D\"\nworld = \"{world}\"\ngrant = \"{grant}\"\nspace = true\n[[imports]]\ninterface = \"ensemble:hub/read\"\nreason = \"r\"\n[[routes]]\nmethod = \"GET\"\npath = \"/api/bridge/tasks\"\nreason = \"r\"\n{more}"
    ))
    .unwrap()
}

/// A broker with everything around it in memory.
pub struct World {
    pub broker: Broker,
    pub hub: Arc<Hub>,
    pub clock: Arc<TestClock>,
    lines: Arc<Lines>,
}

impl World {
    pub fn new(grants: KeyGrants) -> Self {
        Self::with(grants, None)
    }

    pub fn local(grants: KeyGrants) -> Self {
        Self::with(grants, Some(Arc::new(Checkout)))
    }

    fn with(grants: KeyGrants, repository: Option<Arc<dyn RepositoryPort>>) -> Self {
        let hub = Arc::new(Hub(Mutex::new(State {
            credential: Ok(()),
            refuse: None,
            sent: Vec::new(),
            grants,
        })));
        let clock = Arc::new(TestClock {
            start: Instant::now(),
            passed: Mutex::new(Duration::ZERO),
        });
        let lines = Arc::new(Lines::default());
        let broker = Broker::new(Deps {
            hub: hub.clone(),
            repository,
            log: lines.clone(),
            clock: clock.clone(),
            time_zone: "UTC".to_owned(),
        });
        Self {
            broker,
            hub,
            clock,
            lines,
        }
    }

    pub async fn open(&self, kind: &str, space: Option<&str>) -> Result<Session, Fault> {
        self.open_with(kind, space, Limits::DEFAULT).await
    }

    pub async fn open_with(
        &self,
        kind: &str,
        space: Option<&str>,
        limits: Limits,
    ) -> Result<Session, Fault> {
        self.open_manifest(&manifest(kind), space, limits).await
    }

    pub async fn open_manifest(
        &self,
        manifest: &Manifest,
        space: Option<&str>,
        limits: Limits,
    ) -> Result<Session, Fault> {
        let granted = Granted::everything(manifest);
        let digest = Digest::of(b"probe");
        let call = OpenCall {
            manifest,
            granted: &granted,
            digest: &digest,
            tool: "t",
            space,
            limits,
        };
        self.broker.open(call).await
    }

    pub fn sent(&self) -> Vec<String> {
        self.hub
            .lock()
            .sent
            .iter()
            .map(|r| format!("{} {}", r.method, r.path))
            .collect()
    }

    pub fn lines(&self) -> Vec<Decision> {
        self.lines.0.lock().unwrap().clone()
    }
}
