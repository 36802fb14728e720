//! The component registry: the plugins by id, in the order in which they were given. A component is loaded once, when it
//! is first wanted; everybody who wants it meanwhile waits for the same load, and a refusal is remembered.

mod check;
mod inspected;
mod load;
mod prompts;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use ensemble_broker::Session;
use ensemble_model::{Origin, PluginId, Surface};

use crate::call::{self, CallError};
use crate::engine::Runtime;
use crate::events::Events;
use crate::imports;
use crate::offer::{Embedded, Resumption, ToolStep};
use crate::plugin::Plugin;

pub use inspected::Inspected;
pub(crate) use load::Loaded;
use load::Slot;
pub use load::{LoadError, LoadState, LoadedFacts};

/// Why a set of plugins is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// One id twice.
    #[error("Two plugins have the id {0}: remove one of them.")]
    Duplicate(PluginId),
}

/// The component registry. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    inner: Arc<Inner>,
}

struct Inner {
    runtime: Runtime,
    slots: Vec<Slot>,
    by_id: HashMap<PluginId, usize>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.plugins().map(|plugin| plugin.manifest.id.as_str()))
            .finish()
    }
}

impl Registry {
    /// A registry in which nothing is loaded yet.
    ///
    /// # Errors
    /// When two plugins have the same id.
    pub fn new(runtime: Runtime, plugins: Vec<Plugin>) -> Result<Self, RegistryError> {
        let mut by_id = HashMap::with_capacity(plugins.len());
        for (at, plugin) in plugins.iter().enumerate() {
            if by_id.insert(plugin.manifest.id.clone(), at).is_some() {
                return Err(RegistryError::Duplicate(plugin.manifest.id.clone()));
            }
        }
        let slots = plugins.into_iter().map(Slot::new).collect();
        Ok(Self {
            inner: Arc::new(Inner {
                runtime,
                slots,
                by_id,
            }),
        })
    }

    /// The plugins, in the order in which they were given.
    pub fn plugins(&self) -> impl Iterator<Item = &Plugin> {
        self.inner.slots.iter().map(Slot::plugin)
    }

    /// The plugin of that id.
    pub fn plugin(&self, id: &PluginId) -> Option<&Plugin> {
        self.slot(id).ok().map(Slot::plugin)
    }

    /// Whether it is loaded; [`LoadState::NotLoaded`] for an id that is not there.
    pub fn state(&self, id: &PluginId) -> LoadState {
        self.slot(id).map_or(LoadState::NotLoaded, Slot::state)
    }

    /// Loads a component and returns when it can be called. Loading goes on when the caller gives up.
    ///
    /// # Errors
    /// Why it is refused; the same each time.
    pub async fn load(&self, id: &PluginId) -> Result<(), LoadError> {
        self.loaded(id).await.map(|_| ())
    }

    /// Reads the component, checks its size, digest and imports, and compiles nothing. It reads a file: not for a thread
    /// that serves others.
    ///
    /// # Errors
    /// Why it would be refused.
    pub fn inspect(&self, id: &PluginId) -> Result<Inspected, LoadError> {
        let plugin = self.slot(id)?.plugin();
        let checked = check::component(plugin)?;
        Ok(Inspected {
            imports: checked.imports,
            exports: checked.exports,
            linked: imports::linked(&plugin.manifest),
            compiled: self.inner.runtime.cache().has(&plugin.digest),
        })
    }

    /// Loads an installed component and compares what it offers with what was approved, once; until then none of its tools can be called.
    /// What is built with this program was compared when it was tested, and is not asked.
    ///
    /// # Errors
    /// [`LoadError::OtherSurface`] where it offers something else, or why it does not say; the same each time.
    pub async fn compare(
        &self,
        id: &PluginId,
        listing: impl FnOnce() -> Session,
    ) -> Result<(), LoadError> {
        let slot = self.slot(id)?;
        let plugin = slot.plugin();
        if plugin.origin == Origin::BuiltIn {
            return Ok(());
        }
        let compare = || async {
            // the time of a session runs from its making, and loading is no part of it
            self.load(id).await?;
            let outcome = match self.surface(id, listing()).await {
                Ok(offered) => same(plugin, &offered),
                Err(CallError::Refused(refused)) => Err(refused),
                Err(error) => Err(LoadError::Unlistable {
                    plugin: id.clone(),
                    reason: error.to_string(),
                }),
            };
            if let Err(refusal) = &outcome {
                tracing::warn!(plugin = %id, "{refusal}");
            }
            outcome
        };
        slot.compared.get_or_init(compare).await.clone()
    }

