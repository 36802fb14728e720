//! The wire contract of `/api/bridge`: what both sides of the HTTP connection must agree on, and nothing else.
//! No I/O, no clock, no environment. A word that goes over the wire is spelled here once: paths, headers, kinds,
//! statuses, limits, handles, and every sentence that a refused caller reads.
//!
//! To add a route: its path in [`paths`], its bounds in [`limits`], its sentences in [`sentences`], its types in a
//! module of its own when both sides use them.
#![forbid(unsafe_code)]

pub mod account;
pub mod body;
pub mod date;
pub mod error;
pub mod handle;
pub mod kind;
pub mod limits;
pub mod oauth;
pub mod paths;
pub mod relation;
pub mod sentences;
pub mod status;
pub mod task;
pub mod trust;

pub use body::Body;
pub use error::ErrorBody;
pub use handle::Handle;
pub use kind::Kind;
pub use status::{Priority, TaskStatus};
pub use trust::Trust;
