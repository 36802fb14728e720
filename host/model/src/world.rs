//! A world is the most that its plugin can ever reach. The registry refuses a component whose imports are not inside its
//! world and its declaration, before anything of it runs.

use serde::{Deserialize, Serialize};

/// The interfaces that hold no capability: types, and the reporting channel that every guest has.
pub const FREE_INTERFACES: &[&str] = &[
    "ensemble:types/types",
    "ensemble:tools/content",
    "ensemble:tools/asking",
    "ensemble:tools/offer",
    "ensemble:run/run",
];

/// The closed part of WASI that Rust's standard library needs, each answered without authority: no environment, no
/// arguments, standard input at its end, standard output into the plugin's bounded log.
pub const CLOSED_WASI: &[&str] = &[
    "wasi:io/poll",
    "wasi:io/error",
    "wasi:io/streams",
    "wasi:cli/environment",
    "wasi:cli/exit",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/stderr",
    "wasi:cli/terminal-input",
    "wasi:cli/terminal-output",
    "wasi:cli/terminal-stdin",
    "wasi:cli/terminal-stdout",
    "wasi:cli/terminal-stderr",
];

/// WASI that is linked only for a component that declares it: a clock and randomness tell a guest nothing of the person,
/// but a reviewer should see that it has them.
pub const DECLARED_WASI: &[&str] = &[
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/wall-clock",
    "wasi:random/random",
    "wasi:random/insecure",
    "wasi:random/insecure-seed",
];

/// Never linked, whatever is declared: the host's files and network.
pub const NEVER_LINKED: &[&str] = &["wasi:filesystem", "wasi:sockets", "wasi:http"];

/// The named sets of imports in `wit/worlds.wit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum World {
    /// Reads the hub.
    Reader,
    /// Changes the hub.
    Changer,
    /// Runs actions of the hub.
    Actor,
    /// Gives files out.
    FileGiver,
    /// Takes files in.
    FileTaker,
    /// Uses connected apps.
    AppUser,
    /// An integrator's component.
    Extension,
}

impl World {
    /// All worlds, in the order of `wit/worlds.wit`.
    pub const ALL: [Self; 7] = [
        Self::Reader,
        Self::Changer,
        Self::Actor,
        Self::FileGiver,
        Self::FileTaker,
        Self::AppUser,
        Self::Extension,
    ];

    /// Its name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Changer => "changer",
            Self::Actor => "actor",
            Self::FileGiver => "file-giver",
            Self::FileTaker => "file-taker",
            Self::AppUser => "app-user",
            Self::Extension => "extension",
        }
    }

    /// The capabilities that a plugin of this world may declare, without versions.
    pub fn interfaces(self) -> &'static [&'static str] {
        match self {
            Self::Reader => &["ensemble:hub/read", "ensemble:workspace/repository"],
            Self::Changer => &["ensemble:hub/read", "ensemble:hub/change"],
            Self::Actor => &["ensemble:hub/read", "ensemble:hub/act"],
            Self::FileGiver => &[
                "ensemble:hub/read",
                "ensemble:hub/files",
                "ensemble:workspace/folder",
            ],
            Self::FileTaker => &["ensemble:hub/uploads", "ensemble:workspace/folder"],
            Self::AppUser => &["ensemble:hub/read", "ensemble:hub/apps"],
            Self::Extension => &[
                "ensemble:hub/read",
                "ensemble:egress/egress",
                "ensemble:keep/keep",
            ],
        }
    }
}

impl std::fmt::Display for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Splits `ensemble:hub/read@0.1.0` into name and version; a name without one has the version `""`.
pub fn split_version(import: &str) -> (&str, &str) {
    import.split_once('@').unwrap_or((import, ""))
}
