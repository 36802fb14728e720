//! Adding pages and changing them whole. A new text takes the place of the whole old one, for who says which version they read; what the old one shows of files, diagrams and plots
//! is not dropped by the way, and the pages below it are records of their own.

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::TEXT_MAX;
use super::mentions::mentioned;
use super::pieces::with_line_ends_of;
use super::tree::{PARENT_ID, Place};
use crate::actions::input::Patch;
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record};
use crate::text::trust::neutral;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// The title, in one line.
    #[schemars(length(min = 1, max = 500))]
    title: String,
    /// The text, in Markdown. People and records are named as [@Name](ensemble://person/<id>).
    #[schemars(length(max = 100_000))]
    content: Option<String>,
    /// The page that it is below, by id, handle or exact title.
    #[schemars(length(max = 2000))]
    parent: Option<String>,
    /// The project, by id, handle or name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
    /// Its labels.
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 60)))]
    labels: Vec<String>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let mut new = NewRecord::new(on.space(), Kind::Page, asked.title);
    new.body = asked.content.unwrap_or_default();
    if !asked.labels.is_empty() {
        new.fields
            .insert("labels".to_owned(), Value::from(asked.labels));
    }
    let parent = match &asked.parent {
        Some(parent) => Some(on.record(Kind::Page, parent).await?),
        None => None,
    };
    let project = match &asked.project {
        Some(project) => Some(on.record(Kind::Project, project).await?),
        None => None,
    };
    // The fields are there from its first state on.
    if let Some(project) = &project {
        new.fields
            .insert("projectId".to_owned(), project.id.clone().into());
    }
    let made = on.create(new).await?;
    let mut page = made.clone();
    if let Some(parent) = &parent {
        on.may_hold(parent, &page.id).await?;
        page.fields
            .insert(PARENT_ID.to_owned(), parent.id.clone().into());
        on.place(&mut page, parent, &Place::Last).await?;
        on.link(&page.id, relation::PARENT, &parent.id).await?;
    }
    if let Some(project) = &project {
        on.link(&page.id, relation::PROJECT, &project.id).await?;
    }
    on.follow_text(&page.id, "", &page.body).await?;
    let page = on.update(&made, page).await?;
    done(on, &page, "The page was added.").await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The page, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    page: String,
    /// The version you read, needed with `content`; if the page has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The new title.
    #[schemars(length(min = 1, max = 500))]
    title: Option<String>,
    /// Its labels, in place of those it has.
    #[schemars(length(max = 20), inner(length(min = 1, max = 60)))]
    labels: Option<Vec<String>>,
    /// The project, by id, handle or name; null for none.
    #[serde(default)]
    project: Patch<String>,
    /// The text in Markdown, in place of the whole text it has.
    #[schemars(length(max = 100_000))]
    content: Option<String>,
    /// Whether `content` may leave out files, diagrams and plots that the page shows now.
    #[serde(default)]
    drop_embedded: bool,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    if asked.title.is_none()
        && asked.labels.is_none()
        && asked.project.keeps()
        && asked.content.is_none()
    {
        return Err(limited(
            "Nothing to change: give `title`, `labels`, `project` or `content`.",
        ));
    }
    let before = on.record(Kind::Page, &asked.page).await?;
    Changing::fresh(&before, asked.version)?;
    let mut page = before.clone();
    if let Some(title) = asked.title {
        page.title = title;
    }
    if let Some(labels) = asked.labels {
        page.fields.insert("labels".to_owned(), Value::from(labels));
    }
    on.refer(
        &mut page,
        "projectId",
        relation::PROJECT,
        Kind::Project,
        &asked.project,
    )
    .await?;
    if let Some(content) = asked.content {
        // What was read and is sent back unchanged changes nothing, whatever a reader is not shown.
        if neutral(&before.body) != content {
            page.body = with_line_ends_of(&before.body, &content);
            Changing::replaces(&before, &page, asked.version)?;
        }
        if !asked.drop_embedded {
            keeps_embedded(&before.body, &page.body)?;
        }
    }
    write(on, &before, page, "The page was changed.").await
}

/// Refuses a text that no longer shows what the page showed.
fn keeps_embedded(before: &str, after: &str) -> Result<(), RouteError> {
    let after = mentioned(after);
    let gone: Vec<String> = mentioned(before)
        .difference(&after)
        .filter(|handle| {
            matches!(
                handle.kind,
                Kind::File | Kind::Document | Kind::Diagram | Kind::Plot
            )
        })
        .map(ToString::to_string)
        .take(10)
        .collect();
    if gone.is_empty() {
        return Ok(());
    }
    Err(RouteError::Conflict(format!(
        "The new text leaves out what the page shows: {}. Keep it in the text, or give `dropEmbedded`: true.",
        gone.join(", ")
    )))
}

/// Writes a page with the links that follow its text, and answers with it.
pub(super) async fn write(
    on: &mut Changing,
    before: &Record,
    page: Record,
    message: &str,
) -> Result<Done, RouteError> {
    let length = page.body.chars().count();
    if length > TEXT_MAX && length > before.body.chars().count() {
        return Err(limited(
            "A page holds at most 400,000 characters: make another page below it for the rest.",
        ));
    }
    on.follow_text(&before.id, &before.body, &page.body).await?;
    let page = on.update(before, page).await?;
    let message = if on.write.change.wrote() {
        message
    } else {
        "The page already was like that."
    };
    done(on, &page, message).await
}

/// The answer of a change to one page.
pub(super) async fn done(on: &Changing, page: &Record, message: &str) -> Result<Done, RouteError> {
    let card = on.card(page).await?;
    Ok(Done::new(
        json!({ "page": card, "version": page.version }),
        message,
    ))
}
