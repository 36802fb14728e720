//! What all connections share: the broker, the views of the catalog, the component registry, and what is known of the key.
//!
//! The hub is asked once at the start who is calling, and nobody waits for it but the first list, and that one briefly. An
//! unknown key sees what needs no grant; as soon as the answer is there, or changes, every client is told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ensemble_broker::{Broker, Fault};
use ensemble_catalog::{Catalog, View};
use ensemble_model::{KeyGrants, Origin, PluginId, Principal};
use ensemble_runtime::Registry;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use crate::lists::Lists;
use crate::seal::{Seal, SealKey};
use crate::updates::Updates;

/// How long after the hub was asked a `tools/list` still waits to know the key. A hub that is well answers in milliseconds, so clients that never
/// read the list again still get the whole of it; the clients with the least patience give up after 1.5 s.
pub const FIRST_ANSWER: Duration = Duration::from_millis(750);

/// Who the server says it is.
#[derive(Debug, Clone)]
pub struct BridgeConfig {
    /// The server's name, as in `mcp__NAME__tool`.
    pub name: String,
    /// The program's version.
    pub version: String,
    /// Two or three sentences for the model; empty for none.
    pub instructions: String,
    /// Seals what a plugin keeps while it asks; new for each process, or the same where several serve one client.
    pub seal: SealKey,
}

/// The bridge: one for the process, shared by its connections. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Bridge {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    broker: Broker,
    registry: Registry,
    config: BridgeConfig,
    views: Arc<Views>,
    updates: Updates,
    lists: Lists,
    seal: Seal,
    /// When the hub was first asked.
    begun: OnceLock<Instant>,
    asking: AtomicBool,
    /// Whether the hub was asked at all and answered, one way or the other.
    settled: watch::Sender<bool>,
    /// One component is loaded at a time, so that the calls have the other core.
    loading: Arc<Mutex<()>>,
}

/// The view of each set of grants, made once.
#[derive(Debug)]
struct Views {
    none: Arc<View>,
    changes: Arc<View>,
    apps: Arc<View>,
    all: Arc<View>,
}

impl Views {
    fn of(&self, grants: KeyGrants) -> &Arc<View> {
        match (grants.changes, grants.apps) {
            (false, false) => &self.none,
            (true, false) => &self.changes,
            (false, true) => &self.apps,
            (true, true) => &self.all,
        }
    }
}

impl Bridge {
    /// A bridge that has asked nobody anything yet.
    pub fn new(
        broker: Broker,
        catalog: &Catalog,
        registry: Registry,
        config: BridgeConfig,
    ) -> Self {
        let view = |changes, apps| Arc::new(catalog.view(KeyGrants { changes, apps }));
        let views = Views {
            none: view(false, false),
            changes: view(true, false),
            apps: view(false, true),
            all: view(true, true),
        };
        Self::of(broker, registry, config, Arc::new(views), Arc::default())
    }

    /// A bridge for another key, over the same plugins.
    #[must_use]
    pub fn for_key(&self, broker: Broker) -> Self {
        let shared = &self.inner;
        Self::of(
            broker,
            shared.registry.clone(),
            shared.config.clone(),
            Arc::clone(&shared.views),
            Arc::clone(&shared.loading),
        )
    }

    fn of(
        broker: Broker,
        registry: Registry,
        config: BridgeConfig,
        views: Arc<Views>,
        loading: Arc<Mutex<()>>,
    ) -> Self {
        let (settled, _) = watch::channel(false);
        Self {
            inner: Arc::new(Inner {
                updates: Updates::new(broker.clone()),
                lists: Lists::new(),
                seal: Seal::new(&config.seal),
                broker,
                registry,
                config,
                views,
                begun: OnceLock::new(),
                asking: AtomicBool::new(false),
                settled,
                loading,
            }),
        }
    }

    /// Asks the hub who is calling, in the background. Only the first call does anything.
    pub fn begin(&self) {
        let mut first = false;
        self.inner.begun.get_or_init(|| {
            first = true;
            Instant::now()
        });
        if first {
            self.ask();
        }
    }

    pub(crate) fn broker(&self) -> &Broker {
        &self.inner.broker
    }

    /// Who is told that a resource reads otherwise now.
    pub(crate) fn updates(&self) -> &Updates {
        &self.inner.updates
    }

    /// Where plugins say that a list of theirs has changed.
    pub(crate) fn lists_changed(&self) -> &Lists {
        &self.inner.lists
    }

