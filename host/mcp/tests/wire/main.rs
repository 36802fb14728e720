//! The bridge as a client meets it: bytes in, bytes out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

mod asking;
mod calls;
mod client;
mod eras;
mod framing;
mod guest;
mod hub;
mod key;
mod prompts;
mod resources;
mod support;
