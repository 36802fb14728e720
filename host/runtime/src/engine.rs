//! One engine for all components: pooled instances sized from `model::limits`, epochs that tick, and every feature of
//! WebAssembly off that guests do not need, so that a fault in one of them cannot be reached.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use ensemble_model::limits::{
    MAX_CORE_INSTANCES, MAX_GUEST_STACK, MAX_LIVE_CALLS, MAX_MEMORIES, MAX_MEMORY_BYTES,
    MAX_TABLE_ELEMENTS, MAX_TABLES, MAX_WAITING_CALLS,
};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig,
    WasmBacktraceDetails, WasmFeatures,
};

use crate::cache::{Cache, CacheConfig};
use crate::call::Lane;
use crate::gate::Gate;
use crate::imports::{self, Link};
use crate::pulse::{Beat, Pulse};

/// The engine and its track, which gets fixes and no other changes; wasmtime does not say it itself.
const ENGINE: &str = "wasmtime 48";

/// The fiber on which a guest and the host functions that it calls run: the guest's part and as much again and more, so
/// that a host function never meets the end of it.
const FIBER_STACK: usize = MAX_GUEST_STACK + (1536 << 10);

/// What stays resident of a slot that was used: more saves page faults, less saves memory.
const KEEP_MEMORY: usize = 512 << 10;
const KEEP_TABLE: usize = 16 << 10;
const KEEP_STACK: usize = 64 << 10;
const WARM_SLOTS: u32 = 16;

/// What no guest of ours uses. Each is off in the engine itself.
const OFF: [(WasmFeatures, &str); 20] = [
    (WasmFeatures::THREADS, "threads"),
    (
        WasmFeatures::SHARED_EVERYTHING_THREADS,
        "shared-everything-threads",
    ),
    (WasmFeatures::GC, "gc"),
    (WasmFeatures::FUNCTION_REFERENCES, "function-references"),
    (WasmFeatures::EXCEPTIONS, "exceptions"),
    (WasmFeatures::LEGACY_EXCEPTIONS, "legacy-exceptions"),
    (WasmFeatures::STACK_SWITCHING, "stack-switching"),
    (WasmFeatures::MEMORY64, "memory64"),
    (WasmFeatures::TAIL_CALL, "tail-call"),
    (WasmFeatures::RELAXED_SIMD, "relaxed-simd"),
    (WasmFeatures::WIDE_ARITHMETIC, "wide-arithmetic"),
    (WasmFeatures::CUSTOM_PAGE_SIZES, "custom-page-sizes"),
    (WasmFeatures::CM_ASYNC, "component-model-async"),
    (WasmFeatures::CM_THREADING, "component-model-threading"),
    (
        WasmFeatures::CM_ERROR_CONTEXT,
        "component-model-error-context",
    ),
    (WasmFeatures::CM_GC, "component-model-gc"),
    (WasmFeatures::CM64, "component-model-memory64"),
    (WasmFeatures::CM_MAP, "component-model-map"),
    (
        WasmFeatures::CM_FIXED_LENGTH_LISTS,
        "component-model-fixed-length-lists",
    ),
    (WasmFeatures::CM_IMPLEMENTS, "component-model-implements"),
];

/// What a runtime is made from.
#[derive(Debug, Clone)]
pub struct RuntimeConfig {
    /// Where compiled code is kept; `None` compiles at every start.
    pub cache: Option<CacheConfig>,
    /// Instances alive at once; at least one.
    pub max_live: usize,
    /// Calls that may wait for an instance.
    pub max_waiting: usize,
}

impl Default for RuntimeConfig {
    fn default() -> Self {
        Self {
            cache: None,
            max_live: MAX_LIVE_CALLS,
            max_waiting: MAX_WAITING_CALLS,
        }
    }
}

/// Why there is no runtime.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The engine does not start here.
    #[error("The WebAssembly engine cannot start on this computer ({0}).")]
    Engine(String),
    /// The thread that ends overdue calls cannot start.
    #[error("The thread that ends overdue calls cannot start.")]
    Ticker(#[source] std::io::Error),
}

/// What this runtime is, for `ensemble status` and audits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The engine and its version.
    pub engine: String,
    /// Features of WebAssembly that are switched off, by name.
    pub switched_off: Vec<&'static str>,
    /// The interfaces that every component is given, without versions.
    pub linked_always: Vec<&'static str>,
    /// The interfaces that a component is given which declares them.
    pub linked_on_declaration: Vec<&'static str>,
    /// Where compiled code is kept.
    pub cache: Option<PathBuf>,
    /// Instances alive at once.
    pub max_live: usize,
}

