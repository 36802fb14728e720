//! Listing projects and deliverables.

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Stage, Standing};
use crate::actions::Reading;
use crate::error::RouteError;
use crate::lists::Part;
use crate::store::{Order, RecordQuery};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Projects {
    /// Words of the name.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only projects of this status.
    status: Option<Stage>,
    /// Projects at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Projects to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn projects(on: &Reading, asked: Projects) -> Result<Value, RouteError> {
    let part = Part::from_input(
        asked.limit,
        asked.offset,
        asked.after.as_deref(),
        "projects",
    )?;
    let query = RecordQuery {
        kinds: vec![Kind::Project],
        statuses: only(asked.status.map(Stage::as_str)),
        title_words: asked.query,
        ..RecordQuery::default()
    };
    on.cards("projects", query, &part).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Deliverables {
    /// Words of the title.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only those of this project: id, handle or name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
    /// Only those of this status.
    status: Option<Standing>,
    /// Deliverables at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Deliverables to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn deliverables(on: &Reading, asked: Deliverables) -> Result<Value, RouteError> {
    let part = Part::from_input(
        asked.limit,
        asked.offset,
        asked.after.as_deref(),
        "deliverables",
    )?;
    let mut query = RecordQuery {
        kinds: vec![Kind::Deliverable],
        statuses: only(asked.status.map(Standing::as_str)),
        order: Order::Due,
        title_words: asked.query,
        ..RecordQuery::default()
    };
    if let Some(project) = &asked.project {
        let project = on.record(Kind::Project, project).await?;
        query.linked_to = Some((relation::PROJECT.to_owned(), project.id));
    }
    on.cards("deliverables", query, &part).await
}

fn only(status: Option<&str>) -> Vec<String> {
    status.map(str::to_owned).into_iter().collect()
}
