//! Pages: Markdown that is read and changed whole or block by block. A page can be below another one; the pages below a page are records of
//! their own, so nothing that is done to its text loses them. What a page names is linked with it (see [`mentions`]).

pub(crate) mod blocks;
mod delete;
mod edit;
mod look;
pub(crate) mod mentions;
mod moved;
mod pieces;
pub(crate) mod tree;
mod write;

use super::{Action, changes, reads};

/// The longest text of a page, in characters; as much of it is found by search.
const TEXT_MAX: usize = 400_000;

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_pages",
        look::List,
        look::list,
        "Lists pages, the last changed first: all, those of a project, those with words in their titles, or, with `parent`, those below a page in their own order."
    ),
    reads!(
        "hub_read_page",
        look::Read,
        look::read_page,
        "A page as Markdown, in parts of at most 15,000 characters, with the page it is below and those below it. `version` is what a change can be tied to."
    ),
    reads!(
        "hub_read_page_blocks",
        look::Blocks,
        look::read_blocks,
        "A page block by block (headings, paragraphs, lists, tables, code, …), each with the id by which hub_edit_page changes it. Use it before an edit."
    ),
    changes!(
        "hub_create_page",
        write::Create,
        write::create,
        "Adds a page. People and records are named in its text as [@Name](ensemble://person/<id>), which links them."
    ),
    changes!(
        "hub_update_page",
        write::Update,
        write::update,
        "Changes a page's title, labels or project, or replaces its whole text; pages below it, files and comments stay. To change a part of the text use hub_edit_page."
    ),
    changes!(
        "hub_edit_page",
        edit::Asked,
        edit::edit,
        "Changes blocks of a page: replace, insert_before, insert_after, delete, append, or replace_text for words that stand in it once. All edits are made or none; every other block stays byte for byte."
    ),
    changes!(
        "hub_move_page",
        moved::Move,
        moved::to,
        "Moves a page, with the pages below it, below another page, to the top, or before or after a page."
    ),
    changes!(
        "hub_delete_page",
        delete::One,
        delete::one,
        "Moves a page to Trash. One with pages below it is refused unless `withChildren` takes them along."
    ),
    changes!(
        "hub_delete_pages",
        delete::Many,
        delete::many,
        "Moves up to 100 pages to Trash, all of them or none."
    ),
];
