//! The columns of a board, as they stand in its record: each with an id, a name, and the ids of its cards in their order. The ids of records
//! in Trash keep their place, and are not shown.

use ensemble_hub_api::sentences;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::actions::with::limited;
use crate::error::RouteError;
use crate::store::{Record, StoreError, name_key, one_line};

/// Columns of one board.
pub(super) const COLUMNS_MAX: usize = 30;
/// Cards of one board.
pub(super) const CARDS_MAX: usize = 2_000;
const FIELD: &str = "columns";

/// One column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Column {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) cards: Vec<String>,
}

/// The columns of a board.
pub(super) fn of(board: &Record) -> Result<Vec<Column>, RouteError> {
    let kept = board
        .fields
        .get(FIELD)
        .cloned()
        .unwrap_or_else(|| json!([]));
    serde_json::from_value(kept)
        .map_err(|_| RouteError::Store(StoreError::Unreadable { what: "board" }))
}

/// Keeps the columns in the record.
pub(super) fn keep(board: &mut Record, columns: &[Column]) {
    board.fields.insert(FIELD.to_owned(), json!(columns));
}

/// The place of the column with this id or name.
pub(super) fn named(columns: &[Column], given: &str) -> Result<usize, RouteError> {
    let key = name_key(given);
    let by_id = columns.iter().position(|column| column.id == given.trim());
    by_id
        .or_else(|| {
            columns
                .iter()
                .position(|column| name_key(&column.name) == key)
        })
        .ok_or_else(|| {
            let names: Vec<String> = columns
                .iter()
                .map(|column| sentences::quoted(&column.name))
                .collect();
            limited(&format!(
                "The board has no column {}: it has {}.",
                sentences::quoted(given),
                names.join(", ")
            ))
        })
}

/// A name that no column has yet.
pub(super) fn new_name(columns: &[Column], given: &str) -> Result<String, RouteError> {
    let name = one_line(given);
    if name.is_empty() {
        return Err(limited("A column needs a name with words."));
    }
    if columns
        .iter()
        .any(|column| name_key(&column.name) == name_key(&name))
    {
        return Err(limited(&format!(
            "The board already has a column {}: choose another name.",
            sentences::quoted(&name)
        )));
    }
    if columns.len() >= COLUMNS_MAX {
        return Err(limited("A board has at most 30 columns."));
    }
    Ok(name)
}
