//! Deleting tasks: to Trash, with everything that they are linked with; all of a list or none.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::actions::with::at_row;
use crate::actions::{Changing, Done};
use crate::error::RouteError;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The task, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    task: String,
    /// The version you read; if the task has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn one(on: &mut Changing, asked: One) -> Result<Done, RouteError> {
    let task = on.record(Kind::Task, &asked.task).await?;
    Changing::fresh(&task, asked.version)?;
    on.trash(&task).await?;
    Ok(Done::new(
        json!({ "deleted": [task.handle()] }),
        "The task is in Trash.",
    ))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Many {
    /// The tasks, by id, handle or exact title.
    #[schemars(length(min = 1, max = 100), inner(length(min = 1, max = 2000)))]
    tasks: Vec<String>,
}

pub(super) async fn many(on: &mut Changing, asked: Many) -> Result<Done, RouteError> {
    on.trash_all(Kind::Task, &asked.tasks).await
}

impl Changing {
    /// Moves all of these records to Trash, or none.
    pub(crate) async fn trash_all(
        &mut self,
        kind: Kind,
        given: &[String],
    ) -> Result<Done, RouteError> {
        let mut deleted: Vec<String> = Vec::new();
        for (at, given) in given.iter().enumerate() {
            let record = self
                .record(kind, given)
                .await
                .map_err(|refused| at_row(at, refused))?;
            deleted.push(record.handle());
            self.trash(&record).await?;
        }
        let message = match deleted.len() {
            1 => "One record is in Trash.".to_owned(),
            many => format!("{many} records are in Trash."),
        };
        Ok(Done::new(json!({ "deleted": deleted }), message))
    }
}
