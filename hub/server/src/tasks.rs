//! Tasks: their cards, and the two changes that editors and agents make to them.

pub mod card;
pub(crate) mod create;
pub(crate) mod named;
pub(crate) mod update;
pub(crate) mod write;

use ensemble_hub_api::{Kind, TaskStatus, sentences};

use crate::error::RouteError;
use crate::store::{Record, StoreError};

/// The record as a task: 404 when there is none of that id, saying so when it is something else.
pub(crate) fn as_task(record: Option<Record>) -> Result<Record, RouteError> {
    match record {
        None => Err(RouteError::NotFound(sentences::unknown_record(Kind::Task))),
        Some(other) if other.kind != Kind::Task => Err(RouteError::NotFound(
            sentences::other_kind(Kind::Task, other.kind),
        )),
        Some(task) => Ok(task),
    }
}

/// A task's status.
pub(crate) fn status_of(record: &Record) -> Result<TaskStatus, StoreError> {
    let status = record.status.as_deref().and_then(TaskStatus::parse);
    status.ok_or(StoreError::Unreadable { what: "status" })
}
