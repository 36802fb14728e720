//! `limits.toml` of the person: other limits for a plugin, by its id. Only here can a limit be raised.
//!
//! ```toml
//! [plugins.context]
//! deadline-ms = 60000
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

use super::declaration::{BadLimit, LimitsDeclaration};
use crate::id::PluginId;
use crate::toml_fault::TomlFault;

/// A file larger than this is none.
pub const MAX_LIMITS_FILE_BYTES: u64 = 64 << 10;

/// The file, read and checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonLimits {
    #[serde(default)]
    plugins: BTreeMap<PluginId, LimitsDeclaration>,
}

/// Why the file was refused.
#[derive(Debug, thiserror::Error)]
pub enum BadPersonLimits {
    /// No TOML, a key that is not known, or a value of another kind.
    #[error("it cannot be read: {0}")]
    Syntax(TomlFault),
    /// A number that no host can give.
    #[error("for the plugin {plugin}, {limit}")]
    Limit {
        /// Which plugin.
        plugin: PluginId,
        /// Which limit.
        limit: BadLimit,
    },
    /// A plugin that is not there: the person believes that something is limited, and nothing is.
    #[error("it names the plugin {plugin}, and no plugin has that id: name some of {known}")]
    UnknownPlugin {
        /// The name.
        plugin: PluginId,
        /// Those that there are.
        known: String,
    },
}

impl PersonLimits {
    /// Reads the text of a `limits.toml`, for these plugins.
    ///
    /// # Errors
    /// [`BadPersonLimits`] says where; nothing of such a file holds.
    pub fn parse(text: &str, known: &[&str]) -> Result<Self, BadPersonLimits> {
        let read: Self = toml::from_str(text)
            .map_err(|error| BadPersonLimits::Syntax(TomlFault::of(text, &error)))?;
        for (plugin, limits) in &read.plugins {
            if !known.contains(&plugin.as_str()) {
                return Err(BadPersonLimits::UnknownPlugin {
                    plugin: plugin.clone(),
                    known: known.join(", "),
                });
            }
            limits.check().map_err(|limit| BadPersonLimits::Limit {
                plugin: plugin.clone(),
                limit,
            })?;
        }
        Ok(read)
    }

    /// What the person set for this plugin.
    #[must_use]
    pub fn of(&self, plugin: &PluginId) -> LimitsDeclaration {
        self.plugins.get(plugin).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PersonLimits, String> {
        PersonLimits::parse(text, &["context", "tasks"]).map_err(|error| error.to_string())
    }

    #[test]
    fn a_limit_holds_for_the_plugin_that_it_stands_under() {
        let limits = read("[plugins.context]\ndeadline-ms = 60000\n").unwrap();
        assert_eq!(
            limits.of(&"context".parse().unwrap()).deadline_ms,
            Some(60_000)
        );
        assert_eq!(
            limits.of(&"tasks".parse().unwrap()),
            LimitsDeclaration::default()
        );
        assert_eq!(read(""), Ok(PersonLimits::default()));
    }

    #[test]
    fn nonsense_is_refused_with_a_sentence() {
        for (text, sentence) in [
            (
                "[plugins.contex]\n",
                "no plugin has that id: name some of context, tasks",
            ),
            (
                "[plugins.context]\nmemory-bytes = 999999999999\n",
                "memory-bytes is 999999999999, and it has to be from 1 to 100663296",
            ),
            (
                "[plugins.context]\ndeadline = 5\n",
                "unknown field `deadline`",
            ),
            ("[plugins.context]\ndeadline-ms = \"5\"\n", "invalid type"),
            ("[plugins.context]\nhub-requests = -1\n", "invalid value"),
            ("deadline-ms = 5\n", "unknown field"),
            ("[plugins", "it cannot be read"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(sentence), "{text}: {said}");
        }
    }
}
