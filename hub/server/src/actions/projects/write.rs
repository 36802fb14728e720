//! Adding and changing projects.

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Stage;
use crate::actions::input::Patch;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// Its name.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// What it is for, in one or two sentences.
    #[schemars(length(max = 4000))]
    summary: Option<String>,
    /// Notes in Markdown.
    #[schemars(length(max = 100_000))]
    notes: Option<String>,
    /// Where it stands; active when it is left out.
    status: Option<Stage>,
    /// Its people, by id, handle or name.
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1, max = 2000)))]
    people: Vec<String>,
    /// Its repositories, by id, handle or name.
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 2000)))]
    repositories: Vec<String>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let space = on.space().to_owned();
    let namesakes = on
        .change()
        .find_by_title(&space, Kind::Project, &asked.name)
        .await?;
    let mut new = NewRecord {
        status: Some(asked.status.unwrap_or(Stage::Active).as_str().to_owned()),
        body: asked.notes.unwrap_or_default(),
        ..NewRecord::new(space, Kind::Project, asked.name)
    };
    if let Some(summary) = asked.summary.filter(|text| !text.trim().is_empty()) {
        new.fields.insert("summary".to_owned(), summary.into());
    }
    let project = on.create(new).await?;
    linked(on, &project, Some(&asked.people), Some(&asked.repositories)).await?;
    let message = if namesakes.is_empty() {
        "The project was added."
    } else {
        "The project was added; another one has the same name."
    };
    let card = on.card(&project).await?;
    Ok(Done::new(
        json!({ "project": card, "version": project.version }),
        message,
    ))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The project, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    project: String,
    /// The version you read, needed with `notes`; if the project has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The new name.
    #[schemars(length(min = 1, max = 200))]
    name: Option<String>,
    /// What it is for; null for nothing.
    #[serde(default)]
    #[schemars(length(max = 4000))]
    summary: Patch<String>,
    /// Its notes in Markdown, in place of those it has; null for none.
    #[serde(default)]
    #[schemars(length(max = 100_000))]
    notes: Patch<String>,
    /// Where it stands.
    status: Option<Stage>,
    /// Its people, in place of those it has, by id, handle or name.
    #[schemars(length(max = 50), inner(length(min = 1, max = 2000)))]
    people: Option<Vec<String>>,
    /// Its repositories, in place of those it has, by id, handle or name.
    #[schemars(length(max = 20), inner(length(min = 1, max = 2000)))]
    repositories: Option<Vec<String>>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Project, &asked.project).await?;
    Changing::fresh(&before, asked.version)?;
    let mut project = before.clone();
    if let Some(name) = asked.name {
        project.title = name;
    }
    if let Some(status) = asked.status {
        project.status = Some(status.as_str().to_owned());
    }
    project.patch("summary", &asked.summary);
    project.patch_notes(&asked.notes);
    Changing::replaces(&before, &project, asked.version)?;
    linked(
        on,
        &before,
        asked.people.as_deref(),
        asked.repositories.as_deref(),
    )
    .await?;
    let project = on.update(&before, project).await?;
    let card = on.card(&project).await?;
    Ok(Done::new(
        json!({ "project": card, "version": project.version }),
        on.says_changed("project"),
    ))
}

async fn linked(
    on: &mut Changing,
    project: &Record,
    people: Option<&[String]>,
    repositories: Option<&[String]>,
) -> Result<(), RouteError> {
    on.relink_named(project, relation::MEMBER, Kind::Person, people)
        .await?;
    on.relink_named(project, relation::REPO, Kind::Repo, repositories)
        .await
}
