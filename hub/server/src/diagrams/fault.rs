//! Where a source is wrong: the line and column that the parser names. A parser that names none is asked line by line: the first line with
//! which the beginning of the source fails in the same way is the one.

use ensemble_hub_api::sentences::quoted;
use selkie::diagrams::{DiagramType, parse};
use serde::Serialize;

use super::told::OFFERED;
use crate::text::cut;
use crate::text::trust::one_line;

/// Characters of a message.
const MESSAGE_MAX: usize = 300;

/// A place in a source, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Fault {
    /// From 1.
    pub(crate) line: usize,
    /// In characters, from 1.
    pub(crate) column: usize,
    /// What the parser says.
    pub(crate) message: String,
    /// The line itself.
    pub(crate) text: String,
}

impl Fault {
    fn at(line: usize, column: usize, message: &str, source: &str) -> Self {
        let text = source.split('\n').nth(line.saturating_sub(1));
        Self {
            line,
            column,
            message: cut::excerpt(&one_line(message), MESSAGE_MAX).0,
            text: cut::excerpt(&one_line(text.unwrap_or_default()), MESSAGE_MAX).0,
        }
    }

    /// The same in a sentence.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "The source is wrong at line {}, column {}: {}. The line is {}.",
            self.line,
            self.column,
            self.message,
            quoted(&self.text)
        )
    }
}

/// What the parser's message says.
pub(super) fn of(message: &str, kind: DiagramType, source: &str) -> Fault {
    let (line, column) = place(message).unwrap_or_else(|| (first_wrong(message, kind, source), 1));
    Fault::at(line, column, &said(message), source)
}

/// A source that begins with no kind of diagram.
pub(super) fn no_kind(source: &str) -> Fault {
    let message = format!("it begins with no kind of diagram: use one of {OFFERED}");
    Fault::at(1, 1, &message, source)
}

/// A source of a kind that is not offered.
pub(super) fn other_kind(source: &str) -> Fault {
    let message = format!("this kind of diagram is not read here: use one of {OFFERED}");
    Fault::at(1, 1, &message, source)
}

/// Refuses a line of a pie chart that its parser would pass over: what is left out is not what was meant.
pub(super) fn pie(source: &str) -> Result<(), Fault> {
    const WORDS: [&str; 4] = ["title", "showData", "accTitle", "accDescr"];
    for (at, line) in source.split('\n').enumerate().skip(1) {
        let says = line.trim();
        let slice = says
            .strip_prefix('"')
            .and_then(|rest| rest.split_once('"'))
            .and_then(|(_, value)| value.trim().strip_prefix(':'))
            .and_then(|value| value.trim().parse::<f64>().ok())
            .is_some_and(|value| value.is_finite() && value >= 0.0);
        let known = says.is_empty()
            || says.starts_with("%%")
            || WORDS.iter().any(|word| says.starts_with(word));
        if !slice && !known {
            let column = line.chars().take_while(|c| c.is_whitespace()).count() + 1;
            let message = "expected a slice: a name in quotes, a colon and a number from 0";
            return Err(Fault::at(at + 1, column, message, source));
        }
    }
    Ok(())
}

/// The line and column after `-->`, which is how the parser shows a place.
fn place(message: &str) -> Option<(usize, usize)> {
    let (_, rest) = message.split_once(" --> ")?;
    let (line, rest) = rest.split_once(':')?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((line.parse().ok()?, digits.parse().ok()?))
}

/// What is wrong, in words: the names of the grammar's rules without their underscores.
fn said(message: &str) -> String {
    let said = match message.split_once("\n  = ") {
        Some((_, said)) => said,
        None => message
            .trim_start_matches("Parse error: ")
            .trim_start_matches("Parse error: "),
    };
    said.replace("EOI", "the end")
        .replace('_', " ")
        .trim_end_matches('.')
        .to_owned()
}

/// The first line with which the beginning of the source fails with this message.
fn first_wrong(message: &str, kind: DiagramType, source: &str) -> usize {
    let lines: Vec<&str> = source.split('\n').collect();
    let fails = |count: usize| {
        let begun = lines.get(..count).unwrap_or_default().join("\n");
        parse(kind, &begun).is_err_and(|error| error.to_string() == message)
    };
    // Lines with which it is wrong follow each other up to the end.
    let (mut right, mut wrong) = (0, lines.len());
    while wrong - right > 1 {
        let middle = usize::midpoint(right, wrong);
        if fails(middle) {
            wrong = middle;
        } else {
            right = middle;
        }
    }
    wrong
}
