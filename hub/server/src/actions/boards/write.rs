//! Adding, changing and deleting boards.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::columns::{self, Column};
use super::is_built_in;
use crate::actions::input::Patch;
use crate::actions::with::{at_row, limited};
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record};

const NAME_TAKEN: &str = "“Ensemble” is the built-in board: choose another name.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// The name, in one line.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// What it is for.
    #[schemars(length(max = 2000))]
    description: Option<String>,
    /// The names of its columns, from left to right.
    #[schemars(length(min = 1, max = 30), inner(length(min = 1, max = 100)))]
    columns: Option<Vec<String>>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    if is_built_in(&asked.name) {
        return Err(limited(NAME_TAKEN));
    }
    let names = asked
        .columns
        .unwrap_or_else(|| ["To do", "In progress", "Done"].map(str::to_owned).to_vec());
    let mut columns = Vec::new();
    for (at, name) in names.iter().enumerate() {
        add(on, &mut columns, name, None).map_err(|refused| at_row(at, refused))?;
    }
    let mut new = NewRecord::new(on.space(), Kind::Board, asked.name);
    if let Some(description) = asked.description {
        new.fields
            .insert("description".to_owned(), description.into());
    }
    new.fields.insert("columns".to_owned(), json!(columns));
    let board = on.create(new).await?;
    done(on, &board, "The board was added.").await
}

fn add(
    on: &Changing,
    columns: &mut Vec<Column>,
    name: &str,
    position: Option<u32>,
) -> Result<(), RouteError> {
    let column = Column {
        name: columns::new_name(columns, name)?,
        id: on.hub.store().new_id(),
        cards: Vec::new(),
    };
    let at = position.map_or(columns.len(), |position| position as usize - 1);
    columns.insert(at.min(columns.len()), column);
    Ok(())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The board, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    board: String,
    /// The version you read; if the board has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The new name.
    #[schemars(length(min = 1, max = 200))]
    name: Option<String>,
    /// What it is for; null for nothing.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    description: Patch<String>,
    /// Columns to rename.
    #[serde(default)]
    #[schemars(length(max = 30))]
    rename_columns: Vec<Rename>,
    /// Columns to add.
    #[serde(default)]
    #[schemars(length(max = 30))]
    add_columns: Vec<Add>,
    /// Columns to remove.
    #[serde(default)]
    #[schemars(length(max = 30))]
    remove_columns: Vec<Remove>,
    /// All columns in their new order, by id or name.
    #[schemars(length(min = 1, max = 30))]
    order: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rename {
    /// The column, by id or name.
    #[schemars(length(min = 1, max = 200))]
    column: String,
    /// Its new name.
    #[schemars(length(min = 1, max = 100))]
    name: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Add {
    /// Its name.
    #[schemars(length(min = 1, max = 100))]
    name: String,
    /// Its place from 1; without it the last.
    #[schemars(range(min = 1, max = 30))]
    position: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Remove {
    /// The column, by id or name.
    #[schemars(length(min = 1, max = 200))]
    column: String,
    /// The column that takes its cards, by id or name.
    #[schemars(length(min = 1, max = 200))]
    move_cards_to: Option<String>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = own(on, &asked.board, "its columns are the statuses of tasks").await?;
    Changing::fresh(&before, asked.version)?;
    let mut board = before.clone();
    if let Some(name) = &asked.name {
        if is_built_in(name) {
            return Err(limited(NAME_TAKEN));
        }
        board.title.clone_from(name);
    }
    board.patch("description", &asked.description);
    let mut columns = columns::of(&before)?;
    for rename in &asked.rename_columns {
        let at = columns::named(&columns, &rename.column)?;
        let mut column = columns.remove(at);
        column.name = columns::new_name(&columns, &rename.name)?;
        columns.insert(at, column);
    }
    for new in &asked.add_columns {
        add(on, &mut columns, &new.name, new.position)?;
    }
    for gone in &asked.remove_columns {
        remove(&mut columns, gone)?;
    }
    if let Some(order) = &asked.order {
        columns = ordered(columns, order)?;
    }
    columns::keep(&mut board, &columns);
    let board = on.update(&before, board).await?;
    done(on, &board, "The board was changed.").await
}

/// Removes a column; its cards go into another one.
fn remove(columns: &mut Vec<Column>, asked: &Remove) -> Result<(), RouteError> {
    let at = columns::named(columns, &asked.column)?;
    let gone = columns.remove(at);
    if columns.is_empty() {
        return Err(limited("A board keeps one column at the least."));
    }
    match &asked.move_cards_to {
        Some(to) => {
            let to = columns::named(columns, to)?;
            if let Some(column) = columns.get_mut(to) {
                column.cards.extend(gone.cards);
            }
        }
        None if gone.cards.is_empty() => {}
        None => {
            return Err(RouteError::Conflict(format!(
                "The column {} has cards: say with `moveCardsTo` which column takes them.",
                ensemble_hub_api::sentences::quoted(&gone.name)
            )));
        }
    }
    Ok(())
}

fn ordered(mut columns: Vec<Column>, order: &[String]) -> Result<Vec<Column>, RouteError> {
    let mut all = Vec::new();
    for given in order {
        let at = columns::named(&columns, given)?;
        all.push(columns.remove(at));
    }
    if columns.is_empty() {
        Ok(all)
    } else {
        Err(limited("`order` names every column of the board once."))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Delete {
    /// The board, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    board: String,
    /// The version you read; if the board has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn delete(on: &mut Changing, asked: Delete) -> Result<Done, RouteError> {
    let board = own(on, &asked.board, "it cannot be deleted").await?;
    Changing::fresh(&board, asked.version)?;
    on.trash(&board).await?;
    Ok(Done::new(
        json!({ "deleted": [board.handle()] }),
        "The board is in Trash; its tasks and pages stayed.",
    ))
}

/// A board of the person; the built-in one is refused with the reason.
pub(super) async fn own(on: &mut Changing, given: &str, why: &str) -> Result<Record, RouteError> {
    if is_built_in(given) {
        return Err(RouteError::Conflict(format!(
            "“Ensemble” is the built-in board: {why}."
        )));
    }
    on.record(Kind::Board, given).await
}

/// The answer of a change to one board.
pub(super) async fn done(on: &Changing, board: &Record, message: &str) -> Result<Done, RouteError> {
    let mut card = on.card(board).await?;
    let columns: Vec<_> = columns::of(board)?
        .iter()
        .map(|column| json!({ "id": column.id, "name": column.name, "cards": column.cards.len() }))
        .collect();
    card.insert("columns".to_owned(), json!(columns));
    let message = if on.write.change.wrote() {
        message
    } else {
        "The board already was like that."
    };
    Ok(Done::new(
        json!({ "board": card, "version": board.version }),
        message,
    ))
}
