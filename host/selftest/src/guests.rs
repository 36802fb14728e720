//! The hostile guests, compiled by the build script.

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

/// The kit's probes: the very file that the kit is compiled from.
#[path = "../../../tests/components/probe/src/probes.rs"]
mod probes;

pub(crate) use probes::{CALLS, LIES, MASK, Probe, SPINS};

impl Text {
    /// The id under which it is installed here: `many-handles` for `ManyHandles`.
    pub(crate) fn id(self) -> String {
        let mut id = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_ascii_uppercase() && !id.is_empty() {
                id.push('-');
            }
            id.push(c.to_ascii_lowercase());
        }
        id
    }
}
