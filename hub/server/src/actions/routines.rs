//! Routines: what is to be done at set times. Times are a rule (RFC 5545) on a clock in a time zone. This hub keeps routines and says when each
//! is next; the assistant that carries them out is Ensemble's. Deleting one stays with the person.

mod list;
mod schedule;
mod write;

use serde_json::{Value, json};

use super::{Action, changes, reads};
use crate::clock::instant;
use crate::store::Record;
use crate::text::trust::neutral;
use crate::view::Card;
use schedule::Schedule;

/// Why the operation delete is refused.
const NOT_DELETED: &str =
    "Routines cannot be deleted from editors and agents; delete it in Ensemble.";
/// The status of a routine that runs, and of one that does not.
const ACTIVE: &str = "active";
const PAUSED: &str = "paused";
/// What an answer says about who carries routines out.
const NOTE: &str =
    "Ensemble's assistant carries routines out; this hub keeps them and says when each is next.";

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_routines",
        list::List,
        list::list,
        "Lists routines by name with their times and when each is next; `routine` gives one with its instructions in full."
    ),
    changes!(
        "hub_create_routine",
        write::Create,
        write::create,
        "Adds a routine: instructions that are carried out at set times, by a recurrence rule such as FREQ=WEEKLY;BYDAY=MO on a clock in a time zone. At most once an hour."
    ),
    changes!(
        "hub_update_routine",
        write::Update,
        write::update,
        "Edits, pauses or resumes a routine; `operation` says which. What is left out of an edit stays."
    )
    .limited("The operation delete is refused: the person deletes routines in Ensemble."),
];

/// A routine as its answers show it.
fn shown(mut card: Card, routine: &Record, now: jiff::Timestamp) -> Card {
    let status = routine.status.as_deref().unwrap_or(ACTIVE);
    card.insert("status".to_owned(), status.into());
    card.insert("version".to_owned(), routine.version.into());
    let Some(schedule) = Schedule::of(routine) else {
        return card;
    };
    card.insert("schedule".to_owned(), schedule.shown());
    if status == ACTIVE {
        let next = schedule.next(now);
        let next = next.map_or(Value::Null, |next| {
            json!({ "at": instant(next.timestamp()), "local": next.datetime().strftime("%Y-%m-%dT%H:%M").to_string() })
        });
        card.insert("nextRun".to_owned(), next);
    }
    card
}

/// The instructions, as others may have written them.
fn instructions(routine: &Record) -> String {
    neutral(&routine.body)
}
