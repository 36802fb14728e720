//! Reading tasks.

use ensemble_hub_api::{Kind, TaskStatus, limits, relation};
use jiff::ToSpan as _;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::Reading;
use crate::actions::with::{limited, object};
use crate::error::RouteError;
use crate::lists;
use crate::read;
use crate::store::{Order, RecordQuery};
use crate::tasks::card;

/// Days that `hub_list_due` looks ahead when no last day is given.
const DUE_DAYS: i32 = 14;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// A status; `open` for all unfinished ones. Without it everything but dropped tasks.
    status: Option<Listed>,
    /// Words of the title.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only tasks of this project: id, handle or name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
    /// Only tasks that this person works on: id, handle or name.
    #[schemars(length(max = 2000))]
    person: Option<String>,
    /// Tasks at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Tasks to skip.
    offset: Option<u32>,
    /// The `next` of the answer before, which goes on where it ended whatever changed since.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Listed {
    Open,
    Proposed,
    Todo,
    InProgress,
    WaitingApproval,
    Blocked,
    Done,
    Dropped,
}

impl Listed {
    fn statuses(this: Option<Self>) -> Vec<String> {
        let one = |status: TaskStatus| vec![status.as_str().to_owned()];
        let many = |all: &[TaskStatus]| {
            all.iter()
                .map(|status| status.as_str().to_owned())
                .collect()
        };
        match this {
            None => many(&TaskStatus::ALL[..6]),
            Some(Self::Open) => many(&TaskStatus::OPEN),
            Some(Self::Proposed) => one(TaskStatus::Proposed),
            Some(Self::Todo) => one(TaskStatus::Todo),
            Some(Self::InProgress) => one(TaskStatus::InProgress),
            Some(Self::WaitingApproval) => one(TaskStatus::WaitingApproval),
            Some(Self::Blocked) => one(TaskStatus::Blocked),
            Some(Self::Done) => one(TaskStatus::Done),
            Some(Self::Dropped) => one(TaskStatus::Dropped),
        }
    }
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    let part = lists::Part::from_input(asked.limit, asked.offset, asked.after.as_deref(), "tasks")?;
    let mut query = RecordQuery {
        kinds: vec![Kind::Task],
        statuses: Listed::statuses(asked.status),
        title_words: asked.query,
        ..RecordQuery::default()
    };
    if let Some(project) = &asked.project {
        let project = on.record(Kind::Project, project).await?;
        query.linked_to = Some((relation::PROJECT.to_owned(), project.id));
    }
    if let Some(person) = &asked.person {
        if query.linked_to.is_some() {
            return Err(limited("Give `project` or `person`, not both."));
        }
        let person = on.record(Kind::Person, person).await?;
        query.linked_to = Some((relation::ASSIGNEE.to_owned(), person.id));
    }
    shown(on, query, &part).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Due {
    /// The first day, as YYYY-MM-DD; without it, everything overdue too.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    from: Option<String>,
    /// The last day, as YYYY-MM-DD; without it, two weeks from today.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    to: Option<String>,
    /// Tasks at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Tasks to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn due(on: &Reading, asked: Due) -> Result<Value, RouteError> {
    let part = lists::Part::from_input(asked.limit, asked.offset, asked.after.as_deref(), "due")?;
    let today = on.today().await?;
    let day = |text: &str| {
        text.parse::<jiff::civil::Date>()
            .map_err(|_| limited("`from` and `to` are calendar dates in the form YYYY-MM-DD."))
    };
    let last = match &asked.to {
        Some(to) => day(to)?,
        None => today.saturating_add(DUE_DAYS.days()),
    };
    let first = asked.from.as_deref().map(day).transpose()?;
    let from = first.map_or_else(|| "0001-01-01".to_owned(), |first| first.to_string());
    let until = last.saturating_add(1.days()).to_string();
    let query = RecordQuery {
        kinds: vec![Kind::Task],
        statuses: Listed::statuses(Some(Listed::Open)),
        order: Order::Due,
        field_between: Some(("due".to_owned(), from, until)),
        ..RecordQuery::default()
    };
    shown(on, query, &part).await
}

async fn shown(on: &Reading, query: RecordQuery, part: &lists::Part) -> Result<Value, RouteError> {
    let found = lists::walk(&on.reader(), query, part).await?;
    let records: Vec<_> = found.steps.iter().map(|step| step.record.clone()).collect();
    let cards = card::cards(&on.hub, on.space(), &records).await?;
    let cards = cards.iter().map(object).collect();
    Ok(Value::Object(lists::answer("tasks", cards, &found, part)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The task, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    task: String,
}

pub(super) async fn get(on: &Reading, asked: One) -> Result<Value, RouteError> {
    let task = on.record(Kind::Task, &asked.task).await?;
    on.in_full(&task, 0, limits::BODY_DEFAULT).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Page {
    /// The task, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    task: String,
    /// Where the part begins, in characters.
    offset: Option<u32>,
}

pub(super) async fn page(on: &Reading, asked: Page) -> Result<Value, RouteError> {
    let task = on.record(Kind::Task, &asked.task).await?;
    let text = crate::text::trust::neutral(&task.body);
    let part = read::body(&text, asked.offset.unwrap_or(0), limits::PAGE_BODY_MAX);
    Ok(json!({ "task": task.handle(), "title": task.title, "version": task.version, "page": part }))
}
