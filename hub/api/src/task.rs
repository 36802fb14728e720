//! Tasks on the wire: the card of a list, one task, and the two writes.

use serde::{Deserialize, Serialize};

use crate::body::Body;
use crate::kind::Kind;
use crate::status::{Priority, TaskStatus};
use crate::trust::Trust;

/// A task as lists show it. What does not apply is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskCard {
    pub id: String,
    pub kind: Kind,
    /// The handle to call again with.
    #[serde(rename = "ref")]
    pub handle: String,
    pub title: String,
    pub status: TaskStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// The owner's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// A calendar day, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    /// The project's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo_id: Option<String>,
    /// The repository as `owner/name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// `keep` or `hidden`, when the person chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today_focus: Option<String>,
    /// The start of the task's page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description_excerpt: Option<String>,
    /// An instant in UTC.
    pub updated_at: String,
    /// The link to it in the hub.
    pub url: String,
    pub trust: Trust,
    pub trust_label: String,
}

/// The answer of `GET tasks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskList {
    pub tasks: Vec<TaskCard>,
    /// All that match, also those not in this answer.
    pub total: u64,
    pub offset: u32,
    pub limit: u32,
    pub has_more: bool,
    /// The `offset` of the next part, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u32>,
    /// Pass it as `after` to go on where this part ends, whatever changes in between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    pub notes: Vec<String>,
}

/// A record that a task links to, or that links to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskLink {
    /// The relation, and `…_of` for a link that leads to this task.
    pub relation: String,
    pub kind: Kind,
    /// The handle to call again with.
    #[serde(rename = "ref")]
    pub handle: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// The answer of `GET tasks/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskAnswer {
    pub task: TaskCard,
    /// The start of the task's page; `read` gives the rest.
    pub body: Body,
    /// At most 50; `linksTotal` counts all.
    pub links: Vec<TaskLink>,
    pub links_total: u64,
    pub notes: Vec<String>,
}

/// The body of `POST write/tasks`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateTask {
    pub title: String,
    /// Markdown that becomes the task's page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    /// Instead of `projectId`: the exact name of one project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_name: Option<String>,
    /// `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// Ids or names of people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<String>,
    /// `proposed` (when left out) or `todo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The handle of the record that this came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// The body of `PATCH write/tasks/{id}`; at least `status` or `note`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateTask {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Markdown added to the task's page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The title the caller believes the task has; another one is a 409.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_title: Option<String>,
}

/// The answer of both writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskWritten {
    pub task: TaskCard,
    /// What was done, in one sentence.
    pub message: String,
    /// Whether the person can undo it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoable: Option<bool>,
    /// What `ensemble hub undo` takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_id: Option<String>,
}
