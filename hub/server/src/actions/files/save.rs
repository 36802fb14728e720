//! Saving what comes from elsewhere: the file behind a link, and items of connected apps.

use std::time::Duration;

use ensemble_hub_api::sentences;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::input::parsed;
use crate::actions::{Changing, Done, Fetched, Prepared, Reading, Running, apps};
use crate::error::RouteError;
use crate::files::originals::Originals;
use crate::files::{self, About, Added, Ready, attach, fetch, name};
use crate::view::{Card, Reader};

/// How long reading the text may take after the file came; the caller waits for both.
const PATIENCE: Duration = Duration::from_secs(3);
const NAMELESS: &str =
    "The link does not say what the file is called: give `filename` with an extension.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Save {
    /// The link: http or https, public, without a user name or password.
    #[schemars(length(min = 1, max = 4000))]
    url: String,
    /// The file's name with its extension; what the link calls it when left out.
    #[schemars(length(min = 1, max = 255))]
    filename: Option<String>,
    /// What the file is about.
    #[schemars(length(max = 4000))]
    summary: Option<String>,
    /// A task, page, project, person or repository that the file is for: handle, link or id.
    #[schemars(length(min = 1, max = 2000))]
    attach_to: Option<String>,
}

pub(super) fn prepare(on: &Reading, input: Value) -> Running<'_, Prepared> {
    Box::pin(async move {
        let asked: Save = parsed(input)?;
        let given = asked.filename.as_deref().map(name::checked).transpose()?;
        let account = &on.caller.space.account_id;
        let private = fetch::allows_private(on.store(), account).await?;
        let got = fetch::get(&asked.url, private).await?;
        let name = given.or(got.name);
        let name = name.ok_or_else(|| RouteError::BadRequest(NAMELESS.to_owned()))?;
        let about = About {
            summary: asked.summary,
            media_type: got.media_type,
            source_url: Some(got.url),
            ..About::default()
        };
        fetched(on, got.bytes, &name, about).await
    })
}

/// Writes bytes to the disk and reads what is in them.
pub(super) async fn fetched(
    on: &Reading,
    bytes: Vec<u8>,
    name: &str,
    about: About,
) -> Result<Prepared, RouteError> {
    let originals = Originals::of(on.hub.data_dir());
    let stage = move || originals.stage(bytes.as_slice());
    let staged = tokio::task::spawn_blocking(stage).await;
    let staged = staged.map_err(|_| RouteError::Broken(sentences::INTERNAL))?;
    let staged = staged.map_err(|error| files::refused(error.into()))?;
    let ready = Ready::of(staged, name, PATIENCE).await;
    Ok(Prepared::File(Box::new(Fetched {
        file: ready.map_err(files::refused)?,
        about,
    })))
}

/// Writes the record of the file that was got before the transaction began.
pub(super) async fn written(on: &mut Changing) -> Result<Added, RouteError> {
    let Some(Prepared::File(fetched)) = on.prepared.take() else {
        return Err(RouteError::Broken(sentences::INTERNAL));
    };
    let (action, space) = (on.action.clone(), on.space().to_owned());
    let file = fetched.file;
    let added = file.write(on.change(), &action, &space, &fetched.about);
    added.await.map_err(files::refused)
}

/// The new file as lists show it, with its hash.
pub(super) fn card(on: &Changing, added: &Added) -> Card {
    let mut card = files::row(&Reader::of(&on.hub, &on.caller), &added.record);
    if let Some(sha256) = added.record.text("sha256") {
        card.insert("sha256".to_owned(), sha256.into());
    }
    card
}

pub(super) async fn save(on: &mut Changing, asked: Save) -> Result<Done, RouteError> {
    let target = match &asked.attach_to {
        Some(given) => Some(on.any(&files::ON, given).await?),
        None => None,
    };
    let added = written(on).await?;
    if let Some(target) = &target {
        let action = on.action.clone();
        attach::attach(on.change(), &action, &added.record, target).await?;
    }
    let message = match &added.note {
        Some(note) => format!("The file was saved. {note}"),
        None => "The file was saved.".to_owned(),
    };
    Ok(Done::new(json!({ "file": card(on, &added) }), message))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AppItem {
    /// The app, such as Notion or Linear.
    #[schemars(length(min = 1, max = 100))]
    app: String,
    /// The item's address or id in the app.
    #[schemars(length(min = 1, max = 2000))]
    #[expect(dead_code, reason = "only a connected app could look it up")]
    item: String,
}

pub(super) async fn app_item(_: &mut Changing, asked: AppItem) -> Result<Done, RouteError> {
    Err(apps::named(&asked.app))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AppFile {
    /// The app, such as Google Drive or Slack.
    #[schemars(length(min = 1, max = 100))]
    app: String,
    /// The file's address or id in the app.
    #[schemars(length(min = 1, max = 2000))]
    #[expect(dead_code, reason = "only a connected app could look it up")]
    file: String,
}

pub(super) async fn app_file(_: &mut Changing, asked: AppFile) -> Result<Done, RouteError> {
    Err(apps::named(&asked.app))
}
