//! A hub, a clock and a log in memory.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base64::Engine as _;
use ensemble_broker::{
    Broker, Decision, DecisionSink, Deps, Download, Fault, FileRequest, FolderPort, Granted,
    HubPort, HubReply, HubRequest, Location, OpenCall, Permit, PortFault, PortFuture,
    RepositoryPort, Saved, Session, Target,
};
use ensemble_model::{Clock, Digest, KeyGrants, Limits, Manifest};

#[derive(Debug)]
pub struct State {
    pub credential: Result<(), String>,
    pub refuse: Option<String>,
    pub sent: Vec<HubRequest>,
    /// The bytes of every file.
    pub original: Vec<u8>,
    /// The hash that the hub claims, if it is another than that of the bytes.
    pub claimed: Option<String>,
    pub downloads: Vec<FileRequest>,
    /// The time that each piece of a file takes to arrive.
    pub each_piece_takes: Option<(Arc<TestClock>, Duration)>,
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
                    r#"{{"canWrite":{},"canUseApps":{},"keyName":"laptop","keyId":"k1","defaultSpace":{{"id":"s1","name":"Home"}}}}"#,
                    state.grants.changes, state.grants.apps
                ),
                "/api/bridge/spaces" => r#"{"spaces":[{"id":"s1","name":"Home","usable":true},{"id":"s2","name":"Studio","usable":true},{"id":"s4","name":"Shared","usable":false,"refusal":"“Shared” is shared with you."}]}"#.to_owned(),
                "/api/bridge/changes" => crate::following::CHANGED.to_owned(),
                "/api/bridge/write/files" => {
                    let sent = state.sent.last().and_then(|r| r.body.clone()).unwrap();
                    kept(&sent, state.claimed.as_deref())
                }
                _ => "{}".to_owned(),
            };
            Ok(HubReply { body })
        })
    }

    fn download<'a>(
        &'a self,
        _: &'a Permit,
        request: FileRequest,
    ) -> PortFuture<'a, Box<dyn Download>> {
        let mut state = self.lock();
        state.downloads.push(request.clone());
        let whole = state.original.clone();
        let arriving = match request.part {
            None => whole.clone(),
            Some((first, length)) => {
                let first = usize::try_from(first).unwrap().min(whole.len());
                let last = (first + length as usize).min(whole.len());
                whole[first..last].to_vec()
            }
        };
        let download = Pieces {
            size: arriving.len() as u64,
            sha256: state
                .claimed
                .clone()
                .unwrap_or_else(|| Digest::of(&whole).to_string()),
            left: arriving.chunks(4).rev().map(<[u8]>::to_vec).collect(),
            each_takes: state.each_piece_takes.clone(),
        };
        Box::pin(async move { Ok(Box::new(download) as Box<dyn Download>) })
    }
}

/// What a hub says of the file that it was sent.
fn kept(body: &str, claimed: Option<&str>) -> String {
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(body["dataBase64"].as_str().unwrap())
        .unwrap();
    let sha256 = claimed.map_or_else(|| Digest::of(&bytes).to_string(), str::to_owned);
    format!(
        r#"{{"file":{{"id":"f9"}},"size":{},"sha256":"{sha256}","undoable":true}}"#,
        bytes.len()
    )
}

/// A file in pieces of four bytes.
#[derive(Debug)]
struct Pieces {
    size: u64,
    sha256: String,
    left: Vec<Vec<u8>>,
    each_takes: Option<(Arc<TestClock>, Duration)>,
}

impl Download for Pieces {
    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn sha256(&self) -> Option<&str> {
        Some(&self.sha256)
    }

    fn next(&mut self) -> PortFuture<'_, Option<Vec<u8>>> {
        if let Some((clock, takes)) = &self.each_takes
            && !self.left.is_empty()
        {
            clock.advance(*takes);
        }
        Box::pin(async move { Ok(self.left.pop()) })
    }
}

/// A folder that takes every path but those with `..`.
#[derive(Debug, Default)]
pub struct Folder(pub Mutex<Vec<(String, Vec<u8>)>>);

