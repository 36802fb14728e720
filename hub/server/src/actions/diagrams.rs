//! Diagrams: sources in the language of Mermaid that are checked before they are kept, and drawn when somebody looks. A source that does not
//! parse is refused with its line and column, and nothing is saved.

mod change;
mod look;

pub(super) use change::Parsed;

use super::shared::ByTitle;
use super::{Action, changes, reads};

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_diagrams",
        ByTitle,
        look::list,
        "Lists the saved diagrams, the last changed first; with words of their titles where they are given."
    ),
    reads!(
        "hub_get_diagram",
        look::Get,
        look::get,
        "One diagram: its Mermaid source as `body`, its `version`, what it is linked with, and, when `svg` is true, its picture as SVG."
    ),
    reads!(
        "hub_validate_diagram",
        look::Source,
        look::validate,
        "Checks a Mermaid source before it is saved, or a saved diagram. Answers `valid`, and where it is wrong the line, the column, what is wrong and the line's text."
    ),
    reads!(
        "hub_explain_diagram",
        look::Source,
        look::explain,
        "Says in words what a diagram has: its kind, title, nodes, what is between them, and groups. For a saved diagram or a source."
    ),
    reads!(
        "hub_diagram_context",
        look::Context,
        look::context,
        "A diagram with what it is about: the pages, tasks and notes that show it, what it is linked with, and what its source says. Use it before you change a diagram."
    ),
    changes!(
        "hub_create_diagram",
        change::Create,
        change::create,
        "Saves a new diagram with a Mermaid source. Answers its id, and `embed`, the line that shows it in a page."
    )
    .prepared(change::prepare_create),
    changes!(
        "hub_update_diagram",
        change::Update,
        change::update,
        "Changes a diagram's title, whole source or project: what is left out stays. hub_edit_diagram changes a part of the source."
    )
    .prepared(change::prepare_update),
    changes!(
        "hub_edit_diagram",
        change::Edit,
        change::edit,
        "Replaces one passage of a diagram's source, which has to stand there exactly once; everything else stays as it is, byte for byte."
    )
    .prepared(change::prepare_edit),
];
