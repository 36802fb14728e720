//! `hub_manage_record`: one operation on one record. Each operation takes the properties that it names; one that it needs and does not have,
//! and one that it does not take, is refused by its name.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{convert, drawn, notes, tags, trash};
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Asked {
    /// What to do.
    pub(super) operation: Operation,
    /// The record: the one to comment on, restore, convert (a page), copy or delete, the dataset, the diagram, or, with `tag_file` and `untag_file`,
    /// the task, page, project, person or repository that the file hangs on. Its handle or id; where its kind is clear, its exact name too.
    #[schemars(length(min = 1, max = 2000))]
    pub(super) record: Option<String>,
    /// With `comment_edit` and `comment_delete`: the comment, by id or handle.
    #[schemars(length(min = 1, max = 2000))]
    pub(super) comment: Option<String>,
    /// With `comment_add` and `comment_edit`: the text, in Markdown.
    #[schemars(length(min = 1, max = 10_000))]
    pub(super) text: Option<String>,
    /// With `tag_file` and `untag_file`: the file, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    pub(super) file: Option<String>,
    /// With `tag_file` and `untag_file`: a word, in place of a record.
    #[schemars(length(min = 1, max = 60))]
    pub(super) tag: Option<String>,
    /// With `rename_dataset`: the new name. With `copy`: the copy's name.
    #[schemars(length(min = 1, max = 500))]
    pub(super) name: Option<String>,
    /// With `restore_diagram_version`: which one, as `hub_read_record_details` lists them.
    #[schemars(range(min = 1))]
    pub(super) diagram_version: Option<i64>,
    /// With `restore`: whether the pages below a page come back with it.
    pub(super) with_children: Option<bool>,
    /// The version you read; if the record (or comment, or file) has another by now, nothing changes.
    #[schemars(range(min = 1))]
    pub(super) version: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Operation {
    CommentAdd,
    CommentEdit,
    CommentDelete,
    Restore,
    ConvertPage,
    TagFile,
    UntagFile,
    Copy,
    Delete,
    RenameDataset,
    DeleteDataset,
    RestoreDiagramVersion,
}

impl Operation {
    /// The properties that it takes besides `version`, and whether each is needed.
    const fn takes(self) -> &'static [(&'static str, bool)] {
        match self {
            Self::CommentAdd => &[("record", true), ("text", true)],
            Self::CommentEdit => &[("comment", true), ("text", true)],
            Self::CommentDelete => &[("comment", true)],
            Self::Restore => &[("record", true), ("withChildren", false)],
            Self::ConvertPage | Self::Delete | Self::DeleteDataset => &[("record", true)],
            Self::TagFile | Self::UntagFile => &[("file", true), ("record", false), ("tag", false)],
            Self::Copy => &[("record", true), ("name", false)],
            Self::RenameDataset => &[("record", true), ("name", true)],
            Self::RestoreDiagramVersion => &[("record", true), ("diagramVersion", true)],
        }
    }
}

pub(super) async fn manage(on: &mut Changing, asked: Asked) -> Result<Done, RouteError> {
    fits(&asked)?;
    match asked.operation {
        Operation::CommentAdd => notes::add(on, &asked).await,
        Operation::CommentEdit => notes::edit(on, &asked).await,
        Operation::CommentDelete => notes::delete(on, &asked).await,
        Operation::Restore => trash::restore(on, &asked).await,
        Operation::ConvertPage => convert::page(on, &asked).await,
        Operation::TagFile => tags::change(on, &asked, true).await,
        Operation::UntagFile => tags::change(on, &asked, false).await,
        Operation::Copy => drawn::copy(on, &asked).await,
        Operation::Delete => drawn::delete(on, &asked).await,
        Operation::RenameDataset => drawn::rename_dataset(on, &asked).await,
        Operation::DeleteDataset => drawn::delete_dataset(on, &asked).await,
        Operation::RestoreDiagramVersion => drawn::restore_version(on, &asked).await,
    }
}

/// Refuses an operation without what it needs, or with what it does not take.
fn fits(asked: &Asked) -> Result<(), RouteError> {
    let given = [
        ("record", asked.record.is_some()),
        ("comment", asked.comment.is_some()),
        ("text", asked.text.is_some()),
        ("file", asked.file.is_some()),
        ("tag", asked.tag.is_some()),
        ("name", asked.name.is_some()),
        ("diagramVersion", asked.diagram_version.is_some()),
        ("withChildren", asked.with_children.is_some()),
    ];
    let takes = asked.operation.takes();
    for (name, is_given) in given {
        let taken = takes.iter().find(|(known, _)| *known == name);
        match taken {
            Some((_, true)) if !is_given => {
                return Err(limited(&format!("This operation needs `{name}`.")));
            }
            None if is_given => {
                return Err(limited(&format!("This operation does not take `{name}`.")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A property that [`fits`] has seen.
pub(super) fn needed(given: Option<&String>) -> Result<&str, RouteError> {
    given
        .map(String::as_str)
        .ok_or_else(|| limited("A property that this operation needs is missing."))
}