/// The engine and what belongs to it. Cheap to clone.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

struct Inner {
    engine: Engine,
    cache: Cache,
    gate: Gate,
    pulse: Pulse,
    lane: Lane,
    max_live: usize,
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime")
            .field("facts", &self.facts())
            .finish()
    }
}

impl Runtime {
    /// Starts the engine and the thread that ticks its epochs while guests live; the thread ends with the last clone.
    ///
    /// # Errors
    /// When this computer cannot run the engine.
    pub fn new(config: RuntimeConfig) -> Result<Self, RuntimeError> {
        let RuntimeConfig {
            cache,
            max_live,
            max_waiting,
        } = config;
        let max_live = max_live.max(1);
        let engine = Engine::new(&settings(max_live))
            .map_err(|e| RuntimeError::Engine(e.root_cause().to_string()))?;
        let pulse = Pulse::start(&engine).map_err(RuntimeError::Ticker)?;
        Ok(Self {
            inner: Arc::new(Inner {
                cache: Cache::new(&engine, cache),
                engine,
                gate: Gate::new(max_live, max_waiting),
                pulse,
                lane: Lane::default(),
                max_live,
            }),
        })
    }

    /// What this runtime is.
    pub fn facts(&self) -> Facts {
        Facts {
            engine: ENGINE.to_owned(),
            switched_off: OFF.iter().map(|(_, name)| *name).collect(),
            linked_always: names(imports::always()),
            linked_on_declaration: names(imports::on_declaration()),
            cache: self.inner.cache.directory(),
            max_live: self.inner.max_live,
        }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.inner.engine
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.inner.cache
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.inner.gate
    }

    /// Keeps the epoch advancing while a guest lives.
    pub(crate) fn lane(&self) -> &Lane {
        &self.inner.lane
    }

    pub(crate) fn beat(&self) -> Beat {
        self.inner.pulse.beat()
    }
}

fn names(links: impl Iterator<Item = &'static Link>) -> Vec<&'static str> {
    links.flat_map(|link| link.names).copied().collect()
}

fn settings(max_live: usize) -> Config {
    let mut config = Config::new();
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(max_live)))
        .epoch_interruption(true)
        .max_wasm_stack(MAX_GUEST_STACK)
        .async_stack_size(FIBER_STACK)
        .wasm_backtrace_max_frames(None)
        // the default asks the environment
        .wasm_backtrace_details(WasmBacktraceDetails::Disable)
        .shared_memory(false);
    for (feature, _) in OFF {
        config.wasm_features(feature, false);
    }
    config
}

fn pool(max_live: usize) -> PoolingAllocationConfig {
    let count = |each: usize| u32::try_from(max_live.saturating_mul(each)).unwrap_or(u32::MAX);
    let each = |most: usize| u32::try_from(most).unwrap_or(u32::MAX);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(count(1))
        .total_core_instances(count(MAX_CORE_INSTANCES))
        .total_memories(count(MAX_MEMORIES))
        .total_tables(count(MAX_TABLES))
        .total_stacks(count(1))
        .max_core_instances_per_component(each(MAX_CORE_INSTANCES))
        .max_memories_per_component(each(MAX_MEMORIES))
        .max_tables_per_component(each(MAX_TABLES))
        .max_memory_size(MAX_MEMORY_BYTES)
        .table_elements(MAX_TABLE_ELEMENTS)
        .linear_memory_keep_resident(KEEP_MEMORY)
        .table_keep_resident(KEEP_TABLE)
        .async_stack_keep_resident(KEEP_STACK)
        .pagemap_scan(Enabled::Auto)
        .max_unused_warm_slots(WARM_SLOTS);
    pool
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_the_one_that_the_workspace_is_locked_to() {
        let lock = include_str!("../../../Cargo.lock").replace("\r\n", "\n");
        let track = ENGINE.replace(' ', "\"\nversion = \"");
        assert!(lock.contains(&format!("name = \"{track}.")));
    }

    #[test]
    fn what_is_off_is_said() {
        let facts = Runtime::new(RuntimeConfig::default()).unwrap().facts();
        for feature in ["threads", "gc", "memory64", "component-model-async"] {
            assert!(facts.switched_off.contains(&feature), "{feature}");
        }
    }
}
