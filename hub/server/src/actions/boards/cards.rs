//! The cards of a board: a task or page has one place on it, in the field of its columns, and a link, so that it knows its boards.

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;

use super::columns::{self, CARDS_MAX, Column};
use super::write::{done, own};
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::Record;

const BY_STATUS: &str =
    "its columns are the statuses of tasks, and hub_update_task moves tasks there";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Move {
    /// The board, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    board: String,
    /// The task, by id, handle or exact title; give this or `page`.
    #[schemars(length(min = 1, max = 2000))]
    task: Option<String>,
    /// The page, by id, handle or exact title; give this or `task`.
    #[schemars(length(min = 1, max = 2000))]
    page: Option<String>,
    /// The column, by id or name.
    #[schemars(length(min = 1, max = 200))]
    column: String,
    /// Its place in the column, from 1; without it the last.
    #[schemars(range(min = 1, max = 2000))]
    position: Option<u32>,
    /// The version of the board that you read; if it has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn to(on: &mut Changing, asked: Move) -> Result<Done, RouteError> {
    let before = own(on, &asked.board, BY_STATUS).await?;
    Changing::fresh(&before, asked.version)?;
    let item = item(on, asked.task.as_deref(), asked.page.as_deref()).await?;
    let mut columns = columns::of(&before)?;
    let to = columns::named(&columns, &asked.column)?;
    take(&mut columns, &item.id);
    if columns
        .iter()
        .map(|column| column.cards.len())
        .sum::<usize>()
        >= CARDS_MAX
    {
        return Err(RouteError::Conflict(
            "A board holds at most 2,000 cards: remove some, or make another board.".to_owned(),
        ));
    }
    let column = columns
        .get_mut(to)
        .ok_or_else(|| limited("The board has no such column."))?;
    let at = match asked.position {
        None => column.cards.len(),
        Some(position) => place(on, column, position as usize - 1).await?,
    };
    column.cards.insert(at, item.id.clone());
    on.link(&before.id, relation::CARD, &item.id).await?;
    let mut board = before.clone();
    columns::keep(&mut board, &columns);
    let board = on.update(&before, board).await?;
    done(on, &board, "It is on the board.").await
}

/// Where the card number `position` of those that are shown stands.
async fn place(on: &mut Changing, column: &Column, position: usize) -> Result<usize, RouteError> {
    let space = on.space().to_owned();
    let shown = on.change().by_ids(&space, &column.cards).await?;
    let at = shown
        .get(position)
        .and_then(|card| column.cards.iter().position(|id| *id == card.id));
    Ok(at.unwrap_or(column.cards.len()))
}

/// Takes a card out of its column; whether there was one.
fn take(columns: &mut [Column], id: &str) -> bool {
    let mut found = false;
    for column in columns {
        let before = column.cards.len();
        column.cards.retain(|card| card != id);
        found |= column.cards.len() < before;
    }
    found
}

/// The task or page that is meant.
async fn item(
    on: &mut Changing,
    task: Option<&str>,
    page: Option<&str>,
) -> Result<Record, RouteError> {
    match (task, page) {
        (Some(task), None) => on.record(Kind::Task, task).await,
        (None, Some(page)) => on.record(Kind::Page, page).await,
        _ => Err(limited("Name one of `task` and `page`.")),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Remove {
    /// The board, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    board: String,
    /// The task, by id, handle or exact title; give this or `page`.
    #[schemars(length(min = 1, max = 2000))]
    task: Option<String>,
    /// The page, by id, handle or exact title; give this or `task`.
    #[schemars(length(min = 1, max = 2000))]
    page: Option<String>,
    /// The version of the board that you read; if it has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn remove(on: &mut Changing, asked: Remove) -> Result<Done, RouteError> {
    let before = own(on, &asked.board, "every task is on it by its status").await?;
    Changing::fresh(&before, asked.version)?;
    let item = item(on, asked.task.as_deref(), asked.page.as_deref()).await?;
    let mut columns = columns::of(&before)?;
    if !take(&mut columns, &item.id) {
        return Err(RouteError::Conflict(
            "It is not on this board: hub_read_board shows what is.".to_owned(),
        ));
    }
    on.unlink(&before.id, relation::CARD, &item.id).await?;
    let mut board = before.clone();
    columns::keep(&mut board, &columns);
    let board = on.update(&before, board).await?;
    done(on, &board, "It is no longer on the board.").await
}

/// Gives the places that a record has on boards to another one.
pub(crate) async fn replaced(
    on: &mut Changing,
    boards: Vec<Record>,
    old: &str,
    new: &str,
) -> Result<(), RouteError> {
    for before in boards {
        let mut columns = columns::of(&before)?;
        for card in columns.iter_mut().flat_map(|column| &mut column.cards) {
            if card == old {
                new.clone_into(card);
            }
        }
        let mut board = before.clone();
        columns::keep(&mut board, &columns);
        on.unlink(&before.id, relation::CARD, old).await?;
        on.link(&before.id, relation::CARD, new).await?;
        on.update(&before, board).await?;
    }
    Ok(())
}
