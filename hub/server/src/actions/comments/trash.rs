//! Out of Trash: a record comes back with its links, its text and its history; a page, when asked, with the pages below it.

use ensemble_hub_api::{Handle, Kind, sentences};
use serde_json::json;

use super::manage::{Asked, needed};
use crate::actions::pages::tree::PARENT_ID;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::Record;
use crate::target::same_kind;

/// Pages in Trash that one look takes.
const PART: u32 = 500;

pub(super) async fn restore(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let gone = named(on, needed(asked.record.as_ref())?).await?;
    Changing::fresh(&gone, asked.version)?;
    if gone.deleted_at.is_none() {
        return Err(RouteError::Conflict(
            "This record is not in Trash.".to_owned(),
        ));
    }
    let below = if gone.kind == Kind::Page {
        below_in_trash(on, &gone.id).await?
    } else {
        Vec::new()
    };
    let action = on.action.clone();
    let mut restored = Vec::new();
    let with = asked.with_children == Some(true);
    let others: &[Record] = if with { &below } else { &[] };
    for record in std::iter::once(&gone).chain(others) {
        restored.push(on.change().restore(&action, record).await?.handle());
    }
    let left = below.len() + 1 - restored.len();
    let message = match (restored.len(), left) {
        (1, 0) => "The record is back.".to_owned(),
        (1, left) => format!(
            "The page is back; {left} pages below it are still in Trash: `withChildren` brings them back too."
        ),
        (many, _) => format!("{many} pages are back."),
    };
    Ok(Done::new(json!({ "restored": restored }), message))
}

/// A record that may be in Trash, by handle or id.
async fn named(on: &mut Changing, given: &str) -> Result<Record, RouteError> {
    let given = given.trim();
    let handle = Handle::parse(given);
    let id = handle.as_ref().map_or(given, |handle| handle.id.as_str());
    let (space, ids) = (on.space().to_owned(), [id.to_owned()]);
    let found = on.change().by_ids_in_trash_too(&space, &ids).await?.pop();
    found
        .filter(|record| handle.is_none_or(|handle| same_kind(handle.kind, record.kind)))
        .ok_or_else(|| RouteError::NotFound(sentences::no_such(&["record"])))
}

/// The pages in Trash below this one, each after the one that it is below.
async fn below_in_trash(on: &Changing, id: &str) -> Result<Vec<Record>, RouteError> {
    let mut pages: Vec<Record> = Vec::new();
    loop {
        let skip = u32::try_from(pages.len()).unwrap_or(u32::MAX);
        let store = on.hub.store();
        let part = store
            .in_trash(on.space(), &[Kind::Page], PART, skip)
            .await?;
        if part.items.is_empty() {
            break;
        }
        pages.extend(part.items);
    }
    let mut below: Vec<Record> = Vec::new();
    let mut above = vec![id.to_owned()];
    while let Some(id) = above.pop() {
        let (here, rest): (Vec<Record>, Vec<Record>) = pages
            .into_iter()
            .partition(|page| page.text(PARENT_ID) == Some(id.as_str()));
        pages = rest;
        above.extend(here.iter().map(|page| page.id.clone()));
        below.extend(here);
    }
    Ok(below)
}
