//! The host put together as for an editor, with the hostile plugins installed in it, and the loopback hub behind it.

use std::sync::{Arc, Mutex, PoisonError};

use ensemble_broker::{Broker, Deps, Granted, OpenCall, Session};
use ensemble_catalog::{Catalog, Entry};
use ensemble_mcp::{Bridge, BridgeConfig};
use ensemble_model::{Digest, Manifest, PluginId, Surface};
use ensemble_runtime::offer::{Block, Output, ToolStep};
use ensemble_runtime::{
    Bytes, CacheConfig, CallError, CatalogPart, Events, Level, NoEvents, Origin, Plugin, Registry,
    Runtime, RuntimeConfig,
};
use serde_json::Value;

use crate::attack::Kit;
use crate::attacks::files::{self, Broken};
use crate::attacks::lists;
use crate::guests::{KIT, Probe, Text};
use crate::hub::{Hub, ROUTES, SPACE};
use crate::secret::Watch;
use crate::{Host, SetupError};

/// The well-behaved plugin.
const NEIGHBOUR: &str = "neighbour";

/// The host under attack. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) host: Host,
    pub(crate) hub: Hub,
    pub(crate) watch: Watch,
    pub(crate) runtime: Runtime,
    pub(crate) registry: Registry,
    pub(crate) bridge: Bridge,
    broker: Broker,
    heard: Arc<Heard>,
}

impl Stage {
    pub(crate) async fn set(host: Host) -> Result<Self, SetupError> {
        if KIT.is_empty() {
            return Err(SetupError::NoGuests);
        }
        let hub = Hub::start().await?;
        let watch = Watch::new(host.canary.clone());
        let broker = Broker::new(Deps {
            hub: (host.connect)(&hub.address, watch.canary()),
            repository: None,
            folder: None,
            log: Arc::clone(&host.log),
            clock: Arc::clone(&host.clock),
            time_zone: "UTC".to_owned(),
        });
        let runtime = Runtime::new(RuntimeConfig {
            cache: Some(CacheConfig {
                directory: host.folder.join("components"),
                key: [7; 32],
            }),
            ..RuntimeConfig::default()
        })?;
        let registry = Registry::new(runtime.clone(), plugins(&host)?)?;
        let catalog = lists::promising()
            .and_then(|entry| Catalog::new(vec![entry]).map_err(|e| e.to_string()))
            .map_err(SetupError::Kit)?;
        let config = BridgeConfig {
            name: "ensemble".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: String::new(),
            seal: [7; 32].into(),
        };
        let bridge = Bridge::new(broker.clone(), &catalog, registry.clone(), config);
        let inner = Arc::new(Inner {
            host,
            hub,
            watch,
            runtime,
            registry,
            bridge,
            broker,
            heard: Arc::default(),
        });
        Ok(Self { inner })
    }

    /// A session of that plugin, bound to [`SPACE`].
    pub(crate) async fn session(&self, plugin: &Plugin, tool: &str) -> Result<Session, CallError> {
        let manifest = &plugin.manifest;
        let call = OpenCall {
            manifest,
            granted: &plugin.granted,
            digest: &plugin.digest,
            tool,
            space: Some(SPACE),
            limits: plugin.granted.limits(manifest),
        };
        Ok(self.inner.broker.open(call).await?)
    }

    /// Calls a tool of an installed plugin, and looks through what comes of it for the key.
    pub(crate) async fn call(
        &self,
        plugin: &str,
        tool: &str,
        arguments: String,
    ) -> Result<ToolStep, CallError> {
        let registry = &self.inner.registry;
        self.call_in(registry, plugin, tool, arguments).await
    }

    /// As [`Stage::call`], in another component registry.
    pub(crate) async fn call_in(
        &self,
        registry: &Registry,
        plugin: &str,
        tool: &str,
        arguments: String,
    ) -> Result<ToolStep, CallError> {
        let events = Arc::clone(&self.inner.heard) as Arc<dyn Events>;
        let ended = self.called(registry, plugin, tool, arguments, events).await;
        self.look("an answer or error", &format!("{ended:?}"));
        ended
    }

    async fn called(
        &self,
        registry: &Registry,
        plugin: &str,
        tool: &str,
        arguments: String,
        events: Arc<dyn Events>,
    ) -> Result<ToolStep, CallError> {
        let plugin = installed(registry, plugin)?;
        let id = &plugin.manifest.id;
        // before the call's own time runs, as for an editor
        registry.load(id).await?;
        let session = self.session(plugin, tool).await?;
        registry
            .call_tool(id, session, tool, arguments, None, events)
            .await
    }

    /// Looks through a text that somebody was told, for the key.
    pub(crate) fn look(&self, place: &str, text: &str) {
        self.inner.watch.look(place, text);
    }

