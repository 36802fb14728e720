//! One load for everybody who waits, on a thread that may block: read, check, compile or take from the cache, link.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ensemble_model::{Digest, PluginId};
use tokio::sync::{OnceCell, watch};
use wasmtime::component::{Component, InstancePre};
use wasmtime::wasmparser::{Validator, WasmFeatures};

use super::check;
use crate::call::CallState;
use crate::engine::Runtime;
use crate::exports::Exports;
use crate::imports;
use crate::plugin::Plugin;

/// Why a component is not loaded. Each text is one sentence for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// No plugin of that id is registered.
    #[error("There is no plugin {0} here.")]
    Unknown(PluginId),
    /// Its file cannot be read.
    #[error("The component of the plugin {plugin} cannot be read ({reason}): install it again.")]
    Unreadable {
        /// Which plugin.
        plugin: PluginId,
        /// What the system said, without a path.
        reason: String,
    },
    /// Its file is larger than any component may be.
    #[error(
        "The component of the plugin {plugin} has more than {} MiB, which is the most a component may have.",
        limit >> 20
    )]
    TooLarge {
        /// Which plugin.
        plugin: PluginId,
        /// The most, in bytes.
        limit: usize,
    },
    /// Its bytes are not those that were approved.
    #[error(
        "The component of the plugin {plugin} is not the one that was approved (it should have the digest {expected} and has {actual}): install it again."
    )]
    Digest {
        /// Which plugin.
        plugin: PluginId,
        /// As approved.
        expected: Digest,
        /// As found.
        actual: Digest,
    },
    /// Its bytes are no component.
    #[error("The file of the plugin {plugin} is not a WebAssembly component ({reason}).")]
    NotAComponent {
        /// Which plugin.
        plugin: PluginId,
        /// Where it breaks off, or what it is instead.
        reason: String,
    },
    /// It needs a feature or more room than a guest gets.
    #[error("The plugin {plugin} needs more than this host gives a component: {reason}.")]
    TooDemanding {
        /// Which plugin.
        plugin: PluginId,
        /// What it needs, and the limit where there is one.
        reason: String,
    },
    /// It imports a part of WASI that is never given.
    #[error(
        "The plugin {plugin} imports {import}: no plugin is given the computer's files or network."
    )]
    NeverLinked {
        /// Which plugin.
        plugin: PluginId,
        /// The import's name.
        import: String,
    },
    /// It imports what its manifest does not declare.
    #[error(
        "The plugin {plugin} imports {import}, which its plugin.toml does not declare: only what is declared is given."
    )]
    Undeclared {
        /// Which plugin.
        plugin: PluginId,
        /// The import's name.
        import: String,
    },
    /// It imports what this host does not know, or another version of it.
    #[error("The plugin {plugin} wants {wanted}, this host gives {given}.")]
    WrongVersion {
        /// Which plugin.
        plugin: PluginId,
        /// The import or export as the component names it.
        wanted: String,
        /// The version that is given, or `nothing of that name`.
        given: String,
    },
    /// It needs what a later host will give.
    #[error(
        "The plugin {plugin} needs {interface}, which this version of the host does not offer yet."
    )]
    NotOffered {
        /// Which plugin.
        plugin: PluginId,
        /// The interface's name.
        interface: String,
    },
    /// It imports what the person did not grant; of what the host itself answers, the broker says so in the call.
    #[error("The plugin {plugin} imports {import}, which you did not grant it.")]
    NotGranted {
        /// Which plugin.
        plugin: PluginId,
        /// The import as the component names it.
        import: String,
    },
    /// It offers nothing.
    #[error(
        "The plugin {plugin} exports none of ensemble:tools/tools, ensemble:tools/resources and ensemble:tools/prompts, so there is nothing to call."
    )]
    NoExports {
        /// Which plugin.
        plugin: PluginId,
    },
    /// Its functions do not fit those of the contract.
    #[error("The plugin {plugin} does not fit this host's contract: {reason}.")]
    Unfit {
        /// Which plugin.
        plugin: PluginId,
        /// Where it differs.
        reason: String,
    },
    /// It was installed, and nobody has compared yet what it offers with what was approved.
    #[error("The plugin {plugin} has not said yet what it offers: try again in a moment.")]
    NotCompared {
        /// Which plugin.
        plugin: PluginId,
    },
    /// It offers something else than what was approved.
    #[error(
        "The plugin {plugin} offers something else than what was approved ({differs}): it is not offered until it is approved again, with `ensemble plugin approve {plugin}`."
    )]
    OtherSurface {
        /// Which plugin.
        plugin: PluginId,
        /// The first thing that is otherwise, and how many more there are.
        differs: String,
    },
    /// It does not say what it offers.
    #[error("The plugin {plugin} does not say what it offers: {reason}")]
    Unlistable {
        /// Which plugin.
        plugin: PluginId,
        /// One sentence.
        reason: String,
    },
    /// Loading broke off.
    #[error("The plugin {plugin} could not be loaded: loading broke off. Start the bridge again.")]
    BrokeOff {
        /// Which plugin.
        plugin: PluginId,
    },
}

/// What is known of a loaded component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedFacts {
    /// The names of its imports with their versions, in the component's order.
    pub imports: Vec<String>,
    /// The names of its exports with their versions, in the component's order.
    pub exports: Vec<String>,
    /// Whether its compiled code came from the cache.
    pub from_cache: bool,
    /// How long reading, checking and compiling took.
    pub took: Duration,
}

/// How far a component is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadState {
    /// Nobody wanted it yet.
    NotLoaded,
    /// Under way.
    Loading,
    /// It can be called.
    Loaded(LoadedFacts),
    /// It never will be; one sentence says why.
    Refused(String),
}

