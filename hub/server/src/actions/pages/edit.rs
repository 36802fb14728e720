//! Changing a page block by block. The ids are those of the page as it is; all edits are made or none, and the row that cannot be made is
//! named by its number.

use std::collections::BTreeSet;

use ensemble_hub_api::{Kind, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::blocks::{Block, blocks};
use super::pieces::{self, Edit};
use super::write;
use crate::actions::with::{at_row, limited};
use crate::actions::{Changing, Done};
use crate::error::RouteError;

/// Ids of changed blocks that an answer names.
const CHANGED_MAX: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Asked {
    /// The page, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    page: String,
    /// The version you read; if the page has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The edits; ids name blocks of the page as it was read.
    #[schemars(length(min = 1, max = 50))]
    edits: Vec<Row>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Row {
    /// `replace`, `insert_before`, `insert_after` and `delete` need `block`; `replace_text` needs `find` and `text`; `append` needs `text`.
    operation: Operation,
    /// The block's id, from `hub_read_page_blocks`; with `replace_text`, the block to look in.
    #[schemars(length(max = 40))]
    block: Option<String>,
    /// Words that stand exactly once in the page, within one block.
    #[schemars(length(min = 1, max = 20_000))]
    find: Option<String>,
    /// The new Markdown.
    #[schemars(length(max = 100_000))]
    text: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    Replace,
    InsertBefore,
    InsertAfter,
    Delete,
    Append,
    ReplaceText,
}

/// An id that no block of the page has.
pub(super) fn unknown_block(id: &str) -> RouteError {
    RouteError::Conflict(format!(
        "The page has no block {}: it was changed since; read its blocks again with hub_read_page_blocks.",
        sentences::quoted(id)
    ))
}

pub(super) async fn edit(on: &mut Changing, asked: Asked) -> Result<Done, RouteError> {
    let before = on.record(Kind::Page, &asked.page).await?;
    Changing::fresh(&before, asked.version)?;
    let mut plan = Plan {
        page: &before.body,
        blocks: blocks(&before.body),
        edits: Vec::new(),
    };
    for (at, row) in asked.edits.into_iter().enumerate() {
        plan.add(row).map_err(|refused| at_row(at, refused))?;
    }
    let mut page = before.clone();
    page.body = pieces::apply(plan.page, &plan.edits)?;
    let mut done = write::write(on, &before, page.clone(), "The page was edited.").await?;
    let known: BTreeSet<&str> = plan.blocks.iter().map(|block| block.id.as_str()).collect();
    let now = blocks(&page.body);
    let new: Vec<&str> = now
        .iter()
        .map(|block| block.id.as_str())
        .filter(|id| !known.contains(id))
        .take(CHANGED_MAX)
        .collect();
    if let Some(result) = done.result.as_object_mut() {
        result.insert("changedBlocks".to_owned(), json!(new));
        result.insert("totalBlocks".to_owned(), now.len().into());
    }
    Ok(done)
}

/// The edits so far, each against the page as it was.
struct Plan<'a> {
    page: &'a str,
    blocks: Vec<Block>,
    edits: Vec<Edit>,
}

impl Plan<'_> {
    fn add(&mut self, row: Row) -> Result<(), RouteError> {
        let edit = match row.operation {
            Operation::Append => Edit::Append(text(row.text)?),
            Operation::InsertBefore => Edit::Before(self.place(row.block)?, text(row.text)?),
            Operation::InsertAfter => Edit::After(self.place(row.block)?, text(row.text)?),
            Operation::Delete => {
                let at = self.place(row.block)?;
                self.untouched(at)?;
                Edit::Delete(at)
            }
            Operation::Replace => {
                let at = self.place(row.block)?;
                self.untouched(at)?;
                Edit::Replace(at, text(row.text)?)
            }
            Operation::ReplaceText => return self.replace_text(row),
        };
        self.edits.push(edit);
        Ok(())
    }

    fn place(&self, id: Option<String>) -> Result<usize, RouteError> {
        let id = id.ok_or_else(|| limited("`block` is missing: name it by its id."))?;
        let place = self.blocks.iter().position(|block| block.id == id);
        place.ok_or_else(|| unknown_block(&id))
    }

    fn untouched(&self, at: usize) -> Result<(), RouteError> {
        let twice = self.edits.iter().any(
            |edit| matches!(edit, Edit::Replace(place, _) | Edit::Delete(place) if *place == at),
        );
        if twice {
            return Err(limited("An edit before it already changes this block."));
        }
        Ok(())
    }

    /// Words of one block, which may have been replaced in part by an edit before.
    fn replace_text(&mut self, row: Row) -> Result<(), RouteError> {
        let find = row
            .find
            .ok_or_else(|| limited("`find` is missing: give the words to replace."))?;
        let with = row
            .text
            .ok_or_else(|| limited("`text` is missing; it may be empty."))?;
        let find = pieces::with_line_ends_of(self.page, &find);
        let with = pieces::with_line_ends_of(self.page, &with);
        let inside: Vec<usize> = match row.block {
            Some(id) => vec![self.place(Some(id))?],
            None => (0..self.blocks.len()).collect(),
        };
        let mut found = inside
            .into_iter()
            .map(|at| (at, self.now(at).matches(&find).count()))
            .filter(|(_, count)| *count > 0);
        let at = match (found.next(), found.next()) {
            (Some((at, 1)), None) => at,
            (None, _) => {
                return Err(RouteError::Conflict(
                    "The words of `find` do not stand in one block of the page: read it again."
                        .to_owned(),
                ));
            }
            (Some((_, count)), more) => {
                let others: usize = more.into_iter().chain(found).map(|(_, count)| count).sum();
                return Err(RouteError::Conflict(format!(
                    "The words of `find` stand {} times in the page: give more of them, or `block`.",
                    count + others
                )));
            }
        };
        if self.edits.contains(&Edit::Delete(at)) {
            return Err(limited("An edit before it deletes this block."));
        }
        let now = self.now(at).replacen(&find, &with, 1);
        self.edits
            .retain(|edit| !matches!(edit, Edit::Replace(place, _) if *place == at));
        self.edits.push(if now.trim().is_empty() {
            Edit::Delete(at)
        } else {
            Edit::Replace(at, now)
        });
        Ok(())
    }

    /// A block as the edits so far leave it.
    fn now(&self, at: usize) -> String {
        let edited = self.edits.iter().find_map(|edit| match edit {
            Edit::Replace(place, text) if *place == at => Some(text.clone()),
            _ => None,
        });
        edited.unwrap_or_else(|| {
            let block = self.blocks.get(at);
            block.map_or_else(String::new, |block| block.text(self.page).to_owned())
        })
    }
}

/// A text that says something.
fn text(given: Option<String>) -> Result<String, RouteError> {
    given
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| limited("`text` is missing: give the Markdown, or delete the block."))
}