    /// What the guests said besides their answers since this was last asked: how many bytes, and the last line.
    pub(crate) fn said(&self) -> Option<String> {
        let said = std::mem::take(
            &mut *self
                .inner
                .heard
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        for line in &said {
            self.look("a line of a plugin's log", line);
        }
        let bytes: usize = said.iter().map(String::len).sum();
        let last = said.last()?;
        Some(format!(
            "its log has {} bytes, last: {}",
            bytes,
            phrase(last)
        ))
    }

    /// A well-behaved call: `None` when it was answered as it should be.
    pub(crate) async fn neighbour(&self) -> Option<String> {
        let arguments = r#"{"text":"still here"}"#.to_owned();
        let (registry, events) = (&self.inner.registry, Arc::new(NoEvents));
        let ended = self
            .called(registry, NEIGHBOUR, Probe::Echo.name(), arguments, events)
            .await;
        let ended = told(&ended);
        (ended != "answered: still here").then_some(ended)
    }
}

/// The plugin of that id.
pub(crate) fn installed<'a>(registry: &'a Registry, id: &str) -> Result<&'a Plugin, CallError> {
    let found = id
        .parse()
        .ok()
        .and_then(|id: PluginId| registry.plugin(&id));
    found.ok_or_else(|| {
        CallError::Guest(ensemble_broker::Fault::NotFound(format!(
            "The self-test has no plugin {id}."
        )))
    })
}

fn plugins(host: &Host) -> Result<Vec<Plugin>, SetupError> {
    let mut plugins = vec![plugin(
        &manifest(NEIGHBOUR, "")?,
        Bytes::Static(KIT),
        Digest::of(KIT),
    )];
    for kit in Kit::ALL {
        let manifest = manifest(kit.id(), kit.limits())?;
        plugins.push(plugin(&manifest, Bytes::Static(KIT), Digest::of(KIT)));
    }
    for text in Text::ALL {
        let limits = crate::attacks::texts::limits(text);
        let bytes = text.bytes();
        let manifest = manifest(&text.id(), limits)?;
        plugins.push(plugin(&manifest, Bytes::Static(bytes), Digest::of(bytes)));
    }
    for broken in Broken::ALL {
        let (bytes, digest) = files::write(broken, &host.folder)?;
        plugins.push(plugin(&manifest(broken.id(), "")?, bytes, digest));
    }
    Ok(plugins)
}

/// A plugin that reads the hub on the kit's routes.
pub(crate) fn manifest(id: &str, limits: &str) -> Result<Manifest, SetupError> {
    let routes = ROUTES.map(|path| {
        format!("[[routes]]\nmethod = \"GET\"\npath = \"{path}\"\nreason = \"it is tried\"\n")
    });
    let routes = routes.concat();
    let text = format!(
        "id = \"{id}\"\nversion = \"0.1.0\"\ngroup = \"self-test\"\ntitle = \"Self-test\"\n\
         description = \"A guest of the self-test.\"\nworld = \"reader\"\ngrant = \"read\"\nspace = true\n\
         [[imports]]\ninterface = \"ensemble:hub/read\"\nreason = \"it is tried\"\n{routes}[limits]\n{limits}\n"
    );
    Manifest::parse(&text).map_err(|error| SetupError::Kit(error.to_string()))
}

/// That plugin, with all that it declares granted.
pub(crate) fn plugin(manifest: &Manifest, bytes: Bytes, digest: Digest) -> Plugin {
    Plugin {
        granted: Granted::everything(manifest),
        manifest: manifest.clone(),
        surface: Surface::default(),
        digest,
        bytes,
        origin: Origin::BuiltIn,
    }
}

/// The kit with a surface, for a catalog.
pub(crate) fn entry(id: &str, surface: Surface) -> Result<Entry, String> {
    let manifest = manifest(id, "").map_err(|error| error.to_string())?;
    Ok(Entry {
        manifest,
        surface,
        origin: Origin::BuiltIn,
    })
}

/// What came of a call, as a person reads it.
pub(crate) fn told(ended: &Result<ToolStep, CallError>) -> String {
    match ended {
        Ok(ToolStep::Done(output)) => format!("answered: {}", phrase(&text(output))),
        Ok(ToolStep::Ask(pause)) => format!("asked {} question", pause.questions.len()),
        Err(error) => format!("refused: {error}"),
    }
}

/// The text of an answer.
pub(crate) fn text(output: &Output) -> String {
    match output.content.first() {
        Some(Block::Text(text)) => text.text.clone(),
        Some(_) => "something that is no text".to_owned(),
        None => String::new(),
    }
}

/// The beginning of a text, fit for a line of the report.
pub(crate) fn phrase(text: &str) -> String {
    const SHOWN: usize = 240;
    let mut phrase: String = text.chars().take(SHOWN).collect();
    if phrase.len() < text.len() {
        phrase.push('…');
    }
    phrase
}

/// The arguments as text.
pub(crate) fn json(arguments: &Value) -> String {
    arguments.to_string()
}

/// All that the guests said besides their answers.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Heard {
    fn add(&self, line: String) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.push(line);
    }
}

impl Events for Heard {
    fn log(&self, _: Level, message: &str) {
        self.add(message.to_owned());
    }

    fn progress(&self, done: f64, _: Option<f64>, message: Option<&str>) {
        self.add(format!("{done} {}", message.unwrap_or_default()));
    }

    fn changed(&self, _: CatalogPart) {}

    fn resource_updated(&self, uri: &str) {
        self.add(uri.to_owned());
    }

    fn cancelled(&self) -> bool {
        false
    }
}
