//! MCP over Streamable HTTP, for one key: on this computer with sessions for clients of the older generation, or hosted and without any.
//!
//! rmcp speaks the protocol. What stands here is what real clients need besides, and what nobody may do:
//!
//! | a request | is answered |
//! |---|---|
//! | with `Accept` absent, `*/*`, JSON alone or a stream alone | in a form that it takes; 406 for anything else |
//! | whose version header comes twice and is the same | as if it came once |
//! | `initialize` with any version header | by what its body says |
//! | that is no JSON, no message, too large, too slow | 400, 413, 408, and what to do |
//! | of an unknown session | 404, so that the client begins again |
//! | a batch, in 2025-03-26 | one answer for all of it |
//!
//! Every refusal has a JSON-RPC body. A stream says at once that it is there, and no proxy may hold it back. Requests that run when the
//! process ends are finished ([`Lifetime::drain`]).

mod answer;
mod batch;
mod endpoint;
mod lifetime;
mod local;
mod message;
mod request;
mod servers;
mod sessions;
mod step_up;
mod stream;

pub use answer::{Body, Cors, refusal};
pub use endpoint::Endpoint;
pub use lifetime::Lifetime;
pub use local::LocalGate;
pub use message::{INVALID_REQUEST, TRANSPORT};
pub use step_up::StepUp;
