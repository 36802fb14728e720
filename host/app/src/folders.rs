//! Where things are kept: data (the hub, the host's own key), cache (compiled components), state (the decision log), and what the
//! person wrote: configuration (limits).
//!
//! | | Linux and others | macOS | Windows |
//! |---|---|---|---|
//! | data | `$XDG_DATA_HOME`, `~/.local/share` | `~/Library/Application Support` | `%APPDATA%` |
//! | cache | `$XDG_CACHE_HOME`, `~/.cache` | `~/Library/Caches` | `%LOCALAPPDATA%` |
//! | state | `$XDG_STATE_HOME`, `~/.local/state` | `~/Library/Application Support` | `%LOCALAPPDATA%` |
//! | configuration | `$XDG_CONFIG_HOME`, `~/.config` | `~/Library/Application Support` | `%APPDATA%` |
//!
//! An XDG variable that holds an absolute path is taken on every platform; a relative one is ignored, as its rules say.
//! Each gets an `ensemble` folder of ours.

use std::path::PathBuf;

use crate::env::Environment;

const OURS: &str = "ensemble";

/// There is nowhere to keep something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("There is no folder for Ensemble's {what}: set {home} or {variable} to an absolute path.")]
pub(crate) struct NoFolder {
    what: &'static str,
    home: &'static str,
    variable: &'static str,
}

/// The four roots, each found or not; nothing is created by asking.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    data: Result<PathBuf, NoFolder>,
    cache: Result<PathBuf, NoFolder>,
    state: Result<PathBuf, NoFolder>,
    configuration: Result<PathBuf, NoFolder>,
}

impl Folders {
    /// Works them out from the environment.
    pub(crate) fn of(env: &dyn Environment) -> Self {
        let root = |what, variable, fallback: &Fallback| {
            env.folder(variable)
                .or_else(|| {
                    env.folder(fallback.home)
                        .map(|home| home.join(fallback.below))
                })
                .map(|root| root.join(OURS))
                .ok_or(NoFolder {
                    what,
                    home: fallback.home,
                    variable,
                })
        };
        Self {
            data: root("data", "XDG_DATA_HOME", &DATA),
            cache: root("cache", "XDG_CACHE_HOME", &CACHE),
            state: root("log", "XDG_STATE_HOME", &STATE),
            configuration: root("configuration", "XDG_CONFIG_HOME", &CONFIGURATION),
        }
    }

    /// The hub's data, where none is named: the database and `api.json`.
    pub(crate) fn hub(&self) -> Result<PathBuf, NoFolder> {
        Ok(self.data.clone()?.join("hub"))
    }

    /// Every folder of ours that there is a place for: nothing of an editor belongs into one, and nothing goes out of one.
    pub(crate) fn own(&self) -> Vec<PathBuf> {
        let roots = [&self.data, &self.cache, &self.state, &self.configuration];
        roots.into_iter().flatten().cloned().collect()
    }

    /// The key that authenticates the cache of compiled components.
    pub(crate) fn host_key(&self) -> Result<PathBuf, NoFolder> {
        Ok(self.data.clone()?.join("host.key"))
    }

    /// The plugins that the person installed.
    pub(crate) fn plugins(&self) -> Result<PathBuf, NoFolder> {
        Ok(self.data.clone()?.join("plugins"))
    }

    /// Compiled components.
    pub(crate) fn components(&self) -> Result<PathBuf, NoFolder> {
        Ok(self.cache.clone()?.join("components"))
    }

    /// The person's limits.
    pub(crate) fn limits(&self) -> Result<PathBuf, NoFolder> {
        Ok(self.configuration.clone()?.join("limits.toml"))
    }

    /// The decision log.
    pub(crate) fn decisions(&self) -> Result<PathBuf, NoFolder> {
        Ok(self.state.clone()?.join("decisions.jsonl"))
    }
}

struct Fallback {
    home: &'static str,
    below: &'static str,
}

#[cfg(not(any(target_os = "macos", windows)))]
mod platform {
    use super::Fallback;

    pub(super) const DATA: Fallback = Fallback {
        home: "HOME",
        below: ".local/share",
    };
    pub(super) const CACHE: Fallback = Fallback {
        home: "HOME",
        below: ".cache",
    };
    pub(super) const STATE: Fallback = Fallback {
        home: "HOME",
        below: ".local/state",
    };
    pub(super) const CONFIGURATION: Fallback = Fallback {
        home: "HOME",
        below: ".config",
    };
}

#[cfg(target_os = "macos")]
mod platform {
    use super::Fallback;

    pub(super) const DATA: Fallback = Fallback {
        home: "HOME",
        below: "Library/Application Support",
    };
    pub(super) const CACHE: Fallback = Fallback {
        home: "HOME",
        below: "Library/Caches",
    };
    pub(super) const STATE: Fallback = DATA;
    pub(super) const CONFIGURATION: Fallback = DATA;
}

#[cfg(windows)]
mod platform {
    use super::Fallback;

    pub(super) const DATA: Fallback = Fallback {
        home: "APPDATA",
        below: "",
    };
    pub(super) const CACHE: Fallback = Fallback {
        home: "LOCALAPPDATA",
        below: "",
    };
    pub(super) const STATE: Fallback = CACHE;
    pub(super) const CONFIGURATION: Fallback = DATA;
}

use platform::{CACHE, CONFIGURATION, DATA, STATE};

#[cfg(all(test, not(any(target_os = "macos", windows))))]
mod tests {
    use super::*;
    use crate::env::MapEnvironment;

    #[test]
    fn xdg_wins_over_home_and_a_relative_one_is_ignored() {
        let folders = Folders::of(&MapEnvironment::of(&[
            ("HOME", "/home/ada"),
            ("XDG_DATA_HOME", "/data"),
            ("XDG_CACHE_HOME", "relative"),
        ]));
        assert_eq!(folders.hub(), Ok(PathBuf::from("/data/ensemble/hub")));
        assert_eq!(
            folders.host_key(),
            Ok(PathBuf::from("/data/ensemble/host.key"))
        );
        assert_eq!(
            folders.components(),
            Ok(PathBuf::from("/home/ada/.cache/ensemble/components"))
        );
        assert_eq!(
            folders.decisions(),
            Ok(PathBuf::from(
                "/home/ada/.local/state/ensemble/decisions.jsonl"
            ))
        );
    }

    #[test]
    fn a_missing_or_relative_home_is_a_sentence() {
        for home in [&[][..], &[("HOME", "")], &[("HOME", "ada")]] {
            let folders = Folders::of(&MapEnvironment::of(home));
            assert_eq!(
                folders.hub().unwrap_err().to_string(),
                "There is no folder for Ensemble's data: set HOME or XDG_DATA_HOME to an absolute path."
            );
        }
    }
}
