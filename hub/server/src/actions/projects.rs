//! Projects and their deliverables. A deliverable is complete when its status is done; it keeps its tasks whatever becomes of it.

mod deliverables;
mod delivered;
mod list;
mod write;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Action, changes, reads};

/// Where a project stands.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Stage {
    Planned,
    Active,
    Paused,
    Done,
    Dropped,
}

impl Stage {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Dropped => "dropped",
        }
    }
}

/// Where a deliverable stands.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Standing {
    Planned,
    InProgress,
    Done,
    Dropped,
}

impl Standing {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::InProgress => "in_progress",
            Self::Done => "done",
            Self::Dropped => "dropped",
        }
    }
}

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_projects",
        list::Projects,
        list::projects,
        "Lists projects with how many tasks and deliverables each has, the last changed first."
    ),
    reads!(
        "hub_list_deliverables",
        list::Deliverables,
        list::deliverables,
        "Lists deliverables, the first due first: all, or those of a project or a status."
    ),
    changes!(
        "hub_create_project",
        write::Create,
        write::create,
        "Adds a project with its people and repositories. Look with hub_list_projects first: names may repeat."
    ),
    changes!(
        "hub_update_project",
        write::Update,
        write::update,
        "Changes a project: what is left out stays, null empties, a list replaces the one before."
    ),
    changes!(
        "hub_create_deliverable",
        deliverables::Create,
        deliverables::create,
        "Adds a deliverable: something that has to be ready on a day, made of tasks."
    ),
    changes!(
        "hub_update_deliverable",
        deliverables::Update,
        deliverables::update,
        "Changes a deliverable: what is left out stays, null empties."
    ),
    changes!(
        "hub_complete_deliverable",
        delivered::One,
        delivered::complete,
        "Marks a deliverable as done. Its tasks stay as they are; the answer counts those that are still open."
    ),
    changes!(
        "hub_delete_deliverable",
        delivered::One,
        delivered::delete,
        "Moves a deliverable to Trash, where the person can take it out again; its tasks stay."
    ),
];
