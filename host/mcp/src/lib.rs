//! The only crate that knows MCP and rmcp. It translates: what a client sent into a call of the component registry, and
//! what came back into the client's generation of the protocol. What a call may do was decided by the broker before.
//!
//! Both generations are served by the same process, and each message says which one it belongs to: `initialize` and what
//! follows it (2024-11-05 to 2025-11-25), and requests that name their version in `_meta` (2026-07-28).
//!
//! | fails | answer |
//! |---|---|
//! | a tool that this caller does not see | JSON-RPC error -32602, `Unknown tool: NAME` |
//! | arguments, key, hub, policy, limits, the component itself | a result with `isError` and one sentence |
//! | a resource that this caller does not see | -32002, or -32602 in the newer generation |
//! | a prompt that this caller does not see, or arguments that are not its own | -32602 and one sentence |
//! | a line that is no message | one error for the line; see `framing` |
//!
//! Nothing here waits for the hub before it answers `initialize`, and `tools/list` waits only [`bridge::FIRST_ANSWER`].
#![forbid(unsafe_code)]
#![warn(
    missing_docs,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm
)]

mod asking;
pub mod bridge;
mod calls;
mod completion;
mod connection;
mod convert;
mod errors;
mod events;
mod framing;
mod gate;
pub mod http;
mod lists;
mod prompts;
mod resources;
mod seal;
mod server;
mod stdio;
mod subscriptions;
mod tools;
mod updates;

pub use bridge::{Bridge, BridgeConfig};
pub use convert::listed;
pub use errors::ServeError;
pub use seal::SealKey;
pub use stdio::{LISTENS, TRANSPORTS, serve, serve_stdio};
