//! The end of a deliverable: done, or in Trash.

use ensemble_hub_api::{Kind, TaskStatus, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Standing;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::RecordQuery;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The deliverable, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    deliverable: String,
    /// The version you read; if the deliverable has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn complete(on: &mut Changing, asked: One) -> Result<Done, RouteError> {
    let before = on.record(Kind::Deliverable, &asked.deliverable).await?;
    Changing::fresh(&before, asked.version)?;
    let mut edited = before.clone();
    edited.status = Some(Standing::Done.as_str().to_owned());
    let done = on.update(&before, edited).await?;
    let open = RecordQuery {
        kinds: vec![Kind::Task],
        statuses: TaskStatus::OPEN
            .iter()
            .map(|status| status.as_str().to_owned())
            .collect(),
        linked_to: Some((relation::DELIVERABLE.to_owned(), done.id.clone())),
        limit: 1,
        ..RecordQuery::default()
    };
    let open = on.hub.store().records(on.space(), &open).await?.total;
    let message = match (on.write.change.wrote(), open) {
        (false, _) => "The deliverable already was done.".to_owned(),
        (true, 0) => "The deliverable is done.".to_owned(),
        (true, 1) => "The deliverable is done; one task of it is still open.".to_owned(),
        (true, open) => format!("The deliverable is done; {open} tasks of it are still open."),
    };
    let card = on.card(&done).await?;
    Ok(Done::new(
        json!({ "deliverable": card, "version": done.version, "openTasks": open }),
        message,
    ))
}

pub(super) async fn delete(on: &mut Changing, asked: One) -> Result<Done, RouteError> {
    let deliverable = on.record(Kind::Deliverable, &asked.deliverable).await?;
    Changing::fresh(&deliverable, asked.version)?;
    on.trash(&deliverable).await?;
    Ok(Done::new(
        json!({ "deleted": [deliverable.handle()] }),
        "The deliverable is in Trash.",
    ))
}
