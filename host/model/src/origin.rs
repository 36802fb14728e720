//! Where a plugin comes from. What is not part of this program is marked as such wherever a client or a person meets it.

use crate::id::PluginId;

/// Where a plugin comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Built with this program: its declaration and its surface were approved by building it.
    BuiltIn,
    /// Installed by a person, who approved its declaration and its surface.
    Installed,
}

impl Origin {
    /// Its word in lists and audits.
    pub fn word(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::Installed => "installed",
        }
    }

    /// The line under which the texts and answers of a plugin stand that is not part of this program.
    pub fn mark(self, plugin: &PluginId) -> Option<String> {
        match self {
            Self::BuiltIn => None,
            Self::Installed => Some(format!(
                "From the installed plugin {plugin}, which is not part of Ensemble:"
            )),
        }
    }
}
