//! Datasets: tables of values out of delimited text by RFC 4180. The text is kept as it came; how it is split, and what its columns hold, is
//! found once and kept beside it.
//!
//! Bounds: [`BYTES_MAX`] of text, [`ROWS_MAX`] rows, [`COLUMNS_MAX`] columns. A row with another number of cells than the first is named with
//! its line; nothing is filled up or left out.

mod values;

use ensemble_hub_api::sentences::quoted;
use serde_json::{Value, json};

use crate::import::table;
use crate::store::Record;
use crate::text::trust::one_line;
pub(crate) use values::{Holds, number, seconds};

/// Bytes of a dataset's text.
pub(crate) const BYTES_MAX: usize = 1_000_000;
/// Rows of a dataset, without the one with the names.
pub(crate) const ROWS_MAX: usize = 20_000;
/// Columns of a dataset.
pub(crate) const COLUMNS_MAX: usize = 200;
/// Characters of a column's name.
const NAME_MAX: usize = 200;

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) holds: Holds,
}

/// A table in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) delimiter: u8,
    pub(crate) header: bool,
    pub(crate) columns: Vec<Column>,
    /// Each as long as `columns`.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// The table in `text`, without a byte order mark; `delimiter` is found in the first row when it is not given.
    ///
    /// # Errors
    /// A sentence that says what is wrong, and in which line.
    pub(crate) fn read(text: &str, delimiter: Option<u8>, header: bool) -> Result<Self, String> {
        if text.len() > BYTES_MAX {
            return Err(format!(
                "A dataset has at most {BYTES_MAX} bytes of text; this one has {}.",
                text.len()
            ));
        }
        let (text, skipped, stated) = table::without_sep(text);
        let delimiter = delimiter
            .or(stated)
            .unwrap_or_else(|| table::delimiter(text));
        if let Some(line) = table::open_quote(text, delimiter) {
            return Err(format!(
                "The quote that opens in line {} is never closed.",
                line + skipped
            ));
        }
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .from_reader(text.as_bytes());
        let mut rows: Vec<Vec<String>> = Vec::new();
        let most = ROWS_MAX + usize::from(header);
        for row in reader.records() {
            let row = row.map_err(|error| one_line(&format!("The text is no table: {error}.")))?;
            let wants = rows.first().map_or(row.len(), Vec::len);
            let line = table::line_of(text, &row) + skipped;
            if row.len() != wants {
                return Err(format!(
                    "Line {line} has {} cells and the first row {wants}.",
                    row.len()
                ));
            }
            if wants > COLUMNS_MAX {
                return Err(format!(
                    "A dataset has at most {COLUMNS_MAX} columns; this one has {wants}."
                ));
            }
            if rows.len() == most {
                return Err(format!(
                    "A dataset has at most {ROWS_MAX} rows; line {line} is one more."
                ));
            }
            rows.push(row.iter().map(str::to_owned).collect());
        }
        Self::of(rows, delimiter, header)
    }

    fn of(mut rows: Vec<Vec<String>>, delimiter: u8, header: bool) -> Result<Self, String> {
        let Some(width) = rows.first().map(Vec::len) else {
            return Err("There is no row in the text.".to_owned());
        };
        let head = if header { rows.remove(0) } else { Vec::new() };
        let mut columns: Vec<Column> = Vec::with_capacity(width);
        for at in 0..width {
            let name = match head.get(at).map(|name| one_line(name)) {
                Some(name) if !name.is_empty() => name.chars().take(NAME_MAX).collect(),
                _ => format!("column {}", at + 1),
            };
            if columns.iter().any(|column| column.name == name) {
                return Err(format!(
                    "Two columns are called {}: give each a name of its own.",
                    quoted(&name)
                ));
            }
            let holds = Holds::of(rows.iter().filter_map(|row| row.get(at)));
            columns.push(Column { name, holds });
        }
        Ok(Self {
            delimiter,
            header,
            columns,
            rows,
        })
    }

    /// The table of a dataset that was kept.
    ///
    /// # Errors
    /// A sentence, if its text was changed into something else.
    pub(crate) fn kept(dataset: &Record) -> Result<Self, String> {
        let delimiter = dataset.text("delimiter").and_then(byte);
        Self::read(
            &dataset.body,
            delimiter,
            dataset.flag("header").unwrap_or(true),
        )
    }

    /// The place of the column of this name.
    ///
    /// # Errors
    /// A sentence that names the columns that there are.
    pub(crate) fn column(&self, name: &str) -> Result<usize, String> {
        let name = one_line(name);
        self.columns
            .iter()
            .position(|column| column.name == name)
            .ok_or_else(|| {
                let names: Vec<String> = self.columns.iter().map(|c| quoted(&c.name)).collect();
                let shown = names.get(..20).unwrap_or(&names).join(", ");
                format!(
                    "The dataset has no column {}: it has {shown}.",
                    quoted(&name)
                )
            })
    }

    /// The columns as an answer: names, what they hold, cells without a value, and the least and greatest value.
    pub(crate) fn columns_shown(&self) -> Vec<Value> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(at, column)| {
                let cells = self.rows.iter().filter_map(|row| row.get(at));
                let mut shown = json!({ "name": column.name, "type": column.holds });
                let missing = cells.clone().filter(|cell| cell.trim().is_empty()).count();
                shown["missing"] = missing.into();
                if let Some((least, greatest)) = column.holds.ends(cells) {
                    shown["min"] = least;
                    shown["max"] = greatest;
                }
                shown
            })
            .collect()
    }

    /// The delimiter as text.
    pub(crate) fn delimiter_text(&self) -> String {
        char::from(self.delimiter).to_string()
    }
}

/// The one byte of a delimiter; none that a cell or line is made of.
pub(crate) fn byte(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r' | 0) => Some(*byte),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