impl FolderPort for Folder {
    fn check<'a>(&'a self, _: &'a Permit, target: Target<'a>) -> PortFuture<'a, ()> {
        let refused = target.path.contains("..");
        Box::pin(async move {
            if refused {
                return Err(Fault::Invalid("outside".to_owned()).into());
            }
            Ok(())
        })
    }

    fn open<'a>(&'a self, _: &'a Permit, path: &'a str, at_most: u64) -> PortFuture<'a, Vec<u8>> {
        Box::pin(async move {
            if path.contains("..") {
                return Err(Fault::Invalid("outside".to_owned()).into());
            }
            let files = self.0.lock().unwrap();
            let found = files.iter().find(|(name, _)| name == path);
            let (_, bytes) = found.ok_or(Fault::NotFound("none".to_owned()))?;
            assert!(bytes.len() as u64 <= at_most);
            Ok(bytes.clone())
        })
    }

    fn save<'a>(
        &'a self,
        _: &'a Permit,
        target: Target<'a>,
        mut content: Box<dyn Download>,
    ) -> PortFuture<'a, Saved> {
        Box::pin(async move {
            let mut bytes = Vec::new();
            while let Some(chunk) = content.next().await? {
                bytes.extend(chunk);
            }
            let saved = Saved {
                path: target.path.to_owned(),
                bytes: bytes.len() as u64,
                sha256: Digest::of(&bytes).to_string(),
            };
            self.0.lock().unwrap().push((target.path.to_owned(), bytes));
            Ok(saved)
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

/// A plugin that reads (`read`), changes (`changes`), runs actions (`acts`), gives files out (`files`), takes them in (`takes`), or also
/// locates (`locate`).
pub fn manifest(kind: &str) -> Manifest {
    let world = match kind {
        "changes" => "changer",
        "acts" => "actor",
        "files" => "file-giver",
        "takes" => "file-taker",
        _ => "reader",
    };
    let grant = match kind {
        "changes" | "takes" => "changes",
        _ => "read",
    };
    if kind == "takes" {
        return Manifest::parse(&format!(
            "{}[[imports]]\ninterface = \"ensemble:hub/uploads\"\nreason = \"r\"\n[[imports]]\ninterface = \"ensemble:workspace/folder\"\nreason = \"r\"\n[[routes]]\nmethod = \"POST\"\npath = \"/api/bridge/write/files\"\nreason = \"r\"\n",
            head(world, grant)
        ))
        .unwrap();
    }
    let more = match kind {
        "changes" => {
            "[[imports]]\ninterface = \"ensemble:hub/change\"\nreason = \"r\"\n[[routes]]\nmethod = \"POST\"\npath = \"/api/bridge/write/tasks\"\nreason = \"r\"\n"
        }
        "files" => {
            "[[imports]]\ninterface = \"ensemble:hub/files\"\nreason = \"r\"\n[[imports]]\ninterface = \"ensemble:workspace/folder\"\nreason = \"r\"\n[[routes]]\nmethod = \"GET\"\npath = \"/api/bridge/files/{id}\"\nreason = \"r\"\n[[routes]]\nmethod = \"GET\"\npath = \"/api/bridge/files/{id}/original\"\nreason = \"r\"\n"
        }
        "acts" => {
            "[[imports]]\ninterface = \"ensemble:hub/act\"\nreason = \"r\"\n[[routes]]\nmethod = \"POST\"\npath = \"/api/bridge/act/{name}\"\nreason = \"r\"\n"
        }
        "locate" => "[[imports]]\ninterface = \"ensemble:workspace/repository\"\nreason = \"r\"\n",
        _ => "",
    };
    Manifest::parse(&format!(
        "{}[[imports]]\ninterface = \"ensemble:hub/read\"\nreason = \"r\"\n[[routes]]\nmethod = \"GET\"\npath = \"/api/bridge/tasks\"\nreason = \"r\"\n{more}",
        head(world, grant)
    ))
    .unwrap()
}

fn head(world: &str, grant: &str) -> String {
    format!(
        "id = \"probe\"\nversion = \"0.1.0\"\ngroup = \"g\"\ntitle = \"T\"\ndescription = \"D\"\nworld = \"{world}\"\ngrant = \"{grant}\"\nspace = true\n"
    )
}

/// A broker with everything around it in memory.
pub struct World {
    pub broker: Broker,
    pub hub: Arc<Hub>,
    pub clock: Arc<TestClock>,
    pub folder: Arc<Folder>,
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
            original: b"0123456789".to_vec(),
            claimed: None,
            downloads: Vec::new(),
            each_piece_takes: None,
            grants,
        })));
        let clock = Arc::new(TestClock {
            start: Instant::now(),
            passed: Mutex::new(Duration::ZERO),
        });
        let lines = Arc::new(Lines::default());
        let folder = Arc::new(Folder::default());
        let local = repository.is_some();
        let broker = Broker::new(Deps {
            hub: hub.clone(),
            repository,
            folder: local.then(|| folder.clone() as Arc<dyn FolderPort>),
            log: lines.clone(),
            clock: clock.clone(),
            time_zone: "UTC".to_owned(),
        });
        Self {
            broker,
            hub,
            clock,
            folder,
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
        self.open_granted(manifest, &Granted::everything(manifest), space, limits)
            .await
    }

    pub async fn open_granted(
        &self,
        manifest: &Manifest,
        granted: &Granted,
        space: Option<&str>,
        limits: Limits,
    ) -> Result<Session, Fault> {
        let digest = Digest::of(b"probe");
        let call = OpenCall {
            manifest,
            granted,
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
