//! `ensemble plugin …`: see the plugins, and put one there that is not part of this program.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use ensemble_model::PluginId;

use super::Listing;

#[derive(Debug, Subcommand)]
pub(crate) enum Plugin {
    /// List the plugins and say which are loaded for the key in use, and why others are not
    List(Listing),
    /// Show what a plugin is and can do, before or after it is installed
    ///
    /// A folder is read, checked, and its component asked in the sandbox what it offers; nothing is granted to it and nothing
    /// is installed.
    Inspect(Inspect),
    /// Install a plugin from a folder with its plugin.toml and its .wasm file
    ///
    /// Shows what it is and can do, and asks. What you approve is pinned: the component, the declaration, and every name, text
    /// and schema that it lists. When any of it is otherwise later, it is not offered until you approve that.
    Install(Install),
    /// Check every plugin against what was approved; exit code 1 when one is otherwise
    Verify(Verify),
    /// Show what is otherwise in an installed plugin since it was approved, and approve it
    Approve(Approve),
    /// Take an installed plugin away
    Remove(Remove),
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// The plugin's id, or the folder that it would be installed from
    #[arg(value_name = "ID|DIR")]
    pub(crate) plugin: String,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// One plugin only, by id
    #[arg(value_name = "ID")]
    pub(crate) plugin: Option<PluginId>,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// The plugin's id
    #[arg(value_name = "ID")]
    pub(crate) plugin: PluginId,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

#[derive(Debug, Args)]
pub(crate) struct Remove {
    /// The plugin's id
    #[arg(value_name = "ID")]
    pub(crate) plugin: PluginId,
}

/// Whether the person has to be asked.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Consent {
    /// Do not ask; for scripts
    #[arg(long)]
    pub(crate) yes: bool,
}
