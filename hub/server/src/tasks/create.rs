//! Adding a task: everything is checked inside the change that adds it, so what was found is still there when it is linked.

use ensemble_hub_api::task::CreateTask;
use ensemble_hub_api::{Handle, Kind, Priority, TaskStatus, date, limits, relation, sentences};
use serde_json::{Map, Value};

use crate::error::RouteError;
use crate::store::{Change, NewRecord, Record};
use crate::tasks::named::{self, Look};

/// What a task can have besides, already found.
#[derive(Debug, Default)]
pub(crate) struct More {
    pub(crate) priority: Option<Priority>,
    pub(crate) labels: Vec<String>,
    pub(crate) project: Option<Record>,
    pub(crate) owner: Option<Record>,
    pub(crate) repo: Option<Record>,
    pub(crate) deliverable: Option<Record>,
    /// The words with which it was asked for.
    pub(crate) asked: Option<String>,
}

impl More {
    /// The field, the relation and the record of each reference.
    fn references(&self) -> impl Iterator<Item = (&'static str, &'static str, &Record)> {
        [
            ("projectId", relation::PROJECT, &self.project),
            ("owner", relation::OWNER, &self.owner),
            ("repoId", relation::REPO, &self.repo),
            ("deliverableId", relation::DELIVERABLE, &self.deliverable),
        ]
        .into_iter()
        .filter_map(|(field, relation, record)| Some((field, relation, record.as_ref()?)))
    }

    fn fields(&self) -> Map<String, Value> {
        let mut fields: Map<String, Value> = self
            .references()
            .map(|(field, _, record)| (field.to_owned(), Value::from(record.id.clone())))
            .collect();
        if let Some(priority) = self.priority {
            fields.insert("priority".to_owned(), Value::from(priority.as_str()));
        }
        if let Some(asked) = &self.asked {
            fields.insert("asked".to_owned(), Value::from(asked.clone()));
        }
        if !self.labels.is_empty() {
            fields.insert("labels".to_owned(), Value::from(self.labels.clone()));
        }
        fields
    }
}

/// Adds the task with its links; `action` is what the ledger calls it.
pub(crate) async fn create(
    change: &mut Change,
    space: &str,
    action: &str,
    asked: CreateTask,
    mut more: More,
) -> Result<Record, RouteError> {
    let title = title(&asked.title)?;
    let status = status(asked.status.as_deref())?;
    if let Some(project) = project(change, space, &asked).await? {
        more.project = Some(project);
    }
    let mut fields = more.fields();
    if let Some(due) = given(asked.due.as_deref()) {
        fields.insert("due".to_owned(), Value::from(checked_due(due)?));
    }
    let people = people(change, space, &asked.people).await?;
    let from = from(change, space, asked.from.as_deref()).await?;
    let body = page(asked.page.unwrap_or_default(), from.as_ref())?;

    let new = NewRecord {
        status: Some(status.as_str().to_owned()),
        fields,
        body,
        ..NewRecord::new(space, Kind::Task, title)
    };
    let task = change.create(action, new).await?;
    let links = more
        .references()
        .map(|(_, relation, record)| (relation, record))
        .chain(people.iter().map(|person| (relation::ASSIGNEE, person)))
        .chain(from.iter().map(|record| (relation::RELATED, record)));
    for (relation, to) in links {
        change
            .link(action, space, (&task.id, relation, &to.id))
            .await?;
    }
    Ok(task)
}

/// An optional text; one of only white space is none.
fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn title(given: &str) -> Result<String, RouteError> {
    let title = crate::store::one_line(given);
    let length = title.chars().count();
    if (1..=limits::TITLE_MAX).contains(&length) {
        Ok(title)
    } else {
        Err(RouteError::BadRequest(sentences::TITLE_EMPTY.to_owned()))
    }
}

fn status(text: Option<&str>) -> Result<TaskStatus, RouteError> {
    let [default, ..] = TaskStatus::CREATABLE;
    let Some(name) = given(text) else {
        return Ok(default);
    };
    TaskStatus::parse(name)
        .filter(|status| TaskStatus::CREATABLE.contains(status))
        .ok_or_else(|| RouteError::BadRequest(sentences::bad_status(name, &TaskStatus::CREATABLE)))
}

fn checked_due(due: &str) -> Result<String, RouteError> {
    if date::is_date(due) {
        Ok(due.to_owned())
    } else {
        Err(RouteError::BadRequest(sentences::DUE_BAD.to_owned()))
    }
}

async fn project(
    change: &mut Change,
    space: &str,
    asked: &CreateTask,
) -> Result<Option<Record>, RouteError> {
    match (
        given(asked.project_id.as_deref()),
        given(asked.project_name.as_deref()),
    ) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(RouteError::BadRequest(sentences::PROJECT_TWICE.to_owned())),
        (Some(id), None) => {
            let id = Handle::parse(id).map_or_else(|| id.to_owned(), |handle| handle.id);
            let found = change.record(space, &id).await?;
            of_kind(found, Kind::Project).map(Some)
        }
        (None, Some(name)) => {
            named::by_name(&mut Look::Changed(change), space, Kind::Project, name)
                .await
                .map(Some)
        }
    }
}

/// The people named, each once.
async fn people(
    change: &mut Change,
    space: &str,
    names: &[String],
) -> Result<Vec<Record>, RouteError> {
    if names.len() > limits::PEOPLE_MAX {
        return Err(RouteError::BadRequest(
            sentences::PEOPLE_TOO_MANY.to_owned(),
        ));
    }
    let mut people: Vec<Record> = Vec::new();
    for name in names {
        let person =
            named::by_id_or_name(&mut Look::Changed(change), space, Kind::Person, name).await?;
        if people.iter().all(|known| known.id != person.id) {
            people.push(person);
        }
    }
    Ok(people)
}

/// The record that the task came from.
async fn from(
    change: &mut Change,
    space: &str,
    text: Option<&str>,
) -> Result<Option<Record>, RouteError> {
    let Some(text) = given(text) else {
        return Ok(None);
    };
    let handle = Handle::parse(text)
        .ok_or_else(|| RouteError::BadRequest(sentences::HANDLE_UNREADABLE.to_owned()))?;
    let found = change.record(space, &handle.id).await?;
    of_kind(found, handle.kind).map(Some)
}

fn of_kind(found: Option<Record>, kind: Kind) -> Result<Record, RouteError> {
    found
        .filter(|record| record.kind == kind)
        .ok_or_else(|| RouteError::BadRequest(sentences::unknown_record(kind)))
}

/// The page, with a line that leads back to where the task came from.
fn page(mut page: String, from: Option<&Record>) -> Result<String, RouteError> {
    if let Some(from) = from {
        let handle = Handle::new(from.kind, &from.id);
        // A title must not end the link early.
        let title = from.title.replace(['[', ']', '\\'], " ");
        let line = format!("Related: [{}]({handle})", title.trim());
        page = if page.trim().is_empty() {
            line
        } else {
            format!("{}\n\n{line}", page.trim_end())
        };
    }
    if page.chars().nth(limits::PAGE_MAX).is_some() {
        return Err(RouteError::BadRequest(sentences::PAGE_TOO_LONG.to_owned()));
    }
    Ok(page)
}
