//! The nouns of the host. Nothing here reads a file, a clock, the environment or the network, and nothing here decides:
//! a manifest says what a plugin declares, a grant what a person allows; the broker alone puts them together.
//!
//! To add a capability: 1. its WIT package under `wit/deps`; 2. its interface in [`world::World::interfaces`], and what it lets a component do in [`capability::CAPABILITIES`];
//! 3. a port in `broker::ports`; 4. the operation and its decision in `broker::session`; 5. the translation in
//! `runtime::imports`; 6. the backend in `app::backends`; 7. the trio of tests: works when granted, fails when undeclared,
//! fails when not granted.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod action;
pub mod capability;
pub mod clock;
pub mod grant;
pub mod id;
pub mod limits;
pub mod manifest;
pub mod origin;
pub mod principal;
pub mod route;
pub mod secret;
pub mod surface;
pub mod toml_fault;
pub mod world;

pub use action::ActionName;
pub use capability::{Capability, Reach};
pub use clock::Clock;
pub use grant::{Grant, KeyGrants};
pub use id::{Digest, PluginId};
pub use limits::Limits;
pub use manifest::Manifest;
pub use origin::Origin;
pub use principal::{Principal, Space};
pub use route::{HubPath, Method, RoutePattern};
pub use secret::Secret;
pub use surface::Surface;
pub use toml_fault::TomlFault;
pub use world::World;
