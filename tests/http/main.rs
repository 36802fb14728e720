//! MCP over HTTP through the program itself: on this computer and hosted by a hub, as real clients and as nobody's clients ask it. The areas B and C of
//! public bug reports are tests here, by their numbers.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a failing helper fails its test, and absent fields are null"
)]

mod browser;
mod catalog;
mod ends;
mod hosted;
mod local;
mod oauth;
mod person;
mod sdk;
mod support;
mod wire;
