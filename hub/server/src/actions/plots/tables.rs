//! Reading a dataset: its columns, and its rows in parts.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::Reading;
use crate::datasets::Table;
use crate::error::RouteError;
use crate::text::cut;
use crate::text::trust::neutral;
use crate::view;

/// Rows of one answer: when nothing is asked, and at the most.
const ROWS_DEFAULT: u32 = 50;
/// Bytes of the rows of one answer.
const ROWS_BYTES: usize = 40_000;
/// Characters of one cell.
const CELL_MAX: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Get {
    /// The dataset, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    dataset: String,
    /// Rows to skip.
    offset: Option<u32>,
    /// Rows at the most; 50 when left out.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
}

pub(super) async fn get(on: &Reading, asked: Get) -> Result<Value, RouteError> {
    let dataset = on.record(Kind::Dataset, &asked.dataset).await?;
    let table = Table::kept(&dataset).map_err(RouteError::Conflict)?;
    let offset = asked.offset.unwrap_or(0) as usize;
    let limit = asked.limit.unwrap_or(ROWS_DEFAULT) as usize;
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .skip(offset)
        .take(limit)
        .map(|row| shown(row))
        .collect();
    let asked_for = rows.len();
    let (rows, left_out) = view::fit(rows, ROWS_BYTES);
    // One row alone can be larger than an answer; then its cells are what is too long.
    let next = offset + asked_for - left_out;
    let mut card = on.reader().card_of(&dataset).await?;
    card.insert("version".to_owned(), dataset.version.into());
    card.insert("delimiter".to_owned(), table.delimiter_text().into());
    card.insert("columns".to_owned(), json!(table.columns_shown()));
    card.insert("totalRows".to_owned(), table.rows.len().into());
    card.insert("offset".to_owned(), offset.into());
    card.insert("rows".to_owned(), json!(rows));
    if next < table.rows.len() {
        card.insert("nextOffset".to_owned(), next.into());
    }
    let note = ensemble_hub_api::sentences::REFERENCE_NOTE;
    card.insert("notes".to_owned(), json!([note]));
    Ok(Value::Object(card))
}

fn shown(row: &[String]) -> Vec<String> {
    // A row of many columns has short cells, so that it fits into an answer.
    let each = (ROWS_BYTES / 8 / row.len().max(1)).clamp(20, CELL_MAX);
    row.iter()
        .map(|cell| cut::excerpt(&neutral(cell), each).0)
        .collect()
}
