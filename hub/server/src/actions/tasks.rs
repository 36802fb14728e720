//! Tasks: what there is, what is due, and every change that a key with changes allowed may make to them. A status follows the state machine of
//! [`ensemble_hub_api::TaskStatus`]; a due date is a day and stays that day in every time zone.

mod create;
mod delete;
mod look;
mod update;

use ensemble_hub_api::Priority;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Action, changes, reads};

/// How urgent a task is; p0 the most.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Urgency {
    P0,
    P1,
    P2,
    P3,
}

impl Urgency {
    pub(super) const fn priority(self) -> Priority {
        match self {
            Self::P0 => Priority::P0,
            Self::P1 => Priority::P1,
            Self::P2 => Priority::P2,
            Self::P3 => Priority::P3,
        }
    }
}

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_tasks",
        look::List,
        look::list,
        "Lists tasks, the last changed first: of a status, a project, a person, a label, or with words in their titles."
    ),
    reads!(
        "hub_get_task",
        look::One,
        look::get,
        "One task with its fields, the start of its page, and what it is linked with. `version` is what an update can be tied to."
    ),
    reads!(
        "hub_read_task_page",
        look::Page,
        look::page,
        "The page of a task as Markdown, in parts of at most 15,000 characters."
    ),
    reads!(
        "hub_list_due",
        look::Due,
        look::due,
        "Open tasks that are due in a window of days, the earliest first; overdue ones too unless a first day is given."
    ),
    changes!(
        "hub_create_tasks",
        create::Create,
        create::create,
        "Adds up to 50 tasks, all of them or none."
    ),
    changes!(
        "hub_update_task",
        update::Update,
        update::update,
        "Changes fields of a task: what is left out stays, null empties. A status that may not follow the present one is refused with those that may."
    ),
    changes!(
        "hub_delete_task",
        delete::One,
        delete::one,
        "Moves a task to Trash, where the person can take it out again."
    ),
    changes!(
        "hub_delete_tasks",
        delete::Many,
        delete::many,
        "Moves up to 100 tasks to Trash, all of them or none."
    ),
];
