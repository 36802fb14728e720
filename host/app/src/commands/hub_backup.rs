//! `ensemble hub backup` and `ensemble hub restore`: one file with everything, made beside a running hub, verified when it is written and
//! again before a restored folder appears.

use std::sync::Arc;

use ensemble_hub_server::backup::{self, Summary};

use super::hub_key::folder;
use super::hub_serve::HubTime;
use crate::cli::real_data::{Backup, Restore};
use crate::env::Environment;
use crate::output;

pub(crate) async fn backup(asked: Backup, env: &dyn Environment) -> anyhow::Result<()> {
    let file = std::path::absolute(&asked.file)?;
    let data = folder(&asked.hub, env)?;
    let summary = backup::backup(&data, &file, Arc::new(HubTime)).await?;
    if asked.listing.json {
        return output::json(&summary);
    }
    output::print(&format!("Backed up and verified: {}.", text(&summary)))?;
    missing(&summary);
    Ok(())
}

pub(crate) async fn restore(asked: Restore) -> anyhow::Result<()> {
    let data = std::path::absolute(&asked.data)?;
    let summary = backup::restore(&asked.file, &data).await?;
    if asked.listing.json {
        return output::json(&summary);
    }
    output::print(&format!("Restored and verified: {}.", text(&summary)))?;
    output::note(&format!(
        "Run it with `ensemble hub serve --data {}`. Keys work as they did.",
        output::shell(&summary.path)
    ));
    if summary.forgotten_checkouts > 0 {
        output::note(&format!(
            "The {} folders of checkouts that were allowed on the backed-up computer are not allowed here: allow those of this one with `ensemble hub repo allow PATH`.",
            summary.forgotten_checkouts
        ));
    }
    missing(&summary);
    Ok(())
}

fn text(summary: &Summary) -> String {
    let of =
        |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let rows = |table: &str, what| of(summary.counts.get(table).copied().unwrap_or(0), what);
    format!(
        "{}, {}, {}, {} and {} in {} ({} MB, of {})",
        rows("records", "record"),
        rows("links", "link"),
        rows("ledger", "change"),
        rows("keys", "key"),
        of(summary.files as u64, "file"),
        output::plain(&summary.path),
        summary.bytes.div_ceil(1_000_000),
        summary.made,
    )
}

fn missing(summary: &Summary) {
    if summary.missing_files > 0 {
        output::note(&format!(
            "warning: {} files that records name are no longer in the hub.",
            summary.missing_files
        ));
    }
}
