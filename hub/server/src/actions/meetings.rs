//! Meeting notes: what was said, who was there, and the tasks that come of it. Notes are what somebody wrote down, a transcript is what was
//! said; a reader gets both. Tasks out of notes are proposals: the person takes them on, and each keeps the words with which it was asked for.

mod apps;
mod list;
mod suggest;
mod update;
mod write;

use super::{Action, changes, reads};

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_meeting_notes",
        list::List,
        list::list,
        "Lists meeting notes, the last changed first: all, or those of a project or with a person. The calendar's events are in hub_list_events."
    ),
    reads!(
        "hub_read_meeting_note",
        list::One,
        list::read,
        "One meeting's notes and transcript in parts, with its people and the tasks made from it. `version` is what an update can be tied to."
    ),
    changes!(
        "hub_create_meeting_note",
        write::Create,
        write::create,
        "Adds notes of a meeting, with its people, project and event. What has to be done because of it goes into hub_suggest_meeting_tasks."
    ),
    changes!(
        "hub_update_meeting_note",
        update::Update,
        update::update,
        "Changes notes of a meeting: what is left out stays, null empties, a list replaces the one before."
    ),
    changes!(
        "hub_delete_meeting_note",
        update::One,
        update::delete,
        "Moves notes of a meeting to Trash, where the person can take them out again; tasks made from it stay."
    ),
    changes!(
        "hub_suggest_meeting_tasks",
        suggest::Suggest,
        suggest::suggest,
        "Proposes tasks that were asked for in a meeting, each with the words from its notes or transcript. The person accepts or drops them; all are added or none."
    ),
    changes!(
        "hub_import_meeting_notes",
        apps::Import,
        apps::import,
        "Brings notes of a meeting in from a connected app."
    )
    .with_apps(),
];