    /// Seals the state of calls that ask.
    pub(crate) fn seal(&self) -> &Seal {
        &self.inner.seal
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.inner.registry
    }

    pub(crate) fn config(&self) -> &BridgeConfig {
        &self.inner.config
    }

    /// What the key may do, as far as that is known.
    pub(crate) fn grants(&self) -> KeyGrants {
        grants(self.inner.broker.watch().borrow().as_ref())
    }

    /// What a caller with these grants sees.
    pub(crate) fn view_of(&self, grants: KeyGrants) -> &Arc<View> {
        self.inner.views.of(grants)
    }

    /// What the caller sees now.
    pub(crate) fn view(&self) -> &Arc<View> {
        self.view_of(self.grants())
    }

    /// What a caller could see with every grant.
    pub(crate) fn widest(&self) -> &Arc<View> {
        &self.inner.views.all
    }

    /// Follows what the key may do.
    pub(crate) fn watch(&self) -> watch::Receiver<Option<Principal>> {
        self.inner.broker.watch()
    }

    /// Waits until the hub has answered for the first time, but not longer than [`FIRST_ANSWER`] after it was asked. Where the key is still
    /// unknown after that, it is asked about again without anybody waiting.
    pub(crate) async fn first_answer(&self) {
        let mut settled = self.inner.settled.subscribe();
        let answered = settled.wait_for(|settled| *settled);
        let begun = self.inner.begun.get().copied();
        let latest = begun.unwrap_or_else(Instant::now) + FIRST_ANSWER;
        let in_time = tokio::time::timeout_at(latest, answered).await;
        if matches!(in_time, Ok(Ok(_))) && self.watch().borrow().is_none() {
            self.ask();
        }
    }

    /// Who is calling, with the wait that it takes.
    pub(crate) async fn principal(&self) -> Result<Principal, Fault> {
        self.inner.broker.principal().await
    }

    /// Asks who is calling in the background, if what is known is doubtful; at most one question is under way.
    pub(crate) fn ask(&self) {
        if self.inner.asking.swap(true, Ordering::AcqRel) {
            return;
        }
        let bridge = self.clone();
        tokio::spawn(async move {
            if let Err(fault) = bridge.principal().await {
                tracing::warn!("{fault}");
            }
            bridge.inner.asking.store(false, Ordering::Release);
            bridge.inner.settled.send_replace(true);
        });
    }

    /// Loads a plugin and, where a person installed it, has it compared with what was approved. A refusal is remembered, and
    /// is what a call then answers.
    pub(crate) async fn ready(&self, id: &PluginId) {
        let registry = self.registry();
        if registry.load(id).await.is_err() {
            return;
        }
        if let Some(plugin) = registry.plugin(id)
            && plugin.origin == Origin::Installed
        {
            let broker = &self.inner.broker;
            let listing = || broker.listing(&plugin.manifest, &plugin.digest);
            // the refusal is in the log already, and in every answer that needs the plugin
            drop(registry.compare(id, listing).await);
        }
    }

    /// Has the installed plugins of a view compared, before anything of them is listed.
    pub(crate) async fn compared(&self, view: &View) {
        for id in view.plugins() {
            if self.is_installed(id) {
                self.ready(id).await;
            }
        }
    }

    /// Whether anything of a plugin is listed: what is installed is, once it offers what was approved. One of this program is
    /// listed in any case, and says why it cannot be called.
    pub(crate) fn lists(&self, id: &PluginId) -> bool {
        !self.is_installed(id) || !self.registry().is_refused(id)
    }

    fn is_installed(&self, id: &PluginId) -> bool {
        let plugin = self.registry().plugin(id);
        plugin.is_some_and(|plugin| plugin.origin == Origin::Installed)
    }

    /// Loads the plugins that the caller sees, one after the other. What is refused says so when it is called.
    pub async fn load_visible(&self) {
        let _one_at_a_time = self.inner.loading.lock().await;
        let view = Arc::clone(self.view());
        for plugin in view.plugins() {
            if let Err(refusal) = self.inner.registry.load(plugin).await {
                tracing::warn!("{refusal}");
            }
        }
    }
}

/// An unknown key may do what every key may.
pub(crate) fn grants(principal: Option<&Principal>) -> KeyGrants {
    principal.map(|p| p.grants).unwrap_or_default()
}
