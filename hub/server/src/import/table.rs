//! CSV: one task for each row. The delimiter is the one the file names (`sep=;`) or the one its first row is made of; quotes, byte order
//! marks and UTF-16 are handled; a quote that is never closed is named by its line, because everything after it would be one cell.

use std::collections::BTreeMap;

use ensemble_hub_api::{Kind, limits, relation};

use super::item::{Item, Named, Parsed, Target};
use super::{Options, text::decode};
use crate::store::{name_key, one_line};
use columns::Columns;
pub use columns::Field;
pub use dates::DateOrder;
use dates::{Dates, priority, status};

mod columns;
mod dates;

/// Labels and people of one row.
const WORDS_MAX: usize = 20;

/// The tasks of a file that the person calls `name`.
pub fn read(bytes: &[u8], name: &str, options: &Options) -> Result<Parsed, String> {
    let text = decode(bytes)?;
    let (text, skipped, stated) = without_sep(&text);
    let delimiter = match stated {
        Some(delimiter) => delimiter,
        None => delimiter(text),
    };
    if let Some(line) = open_quote(text, delimiter) {
        let line = line + skipped;
        return Err(format!(
            "the quote that opens in line {line} is never closed."
        ));
    }
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| error.to_string())?.clone();
    let columns = Columns::of(&head, &options.columns)?;
    let mut parsed = Parsed::default();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let place = format!("line {}", line_of(text, &record) + skipped);
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if record.len() == head.len() {
            rows.push((place, record));
        } else {
            let (has, wants) = (record.len(), head.len());
            parsed.bad(
                place,
                format!("This row has {has} cells and the first row {wants}."),
            );
        }
    }
    let due = rows
        .iter()
        .filter_map(|(_, row)| columns.cell(row, Field::Due));
    let dates = Dates::of(due, options.dates);
    let mut same_titles = BTreeMap::new();
    for (place, row) in rows {
        match task(&row, &columns, &dates, name, &mut same_titles) {
            Ok(item) => parsed.items.push(Item { place, ..item }),
            Err(reason) => parsed.bad(place, reason),
        }
    }
    parsed.notes.extend(columns.notes());
    Ok(parsed)
}

/// The line in which a row begins; its position is before the empty lines above it.
pub(crate) fn line_of(text: &str, row: &csv::StringRecord) -> usize {
    let Some(position) = row.position() else {
        return 0;
    };
    let line = usize::try_from(position.line()).unwrap_or(usize::MAX);
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    let above = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
    line.saturating_add(above.filter(|byte| **byte == b'\n').count())
}

fn task(
    row: &csv::StringRecord,
    columns: &Columns,
    dates: &Dates,
    name: &str,
    same_titles: &mut BTreeMap<String, usize>,
) -> Result<Item, String> {
    let cell = |field| columns.cell(row, field);
    let title = one_line(cell(Field::Title).unwrap_or_default());
    if !(1..=limits::TITLE_MAX).contains(&title.chars().count()) {
        return Err(format!(
            "A title has 1 to {} characters.",
            limits::TITLE_MAX
        ));
    }
    let key = if let Some(id) = cell(Field::Id) {
        format!("{name}\nid {id}")
    } else {
        let key = name_key(&title);
        let before = same_titles.entry(key.clone()).or_default();
        *before += 1;
        format!("{name}\ntitle {key}\n{before}")
    };
    let body = cell(Field::Description)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    if body.chars().nth(limits::PAGE_MAX).is_some() {
        return Err(format!(
            "Its description is longer than {} characters.",
            limits::PAGE_MAX
        ));
    }
    let mut item = Item {
        status: Some(status(cell(Field::Status))?.as_str().to_owned()),
        body,
        ..Item::new(key, Kind::Task, title)
    };
    item.set("source", "csv");
    if let Some(due) = cell(Field::Due) {
        item.set("due", dates.date(due)?);
    }
    if let Some(text) = cell(Field::Priority) {
        item.set("priority", priority(text)?.as_str());
    }
    item.set("branch", cell(Field::Branch).unwrap_or_default());
    item.set("labels", words(cell(Field::Labels)));
    if let Some(project) = cell(Field::Project) {
        let to = Target::Named(Named::new(Kind::Project, one_line(project)));
        item.link(relation::PROJECT, Some("projectId"), to);
    }
    if let Some(repo) = cell(Field::Repo) {
        let to = Target::Named(Named::new(Kind::Repo, one_line(repo)));
        item.link(relation::REPO, Some("repoId"), to);
    }
    for (field, relation) in [
        (Field::Assignee, relation::ASSIGNEE),
        (Field::RequestedBy, relation::REQUESTED_BY),
    ] {
        for name in words(cell(field)) {
            item.link(relation, None, person(&name));
        }
    }
    Ok(item)
}

fn person(name: &str) -> Target {
    let address = name.contains('@') && !name.contains(' ');
    Target::Named(Named {
        email: address.then(|| name.to_lowercase()),
        ..Named::new(Kind::Person, name)
    })
}

/// The words of a cell, with `,`, `;` or a line end between.
fn words(cell: Option<&str>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in cell
        .unwrap_or_default()
        .split([',', ';', '\n'])
        .map(one_line)
    {
        if !word.is_empty() && !words.contains(&word) && words.len() < WORDS_MAX {
            words.push(word);
        }
    }
    words
}

/// The text after a line `sep=;`, the lines skipped, and the delimiter that it names.
pub(crate) fn without_sep(text: &str) -> (&str, usize, Option<u8>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let sep = first.trim_end_matches('\r').trim_matches('"');
    let sep = sep
        .get(..4)
        .filter(|start| start.eq_ignore_ascii_case("sep="))
        .and(sep.get(4..));
    match sep.map(str::as_bytes) {
        Some([delimiter]) => (rest, 1, Some(*delimiter)),
        _ => (text, 0, None),
    }
}

/// The delimiter that stands most often outside quotes in the first row.
pub(crate) fn delimiter(text: &str) -> u8 {
    let mut counts = [(b',', 0_usize), (b'|', 0), (b';', 0), (b'\t', 0)];
    let mut quoted = false;
    for byte in text.trim_start().bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            byte if !quoted => {
                for (delimiter, count) in &mut counts {
                    *count += usize::from(*delimiter == byte);
                }
            }
            _ => {}
        }
    }
    // The last of equals wins: a tab is rarely anything else, a comma often.
    let best = counts.iter().max_by_key(|(_, count)| *count);
    best.map_or(b',', |(delimiter, _)| *delimiter)
}

/// The line of a quote at the start of a cell that is open at the end of the text.
pub(crate) fn open_quote(text: &str, delimiter: u8) -> Option<usize> {
    let (mut line, mut open, mut at_start) = (1, None, true);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if open.is_some() && bytes.peek() == Some(&b'"') => {
                bytes.next();
            }
            b'"' if open.is_some() => open = None,
            b'"' if at_start => open = Some(line),
            b'\n' => line += 1,
            _ => {}
        }
        at_start = byte == delimiter || byte == b'\n' || byte == b'\r';
    }
    open
}

#[cfg(test)]
mod tests;
