//! Listing people and repositories.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::actions::Reading;
use crate::error::RouteError;
use crate::lists::{self, Part};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct People {
    /// Words of the name.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// People at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// People to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn people(on: &Reading, asked: People) -> Result<Value, RouteError> {
    let part = Part::from_input(asked.limit, asked.offset, asked.after.as_deref(), "people")?;
    let list = lists::list(&on.reader(), &lists::PEOPLE, asked.query.as_deref(), &part).await?;
    Ok(Value::Object(list))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Repos {
    /// Words of the name.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Repositories at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Repositories to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn repos(on: &Reading, asked: Repos) -> Result<Value, RouteError> {
    let part = Part::from_input(asked.limit, asked.offset, asked.after.as_deref(), "repos")?;
    let list = lists::list(&on.reader(), &lists::REPOS, asked.query.as_deref(), &part).await?;
    Ok(Value::Object(list))
}
