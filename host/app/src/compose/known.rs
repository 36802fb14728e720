//! Which plugins there are: those that this program is built with, and of those that the person installed the ones that are as
//! they were approved and can stand beside the others. One that cannot is set aside, with the reason, and disturbs no other.

use std::collections::BTreeSet;

use anyhow::Context as _;
use ensemble_broker::Granted;
use ensemble_catalog::{Catalog, Entry};
use ensemble_first_party::{BUNDLED, Bundled};
use ensemble_model::{Digest, Manifest, Origin, Surface};
use ensemble_runtime::{Bytes, Plugin};

use crate::backends::host_key;
use crate::backends::installed::{Installed, Key, SetAside};
use crate::folders::Folders;

/// Every plugin that there is, switched off or not: a name that is switched off is not free.
pub(crate) struct Known {
    pub(super) plugins: Vec<Plugin>,
    pub(super) catalog: Catalog,
    pub(super) aside: Vec<SetAside>,
}

impl Known {
    /// The built-in ones, and of the installed ones those that can stand beside them. One that cannot is set aside, and
    /// disturbs no other.
    pub(super) fn of(installed: Option<&Installed>) -> anyhow::Result<Self> {
        let mut known = Self::built_in()?;
        let Some(installed) = installed else {
            return Ok(known);
        };
        let plugins = match installed.all() {
            Ok((plugins, aside)) => {
                known.aside = aside;
                plugins
            }
            Err(error) => {
                known.aside.push(SetAside {
                    id: "(installed)".to_owned(),
                    reason: format!(
                        "The folder of the installed plugins cannot be read ({}): none of them is offered.",
                        error.kind()
                    ),
                });
                Vec::new()
            }
        };
        for plugin in plugins {
            match known.catalog.and(entry(&plugin)) {
                Ok(catalog) => {
                    known.catalog = catalog;
                    known.plugins.push(plugin);
                }
                Err(error) => known.aside.push(SetAside {
                    id: plugin.manifest.id.to_string(),
                    reason: error.to_string(),
                }),
            }
        }
        Ok(known)
    }

    fn built_in() -> anyhow::Result<Self> {
        let plugins = BUNDLED
            .iter()
            .map(plugin)
            .collect::<anyhow::Result<Vec<_>>>()?;
        let entries = plugins.iter().map(entry).collect();
        Ok(Self {
            catalog: Catalog::new(entries).context("the plugins cannot be offered together")?,
            plugins,
            aside: Vec::new(),
        })
    }

    /// Whether a plugin could be offered beside all others, apart from an earlier one of its own id.
    pub(crate) fn check_beside(
        installed: Option<&Installed>,
        candidate: &Plugin,
    ) -> anyhow::Result<()> {
        let own = &candidate.manifest.id;
        let known = Self::of(installed)?;
        let built_in: BTreeSet<&str> = BUNDLED.iter().map(|bundled| bundled.id).collect();
        let others = known
            .catalog
            .only(|id| id != own || built_in.contains(id.as_str()));
        others.and(entry(candidate))?;
        Ok(())
    }
}

fn entry(plugin: &Plugin) -> Entry {
    Entry {
        manifest: plugin.manifest.clone(),
        surface: plugin.surface.clone(),
        origin: plugin.origin,
    }
}

/// Without a folder, or without the key, nothing that is installed can be trusted, and nothing of it is offered.
pub(super) fn installed(folders: &Folders) -> Option<Installed> {
    let folder = folders.plugins().ok()?;
    let path = folders.host_key().ok()?;
    match host_key::load(&path) {
        Ok(key) => Some(Installed::in_folder(folder, Key::of_host(&key))),
        Err(error) => {
            tracing::warn!(%error, "installed plugins are not offered");
            None
        }
    }
}

/// One embedded plugin; what the build embedded is approved by having been built.
fn plugin(bundled: &Bundled) -> anyhow::Result<Plugin> {
    let of = || format!("the plugin {} of this program is damaged", bundled.id);
    let manifest = Manifest::parse(bundled.manifest).with_context(of)?;
    Ok(Plugin {
        granted: Granted::everything(&manifest),
        surface: Surface::parse(bundled.surface).with_context(of)?,
        digest: Digest::try_from(bundled.sha256.to_owned()).with_context(of)?,
        bytes: Bytes::Static(bundled.wasm),
        origin: Origin::BuiltIn,
        manifest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ensemble_model::KeyGrants;

    #[test]
    fn the_embedded_plugins_can_be_offered_together() {
        let catalog = Known::of(None).unwrap().catalog;
        let reads = catalog.view(KeyGrants::default());
        let changes = catalog.view(KeyGrants {
            changes: true,
            apps: false,
        });
        assert!(reads.tool("ensemble_brief").is_some());
        assert!(reads.tool("ensemble_create_task").is_none());
        assert!(changes.tool("ensemble_create_task").is_some());
    }
}
