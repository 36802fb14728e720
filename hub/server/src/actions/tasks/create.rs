//! Adding tasks: all of a list or none; the row that is wrong is named by its number.

use ensemble_hub_api::Kind;
use ensemble_hub_api::task::CreateTask;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Urgency;
use crate::actions::with::at_row;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::tasks::card;
use crate::tasks::create::{self, More};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// The tasks to add.
    #[schemars(length(min = 1, max = 50))]
    tasks: Vec<New>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct New {
    /// What is to be done, in one line.
    #[schemars(length(min = 1, max = 500))]
    title: String,
    /// The task's page, in Markdown.
    #[schemars(length(max = 100_000))]
    page: Option<String>,
    /// proposed (the default) leaves it to the person to accept; todo when they have asked for it.
    status: Option<Begun>,
    /// The project, by id, handle or exact name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
    /// The day it is due, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    due: Option<String>,
    /// How urgent it is.
    priority: Option<Urgency>,
    /// The person who answers for it, by id, handle or name.
    #[schemars(length(max = 2000))]
    owner: Option<String>,
    /// People who work on it, by id, handle or name.
    #[serde(default)]
    #[schemars(length(max = 20))]
    people: Vec<String>,
    /// Its labels.
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 60)))]
    labels: Vec<String>,
    /// The repository, by id, handle or name.
    #[schemars(length(max = 2000))]
    repository: Option<String>,
    /// The deliverable that it is part of, by id, handle or title.
    #[schemars(length(max = 2000))]
    deliverable: Option<String>,
    /// The handle of the record that it came from; the two are linked.
    #[schemars(length(max = 2000))]
    from: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Begun {
    Proposed,
    Todo,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let mut cards = Vec::new();
    for (at, new) in asked.tasks.into_iter().enumerate() {
        let task = one(on, new).await.map_err(|refused| at_row(at, refused))?;
        let hub = on.hub.clone();
        cards.push(card::one_changed(&hub, on.change(), &task).await?);
    }
    let message = match cards.len() {
        1 => "The task was added.".to_owned(),
        many => format!("{many} tasks were added."),
    };
    Ok(Done::new(json!({ "tasks": cards }), message))
}

async fn one(on: &mut Changing, new: New) -> Result<crate::store::Record, RouteError> {
    let mut more = More {
        priority: new.priority.map(Urgency::priority),
        labels: new.labels,
        ..More::default()
    };
    if let Some(project) = &new.project {
        more.project = Some(on.record(Kind::Project, project).await?);
    }
    if let Some(owner) = &new.owner {
        more.owner = Some(on.record(Kind::Person, owner).await?);
    }
    if let Some(repo) = &new.repository {
        more.repo = Some(on.record(Kind::Repo, repo).await?);
    }
    if let Some(deliverable) = &new.deliverable {
        more.deliverable = Some(on.record(Kind::Deliverable, deliverable).await?);
    }
    let asked = CreateTask {
        title: new.title,
        page: new.page,
        due: new.due,
        people: new.people,
        status: new.status.map(|status| match status {
            Begun::Proposed => "proposed".to_owned(),
            Begun::Todo => "todo".to_owned(),
        }),
        from: new.from,
        ..CreateTask::default()
    };
    let (space, action) = (on.space().to_owned(), on.action.clone());
    create::create(on.change(), &space, &action, asked, more).await
}
