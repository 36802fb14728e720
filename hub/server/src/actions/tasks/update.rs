//! Changing a task: what is left out stays, `null` empties a field, a list replaces the one before.

use ensemble_hub_api::{Kind, TaskStatus, date, limits, relation, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Urgency;
use crate::actions::input::Patch;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{Record, name_key};
use crate::tasks::{card, status_of};
use crate::view;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The task, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    task: String,
    /// The version you read, needed with `page`; if the task has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The title you expect it to have; if it has another one, nothing changes.
    #[schemars(length(max = 500))]
    match_title: Option<String>,
    /// The new title.
    #[schemars(length(min = 1, max = 500))]
    title: Option<String>,
    /// The new status; `waiting_approval` is ready for review.
    status: Option<Moved>,
    /// The person who answers for it, by id, handle or name; null for nobody.
    #[serde(default)]
    owner: Patch<String>,
    /// How urgent it is; null for unsaid.
    #[serde(default)]
    priority: Patch<Urgency>,
    /// The day it is due, as YYYY-MM-DD; null for none.
    #[serde(default)]
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    due: Patch<String>,
    /// Its labels, in place of those it has.
    #[schemars(length(max = 20), inner(length(min = 1, max = 60)))]
    labels: Option<Vec<String>>,
    /// The people who work on it, in place of those it has, by id, handle or name.
    #[schemars(length(max = 20))]
    people: Option<Vec<String>>,
    /// The project, by id, handle or name; null for none.
    #[serde(default)]
    project: Patch<String>,
    /// The repository, by id, handle or name; null for none.
    #[serde(default)]
    repository: Patch<String>,
    /// The deliverable that it is part of, by id, handle or title; null for none.
    #[serde(default)]
    deliverable: Patch<String>,
    /// Its page in Markdown, in place of the one it has.
    #[schemars(length(max = 100_000))]
    page: Option<String>,
}

/// The statuses that an agent may ask for.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Moved {
    InProgress,
    WaitingApproval,
    Done,
    Blocked,
    Todo,
}

impl Moved {
    const fn status(self) -> TaskStatus {
        match self {
            Self::InProgress => TaskStatus::InProgress,
            Self::WaitingApproval => TaskStatus::WaitingApproval,
            Self::Done => TaskStatus::Done,
            Self::Blocked => TaskStatus::Blocked,
            Self::Todo => TaskStatus::Todo,
        }
    }
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Task, &asked.task).await?;
    Changing::fresh(&before, asked.version)?;
    if let Some(title) = &asked.match_title
        && name_key(&view::title(&before)) != name_key(title)
    {
        return Err(RouteError::Conflict(sentences::other_title(&view::title(
            &before,
        ))));
    }
    let mut task = before.clone();
    plain_fields(&mut task, &asked)?;
    Changing::replaces(&before, &task, asked.version)?;
    on.refer(
        &mut task,
        "owner",
        relation::OWNER,
        Kind::Person,
        &asked.owner,
    )
    .await?;
    on.refer(
        &mut task,
        "projectId",
        relation::PROJECT,
        Kind::Project,
        &asked.project,
    )
    .await?;
    on.refer(
        &mut task,
        "repoId",
        relation::REPO,
        Kind::Repo,
        &asked.repository,
    )
    .await?;
    on.refer(
        &mut task,
        "deliverableId",
        relation::DELIVERABLE,
        Kind::Deliverable,
        &asked.deliverable,
    )
    .await?;
    if let Some(people) = &asked.people {
        let mut ids = Vec::new();
        for person in people {
            ids.push(on.record(Kind::Person, person).await?.id);
        }
        on.relink(&before.id, relation::ASSIGNEE, &ids).await?;
    }
    let task = on.update(&before, task).await?;
    let message = if on.write.change.wrote() {
        "The task was changed."
    } else {
        "The task already was like that."
    };
    let hub = on.hub.clone();
    let card = card::one_changed(&hub, on.change(), &task).await?;
    Ok(Done::new(
        json!({ "task": card, "version": task.version }),
        message,
    ))
}

fn plain_fields(task: &mut Record, asked: &Update) -> Result<(), RouteError> {
    if let Some(title) = &asked.title {
        task.title.clone_from(title);
    }
    if let Some(to) = asked.status.map(Moved::status) {
        let was = status_of(task)?;
        if !was.may_become(to) {
            return Err(RouteError::Conflict(sentences::refused_move(was, to)));
        }
        task.status = Some(to.as_str().to_owned());
    }
    if let Patch::Set(due) = &asked.due
        && !date::is_date(due)
    {
        return Err(RouteError::BadRequest(sentences::DUE_BAD.to_owned()));
    }
    task.patch("due", &asked.due);
    match &asked.priority {
        Patch::Keep => {}
        Patch::Clear => drop(task.fields.remove("priority")),
        Patch::Set(priority) => drop(
            task.fields
                .insert("priority".to_owned(), json!(priority.priority())),
        ),
    }
    if let Some(labels) = &asked.labels {
        task.fields
            .insert("labels".to_owned(), Value::from(labels.clone()));
    }
    if let Some(page) = &asked.page {
        if page.chars().nth(limits::PAGE_MAX).is_some() {
            return Err(RouteError::BadRequest(sentences::PAGE_TOO_LONG.to_owned()));
        }
        task.body.clone_from(page);
    }
    Ok(())
}
