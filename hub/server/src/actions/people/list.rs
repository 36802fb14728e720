//! Listing people and repositories.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::actions::Reading;
use crate::error::RouteError;
use crate::lists::{self, Part, Shelf};
use crate::store::RecordQuery;

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
    on.cards(
        lists::PEOPLE.plural,
        by_name(&lists::PEOPLE, asked.query),
        &part,
    )
    .await
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
    on.cards(
        lists::REPOS.plural,
        by_name(&lists::REPOS, asked.query),
        &part,
    )
    .await
}

fn by_name(shelf: &Shelf, words: Option<String>) -> RecordQuery {
    RecordQuery {
        kinds: vec![shelf.kind],
        order: shelf.order,
        title_words: words,
        ..RecordQuery::default()
    }
}
