//! Deleting pages: to Trash, never a page below them by the way. With `withChildren` they go together, and undoing brings all of them back.

use std::collections::BTreeSet;

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::tree;
use crate::actions::with::at_row;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::Record;
use crate::view;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The page, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    page: String,
    /// The version you read; if the page has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// Whether the pages below it go to Trash with it.
    #[serde(default)]
    with_children: bool,
}

pub(super) async fn one(on: &mut Changing, asked: One) -> Result<Done, RouteError> {
    let page = on.record(Kind::Page, &asked.page).await?;
    Changing::fresh(&page, asked.version)?;
    let all = with_below(on, &page, asked.with_children, &BTreeSet::new()).await?;
    trash(on, all).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Many {
    /// The pages, by id, handle or exact title.
    #[schemars(length(min = 1, max = 100), inner(length(min = 1, max = 2000)))]
    pages: Vec<String>,
    /// Whether the pages below them go to Trash with them.
    #[serde(default)]
    with_children: bool,
}

pub(super) async fn many(on: &mut Changing, asked: Many) -> Result<Done, RouteError> {
    let mut named: Vec<Record> = Vec::new();
    for (at, given) in asked.pages.iter().enumerate() {
        let page = on.record(Kind::Page, given).await;
        let page = page.map_err(|refused| at_row(at, refused))?;
        if named.iter().all(|known| known.id != page.id) {
            named.push(page);
        }
    }
    let ids: BTreeSet<String> = named.iter().map(|page| page.id.clone()).collect();
    let mut all: Vec<Record> = Vec::new();
    for (at, page) in named.iter().enumerate() {
        let pages = with_below(on, page, asked.with_children, &ids).await;
        for page in pages.map_err(|refused| at_row(at, refused))? {
            if all.iter().all(|known| known.id != page.id) {
                all.push(page);
            }
        }
    }
    trash(on, all).await
}

/// The page and those below it; refused when there are some that are neither meant nor named.
async fn with_below(
    on: &Changing,
    page: &Record,
    meant: bool,
    named: &BTreeSet<String>,
) -> Result<Vec<Record>, RouteError> {
    let below = tree::below(on.hub.store(), on.space(), &page.id).await?;
    let others = below.iter().filter(|page| !named.contains(&page.id));
    let others = others.count();
    if others > 0 && !meant {
        return Err(RouteError::Conflict(format!(
            "{} pages are below {}: move them first, or give `withChildren`: true to move them to Trash too.",
            others,
            ensemble_hub_api::sentences::quoted(&view::title(page))
        )));
    }
    Ok([vec![page.clone()], below].concat())
}

async fn trash(on: &mut Changing, pages: Vec<Record>) -> Result<Done, RouteError> {
    let mut deleted = Vec::new();
    for page in &pages {
        on.trash(page).await?;
        deleted.push(page.handle());
    }
    let message = match deleted.len() {
        1 => "The page is in Trash.".to_owned(),
        many => format!("{many} pages are in Trash."),
    };
    Ok(Done::new(json!({ "deleted": deleted }), message))
}
