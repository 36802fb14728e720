//! The broker: the only place that turns a guest's wish into a request, and the only one that can construct a [`Permit`].
//!
//! effective policy = declared ∩ what the person granted ∩ what the key may do
//!
//! Everything that is not in that intersection is a [`Denial`] that says what was wanted and what was missing. Every
//! decision, either way, is one [`Decision`] in the log. Nothing falls back: not to another space, not to another key.
#![forbid(unsafe_code)]
#![warn(
    missing_docs,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm
)]

mod broker;
pub mod decision;
pub mod fault;
mod following;
pub mod policy;
pub mod ports;
mod session;
mod spaces;
mod whoami;

pub use broker::{Broker, Deps, OpenCall};
pub use decision::{Decision, DecisionSink, Verdict};
pub use fault::{Denial, Fault};
pub use following::{Following, Step};
pub use policy::{Granted, Permit, Policy};
pub use ports::{
    Download, FileRequest, FolderPort, HubPort, HubReply, HubRequest, Location, PortFault,
    PortFuture, RepositoryPort, Saved, Target,
};
pub use session::{FileContent, Session, Upload};
