//! What hangs on records of every kind: comments, tags and files, earlier states, and the way back from Trash. A comment is a record that is
//! linked with what it is about; who wrote it stays with it.

mod convert;
mod details;
mod drawn;
mod manage;
mod notes;
mod tags;
mod trash;

use ensemble_hub_api::Kind;

use super::{Action, changes, reads};

/// What a guard refuses of `hub_manage_record`.
const LIMIT: &str = "Deletes plots, diagrams and datasets only: files and routines are deleted by the person in Ensemble.";

/// The kinds of records that comments are about: all but comments.
fn commented() -> Vec<Kind> {
    let all = Kind::ALL.into_iter().chain(Kind::OF_ACTIONS);
    all.filter(|kind| *kind != Kind::Comment).collect()
}

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_read_record_details",
        details::Asked,
        details::read,
        "What hangs on any record, also one in Trash: its fields, comments, files, tags, boards, its history in short, and the earlier versions of a diagram. `diagramVersion` gives the source of one."
    ),
    changes!(
        "hub_manage_record",
        manage::Asked,
        manage::manage,
        "Works on any record, by `operation`: comment_add, comment_edit, comment_delete; restore (from Trash); convert_page (a page becomes a task with its links); tag_file, untag_file; copy or delete (a plot or diagram); rename_dataset, delete_dataset; restore_diagram_version."
    )
    .limited(LIMIT),
];