    /// Whether a plugin will never be called: refused, or otherwise than approved. An id that is not here is.
    pub fn is_refused(&self, id: &PluginId) -> bool {
        self.slot(id).map_or(true, Slot::is_refused)
    }

    /// Calls a tool in a fresh instance. Dropping the future ends the call and the hub request that it waits for.
    ///
    /// `arguments` is a JSON object. A pause comes back with its answers in `resumed`.
    ///
    /// # Errors
    /// What the component answered instead, or why it did not run to its end.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is of its own kind, and a struct for one caller would only rename them"
    )]
    pub async fn call_tool(
        &self,
        id: &PluginId,
        session: Session,
        name: &str,
        arguments: String,
        resumed: Option<Resumption>,
        events: Arc<dyn Events>,
    ) -> Result<ToolStep, CallError> {
        let session = Arc::new(session);
        let work = async {
            let loaded = self.callable(id).await?;
            let mut live = self.start(&loaded, &session, events).await?;
            live.call_tool(name, &arguments, resumed).await
        };
        call::concluded(id, &session, self.inner.runtime.lane(), work).await
    }

    /// Reads a resource in a fresh instance.
    ///
    /// # Errors
    /// As [`Registry::call_tool`].
    pub async fn read_resource(
        &self,
        id: &PluginId,
        session: Session,
        uri: &str,
        events: Arc<dyn Events>,
    ) -> Result<Vec<Embedded>, CallError> {
        let session = Arc::new(session);
        let work = async {
            let loaded = self.callable(id).await?;
            let mut live = self.start(&loaded, &session, events).await?;
            live.read_resource(uri).await
        };
        call::concluded(id, &session, self.inner.runtime.lane(), work).await
    }

    /// What the component itself lists: tools, resources, templates and prompts. The approved surface is [`Plugin::surface`].
    ///
    /// # Errors
    /// As [`Registry::call_tool`].
    pub async fn surface(&self, id: &PluginId, session: Session) -> Result<Surface, CallError> {
        let session = Arc::new(session);
        let work = async {
            let loaded = self.loaded(id).await?;
            let events = Arc::new(crate::events::NoEvents);
            let mut live = self.start(&loaded, &session, events).await?;
            live.surface().await
        };
        call::concluded(id, &session, self.inner.runtime.lane(), work).await
    }

    async fn start<'a>(
        &'a self,
        loaded: &'a Loaded,
        session: &Arc<Session>,
        events: Arc<dyn Events>,
    ) -> Result<call::Live<'a>, CallError> {
        call::Live::start(&self.inner.runtime, loaded, Arc::clone(session), events).await
    }

    async fn loaded(&self, id: &PluginId) -> Result<Arc<Loaded>, LoadError> {
        self.slot(id)?.load(&self.inner.runtime).await
    }

    /// Loaded, and as approved.
    async fn callable(&self, id: &PluginId) -> Result<Arc<Loaded>, LoadError> {
        let slot = self.slot(id)?;
        let loaded = slot.load(&self.inner.runtime).await?;
        match (slot.plugin().origin, slot.compared.get()) {
            (Origin::BuiltIn, _) | (Origin::Installed, Some(Ok(()))) => Ok(loaded),
            (Origin::Installed, Some(Err(refusal))) => Err(refusal.clone()),
            (Origin::Installed, None) => Err(LoadError::NotCompared { plugin: id.clone() }),
        }
    }

    fn slot(&self, id: &PluginId) -> Result<&Slot, LoadError> {
        self.inner
            .by_id
            .get(id)
            .and_then(|at| self.inner.slots.get(*at))
            .ok_or_else(|| LoadError::Unknown(id.clone()))
    }
}

/// Whether a component offers what was approved; the first difference stands in the sentence.
fn same(plugin: &Plugin, offered: &Surface) -> Result<(), LoadError> {
    let differences = plugin.surface.differences(offered);
    let Some(first) = differences.first() else {
        return Ok(());
    };
    let more = match differences.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Err(LoadError::OtherSurface {
        plugin: plugin.manifest.id.clone(),
        differs: format!("{}{more}", check::short(&first.to_string())),
    })
}
