//! Hostile guests against this very host: the same runtime, broker, catalog, MCP server and hub backend that serve an editor, with a
//! hub on the loopback that sees what arrives. Each attack is a row: what was tried, what has to come of it, what came of it, how
//! long that took, and what it cost a well-behaved call beside it.
//!
//! | the attack | is tried by |
//! |---|---|
//! | of a guest that runs | a probe of `tests/components/probe`, by its name (`attacks/probes`, `attacks/routes`) |
//! | of a component that should not be loaded, or not run far | a text of `tests/components/probe/text` (`attacks/texts`) |
//! | of a file that is no component, and of kept code | bytes made here (`attacks/files`) |
//! | of a list of tools, and of an answer that breaks its promise | the kit, as the hub tells it (`attacks/lists`) |
//! | on the key | all of them; what any of them was told is searched for it (`secret`) |
//!
//! To add an attack: a probe in `probes.rs` of the kit or a file in its folder `text/`. Both are enums that are matched here without
//! a wildcard, so that one without a verdict does not compile.
//!
//! Times are told and never judged. A well-behaved call that is not answered is a difference.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod attack;
mod attacks;
mod beside;
mod client;
mod guests;
mod hub;
mod row;
mod run;
mod secret;
mod stage;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use ensemble_broker::{DecisionSink, HubPort};
use ensemble_catalog::Entry;
use ensemble_model::{Clock, Secret};

pub use row::{Beside, Row, Verdict};
pub use run::hostile;

/// Makes a connection to the hub at an address, with a key.
pub type Connect = Box<dyn Fn(&str, &Secret) -> Arc<dyn HubPort> + Send + Sync>;

/// The host under attack, as the program puts it together.
pub struct Host {
    /// An empty folder that goes with this; files and compiled code are kept there.
    pub folder: PathBuf,
    /// A key that opens nothing, planted to be looked for. It has the form of a key.
    pub canary: Secret,
    /// The program's own connection to a hub at this address with this key.
    pub connect: Connect,
    /// The program's own decision log.
    pub log: Arc<dyn DecisionSink>,
    /// All that was recorded in it. Nothing is recorded after this.
    pub recorded: Box<dyn Fn() -> String + Send + Sync>,
    /// Whether the log of the process held the canary so far.
    pub logged: Box<dyn Fn() -> bool + Send + Sync>,
    /// What is built in: the names that no other plugin may take.
    pub built_in: Vec<Entry>,
    /// Time.
    pub clock: Arc<dyn Clock>,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

/// Why nothing could be tried at all.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// No port on the loopback, or no file in the folder.
    #[error("The self-test cannot be set up ({0}).")]
    Io(#[from] std::io::Error),
    /// The host does not start.
    #[error(transparent)]
    Runtime(#[from] ensemble_runtime::RuntimeError),
    /// Two plugins of one id.
    #[error(transparent)]
    Registry(#[from] ensemble_runtime::RegistryError),
    /// The kit's own declaration is wrong, or its tools cannot be offered.
    #[error("The hostile kit does not fit this host: {0}.")]
    Kit(String),
    /// The well-behaved guest does not answer even without any attack.
    #[error("A well-behaved guest is not answered, without any attack: {0}")]
    Quiet(String),
    /// The program was built without its guests.
    #[error(
        "This program was built without guests (ENSEMBLE_SKIP_GUESTS): build it again without that variable."
    )]
    NoGuests,
}
