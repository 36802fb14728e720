//! A folder that may become an installed plugin: read once, checked as every load is, and asked in the sandbox what it
//! offers. What is shown to the person is what is kept; no file is read a second time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use ensemble_broker::Granted;
use ensemble_model::{Digest, Manifest, Origin, Surface};
use ensemble_runtime::{Bytes, Plugin, Registry};
use jiff::Timestamp;
use similar::{ChangeTag, TextDiff};

use super::audit::component::{self, Component};
use crate::backends::installed::{Approval, Installed, read_component, read_text};
use crate::compose::{Composed, Known};
use crate::output;

/// Everything about it.
pub(super) struct Candidate {
    pub(super) text: String,
    pub(super) bytes: Arc<[u8]>,
    pub(super) plugin: Plugin,
    pub(super) component: Component,
}

impl Candidate {
    /// Reads and checks it. The component runs in the sandbox to list what it offers, with nothing granted.
    ///
    /// # Errors
    /// What keeps it from being installed, in one sentence.
    pub(super) async fn read(folder: &Path, parts: &Composed) -> anyhow::Result<Self> {
        let at = folder.join("plugin.toml");
        let text = read_text(&at).with_context(|| format!("{} cannot be read", at.display()))?;
        let manifest = Manifest::parse(&text).with_context(|| at.display().to_string())?;
        let at = component_in(folder)?;
        let bytes: Arc<[u8]> = read_component(&at)
            .with_context(|| format!("{} cannot be read", at.display()))?
            .into();
        let mut plugin = Plugin {
            granted: Granted::everything(&manifest),
            surface: Surface::default(),
            digest: Digest::of(&bytes),
            bytes: Bytes::Read(Arc::clone(&bytes)),
            origin: Origin::Installed,
            manifest,
        };
        plugin.surface = offered(&plugin, parts).await?;
        Known::check_beside(parts.installed.as_ref(), &plugin)?;
        let registry = Registry::new(parts.runtime.clone(), vec![plugin.clone()])?;
        let mut component = component::of(&registry, &plugin);
        component.approval.by = component::NOBODY;
        Ok(Self {
            text,
            bytes,
            plugin,
            component,
        })
    }

    /// What the person approves by saying yes.
    pub(super) fn approval(&self, at: Timestamp) -> Approval {
        let plugin = &self.plugin;
        Approval::of(
            &plugin.manifest,
            &self.text,
            plugin.digest.clone(),
            plugin.surface.clone(),
            at,
        )
    }

    /// What is otherwise than it was approved, one sentence each; empty where nothing is.
    pub(super) fn changes(&self, approved: &Approval) -> Vec<String> {
        let mut changes = Vec::new();
        let now = self.approval(approved.at);
        let mut otherwise = |what: &str, was: &str, is: &str| {
            if was != is {
                changes.push(format!("{what}: was {was}, is {is}"));
            }
        };
        otherwise("version", &approved.version, &now.version);
        otherwise("component", approved.digest.as_str(), now.digest.as_str());
        for (what, was, is) in [
            ("capability", &approved.interfaces, &now.interfaces),
            ("route", &approved.routes, &now.routes),
        ] {
            changes.extend(is.difference(was).map(|new| format!("{what}: new: {new}")));
            changes.extend(was.difference(is).map(|old| format!("{what}: gone: {old}")));
        }
        // reasons, limits, the grant: whatever else it declares
        let lines = TextDiff::from_lines(approved.manifest.as_str(), now.manifest.as_str());
        changes.extend(lines.iter_all_changes().filter_map(|line| {
            let what = match line.tag() {
                ChangeTag::Equal => return None,
                ChangeTag::Delete => "gone",
                ChangeTag::Insert => "new",
            };
            // also an empty one: nothing that is otherwise goes unsaid
            Some(format!("plugin.toml: {what}: {}", line.value().trim_end()))
        }));
        let listed = approved.surface.differences(&now.surface);
        changes.extend(listed.iter().map(ToString::to_string));
        changes
    }

    /// Keeps it as approved now.
    pub(super) fn keep(&self, installed: &Installed, at: Timestamp) -> anyhow::Result<()> {
        installed
            .put(
                &self.plugin.manifest.id,
                &self.text,
                &self.bytes,
                &self.approval(at),
            )
            .context("the plugin cannot be kept")
    }

    /// For a person who decides: what it can do, then what its tools say of themselves.
    pub(super) fn describe(&self, width: usize) -> String {
        let mut text = super::audit::text::one(&self.component, width);
        text.push_str("\nWhat its tools say of themselves\n\n");
        for tool in &self.plugin.surface.tools {
            text.push_str(&output::wrap(
                &format!("{} ({})\n", tool.name, tool.title),
                width,
                "",
            ));
            text.push_str(&output::wrap(&tool.description, width - 4, "    "));
        }
        text
    }
}

/// The one `.wasm` file of the folder.
fn component_in(folder: &Path) -> anyhow::Result<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "wasm")
        {
            found.push(path);
        }
    }
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => bail!(
            "{} has no .wasm file: build the component into it.",
            folder.display()
        ),
        many => bail!(
            "{} has {} .wasm files, and a plugin is one component: leave one.",
            folder.display(),
            many.len()
        ),
    }
}

/// What the component lists. It is asked twice: one that lists something else each time can never be as approved.
async fn offered(plugin: &Plugin, parts: &Composed) -> anyhow::Result<Surface> {
    let id = &plugin.manifest.id;
    let registry = Registry::new(parts.runtime.clone(), vec![plugin.clone()])?;
    registry.load(id).await?;
    let list = || registry.surface(id, parts.broker.listing(&plugin.manifest, &plugin.digest));
    let (first, second) = (list().await?, list().await?);
    match first.differences(&second).first() {
        None => Ok(first),
        Some(differs) => bail!(
            "The plugin {id} lists something else each time that it is asked ({differs}): nothing of it could be approved."
        ),
    }
}