/// A component that can be called.
pub(crate) struct Loaded {
    pub(crate) plugin: PluginId,
    pub(crate) pre: InstancePre<CallState>,
    pub(crate) exports: Exports,
    facts: LoadedFacts,
}

enum State {
    NotLoaded,
    Loading,
    Loaded(Arc<Loaded>),
    Refused(LoadError),
}

/// One plugin and how far its component is.
pub(crate) struct Slot {
    plugin: Arc<Plugin>,
    state: watch::Sender<State>,
    /// Whether it offers what was approved; asked of installed ones alone.
    pub(super) compared: OnceCell<Result<(), LoadError>>,
}

impl Slot {
    pub(crate) fn new(plugin: Plugin) -> Self {
        Self {
            plugin: Arc::new(plugin),
            state: watch::Sender::new(State::NotLoaded),
            compared: OnceCell::new(),
        }
    }

    /// Whether it will never be called: it was refused, or offers something else than what was approved.
    pub(super) fn is_refused(&self) -> bool {
        matches!(&*self.state.borrow(), State::Refused(_))
            || matches!(self.compared.get(), Some(Err(_)))
    }

    pub(crate) fn plugin(&self) -> &Plugin {
        &self.plugin
    }

    pub(crate) fn state(&self) -> LoadState {
        match &*self.state.borrow() {
            State::NotLoaded => LoadState::NotLoaded,
            State::Loading => LoadState::Loading,
            State::Loaded(loaded) => LoadState::Loaded(loaded.facts.clone()),
            State::Refused(error) => LoadState::Refused(error.to_string()),
        }
    }

    pub(crate) async fn load(&self, runtime: &Runtime) -> Result<Arc<Loaded>, LoadError> {
        let mut watched = self.state.subscribe();
        loop {
            let begun = self.state.send_if_modified(|state| {
                let first = matches!(state, State::NotLoaded);
                if first {
                    *state = State::Loading;
                }
                first
            });
            if begun {
                self.begin(runtime);
            }
            // the sender lives in self, so waiting cannot fail
            let Ok(state) = watched.wait_for(|s| !matches!(s, State::Loading)).await else {
                continue;
            };
            match &*state {
                State::Loaded(loaded) => return Ok(Arc::clone(loaded)),
                State::Refused(error) => return Err(error.clone()),
                // whoever loaded it was shut down before it began: this caller begins again
                State::NotLoaded | State::Loading => {}
            }
        }
    }

    fn begin(&self, runtime: &Runtime) {
        let outcome = Outcome {
            plugin: Arc::clone(&self.plugin),
            state: self.state.clone(),
            running: false,
        };
        let runtime = runtime.clone();
        drop(tokio::task::spawn_blocking(move || outcome.run(&runtime)));
    }
}

/// Publishes what became of a load, also when it panics or never gets to run.
struct Outcome {
    plugin: Arc<Plugin>,
    state: watch::Sender<State>,
    running: bool,
}

impl Outcome {
    fn run(mut self, runtime: &Runtime) {
        self.running = true;
        let state = match prepare(runtime, &self.plugin) {
            Ok(loaded) => State::Loaded(Arc::new(loaded)),
            Err(error) => {
                tracing::warn!(plugin = %self.plugin.manifest.id, "{error}");
                State::Refused(error)
            }
        };
        self.state.send_replace(state);
    }
}

impl Drop for Outcome {
    fn drop(&mut self) {
        let left = if self.running {
            State::Refused(LoadError::BrokeOff {
                plugin: self.plugin.manifest.id.clone(),
            })
        } else {
            State::NotLoaded
        };
        self.state.send_if_modified(|state| {
            let open = matches!(state, State::Loading);
            if open {
                *state = left;
            }
            open
        });
    }
}

fn prepare(runtime: &Runtime, plugin: &Plugin) -> Result<Loaded, LoadError> {
    let started = Instant::now();
    let id = &plugin.manifest.id;
    let checked = check::component(plugin)?;
    let (component, from_cache) = match runtime.cache().take(runtime.engine(), &plugin.digest) {
        Some(component) => (component, true),
        None => (compile(runtime, plugin, &checked.bytes)?, false),
    };
    let linker = imports::linker(runtime.engine(), &plugin.manifest).map_err(|e| unfit(id, &e))?;
    let pre = linker
        .instantiate_pre(&component)
        .map_err(|e| unfit(id, &e))?;
    let exports = Exports::find(&pre, &checked.exports).map_err(|e| unfit(id, &e))?;
    Ok(Loaded {
        plugin: id.clone(),
        pre,
        exports,
        facts: LoadedFacts {
            imports: checked.imports,
            exports: checked.exports,
            from_cache,
            took: started.elapsed(),
        },
    })
}

fn compile(runtime: &Runtime, plugin: &Plugin, bytes: &[u8]) -> Result<Component, LoadError> {
    let component = Component::from_binary(runtime.engine(), bytes).map_err(|e| {
        let plugin = plugin.manifest.id.clone();
        let reason = check::short(&e.root_cause().to_string());
        // what is valid WebAssembly is refused for what it wants, and not for being damaged
        if Validator::new_with_features(WasmFeatures::all())
            .validate_all(bytes)
            .is_ok()
        {
            LoadError::TooDemanding { plugin, reason }
        } else {
            LoadError::NotAComponent { plugin, reason }
        }
    })?;
    runtime.cache().keep(&plugin.digest, &component);
    Ok(component)
}

fn unfit(plugin: &PluginId, error: &wasmtime::Error) -> LoadError {
    LoadError::Unfit {
        plugin: plugin.clone(),
        reason: check::short(&format!("{error:#}")),
    }
}
