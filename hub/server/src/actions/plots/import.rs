//! Importing a dataset: delimited text that is given, or the original of a file of the hub.

use std::io::Read as _;

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::datasets::{self, BYTES_MAX, Table};
use crate::error::RouteError;
use crate::files;
use crate::import::text::decode;
use crate::store::{NewRecord, Record};

const ONE_OF: &str = "Give `csv` or `file`, one of the two.";
const TOO_LARGE: &str =
    "The file is larger than 1,000,000 bytes, which is the most that a dataset has.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Import {
    /// What the dataset is called.
    #[schemars(length(min = 1, max = 500))]
    name: String,
    /// The text itself: rows with a delimiter between the cells, quotes as in RFC 4180.
    #[schemars(length(min = 1, max = 1_000_000))]
    csv: Option<String>,
    /// A file of the hub, by id, handle or exact name; UTF-8 or UTF-16.
    #[schemars(length(min = 1, max = 2000))]
    file: Option<String>,
    /// The one character between the cells; without it, the one of , ; | and tab that the first row is made of.
    #[schemars(length(min = 1, max = 1))]
    delimiter: Option<String>,
    /// Whether the first row has the names of the columns; true when left out.
    header: Option<bool>,
    /// The project it belongs to, by id, handle or exact name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
}

pub(super) async fn import(on: &mut Changing, asked: Import) -> Result<Done, RouteError> {
    let delimiter = match &asked.delimiter {
        None => None,
        Some(given) => Some(datasets::byte(given).ok_or_else(|| {
            limited("`delimiter` is one ASCII character that is neither a quote nor a line end.")
        })?),
    };
    let (text, file) = match (asked.csv, &asked.file) {
        (Some(text), None) => (text, None),
        (None, Some(file)) => {
            let file = on.record(Kind::File, file).await?;
            (text_of(on, &file).await?, Some(file))
        }
        _ => return Err(limited(ONE_OF)),
    };
    // A mark before the first quote would make the quote a part of the name.
    let text = text
        .strip_prefix('\u{feff}')
        .map_or(text.clone(), str::to_owned);
    let header = asked.header.unwrap_or(true);
    let table = Table::read(&text, delimiter, header).map_err(RouteError::BadRequest)?;
    let mut new = NewRecord {
        body: text,
        ..NewRecord::new(on.space(), Kind::Dataset, asked.name)
    };
    let columns: Vec<Value> = table
        .columns
        .iter()
        .map(|column| json!({ "name": column.name, "type": column.holds }))
        .collect();
    for (field, value) in [
        ("delimiter", json!(table.delimiter_text())),
        ("header", json!(header)),
        ("rows", json!(table.rows.len())),
        ("columns", json!(columns)),
    ] {
        new.fields.insert(field.to_owned(), value);
    }
    let dataset = on.create_in(new, asked.project.as_deref()).await?;
    if let Some(file) = &file {
        on.link(&dataset.id, relation::RELATED, &file.id).await?;
    }
    let mut card = on.card(&dataset).await?;
    card.insert("rows".to_owned(), table.rows.len().into());
    card.insert("delimiter".to_owned(), table.delimiter_text().into());
    card.insert("columns".to_owned(), json!(table.columns_shown()));
    Ok(Done::new(
        json!({ "dataset": card, "version": dataset.version }),
        "The dataset was saved.",
    ))
}

/// The text of a file's original.
async fn text_of(on: &Changing, file: &Record) -> Result<String, RouteError> {
    let (sha256, size) = files::original(file)?;
    if size > BYTES_MAX as u64 * 2 {
        return Err(limited(TOO_LARGE));
    }
    let originals = files::originals::Originals::of(on.hub.data_dir());
    let sha256 = sha256.to_owned();
    let read = tokio::task::spawn_blocking(move || {
        let mut bytes = Vec::new();
        originals.open(&sha256, size)?.read_to_end(&mut bytes)?;
        std::io::Result::Ok(bytes)
    });
    let bytes = read
        .await
        .ok()
        .and_then(Result::ok)
        .ok_or(RouteError::Broken(ensemble_hub_api::sentences::INTERNAL))?;
    let text =
        decode(&bytes).map_err(|what| limited(&format!("The file cannot be read: {what}")))?;
    if text.len() > BYTES_MAX {
        return Err(limited(TOO_LARGE));
    }
    Ok(text)
}
