//! What a column holds: numbers, dates, yes and no, or text. One cell that is something else makes it text: nothing is guessed or dropped.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Holds {
    Number,
    Date,
    Boolean,
    Text,
}

impl Holds {
    /// What all these cells are; empty ones say nothing.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a String> + Clone) -> Self {
        let mut says = cells
            .map(|cell| cell.trim())
            .filter(|cell| !cell.is_empty());
        let all = |is: fn(&str) -> bool| says.clone().all(is);
        let (numbers, dates, booleans) = (
            all(|cell| number(cell).is_some()),
            all(|cell| seconds(cell).is_some()),
            all(is_boolean),
        );
        match says.next() {
            Some(_) if numbers => Self::Number,
            Some(_) if dates => Self::Date,
            Some(_) if booleans => Self::Boolean,
            _ => Self::Text,
        }
    }

    /// The least and the greatest of these cells, where they have an order.
    pub(super) fn ends<'a>(
        self,
        cells: impl Iterator<Item = &'a String>,
    ) -> Option<(Value, Value)> {
        let key = match self {
            Self::Number => number,
            Self::Date => seconds,
            Self::Boolean | Self::Text => return None,
        };
        let mut keyed: Vec<(f64, &str)> = cells
            .filter_map(|cell| Some((key(cell.trim())?, cell.trim())))
            .collect();
        keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (first, last) = (keyed.first()?, keyed.last()?);
        Some(match self {
            Self::Number => (first.0.into(), last.0.into()),
            _ => (first.1.into(), last.1.into()),
        })
    }
}

/// A number as programs write it: digits with a point and an exponent. `007` is a name, `1,5` is not a number here.
pub(crate) fn number(cell: &str) -> Option<f64> {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    let mut bytes = digits.bytes();
    let (first, second) = (bytes.next()?, bytes.next());
    let begins = first.is_ascii_digit() || first == b'.';
    let padded = first == b'0' && second.is_some_and(|byte| byte.is_ascii_digit());
    if !begins || padded {
        return None;
    }
    cell.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The seconds since 1970 of a date, a date with a time, or an instant.
pub(crate) fn seconds(cell: &str) -> Option<f64> {
    if let Ok(instant) = cell.parse::<jiff::Timestamp>() {
        return Some(instant.as_duration().as_secs_f64());
    }
    let shaped = cell.len() >= 10 && cell.as_bytes().get(4) == Some(&b'-');
    let time: jiff::civil::DateTime = shaped.then(|| cell.parse().ok())??;
    let instant = jiff::tz::TimeZone::UTC.to_timestamp(time).ok()?;
    Some(instant.as_duration().as_secs_f64())
}

fn is_boolean(cell: &str) -> bool {
    ["true", "false", "yes", "no"]
        .iter()
        .any(|word| cell.eq_ignore_ascii_case(word))
}
