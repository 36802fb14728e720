//! `ensemble hub repo`: lets the files of a checkout be read, on the hub's data folder itself, also beside a running hub.

use std::sync::Arc;

use anyhow::Context as _;
use ensemble_hub_server::Admin;
use ensemble_hub_server::store::CheckoutRow;
use serde::Serialize;

use super::hub_key::{existing, folder};
use super::hub_serve::HubTime;
use crate::backends::repository::WorkingFolder;
use crate::cli::repo::{AllowRepo, ForgetRepo, ListRepos, Repo};
use crate::env::Environment;
use crate::output;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    handle: String,
    repo: String,
    path: String,
    space_id: String,
}

impl From<CheckoutRow> for Row {
    fn from(row: CheckoutRow) -> Self {
        Self {
            handle: format!("ensemble://repo/{}", row.id),
            id: row.id,
            repo: row.title,
            path: row.path,
            space_id: row.space_id,
        }
    }
}

pub(crate) async fn run(asked: Repo, env: &dyn Environment) -> anyhow::Result<()> {
    match asked {
        Repo::Allow(asked) => allow(asked, env).await,
        Repo::List(asked) => list(asked, env).await,
        Repo::Forget(asked) => forget(asked, env).await,
    }
}

async fn allow(asked: AllowRepo, env: &dyn Environment) -> anyhow::Result<()> {
    let path = std::path::absolute(&asked.path)?;
    let name = match asked.repo {
        Some(name) => name,
        None => WorkingFolder::new(path.clone())
            .look()
            .await
            .ok()
            .and_then(|found| found.repo)
            .context("this folder has no remote that names its repository: say which it is with --repo owner/name")?,
    };
    let admin = Admin::open(&folder(&asked.hub, env)?, Arc::new(HubTime)).await?;
    let allowed = admin
        .allow_checkout(asked.space.as_deref(), &name, &path)
        .await;
    admin.close().await;
    let row = Row::from(allowed?);
    if asked.listing.json {
        return output::json(&row);
    }
    output::print(&format!(
        "The files of “{}” in {} can be read now, as {}.",
        output::plain(&row.repo),
        output::plain(&row.path),
        row.handle
    ))?;
    Ok(())
}

async fn list(asked: ListRepos, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = existing(&asked.hub, env).await?;
    let found = admin.checkouts().await;
    admin.close().await;
    let rows: Vec<Row> = found?.into_iter().map(Row::from).collect();
    if asked.listing.json {
        return output::json(&rows);
    }
    if rows.is_empty() {
        output::note("No checkouts yet: allow one with `ensemble hub repo allow PATH`.");
        return Ok(());
    }
    for row in rows {
        let (repo, path) = (output::plain(&row.repo), output::plain(&row.path));
        output::print(&format!("{repo}  {path}  {}", row.id))?;
    }
    Ok(())
}

async fn forget(asked: ForgetRepo, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = existing(&asked.hub, env).await?;
    let forgotten = admin.forget_checkout(&asked.repo).await;
    admin.close().await;
    let row = forgotten?;
    output::print(&format!(
        "The files of “{}” cannot be read any more.",
        output::plain(&row.title)
    ))?;
    Ok(())
}
