//! What each capability lets a component do, in one sentence for a reviewer, and how far it reaches.
//!
//! | reach | means |
//! |---|---|
//! | reads | the component learns what the key may read |
//! | notes | it learns something that is no record: a time, a number, the name of a repository |
//! | writes | something can be otherwise afterwards: in the hub, on this computer, or elsewhere |

use crate::manifest::Manifest;

/// How far a capability reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Nothing of the person's.
    Notes,
    /// What the key may read.
    Reads,
    /// What was there can be otherwise afterwards, or has left this computer.
    Writes,
}

impl Reach {
    /// Its word in an audit.
    pub fn word(self) -> &'static str {
        match self {
            Self::Notes => "notes",
            Self::Reads => "reads",
            Self::Writes => "writes",
        }
    }
}

/// One capability of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    /// The interface's name without a version.
    pub interface: &'static str,
    /// Completes “this component …”.
    pub does: &'static str,
    /// How far it reaches.
    pub reach: Reach,
}

/// Every capability that some plugin can declare: those of the worlds, and the declared part of WASI.
pub const CAPABILITIES: &[Capability] = &[
    of(
        "ensemble:hub/read",
        Reach::Reads,
        "reads records of the hub, by its declared routes",
    ),
    of(
        "ensemble:hub/change",
        Reach::Writes,
        "changes records of the hub, by its declared routes",
    ),
    of(
        "ensemble:hub/act",
        Reach::Writes,
        "runs actions of the hub: whichever the hub lets the key run, and some change records",
    ),
    of(
        "ensemble:hub/apps",
        Reach::Writes,
        "uses the apps that the person has connected",
    ),
    of(
        "ensemble:hub/files",
        Reach::Reads,
        "gives out files that the hub keeps",
    ),
    of(
        "ensemble:hub/uploads",
        Reach::Writes,
        "adds files to the hub",
    ),
    of(
        "ensemble:workspace/repository",
        Reach::Notes,
        "is told which repository and branch the editor works on",
    ),
    of(
        "ensemble:workspace/folder",
        Reach::Writes,
        "names files of the editor's working folder, for the host to write or to read",
    ),
    of(
        "ensemble:egress/egress",
        Reach::Writes,
        "sends requests to its declared hosts",
    ),
    of(
        "ensemble:keep/keep",
        Reach::Notes,
        "keeps small values of its own from one call to the next",
    ),
    of("wasi:clocks/monotonic-clock", Reach::Notes, "measures time"),
    of(
        "wasi:clocks/wall-clock",
        Reach::Notes,
        "reads the time of day",
    ),
    of("wasi:random/random", Reach::Notes, "draws random numbers"),
    of(
        "wasi:random/insecure",
        Reach::Notes,
        "draws random numbers that are not for secrets",
    ),
    of("wasi:random/insecure-seed", Reach::Notes, "draws a seed"),
];

const fn of(interface: &'static str, reach: Reach, does: &'static str) -> Capability {
    Capability {
        interface,
        does,
        reach,
    }
}

/// The capability behind this interface; `None` for an interface that gives nothing.
pub fn find(interface: &str) -> Option<&'static Capability> {
    CAPABILITIES
        .iter()
        .find(|capability| capability.interface == interface)
}

/// What a plugin does in the editor's working folder: the direction follows from what else it declares, and the broker
/// holds it to that.
pub fn in_the_folder(manifest: &Manifest) -> Option<&'static str> {
    if !manifest.declares("ensemble:workspace/folder") {
        return None;
    }
    match (
        manifest.declares("ensemble:hub/files"),
        manifest.declares("ensemble:hub/uploads"),
    ) {
        (true, false) => Some("writes files into the editor's working folder"),
        (false, true) => Some("reads files of the editor's working folder"),
        _ => find("ensemble:workspace/folder").map(|capability| capability.does),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::world::{DECLARED_WASI, World};

    #[test]
    fn every_interface_that_can_be_declared_is_explained_once() {
        let explained: BTreeSet<&str> = CAPABILITIES.iter().map(|c| c.interface).collect();
        assert_eq!(explained.len(), CAPABILITIES.len());
        let worlds = World::ALL.iter().flat_map(|world| world.interfaces());
        assert_eq!(explained, worlds.chain(DECLARED_WASI).copied().collect());
    }

    #[test]
    fn the_direction_in_the_folder_follows_from_the_other_capabilities() {
        let does = |world: &str, interfaces: &[&str]| {
            let imports: Vec<String> = interfaces
                .iter()
                .map(|name| format!("[[imports]]\ninterface = \"{name}\"\nreason = \"r\"\n"))
                .collect();
            let manifest = Manifest::parse(&format!(
                "id = \"x\"\nversion = \"0.1.0\"\ngroup = \"x\"\ntitle = \"X\"\ndescription = \"d\"\nworld = \"{world}\"\n\
                 grant = \"read\"\nspace = true\n{}",
                imports.concat()
            ));
            in_the_folder(&manifest.unwrap()).unwrap_or("nothing")
        };
        let folder = "ensemble:workspace/folder";
        assert_eq!(does("reader", &["ensemble:hub/read"]), "nothing");
        assert!(does("file-giver", &["ensemble:hub/files", folder]).starts_with("writes"));
        assert!(does("file-taker", &["ensemble:hub/uploads", folder]).starts_with("reads"));
        assert!(does("file-taker", &[folder]).contains("to write or to read"));
    }
}
