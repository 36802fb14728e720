//! A task's card: its own fields, and the names of its owner, project and repository, looked up once for a whole list.

use std::collections::{BTreeMap, BTreeSet};

use ensemble_hub_api::task::TaskCard;
use ensemble_hub_api::{Handle, Kind, Priority, limits};

use crate::clock::instant;
use crate::hub::Hub;
use crate::store::{Change, Record, StoreError};
use crate::tasks::status_of;
use crate::text::cut;
use crate::text::trust::{self, neutral, one_line};
use crate::view;

/// The fields that name another record.
const NAMING: [&str; 3] = ["owner", "projectId", "repoId"];

/// The card of one task.
pub async fn one(hub: &Hub, task: &Record) -> Result<TaskCard, StoreError> {
    let named = hub
        .store()
        .by_ids(&task.space, &named_by(std::slice::from_ref(task)))
        .await?;
    card(hub, task, &names(named))
}

/// The card of one task as a running change sees it.
pub(crate) async fn one_changed(
    hub: &Hub,
    change: &mut Change,
    task: &Record,
) -> Result<TaskCard, StoreError> {
    let named = change
        .by_ids(&task.space, &named_by(std::slice::from_ref(task)))
        .await?;
    card(hub, task, &names(named))
}

/// The cards of these tasks of one space, in their order.
pub async fn cards(hub: &Hub, space: &str, tasks: &[Record]) -> Result<Vec<TaskCard>, StoreError> {
    let names = names(hub.store().by_ids(space, &named_by(tasks)).await?);
    tasks.iter().map(|task| card(hub, task, &names)).collect()
}

/// The ids that these tasks name.
fn named_by(tasks: &[Record]) -> Vec<String> {
    let ids: BTreeSet<&str> = tasks
        .iter()
        .flat_map(|task| NAMING.iter().filter_map(|field| task.text(field)))
        .collect();
    ids.into_iter().map(str::to_owned).collect()
}

/// Names by id.
fn names(named: Vec<Record>) -> BTreeMap<String, String> {
    named
        .into_iter()
        .map(|record| {
            let name = match record.kind {
                Kind::Repo => one_line(record.text("fullName").unwrap_or(&record.title)),
                _ => view::title(&record),
            };
            (record.id, name)
        })
        .collect()
}

fn card(
    hub: &Hub,
    task: &Record,
    names: &BTreeMap<String, String>,
) -> Result<TaskCard, StoreError> {
    let text = |field: &str| task.text(field).map(one_line);
    let name = |field: &str| names.get(task.text(field)?).cloned();
    let handle = Handle::new(Kind::Task, &task.id);
    let trust = trust::of(Kind::Task, task.text("source"));
    let page = neutral(task.body.trim());
    Ok(TaskCard {
        url: handle.link(hub.base_url()),
        handle: handle.to_string(),
        id: task.id.clone(),
        kind: Kind::Task,
        title: view::title(task),
        status: status_of(task)?,
        priority: task.text("priority").and_then(Priority::parse),
        // An id whose record is gone is not shown as somebody's name.
        owner: name("owner").or_else(|| text("owner").filter(|owner| !looks_like_id(owner))),
        due: text("due"),
        project: name("projectId"),
        project_id: text("projectId"),
        repo: name("repoId"),
        repo_id: text("repoId"),
        branch: text("branch"),
        labels: task.texts("labels").into_iter().map(one_line).collect(),
        today_focus: text("todayFocus"),
        description_excerpt: (!page.is_empty()).then(|| cut::excerpt(&page, limits::EXCERPT_MAX).0),
        updated_at: instant(task.updated_at),
        trust,
        trust_label: trust.label().to_owned(),
    })
}

fn looks_like_id(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok()
}
