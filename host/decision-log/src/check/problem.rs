//! What can be found, and its sentence.

use std::path::Path;

use serde::Serialize;

use crate::line::NoHead;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Problem {
    /// The line is not as it was written.
    Changed,
    /// The line was not written by this log.
    Inserted,
    /// Lines are missing before this place.
    Missing,
    /// The line stands where it does not belong, or is there twice.
    Reordered,
    /// The head cannot be trusted: what is missing at the end would not be found.
    Head,
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The name of the file.
    pub file: String,
    /// The line in it, from one on; none where it is about the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: Problem,
    /// The same as a sentence without its beginning.
    pub says: String,
}

impl Finding {
    pub(super) fn new(file: &str, line: Option<u64>, problem: Problem, says: String) -> Self {
        Self {
            file: file.to_owned(),
            line,
            problem,
            says,
        }
    }

    pub(super) fn of_head(path: &Path, why: NoHead) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is = match why {
            NoHead::Missing => "is missing",
            NoHead::Damaged => "is damaged",
            NoHead::Unsealed => "does not have the seal of this host's key",
        };
        let says = format!("{is}: lines that were cut off the end would not be found");
        Self::new(&name, None, Problem::Head, says)
    }

    pub(super) fn said_of_head(file: &str, line: u64, why: NoHead) -> Self {
        let was = match why {
            NoHead::Missing => "missing",
            NoHead::Damaged => "damaged",
            NoHead::Unsealed => "without the seal of the host's key",
        };
        let says =
            format!("says that the head was {was} then: lines may have been cut off before it");
        Self::new(file, Some(line), Problem::Head, says)
    }

    pub(super) fn missing(file: &str, line: Option<u64>, first: u64, last: u64) -> Self {
        let which = match last.saturating_sub(first) {
            0 => format!("number {first} is"),
            _ => format!("numbers {first} to {last} are"),
        };
        let place = if line.is_some() {
            "before it"
        } else {
            "at the end"
        };
        let says = format!("{which} missing {place}");
        Self::new(file, line, Problem::Missing, says)
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} line {line}: {}", self.file, self.says),
            None => write!(f, "{}: {}", self.file, self.says),
        }
    }
}
