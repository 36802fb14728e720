//! `ensemble audit`: which form its document has.

use clap::{Args, ValueEnum};

use super::Listing;

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Audit {
    /// The form of the document
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    #[command(flatten)]
    listing: Listing,
}

impl Audit {
    /// What was asked for; `--json` is `--format json`.
    pub(crate) fn format(self) -> Format {
        if self.listing.json {
            Format::Json
        } else {
            self.format
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person
    Text,
    /// Everything, for a program
    Json,
    /// The findings as SARIF 2.1.0, for a code-scanning service
    Sarif,
    /// What was built in, as CycloneDX 1.6: every crate that is linked, and every component
    Cyclonedx,
}
