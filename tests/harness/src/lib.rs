//! What the suites share. Everything here fails by panicking with a sentence: a suite wants the reason, not a `Result`.
//!
//! | | is |
//! |---|---|
//! | [`TestHub`] | a hub with the demo workspace in this process, on a port of its own |
//! | [`Home`] | an empty environment with its folders in a temporary one, to start programs in |
//! | [`Bridge`] | `ensemble mcp` as a process, spoken to in raw JSON-RPC, in both generations |
//! | [`picture()`] | everything that a hub keeps in a space, as text |
//! | [`Repository`] | a git repository as it lies on disk |
//!
//! Every wait has an end ([`PATIENCE`]); nothing sleeps.
#![forbid(unsafe_code)]
#![expect(
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a broken test says why and stops"
)]

mod bridge;
mod home;
mod hub;
mod picture;
mod repository;

use std::time::Duration;

pub use bridge::{Bridge, Ended, LATEST, MODERN};
pub use home::Home;
pub use hub::{Grants, TestHub};
pub use picture::picture;
pub use repository::Repository;

/// How long any single answer may take before the test fails: far more than it ever needs, also on a busy machine that
/// compiles components at the same time.
pub const PATIENCE: Duration = Duration::from_mins(1);
