//! The person's desk: records that they keep at hand, and short notes, in an order of their own. Taking something off the desk leaves the record
//! where it is. What lies on the desk is the person's own arrangement: it is named in a field and not linked, and no context shows it.

mod list;
mod order;
mod write;

use ensemble_hub_api::Kind;

use super::{Action, changes, reads};
use crate::error::RouteError;
use crate::store::{Record, RecordQuery, Store};

/// Entries of one desk.
const ENTRIES_MAX: usize = 100;
/// The record that an entry holds; a note holds none.
const HOLDS: &str = "recordId";

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_desk_items",
        list::List,
        list::list,
        "The person's desk in its order: the records on it and its notes. `place` counts from 1."
    ),
    changes!(
        "hub_add_desk_item",
        write::Add,
        write::add,
        "Puts a record (`record`, by handle or id) or a note (`text`) on the desk, at its end or at a place. A record can have a text beside it."
    ),
    changes!(
        "hub_update_desk_item",
        write::Update,
        write::update,
        "Moves an entry of the desk to another place, or changes its text."
    ),
    changes!(
        "hub_remove_desk_item",
        write::Remove,
        write::remove,
        "Takes an entry off the desk. A record stays as it is; a note goes to Trash."
    ),
];

/// The desk in its order. A running change is the only writer, so before its own first write this is what it sees too.
async fn entries(store: &Store, space: &str) -> Result<Vec<Record>, RouteError> {
    let query = RecordQuery {
        kinds: vec![Kind::DeskItem],
        ..RecordQuery::default()
    };
    let mut entries = store.records(space, &query).await?.items;
    entries.sort_by(|one, other| {
        let (a, b) = (order::position(one), order::position(other));
        a.total_cmp(&b).then_with(|| one.id.cmp(&other.id))
    });
    Ok(entries)
}
