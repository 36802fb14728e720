//! What a person types to take changes back.

use clap::{Args, Subcommand};

use super::{HubData, Listing};

/// Which space of which hub, and how it is shown.
#[derive(Debug, Args)]
pub(crate) struct Within {
    /// The space, by id or name [default: your own]
    #[arg(long, value_name = "SPACE")]
    pub(crate) space: Option<String>,
    #[command(flatten)]
    pub(crate) hub: HubData,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// The change, by the id that its answer or the list gave
    #[arg(value_name = "CHANGE", required_unless_present = "list")]
    pub(crate) change: Option<String>,
    /// List the last changes, the newest first
    #[arg(long, conflicts_with = "change")]
    pub(crate) list: bool,
    /// How many are listed
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) within: Within,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Trash {
    /// List what was deleted, the last first
    List(ListTrash),
    /// Take records out of Trash with all their links; all of them or none
    Restore(RestoreTrash),
}

#[derive(Debug, Args)]
pub(crate) struct ListTrash {
    /// How many are listed
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) within: Within,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreTrash {
    /// The records, by id or handle
    #[arg(value_name = "RECORD", required = true)]
    pub(crate) records: Vec<String>,
    #[command(flatten)]
    pub(crate) within: Within,
}
