//! What a person types to let the files of a repository be read.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{HubData, Listing};

#[derive(Debug, Subcommand)]
pub(crate) enum Repo {
    /// Let the files of a checkout be read
    ///
    /// Its repository is found by the remote, and its record made where there is none. Keys and passwords, what .gitignore
    /// leaves out, and links are never shown. The hub's own data folder, and any folder around it, cannot be allowed.
    Allow(AllowRepo),
    /// List the allowed checkouts
    List(ListRepos),
    /// Take it back; the next request is refused
    Forget(ForgetRepo),
}

#[derive(Debug, Args)]
pub(crate) struct AllowRepo {
    /// The top folder of the checkout
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) hub: HubData,
    /// The space of the repository, by id or name [default: your own]
    #[arg(long, value_name = "SPACE")]
    pub(crate) space: Option<String>,
    /// Which repository it is, as owner/name or the address of a remote [default: by its remote]
    #[arg(long, value_name = "NAME")]
    pub(crate) repo: Option<String>,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct ListRepos {
    #[command(flatten)]
    pub(crate) hub: HubData,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct ForgetRepo {
    /// The repository by its name or id, or the folder
    #[arg(value_name = "NAME|ID|PATH")]
    pub(crate) repo: String,
    #[command(flatten)]
    pub(crate) hub: HubData,
}
