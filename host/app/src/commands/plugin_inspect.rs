//! `ensemble plugin inspect`: one plugin in full, from its id or from the folder that it would be installed from.

use std::path::Path;

use anyhow::bail;
use ensemble_model::PluginId;

use super::audit::{component, text};
use super::candidate::Candidate;
use crate::cli::plugin::Inspect;
use crate::compose::Composed;
use crate::env::Environment;
use crate::output;

pub(crate) async fn run(asked: Inspect, env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    let done = inspect(&parts, &asked).await;
    parts.close();
    done
}

async fn inspect(parts: &Composed, asked: &Inspect) -> anyhow::Result<()> {
    let json = asked.listing.json;
    let id: Option<PluginId> = asked.plugin.parse().ok();
    if let Some(plugin) = id.as_ref().and_then(|id| parts.registry.plugin(id)) {
        let component = component::of(&parts.registry, plugin);
        if json {
            return output::json(&component);
        }
        output::print(&text::one(&component, output::width()))?;
        return Ok(());
    }
    // one that is set aside is looked at where it is
    let kept = id.as_ref().zip(parts.installed.as_ref());
    let kept = kept.filter(|(id, installed)| installed.has(id));
    let kept = kept.map(|(id, installed)| installed.folder_of(id));
    let folder = kept.as_deref().unwrap_or(Path::new(&asked.plugin));
    if !folder.is_dir() {
        bail!(
            "There is no plugin and no folder “{}”: `ensemble plugin list` has the ids.",
            asked.plugin
        );
    }
    let candidate = Candidate::read(folder, parts).await?;
    if json {
        return output::json(&candidate.component);
    }
    output::print(&candidate.describe(output::width()))?;
    Ok(())
}
