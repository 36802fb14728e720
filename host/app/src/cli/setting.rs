//! What a person types to look at settings and change them.

use clap::{Args, Subcommand};

use super::{HubData, Listing};

#[derive(Debug, Subcommand)]
pub(crate) enum Setting {
    /// List the settings as they stand
    List(ListSettings),
    /// Change one; a running hub goes by it at once
    Set(SetSetting),
}

#[derive(Debug, Args)]
pub(crate) struct ListSettings {
    #[command(flatten)]
    pub(crate) hub: HubData,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct SetSetting {
    /// The setting: timeZone or savePrivateLinks
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Its value, such as Europe/Vienna, or true
    #[arg(value_name = "VALUE")]
    pub(crate) value: String,
    #[command(flatten)]
    pub(crate) hub: HubData,
    #[command(flatten)]
    pub(crate) listing: Listing,
}
