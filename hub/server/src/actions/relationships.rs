//! Connections to apps, and which records follow an item there. This hub has no connected apps, and says so.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::context::Nothing;
use super::{Action, Changing, Done, Reading, apps, changes, reads};
use crate::error::RouteError;

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_connections",
        Nothing,
        connections,
        "The apps that are connected to this space; none is an empty list."
    ),
    reads!(
        "hub_list_app_relationships",
        Relationships,
        relationships,
        "Which records follow an item in a connected app: of the whole space, or of one record."
    ),
    changes!(
        "hub_manage_app_relationship",
        Manage,
        manage,
        "Makes a record follow an item in a connected app, or ends that. Needs that app to be connected."
    )
    .with_apps(),
    changes!(
        "hub_fetch_now",
        Fetch,
        fetch,
        "Fetches what is new in a connected app now. Needs that app to be connected."
    )
    .with_apps(),
];

async fn connections(_: &Reading, _: Nothing) -> Result<Value, RouteError> {
    Ok(json!({ "connections": [], "total": 0, "notes": [apps::NONE] }))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Relationships {
    /// Only those of this record, by handle, link or id.
    #[schemars(length(min = 1, max = 2000))]
    record: Option<String>,
}

const SOURCES: &str = "No record follows an item in an app. An imported record says in `sourceUrl` where it came from.";

async fn relationships(on: &Reading, asked: Relationships) -> Result<Value, RouteError> {
    let mut answer = json!({ "relationships": [], "total": 0, "notes": [apps::NONE, SOURCES] });
    if let Some(given) = &asked.record {
        let kinds: Vec<_> = ensemble_hub_api::Kind::ALL.to_vec();
        let record = on.any(&kinds, given).await?;
        let card = on.reader().card_of(&record).await?;
        if let Some(answer) = answer.as_object_mut() {
            answer.insert("record".to_owned(), card.into());
        }
    }
    Ok(answer)
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    Add,
    Remove,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only a connected app could look these up")]
pub(super) struct Manage {
    /// What to do.
    operation: Operation,
    /// The app, such as Jira or Notion.
    #[schemars(length(min = 1, max = 100))]
    app: String,
    /// The record, by handle, link or id.
    #[schemars(length(min = 1, max = 2000))]
    record: String,
    /// The item's address or id in the app.
    #[schemars(length(min = 1, max = 2000))]
    item: String,
}

async fn manage(_: &mut Changing, asked: Manage) -> Result<Done, RouteError> {
    Err(apps::named(&asked.app))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Fetch {
    /// The app, such as Jira or Notion.
    #[schemars(length(min = 1, max = 100))]
    app: String,
}

async fn fetch(_: &mut Changing, asked: Fetch) -> Result<Done, RouteError> {
    Err(apps::named(&asked.app))
}
