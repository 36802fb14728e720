//! `ensemble plugin install` and `approve`: shows, asks, and pins what the person said yes to. `remove` takes it away.

use std::io::{self, IsTerminal as _};

use anyhow::{Context as _, bail};
use ensemble_model::{Clock as _, PluginId};

use super::candidate::Candidate;
use crate::backends::clock::SystemClock;
use crate::backends::installed::Installed;
use crate::cli::plugin::{Approve, Consent, Install, Remove};
use crate::compose::Composed;
use crate::env::Environment;
use crate::output;

pub(crate) async fn install(asked: Install, env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    let done = install_in(&parts, &asked).await;
    parts.close();
    done
}

async fn install_in(parts: &Composed, asked: &Install) -> anyhow::Result<()> {
    let installed = store(parts)?;
    let candidate = Candidate::read(&asked.folder, parts).await?;
    let manifest = &candidate.plugin.manifest;
    output::print(&candidate.describe(output::width()))?;
    if installed.has(&manifest.id) {
        said(&candidate, installed)?;
    }
    agreed(
        asked.consent,
        &format!("Install {} {}?", manifest.id, manifest.version),
        "Nothing was installed",
    )?;
    candidate.keep(installed, SystemClock.now())?;
    output::print(&format!(
        "\nInstalled {} {}. A bridge that starts from now on offers {} of its tools to {}.",
        manifest.id,
        manifest.version,
        candidate.plugin.surface.tools.len(),
        match manifest.grant.word() {
            "read" => "every key".to_owned(),
            grant => format!("keys with {grant} allowed"),
        }
    ))?;
    Ok(())
}

pub(crate) async fn approve(asked: Approve, env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    let done = approve_in(&parts, &asked).await;
    parts.close();
    done
}

async fn approve_in(parts: &Composed, asked: &Approve) -> anyhow::Result<()> {
    let installed = store(parts)?;
    let id = &asked.plugin;
    known(installed, id)?;
    let candidate = Candidate::read(&installed.folder_of(id), parts).await?;
    if candidate.plugin.manifest.id != *id {
        bail!(
            "The plugin.toml below {id} names the id {}: install it again.",
            candidate.plugin.manifest.id
        );
    }
    output::print(&candidate.describe(output::width()))?;
    if !said(&candidate, installed)? {
        return Ok(());
    }
    agreed(
        asked.consent,
        &format!("Approve {id} as it is now?"),
        "Nothing was approved",
    )?;
    candidate.keep(installed, SystemClock.now())?;
    output::print(&format!("\nApproved {id}."))?;
    Ok(())
}

pub(crate) fn remove(asked: &Remove, env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    parts.close();
    let installed = store(&parts)?;
    known(installed, &asked.plugin)?;
    installed
        .remove(&asked.plugin)
        .with_context(|| format!("the plugin {} cannot be removed", asked.plugin))?;
    output::print(&format!("Removed {}.", asked.plugin))?;
    Ok(())
}

/// Prints what is otherwise since the approval, and whether there is anything to approve.
fn said(candidate: &Candidate, installed: &Installed) -> anyhow::Result<bool> {
    let id = &candidate.plugin.manifest.id;
    let changes = match installed.approval(id) {
        Ok(approval) => {
            let changes = candidate.changes(&approval);
            if changes.is_empty() {
                output::print(&format!("\n{id} is as it was approved on {}.", approval.at))?;
                return Ok(false);
            }
            changes
        }
        Err(reason) => vec![reason.to_string()],
    };
    let mut text = "\nOtherwise than it was approved\n\n".to_owned();
    for change in changes {
        text.push_str(&output::wrap(&format!("- {change}"), output::width(), ""));
    }
    output::print(&text)?;
    Ok(true)
}

/// Where installed plugins are.
pub(super) fn store(parts: &Composed) -> anyhow::Result<&Installed> {
    parts.installed.as_ref().context(
        "there is no folder for installed plugins, or no key that proves what was approved; `ensemble audit` shows where both would be",
    )
}

pub(super) fn known(installed: &Installed, id: &PluginId) -> anyhow::Result<()> {
    if installed.has(id) {
        return Ok(());
    }
    bail!("No plugin {id} is installed: `ensemble plugin list` shows those that there are.")
}

/// The person's word, or `--yes`.
fn agreed(consent: Consent, question: &str, otherwise: &str) -> anyhow::Result<()> {
    if consent.yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() {
        bail!("{otherwise}: nobody can be asked here, and `--yes` was not given.");
    }
    output::note("");
    if output::agreed(question)? {
        return Ok(());
    }
    bail!("{otherwise}.")
}
