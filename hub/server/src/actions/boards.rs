//! Boards: columns with tasks and pages in an order of their own. A card is a place for a record: taking it away, or deleting the board, leaves
//! the record. The built-in board “Ensemble” is no record: its columns are the statuses of tasks, and tasks move there by their status.

mod cards;
mod columns;
mod look;
mod write;

use ensemble_hub_api::{Handle, Kind};

use super::{Action, changes, reads};
use crate::store::name_key;

pub(super) use cards::replaced;

/// The name of the built-in board, and in small letters its id.
const BUILT_IN: &str = "Ensemble";
const BUILT_IN_ID: &str = "ensemble";

/// Whether the built-in board is named.
fn is_built_in(given: &str) -> bool {
    let given = given.trim();
    name_key(given) == name_key(BUILT_IN)
        || Handle::parse(given)
            .is_some_and(|handle| handle.kind == Kind::Board && handle.id == BUILT_IN_ID)
}

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_boards",
        look::List,
        look::list,
        "Lists the boards with their columns, the last changed first, and the built-in Ensemble board, whose columns are the statuses of tasks."
    ),
    reads!(
        "hub_read_board",
        look::Read,
        look::read,
        "A board column by column, with its tasks and pages in their order; with `column`, more of one column. “Ensemble” is the built-in board of all tasks by status."
    ),
    changes!(
        "hub_create_board",
        write::Create,
        write::create,
        "Adds a board with columns; without names it has To do, In progress and Done."
    ),
    changes!(
        "hub_update_board",
        write::Update,
        write::update,
        "Renames a board, and adds, renames, removes and reorders its columns, in this order of work. A column with cards is removed only with the column that takes them."
    ),
    changes!(
        "hub_move_to_board",
        cards::Move,
        cards::to,
        "Puts a task or page into a column of a board, at a position or at its end; it has one place on a board. Tasks on the Ensemble board are moved with hub_update_task."
    ),
    changes!(
        "hub_remove_from_board",
        cards::Remove,
        cards::remove,
        "Takes a task or page off a board. The task or page itself stays."
    ),
    changes!(
        "hub_delete_board",
        write::Delete,
        write::delete,
        "Moves a board to Trash. The tasks and pages on it stay."
    ),
];
