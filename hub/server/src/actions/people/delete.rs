//! Deleting a person: to Trash, with everything that they are linked with.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::actions::{Changing, Done};
use crate::error::RouteError;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The person, by id, handle or name.
    #[schemars(length(min = 1, max = 2000))]
    person: String,
    /// The version you read; if the person has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn delete(on: &mut Changing, asked: One) -> Result<Done, RouteError> {
    let person = on.record(Kind::Person, &asked.person).await?;
    Changing::fresh(&person, asked.version)?;
    on.trash(&person).await?;
    Ok(Done::new(
        json!({ "deleted": [person.handle()] }),
        "The person is in Trash.",
    ))
}
