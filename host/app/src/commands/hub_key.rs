//! `ensemble hub key`: works on the hub's database itself, also beside a running hub.

use std::path::PathBuf;
use std::sync::Arc;

use ensemble_hub_server::{Admin, CreateKey, KeyInfo};
use serde::Serialize;

use super::hub_serve::HubTime;
use crate::cli::{self, HubData, Key};
use crate::env::Environment;
use crate::folders::Folders;
use crate::output;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    name: String,
    /// The space it acts in when a call names none.
    space: String,
    changes: bool,
    apps: bool,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<String>,
    /// The value, once: only where the key was made now.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

pub(crate) async fn run(asked: Key, env: &dyn Environment) -> anyhow::Result<()> {
    match asked {
        Key::Create(asked) => create(asked, env).await,
        Key::List(asked) => list(asked, env).await,
        Key::Revoke(asked) => revoke(asked, env).await,
    }
}

/// The folder that was named, else the default one.
pub(crate) fn folder(asked: &HubData, env: &dyn Environment) -> anyhow::Result<PathBuf> {
    match &asked.data {
        Some(folder) => Ok(std::path::absolute(folder)?),
        None => Ok(Folders::of(env).hub()?),
    }
}

/// A hub that is there: a list or a revocation in a mistyped folder must not make one.
pub(crate) async fn existing(asked: &HubData, env: &dyn Environment) -> anyhow::Result<Admin> {
    let folder = folder(asked, env)?;
    anyhow::ensure!(
        Admin::exists(&folder),
        "there is no hub in {}: name the folder of one with --data, or make one with `ensemble hub serve`",
        folder.display()
    );
    Ok(Admin::open(&folder, Arc::new(HubTime)).await?)
}

async fn open(asked: &HubData, env: &dyn Environment) -> anyhow::Result<Admin> {
    Ok(Admin::open(&folder(asked, env)?, Arc::new(HubTime)).await?)
}

async fn create(asked: cli::CreateKey, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = open(&asked.hub, env).await?;
    let made = admin
        .create_key(CreateKey {
            name: asked.name,
            space: asked.space,
            changes: asked.changes,
            apps: asked.apps,
        })
        .await;
    admin.close().await;
    let made = made?;
    if asked.listing.json {
        let mut row = row(&made.key);
        row.key = Some(made.value.expose().to_owned());
        return output::json(&row);
    }
    output::print(made.value.expose())?;
    let note = format!(
        "This is the key “{}”, shown once. It {}: in “{}” by default, and in every other space of yours that a call names.\n\
         Put it into ENSEMBLE_BRIDGE_TOKEN.",
        made.key.name,
        may(&made.key),
        made.key.space_name,
    );
    output::note(output::wrap(&note, output::width(), "").trim_end());
    Ok(())
}

async fn list(asked: cli::ListKeys, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = existing(&asked.hub, env).await?;
    let keys = admin.keys().await;
    admin.close().await;
    let rows: Vec<Row> = keys?.iter().map(row).collect();
    if asked.listing.json {
        return output::json(&rows);
    }
    if rows.is_empty() {
        output::note("No keys yet: make one with `ensemble hub key create --name \"my editor\"`.");
        return Ok(());
    }
    output::print(&render(&rows))?;
    Ok(())
}

async fn revoke(asked: cli::RevokeKey, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = existing(&asked.hub, env).await?;
    let revoked = admin.revoke_key(&asked.key).await;
    admin.close().await;
    let key = revoked?;
    output::print(&format!(
        "Revoked the key “{}” ({}).",
        output::plain(&key.name),
        key.id
    ))?;
    Ok(())
}

fn may(key: &KeyInfo) -> &'static str {
    match (key.can_write, key.can_use_apps) {
        (false, false) => "reads",
        (true, false) => "reads and changes",
        (false, true) => "reads and uses apps",
        (true, true) => "reads, changes and uses apps",
    }
}

fn row(key: &KeyInfo) -> Row {
    Row {
        id: key.id.clone(),
        name: key.name.clone(),
        space: key.space_name.clone(),
        changes: key.can_write,
        apps: key.can_use_apps,
        created_at: key.created_at.to_string(),
        last_used_at: key.last_used_at.map(|at| at.to_string()),
        revoked_at: key.revoked_at.map(|at| at.to_string()),
        key: None,
    }
}

fn render(rows: &[Row]) -> String {
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let day = |at: &str| at.chars().take(10).collect::<String>();
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.id.clone(),
                row.name.clone(),
                row.space.clone(),
                yes(row.changes),
                yes(row.apps),
                day(&row.created_at),
                row.last_used_at.as_deref().map_or("never".to_owned(), day),
                row.revoked_at
                    .as_deref()
                    .map_or("in use".to_owned(), |at| format!("revoked {}", day(at))),
            ]
        })
        .collect();
    output::fitted(
        &[
            "ID",
            "NAME",
            "DEFAULT SPACE",
            "CHANGES",
            "APPS",
            "MADE",
            "USED",
            "STATE",
        ],
        &cells,
        output::room(),
    )
}
