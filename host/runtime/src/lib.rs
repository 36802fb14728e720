//! Runs plugins. The only crate that knows wasmtime.
//!
//! What is absent here: decisions. There is no condition on a path, a host, a key or a space; an import is translated to a
//! method of the broker's session and its answer back again.
//!
//! The path of one call: [`Registry::call_tool`] loads the component once (`registry/load`), waits for its turn (`gate`),
//! starts a fresh instance (`call`), runs its export (`exports`), translates what it imports (`imports`, `wasi`), checks
//! what it answers (`offer`), and drops the instance. Nothing of it is used again.
#![warn(missing_docs)]

mod bindings;
mod cache;
mod call;
mod engine;
mod events;
mod exports;
mod gate;
mod imports;
mod limiter;
mod log;
pub mod offer;
mod plugin;
mod pulse;
mod registry;
mod wasi;

pub use cache::CacheConfig;
pub use call::CallError;
pub use engine::{Facts, Runtime, RuntimeConfig, RuntimeError};
pub use ensemble_model::Origin;
pub use events::{CatalogPart, Events, Level, NoEvents};
pub use plugin::{Bytes, Plugin};
pub use registry::{Inspected, LoadError, LoadState, LoadedFacts, Registry, RegistryError};
