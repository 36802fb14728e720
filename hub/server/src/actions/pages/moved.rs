//! Moving a page: below another one, to the top, or beside a page that it then has its upper page in common with. Pages below it come along.

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;

use super::tree::{PARENT_ID, Place};
use super::write;
use crate::actions::input::Patch;
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::Record;

const WHERE: &str = "Say where to: give one of `parent`, `before` and `after`.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Move {
    /// The page, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    page: String,
    /// The version you read; if the page has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The page that it comes below, as its last; null for the top.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    parent: Patch<String>,
    /// The page that it comes before, which has to be below a page.
    #[schemars(length(max = 2000))]
    before: Option<String>,
    /// The page that it comes after, which has to be below a page.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn to(on: &mut Changing, asked: Move) -> Result<Done, RouteError> {
    let before = on.record(Kind::Page, &asked.page).await?;
    Changing::fresh(&before, asked.version)?;
    let (parent, place) = target(on, &before, &asked).await?;
    let mut page = before.clone();
    match parent {
        None => {
            on.relink(&page.id, relation::PARENT, &[]).await?;
            page.fields.remove(PARENT_ID);
            page.fields.remove("position");
        }
        Some(parent) => {
            on.may_hold(&parent, &page.id).await?;
            on.place(&mut page, &parent, &place).await?;
            let to = std::slice::from_ref(&parent.id);
            on.relink(&page.id, relation::PARENT, to).await?;
            page.fields
                .insert(PARENT_ID.to_owned(), parent.id.clone().into());
        }
    }
    write::write(on, &before, page, "The page was moved.").await
}

/// The new upper page, none for the top, and the place below it.
async fn target(
    on: &mut Changing,
    page: &Record,
    asked: &Move,
) -> Result<(Option<Record>, Place), RouteError> {
    let (beside, after) = match (&asked.before, &asked.after) {
        (None, None) if asked.parent == Patch::Clear => return Ok((None, Place::Last)),
        (None, None) => {
            let parent = asked.parent.set().ok_or_else(|| limited(WHERE))?;
            let parent = on.record(Kind::Page, parent).await?;
            return Ok((Some(parent), Place::Last));
        }
        (Some(beside), None) if asked.parent.keeps() => (beside, false),
        (None, Some(beside)) if asked.parent.keeps() => (beside, true),
        _ => return Err(limited(WHERE)),
    };
    let beside = on.record(Kind::Page, beside).await?;
    if beside.id == page.id {
        return Err(limited("A page cannot be moved beside itself."));
    }
    let space = on.space().to_owned();
    let parent = match beside.text(PARENT_ID) {
        Some(above) => on.change().record(&space, above).await?,
        None => None,
    };
    let Some(parent) = parent else {
        return Err(limited(
            "Pages at the top have no order of their own: give `parent`: null to move it there.",
        ));
    };
    let place = if after {
        Place::After(beside.id)
    } else {
        Place::Before(beside.id)
    };
    Ok((Some(parent), place))
}
