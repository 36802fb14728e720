//! The isolation suite: real guests that try what a hostile plugin would, each with the verdict that is expected, and the
//! next call that must answer.
//!
//! To add a case: 1. its tool in `tests/components/probe` (or a component of its own there); 2. a test here that names it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed; the lints know only functions marked as tests"
)]

mod acting;
mod authority;
mod bench;
mod cache;
mod calls;
mod capabilities;
mod exhaustion;
mod fairness;
mod files;
mod hub;
mod load;
mod pinned;
mod surfaces;
mod uploads;
mod voice;
mod wasi;
