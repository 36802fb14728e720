//! The cells of a spreadsheet as a person reads them: a row in a line, a tab between cells, dates in ISO form.
//!
//! | a cell with | is written as |
//! |---|---|
//! | a date; a date and a time; a time of day | `2026-03-20`; `2026-03-20T14:30:00`; `14:30:00` |
//! | a duration | hours, minutes and seconds: `26:30:00` |
//! | a serial number that is no day of the calendar | that number |
//!
//! The library reads strings and styles whole and trusts what the file says of its sizes, so that everything is inflated once before, and
//! counted.

use std::fmt::Write as _;
use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader as _, Xlsx};
use jiff::civil;
use tokio_util::sync::CancellationToken;

use super::office::Package;
use super::{Broken, SLOW, TEXT_MAX, UNREADABLE};

/// Sheets that are read.
const SHEETS_MAX: usize = 500;
/// Parts that the library keeps in memory, many times larger than they are in the file, and their bytes.
const KEPT_MAX: [(&str, u64); 2] = [("sharedstrings.xml", 48 << 20), ("styles.xml", 4 << 20)];
/// Empty cells before one; a wider gap is none of a table.
const GAP_MAX: u32 = 64;
/// The first serial number after the last day that Excel has.
const SERIAL_END: f64 = 2_958_466.0;

/// The text of every sheet below its name. `given_up` ends a reading that nobody waits for any more.
pub(super) fn text(bytes: &[u8], given_up: &CancellationToken) -> Result<String, Broken> {
    Package::open(bytes)?.inflates_within(&KEPT_MAX)?;
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(|_| UNREADABLE)?;
    let mut out = String::new();
    for name in book.sheet_names().into_iter().take(SHEETS_MAX) {
        if given_up.is_cancelled() {
            return Err(SLOW);
        }
        // Writing to a String cannot fail.
        _ = writeln!(out, "Sheet {name}");
        // a sheet that is a chart has no cells
        if let Ok(mut cells) = book.worksheet_cells_reader(&name) {
            let mut at = None;
            while let Some(cell) = cells.next_cell().map_err(|_| UNREADABLE)? {
                if out.len() > TEXT_MAX * 4 {
                    return Ok(out);
                }
                if !matches!(cell.get_value(), DataRef::Empty) {
                    move_to(cell.get_position(), &mut at, &mut out);
                    write(cell.get_value(), &mut out);
                }
            }
        }
        out.push_str("\n\n");
    }
    Ok(out)
}

/// Ends the row, or the cells before this one.
fn move_to((row, column): (u32, u32), at: &mut Option<(u32, u32)>, out: &mut String) {
    let from = match *at {
        Some((same, before)) if same == row => before,
        before => {
            if before.is_some() {
                out.push('\n');
            }
            0
        }
    };
    for _ in 0..column.saturating_sub(from).min(GAP_MAX) {
        out.push('\t');
    }
    *at = Some((row, column));
}

fn write(value: &DataRef<'_>, out: &mut String) {
    // Writing to a String cannot fail.
    _ = match value {
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            out.write_str(text)
        }
        DataRef::SharedString(text) => out.write_str(text),
        DataRef::Int(number) => write!(out, "{number}"),
        DataRef::Float(number) => write!(out, "{number}"),
        DataRef::Bool(true) => out.write_str("TRUE"),
        DataRef::Bool(false) => out.write_str("FALSE"),
        DataRef::Error(error) => write!(out, "{error}"),
        DataRef::Empty => Ok(()),
        DataRef::DateTime(time) => match iso(time) {
            Some(text) => out.write_str(&text),
            None => write!(out, "{}", time.as_f64()),
        },
    };
}

fn iso(time: &ExcelDateTime) -> Option<String> {
    let serial = time.as_f64();
    if !(0.0..SERIAL_END).contains(&serial) {
        return None;
    }
    if time.is_duration() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 2.6e11 by the check above"
        )]
        let seconds = (serial * 86_400.0).round() as u64;
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        return Some(format!("{hours:02}:{minutes:02}:{:02}", seconds % 60));
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let part = |number: u8| i8::try_from(number).ok();
    let clock = civil::Time::new(
        part(hour)?,
        part(minute)?,
        part(second)?,
        i32::from(milli) * 1_000_000,
    )
    .ok()?;
    if serial < 1.0 {
        return Some(clock.to_string());
    }
    let date = civil::Date::new(i16::try_from(year).ok()?, part(month)?, part(day)?).ok()?;
    Some(if clock == civil::Time::midnight() {
        date.to_string()
    } else {
        date.to_datetime(clock).to_string()
    })
}
