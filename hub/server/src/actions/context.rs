//! What a record is linked with, search, and the screens of Ensemble, each as the route of the same name answers it; and the deleting and
//! restoring of projects, repositories and skills.

mod entity;
mod look;
mod surface;

use super::{Action, changes, reads};
pub(super) use look::Nothing;

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_item_context",
        look::Linked,
        look::item,
        "One record and what it links to, relation by relation; with `rel` one relation in full and in parts, with `packet` everything as one Markdown text."
    ),
    reads!(
        "hub_search_work",
        look::Work,
        look::work,
        "Searches what is being worked on by words: tasks, projects, deliverables, pages and meetings, best first."
    ),
    reads!(
        "hub_search_context",
        look::Search,
        look::search,
        "Searches everything that Ensemble keeps by words, best first; `kinds` narrows it and `near` puts what is linked to a record first."
    ),
    reads!(
        "hub_read_context",
        look::Read,
        look::read,
        "Reads one record of any kind in full, its text in parts."
    ),
    reads!(
        "hub_read_surface",
        surface::Asked,
        surface::surface,
        "Reads a screen of Ensemble as the person sees it: Today, the Board, Context, Needs me, or one of the lists."
    ),
    reads!(
        "hub_list_approvals",
        Nothing,
        look::approvals,
        "Needs me: what waits for the person's yes or no. Only the person answers these, in Ensemble."
    ),
    changes!(
        "hub_delete_entity",
        entity::Delete,
        entity::delete,
        "Moves a project, repository or skill to Trash; its links come back with it when it is restored."
    )
    .limited(entity::LIMIT),
    changes!(
        "hub_restore_entity",
        entity::Restore,
        entity::restore,
        "Takes a project, repository or skill out of Trash, with the links that it had."
    ),
];
