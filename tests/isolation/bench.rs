//! A host with one plugin, as the tests want it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use ensemble_broker::{Broker, Deps, Granted, OpenCall, Session};
use ensemble_model::{Digest, Manifest, PluginId, Surface};
use ensemble_runtime::offer::{Block, ToolStep};
use ensemble_runtime::{
    Bytes, CacheConfig, CallError, CatalogPart, Events, Level, LoadError, Origin, Plugin, Registry,
    Runtime, RuntimeConfig,
};

use crate::hub::{Decisions, FakeFolder, FakeHub, FakeRepository, FixedClock};

/// What every test may take at the most; a test that meets it has found a call that does not end.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// The runtime that tests share, with compiled code kept between runs.
pub(crate) fn runtime() -> Runtime {
    static SHARED: OnceLock<Runtime> = OnceLock::new();
    SHARED
        .get_or_init(|| Runtime::new(RuntimeConfig::default().with_kept_code()).unwrap())
        .clone()
}

/// Settings of a runtime that finds the code which other tests compiled.
pub(crate) trait WithKeptCode {
    fn with_kept_code(self) -> Self;
}

impl WithKeptCode for RuntimeConfig {
    fn with_kept_code(mut self) -> Self {
        self.cache = Some(CacheConfig {
            directory: PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("isolation-code"),
            key: [7; 32],
        });
        self
    }
}

/// A manifest with the id `probe`; `rest` is TOML.
pub(crate) fn manifest(world: &str, rest: &str) -> Manifest {
    Manifest::parse(&format!(
        "id = \"probe\"\nversion = \"0.1.0\"\ngroup = \"probe\"\ntitle = \"Probe\"\ndescription = \"A test.\"\n\
         world = \"{world}\"\ngrant = \"read\"\nspace = true\n{rest}"
    ))
    .unwrap()
}

/// One `[[imports]]` entry.
pub(crate) fn import(interface: &str) -> String {
    format!("[[imports]]\ninterface = \"{interface}\"\nreason = \"a test\"\n")
}

/// The manifest of the probe: it may read tasks, and ask the route that never answers.
pub(crate) fn probe_manifest(limits: &str) -> Manifest {
    let route = |path: &str| {
        format!("[[routes]]\nmethod = \"GET\"\npath = \"{path}\"\nreason = \"a test\"\n")
    };
    let rest = [
        import("ensemble:hub/read"),
        route("/api/bridge/tasks"),
        route("/api/bridge/hang"),
        format!("[limits]\n{limits}\n"),
    ];
    manifest("reader", &rest.concat())
}

/// A plugin of these bytes, all that it declares granted.
pub(crate) fn plugin(manifest: Manifest, bytes: &'static [u8]) -> Plugin {
    Plugin {
        granted: Granted::everything(&manifest),
        manifest,
        surface: Surface::default(),
        digest: Digest::of(bytes),
        bytes: Bytes::Static(bytes),
        origin: Origin::BuiltIn,
    }
}

/// A host with one plugin.
pub(crate) struct Bench {
    pub(crate) registry: Registry,
    pub(crate) id: PluginId,
    pub(crate) hub: Arc<FakeHub>,
    pub(crate) folder: Arc<FakeFolder>,
    pub(crate) repository: Arc<FakeRepository>,
    pub(crate) decisions: Arc<Decisions>,
    pub(crate) heard: Arc<Heard>,
    broker: Broker,
}

impl Bench {
    /// With the probe, under these limits.
    pub(crate) fn probe(limits: &str) -> Self {
        Self::on(runtime(), probe_manifest(limits))
    }

    /// With the probe, on this runtime.
    pub(crate) fn on(runtime: Runtime, manifest: Manifest) -> Self {
        let bytes = ensemble_test_artifacts::wasm("probe-kit");
        Self::with(runtime, plugin(manifest, bytes))
    }

    pub(crate) fn with(runtime: Runtime, plugin: Plugin) -> Self {
        let id = plugin.manifest.id.clone();
        Self::with_all(runtime, vec![plugin], id)
    }

