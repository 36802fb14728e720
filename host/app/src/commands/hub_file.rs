//! `ensemble hub file`: puts files into a space, on the hub's data folder itself, also beside a running hub.

use std::sync::Arc;

use anyhow::Context as _;
use ensemble_hub_server::Admin;
use ensemble_hub_server::files::{About, Source};
use serde::Serialize;

use super::hub_key::folder;
use super::hub_serve::HubTime;
use crate::cli::AddHubFile;
use crate::env::Environment;
use crate::output;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    handle: String,
    name: String,
    format: String,
    size: u64,
    sha256: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_characters: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

pub(crate) async fn add(asked: AddHubFile, env: &dyn Environment) -> anyhow::Result<()> {
    let AddHubFile {
        path,
        hub,
        space,
        name,
        summary,
        tags,
        listing,
    } = asked;
    let name = match name {
        Some(name) => name,
        None => path
            .file_name()
            .context("That is not a file: give the path of one file.")?
            .to_string_lossy()
            .into_owned(),
    };
    let about = About {
        name,
        summary,
        tags,
        ..About::default()
    };
    let admin = Admin::open(&folder(&hub, env)?, Arc::new(HubTime)).await?;
    let added = admin
        .add_file(space.as_deref(), Source::Path(path), about)
        .await;
    admin.close().await;
    let added = added?;
    let field = |name: &str| added.record.text(name).unwrap_or_default().to_owned();
    let row = Row {
        handle: format!("ensemble://file/{}", added.record.id),
        name: added.record.title.clone(),
        format: field("format"),
        size: added
            .record
            .fields
            .get("size")
            .and_then(serde_json::Value::as_u64)
            .unwrap_or_default(),
        sha256: field("sha256"),
        text_characters: added.text_characters,
        note: added.note,
        id: added.record.id,
    };
    if listing.json {
        return output::json(&row);
    }
    let text = row.text_characters.map_or_else(
        || "without text".to_owned(),
        |characters| format!("{characters} characters of text"),
    );
    output::print(&format!(
        "Added “{}” ({}, {} bytes, {text}) as {}.",
        output::plain(&row.name),
        row.format,
        row.size,
        row.handle
    ))?;
    if let Some(note) = &row.note {
        output::note(note);
    }
    Ok(())
}
