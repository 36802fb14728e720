//! `ensemble plugin verify`: is every plugin what was approved?
//!
//! | plugin | compared |
//! |---|---|
//! | built-in | its component with the digest in this program, its imports with its declaration |
//! | installed | the same, the approval with this host's key, `plugin.toml`, and what the component offers when it is asked |

use anyhow::bail;
use ensemble_runtime::Plugin;
use serde::Serialize;

use crate::cli::plugin::Verify;
use crate::compose::Composed;
use crate::env::Environment;
use crate::output;

#[derive(Serialize)]
struct Row {
    id: String,
    origin: &'static str,
    verified: bool,
    /// What is wrong; nothing where it is verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(crate) async fn run(asked: Verify, env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    let wanted = |id: &str| {
        let one = asked.plugin.as_ref();
        one.is_none_or(|one| one.as_str() == id)
    };
    let mut rows = Vec::new();
    for plugin in parts.registry.plugins() {
        if wanted(plugin.manifest.id.as_str()) {
            rows.push(row(&parts, plugin).await);
        }
    }
    for aside in parts.aside.iter().filter(|aside| wanted(&aside.id)) {
        rows.push(Row {
            id: aside.id.clone(),
            origin: "installed",
            verified: false,
            reason: Some(aside.reason.clone()),
        });
    }
    parts.close();
    if let (Some(id), true) = (&asked.plugin, rows.is_empty()) {
        bail!("There is no plugin {id} here: `ensemble plugin list` has the ids.");
    }
    if asked.listing.json {
        output::json(&rows)?;
    } else {
        let lines: Vec<String> = rows.iter().map(text).collect();
        output::print(&lines.concat())?;
    }
    match rows.iter().filter(|row| !row.verified).count() {
        0 => Ok(()),
        1 => bail!("One plugin is not as it was approved."),
        many => bail!("{many} plugins are not as they were approved."),
    }
}

async fn row(parts: &Composed, plugin: &Plugin) -> Row {
    let id = &plugin.manifest.id;
    let mut refused = parts.registry.inspect(id).err();
    if refused.is_none() {
        let listing = || parts.broker.listing(&plugin.manifest, &plugin.digest);
        refused = parts.registry.compare(id, listing).await.err();
    }
    let reason = refused.map(|refused| refused.to_string());
    Row {
        id: id.to_string(),
        origin: plugin.origin.word(),
        verified: reason.is_none(),
        reason,
    }
}

fn text(row: &Row) -> String {
    let says = row.reason.as_deref().unwrap_or("as it was approved");
    let line = format!("{} ({}): {says}", row.id, row.origin);
    output::wrap(&line, output::width(), "")
}