    /// With several plugins, of which this one is called.
    pub(crate) fn with_all(runtime: Runtime, plugins: Vec<Plugin>, id: PluginId) -> Self {
        let hub = Arc::new(FakeHub::new());
        let folder = Arc::new(FakeFolder::default());
        let repository = Arc::new(FakeRepository::default());
        let decisions = Arc::new(Decisions::default());
        let broker = Broker::new(Deps {
            hub: Arc::clone(&hub) as Arc<_>,
            repository: Some(Arc::clone(&repository) as Arc<_>),
            folder: Some(Arc::clone(&folder) as Arc<_>),
            log: Arc::clone(&decisions) as Arc<_>,
            clock: Arc::new(FixedClock),
            time_zone: "Europe/Berlin".to_owned(),
        });
        Self {
            id,
            registry: Registry::new(runtime, plugins).unwrap(),
            hub,
            folder,
            repository,
            decisions,
            heard: Arc::new(Heard::default()),
            broker,
        }
    }

    /// The same host, of which another plugin is called.
    pub(crate) fn of(&self, id: &PluginId) -> Self {
        Self {
            id: id.clone(),
            registry: self.registry.clone(),
            hub: Arc::clone(&self.hub),
            folder: Arc::clone(&self.folder),
            repository: Arc::clone(&self.repository),
            decisions: Arc::clone(&self.decisions),
            heard: Arc::clone(&self.heard),
            broker: self.broker.clone(),
        }
    }

    /// Loads first, so that compiling is no part of a call's time.
    pub(crate) async fn ready(self) -> Self {
        self.registry.load(&self.id).await.unwrap();
        self
    }

    pub(crate) async fn load(&self) -> Result<(), LoadError> {
        self.registry.load(&self.id).await
    }

    pub(crate) async fn session(&self, tool: &str) -> Session {
        let plugin = self.registry.plugin(&self.id).unwrap();
        self.broker
            .open(OpenCall {
                manifest: &plugin.manifest,
                granted: &plugin.granted,
                digest: &plugin.digest,
                tool,
                space: None,
                limits: plugin.granted.limits(&plugin.manifest),
            })
            .await
            .unwrap()
    }

    /// A session in which the plugin says what it offers.
    pub(crate) fn listing(&self) -> Session {
        let plugin = self.registry.plugin(&self.id).unwrap();
        self.broker.listing(&plugin.manifest, &plugin.digest)
    }

    pub(crate) async fn step(&self, tool: &str, arguments: &str) -> Result<ToolStep, CallError> {
        let session = self.session(tool).await;
        let events = Arc::clone(&self.heard) as Arc<dyn Events>;
        let call =
            self.registry
                .call_tool(&self.id, session, tool, arguments.to_owned(), None, events);
        tokio::time::timeout(PATIENCE, call)
            .await
            .expect("the call did not end")
    }

    /// The text of the answer.
    pub(crate) async fn call(&self, tool: &str, arguments: &str) -> Result<String, CallError> {
        Ok(text(self.step(tool, arguments).await?))
    }

    /// The plugin still answers, from a fresh instance.
    pub(crate) async fn answers(&self) {
        let answer = self.call("echo", r#"{"text":"still here"}"#).await;
        assert_eq!(answer.as_deref(), Ok("still here"));
    }
}

pub(crate) fn text(step: ToolStep) -> String {
    let ToolStep::Done(output) = step else {
        panic!("a question instead of an answer: {step:?}")
    };
    match output.content.into_iter().next() {
        Some(Block::Text(text)) => text.text,
        other => panic!("no text: {other:?}"),
    }
}

/// All that a call said besides its answer.
#[derive(Default)]
pub(crate) struct Heard(Mutex<Vec<String>>);

impl Heard {
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    fn add(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

impl Events for Heard {
    fn log(&self, level: Level, message: &str) {
        self.add(format!("{level:?} {message}"));
    }

    fn progress(&self, done: f64, _: Option<f64>, message: Option<&str>) {
        self.add(format!("progress {done} {}", message.unwrap_or_default()));
    }

    fn changed(&self, which: CatalogPart) {
        self.add(format!("changed {which:?}"));
    }

    fn resource_updated(&self, uri: &str) {
        self.add(format!("updated {uri}"));
    }

    fn cancelled(&self) -> bool {
        false
    }
}
