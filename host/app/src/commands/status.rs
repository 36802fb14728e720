//! `ensemble status`: which hub, key and repository the bridge would use here, and how many tools an editor would see.

use ensemble_model::{KeyGrants, Principal};
use serde::Serialize;

use crate::cli::Listing;
use crate::compose::Composed;
use crate::env::Environment;
use crate::output;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    hub: HubStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<KeyStatus>,
    repository: RepositoryStatus,
    /// Tools that this key sees.
    tools: usize,
    sandbox: String,
}

#[derive(Serialize)]
struct HubStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    answers: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct KeyStatus {
    name: String,
    /// No key is set: the bridge acts as the owner of the hub that runs on this computer.
    owner: bool,
    changes: bool,
    apps: bool,
    /// Where a call acts that names no space.
    space: String,
}

#[derive(Serialize)]
struct RepositoryStatus {
    folder: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    repo: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(crate) async fn run(asked: Listing, env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    let (who, repository) = tokio::join!(parts.broker.principal(), repository(&parts));
    let failed = who.as_ref().err().map(ToString::to_string);
    let status = status(&parts, who.ok(), failed.clone(), repository);
    parts.close();
    if asked.json {
        output::json(&status)?;
    } else {
        output::print(&render(&status))?;
    }
    match failed {
        None => Ok(()),
        Some(sentence) => Err(anyhow::Error::msg(sentence)),
    }
}

fn status(
    parts: &Composed,
    who: Option<Principal>,
    reason: Option<String>,
    repository: RepositoryStatus,
) -> Status {
    let grants = who.as_ref().map_or(KeyGrants::default(), |who| who.grants);
    Status {
        hub: HubStatus {
            address: parts.hub.address(),
            answers: who.is_some(),
            reason,
        },
        key: who.map(|who| KeyStatus {
            name: who.key_name,
            owner: parts.hub.without_key(),
            changes: who.grants.changes,
            apps: who.grants.apps,
            space: who.default_space.name,
        }),
        repository,
        tools: parts.catalog.view(grants).tools().len(),
        sandbox: parts.sandbox.engine.clone(),
    }
}

async fn repository(parts: &Composed) -> RepositoryStatus {
    use ensemble_broker::RepositoryPort as _;

    let found = parts.folder.look().await;
    let reason = found.as_ref().err().map(ToString::to_string);
    let location = found.unwrap_or_default();
    RepositoryStatus {
        folder: parts.folder.directory().display().to_string(),
        repo: location.repo,
        branch: location.branch,
        reason,
    }
}

fn render(status: &Status) -> String {
    let Status {
        hub,
        key,
        repository,
        tools,
        sandbox,
    } = status;
    let hub_line = match (&hub.address, hub.answers) {
        (Some(address), true) => format!("{address} answers"),
        (Some(address), false) => format!("{address}, without an answer that this bridge can use"),
        (None, _) => "not asked".to_owned(),
    };
    let key_line = key
        .as_ref()
        .map_or_else(|| "none that a hub accepted".to_owned(), acts);
    let place = match (&repository.repo, &repository.branch, &repository.reason) {
        (_, _, Some(reason)) => reason.clone(),
        (Some(repo), Some(branch), None) => format!("{repo} on {branch}"),
        (Some(repo), None, None) => format!("{repo}, on no branch"),
        (None, Some(branch), None) => format!("one without a remote that names it, on {branch}"),
        (None, None, None) => "none".to_owned(),
    };
    let rows = [
        ("Hub", hub_line),
        ("Key", key_line),
        ("Folder", repository.folder.clone()),
        ("Repository", place),
        ("Tools", tools.to_string()),
        ("Sandbox", sandbox.clone()),
    ];
    let lines: Vec<String> = rows
        .iter()
        .map(|(name, text)| format!("{name:<12}{}", output::plain(text)))
        .collect();
    lines.join("\n")
}

/// A sentence in the second column.
fn hung(sentence: &str) -> String {
    const INDENT: &str = "            ";
    let text = output::wrap(sentence, output::width(), INDENT);
    text.trim().to_owned()
}

/// What the bridge may do, in words.
fn acts(key: &KeyStatus) -> String {
    if key.owner {
        return hung(&format!(
            "none is set, so the bridge acts as the owner of this hub: it reads, changes and uses apps, by default in “{}”. To allow \
             less, make a key with `ensemble hub key create` and set ENSEMBLE_BRIDGE_TOKEN.",
            key.space
        ));
    }
    let may = |yes: bool, what: &'static str| if yes { what } else { "" };
    format!(
        "“{}” reads{}{}, by default in “{}”",
        key.name,
        may(key.changes, ", changes"),
        may(key.apps, ", uses apps"),
        key.space
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_acts_is_said_plainly() {
        let mut key = KeyStatus {
            name: "laptop".to_owned(),
            owner: false,
            changes: true,
            apps: false,
            space: "Personal".to_owned(),
        };
        assert_eq!(
            acts(&key),
            "“laptop” reads, changes, by default in “Personal”"
        );
        key.owner = true;
        let said = acts(&key);
        let flat: Vec<&str> = said.split_whitespace().collect();
        assert!(
            flat.join(" ").contains("as the owner of this hub"),
            "{said}"
        );
        assert!(!said.contains("laptop"), "{said}");
    }
}
