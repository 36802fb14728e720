//! Pages below pages: the id of the upper one in `parentId`, the link `parent`, and a number that orders those of one page.

use ensemble_hub_api::{Kind, relation};
use serde_json::Value;

use crate::actions::Changing;
use crate::error::RouteError;
use crate::store::{Order, Record, RecordQuery, Store};

/// Pages directly below one page.
pub(super) const CHILDREN_MAX: usize = 500;
/// Pages below one page in all that are moved to Trash together.
const BELOW_MAX: usize = 500;
/// Pages above a page.
const DEPTH_MAX: usize = 20;
/// Between the numbers of two pages, so that others find a place.
const STEP: i64 = 1 << 20;

/// The field of the upper page's id.
pub(crate) const PARENT_ID: &str = "parentId";
const POSITION: &str = "position";

fn conflict(sentence: &str) -> RouteError {
    RouteError::Conflict(sentence.to_owned())
}

fn position(page: &Record) -> Option<i64> {
    page.fields.get(POSITION)?.as_i64()
}

/// The pages directly below a page, in their order; those without a number come last, the oldest first. A change sees them as they were
/// when it began.
pub(crate) async fn children(
    store: &Store,
    space: &str,
    id: &str,
) -> Result<Vec<Record>, RouteError> {
    let asked = RecordQuery {
        kinds: vec![Kind::Page],
        order: Order::Created,
        linked_to: Some((relation::PARENT.to_owned(), id.to_owned())),
        ..RecordQuery::default()
    };
    let mut pages = store.records(space, &asked).await?.items;
    pages.sort_by(|one, other| {
        let key = |page: &Record| (position(page).unwrap_or(i64::MAX), page.created_at);
        (key(one), &one.id).cmp(&(key(other), &other.id))
    });
    Ok(pages)
}

/// All pages below a page, each after the one that it is below.
pub(crate) async fn below(store: &Store, space: &str, id: &str) -> Result<Vec<Record>, RouteError> {
    let mut all: Vec<Record> = Vec::new();
    let mut next = Some(id.to_owned());
    let mut at = 0;
    while let Some(id) = next {
        for page in children(store, space, &id).await? {
            if all.iter().all(|known| known.id != page.id) {
                all.push(page);
            }
        }
        if all.len() > BELOW_MAX {
            return Err(conflict(
                "More than 500 pages are below it: delete them in parts.",
            ));
        }
        next = all.get(at).map(|page| page.id.clone());
        at += 1;
    }
    Ok(all)
}

/// Where a page comes to be among those of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Last,
    Before(String),
    After(String),
}

impl Changing {
    /// Refuses a page as the upper one of `id` when it is that page or below it, or too deep.
    pub(super) async fn may_hold(&mut self, parent: &Record, id: &str) -> Result<(), RouteError> {
        let space = self.space().to_owned();
        let mut at = Some(parent.clone());
        let mut depth = 0;
        while let Some(page) = at {
            if page.id == id {
                return Err(conflict(
                    "A page cannot be below itself: move the other page first.",
                ));
            }
            depth += 1;
            if depth > DEPTH_MAX {
                return Err(conflict("Pages lie at most 20 deep: choose a page above."));
            }
            at = match page.text(PARENT_ID) {
                Some(above) => self.change().record(&space, above).await?,
                None => None,
            };
        }
        Ok(())
    }

    /// Gives `page` its number among the pages below `parent`. The others get new numbers only where there is no room.
    pub(super) async fn place(
        &mut self,
        page: &mut Record,
        parent: &Record,
        place: &Place,
    ) -> Result<(), RouteError> {
        let hub = self.hub.clone();
        let mut others = children(hub.store(), &parent.space, &parent.id).await?;
        others.retain(|other| other.id != page.id);
        if others.len() >= CHILDREN_MAX {
            return Err(conflict("A page has at most 500 pages directly below it."));
        }
        let of = |id: &str| others.iter().position(|other| other.id == id);
        let at = match place {
            Place::Last => Some(others.len()),
            Place::Before(id) => of(id),
            Place::After(id) => of(id).map(|at| at + 1),
        };
        let at = at.unwrap_or(others.len());
        let number = match between(&others, at) {
            Some(number) => number,
            None => self.number(&others, at).await?,
        };
        page.fields.insert(POSITION.to_owned(), Value::from(number));
        Ok(())
    }

    /// Numbers all pages anew, with room for one at `at`: its number.
    async fn number(&mut self, others: &[Record], at: usize) -> Result<i64, RouteError> {
        let mut number = 0;
        let mut free = None;
        for (place, other) in others.iter().enumerate() {
            if place == at {
                number += STEP;
                free = Some(number);
            }
            number += STEP;
            let mut moved = other.clone();
            moved
                .fields
                .insert(POSITION.to_owned(), Value::from(number));
            self.update(other, moved).await?;
        }
        Ok(free.unwrap_or(number + STEP))
    }
}

/// A number for the place `at`, when the pages around it leave one.
fn between(others: &[Record], at: usize) -> Option<i64> {
    let before = match at.checked_sub(1).and_then(|at| others.get(at)) {
        Some(other) => Some(position(other)?),
        None => None,
    };
    let after = match others.get(at) {
        Some(other) => Some(position(other)?),
        None => None,
    };
    match (before, after) {
        (None, None) => Some(STEP),
        (Some(before), None) => before.checked_add(STEP),
        (None, Some(after)) => after.checked_sub(STEP),
        (Some(before), Some(after)) => {
            let middle = before.midpoint(after);
            (middle > before && middle < after).then_some(middle)
        }
    }
}
