//! `ensemble plugin list`: every plugin, and whether it is loaded for the key in use, with the reason either way.
//!
//! | the key | the component | loaded | reason |
//! |---|---|---|---|
//! | has the grant | verified and compiled | true | what it was loaded for |
//! | has the grant | refused | false | the refusal |
//! | has not the grant | checked, not compiled | false | which grant is needed |
//! | is not known: no hub answers | as for a key that reads | as above | with the hub's sentence |

use ensemble_broker::Fault;
use ensemble_model::{Grant, KeyGrants, Principal, world};
use ensemble_runtime::{Plugin, Registry};
use serde::{Deserialize, Serialize};

use crate::backends::installed::SetAside;
use crate::cli::Listing;
use crate::compose::Composed;
use crate::env::Environment;
use crate::output;

/// One plugin, as listed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    id: String,
    version: String,
    digest: String,
    world: String,
    imports: Vec<String>,
    grant: String,
    loaded: bool,
    reason: String,
}

pub(crate) async fn run(asked: Listing, env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    let who = parts.broker.principal().await;
    let mut rows = Vec::new();
    for plugin in parts.registry.plugins() {
        rows.push(row(&parts.registry, plugin, &who).await);
    }
    rows.extend(parts.aside.iter().map(Row::aside));
    parts.close();
    if asked.json {
        return output::json(&rows);
    }
    output::print(&render(&rows, output::width()))?;
    Ok(())
}

async fn row(registry: &Registry, plugin: &Plugin, who: &Result<Principal, Fault>) -> Row {
    let manifest = &plugin.manifest;
    let grants = who.as_ref().map_or(KeyGrants::default(), |who| who.grants);
    let inspected = registry.inspect(&manifest.id);
    let allowed = grants.allows(manifest.grant);
    let (loaded, reason) = match &inspected {
        Err(refused) => (false, refused.to_string()),
        Ok(_) if !allowed => (false, not_allowed(manifest.grant, who)),
        Ok(_) => match registry.load(&manifest.id).await {
            Ok(()) => (true, allowed_by(manifest.grant, who)),
            Err(refused) => (false, refused.to_string()),
        },
    };
    Row {
        id: manifest.id.to_string(),
        version: manifest.version.clone(),
        digest: plugin.digest.to_string(),
        world: manifest.world.name().to_owned(),
        imports: inspected.map(|facts| facts.imports).unwrap_or_default(),
        grant: manifest.grant.word().to_owned(),
        loaded,
        reason,
    }
}

fn not_allowed(grant: Grant, who: &Result<Principal, Fault>) -> String {
    let needs = format!("needs a key with {} allowed", grant.word());
    match who {
        Ok(who) => format!("{needs}, which the key “{}” has not", who.key_name),
        Err(fault) => format!("{needs}, and no hub could be asked: {fault}"),
    }
}

fn allowed_by(grant: Grant, who: &Result<Principal, Fault>) -> String {
    match (who, grant) {
        (Ok(who), Grant::Read) => format!("every key may read, so also “{}”", who.key_name),
        (Ok(who), grant) => format!("the key “{}” has {} allowed", who.key_name, grant.word()),
        (Err(fault), _) => format!("every key may read, but its calls will fail: {fault}"),
    }
}

fn render(rows: &[Row], width: usize) -> String {
    let parts: Vec<String> = rows.iter().map(|row| row.whole(width)).collect();
    parts.join("\n")
}

impl Row {
    /// Whether it is loaded for the key.
    pub(crate) fn is_loaded(&self) -> bool {
        self.loaded
    }

    /// One that is installed and not offered: what it says of itself is not believed.
    fn aside(aside: &SetAside) -> Self {
        Self {
            id: aside.id.clone(),
            version: String::new(),
            digest: String::new(),
            world: String::new(),
            imports: Vec::new(),
            grant: String::new(),
            loaded: false,
            reason: aside.reason.clone(),
        }
    }

    /// Whether it is loaded, and why, in a line or two.
    pub(crate) fn summary(&self, width: usize) -> String {
        let mark = if self.loaded { "loaded" } else { "not loaded" };
        let line = format!("{} {}: {mark}, {}", self.id, self.version, self.reason);
        output::wrap(&line, width, "  ")
    }

    fn whole(&self, width: usize) -> String {
        let mark = if self.loaded { "loaded" } else { "not loaded" };
        if self.digest.is_empty() {
            let body = output::wrap(&format!("{mark}: {}", self.reason), width, "  ");
            return format!("{} (installed)\n{body}", self.id);
        }
        let digest: String = self.digest.chars().take(12).collect();
        let capabilities: Vec<&str> = self
            .imports
            .iter()
            .map(String::as_str)
            .filter(|import| is_capability(import))
            .collect();
        let head = format!(
            "{} {} (world {}, grant {}, sha256 {digest}…)\n",
            self.id, self.version, self.world, self.grant
        );
        let body = format!(
            "{mark}: {}\nimports {}\n",
            self.reason,
            capabilities.join(", ")
        );
        head + &output::wrap(&body, width, "  ")
    }
}

/// Types, reporting and the closed part of WASI give a plugin nothing; what is left is what a reviewer looks for.
fn is_capability(import: &str) -> bool {
    let (name, _) = world::split_version(import);
    !world::FREE_INTERFACES.contains(&name) && !world::CLOSED_WASI.contains(&name)
}
