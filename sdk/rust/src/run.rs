//! The running call: its log, its progress, whether it is still wanted, and the time.

use crate::bindings::imports::ensemble::run::run;

pub use run::{Catalog, Level};

/// Writes one line into the plugin's log. The host bounds lines and their number, and names what it left out.
pub fn log(level: Level, message: &str) {
    run::log(level, message);
}

/// Tells a client that asked for it how far the call is. `done` only grows; `total` in the same unit, where known.
pub fn progress(done: f64, total: Option<f64>, message: Option<&str>) {
    run::progress(done, total, message);
}

/// Whether the client has cancelled the call. The host stops a cancelled call by itself; ask before a costly step.
#[must_use]
pub fn cancelled() -> bool {
    run::cancelled()
}

/// Says that the list of tools, resources or prompts is another one now.
pub fn changed(which: Catalog) {
    run::changed(which);
}

/// Says that a resource's content has changed, for the clients that follow it.
pub fn resource_updated(uri: &str) {
    run::resource_updated(uri);
}

/// The moment of the call, for the person who asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Now {
    /// RFC 3339 in UTC.
    pub instant: String,
    /// The person's time zone, as an IANA name.
    pub time_zone: String,
}

/// Now. The only clock that a plugin has.
#[must_use]
pub fn now() -> Now {
    let (instant, time_zone) = run::now();
    Now { instant, time_zone }
}
