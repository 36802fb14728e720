//! Checks a log: every line is as it was written, follows the one before it, and none is missing up to the one that the head names.
//!
//! | found | is |
//! |---|---|
//! | a line whose hash is not its own; a line that is none, or belongs elsewhere; a gap; a head that names another last line | a finding |
//! | lines from before the chain, at its beginning | counted, and compared with what the chain's first line says of them |
//! | a line without end, as a killed process leaves it | no finding: closed off, or at the very end and behind what the head names |
//! | lines behind what the head names that follow it | no finding: a process was killed before it moved the head |
//!
//! What is looked at is what was there at one moment: the log may grow meanwhile. Memory does not grow with the log.

mod problem;
mod walk;

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};

use serde::Serialize;

pub use problem::{Finding, Problem};

use crate::files::{Part, Place};
use crate::head::{self, Found, Head, SealKey};
use crate::line::{LINE_MAX, NoHead};
use walk::Walk;

/// Findings that are told; the others are counted.
const TOLD: usize = 100;

/// What was seen of the head's seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seal {
    /// It is that of the host's key.
    Right,
    /// There was no key to look at it with.
    NotChecked,
    /// It is not, or there is no head.
    Wrong,
}

/// What came of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// Whether nothing was found.
    pub intact: bool,
    /// The files, the oldest first.
    pub files: Vec<String>,
    /// How many chained lines there are.
    pub lines: u64,
    /// The number of the first one.
    pub first: Option<u64>,
    /// The number of the last one.
    pub last: Option<u64>,
    /// Lines from before the chain.
    pub before: u64,
    /// Lines that killed processes did not write to their end.
    pub torn: u64,
    /// Decisions that could not be written, as the log itself says.
    pub lost: u64,
    /// Lines behind the last one that the head names.
    pub behind: u64,
    /// What was seen of the head's seal.
    pub seal: Seal,
    /// The first findings, in their order.
    pub findings: Vec<Finding>,
    /// How many there are.
    pub found: u64,
}

impl Checked {
    fn tell(&mut self, finding: Finding) {
        self.intact = false;
        self.found += 1;
        if self.findings.len() < TOLD {
            self.findings.push(finding);
        }
    }
}

/// Checks the log at this place; with a key, its head's seal too. Nothing is written.
///
/// # Errors
/// What the system says.
pub fn check(place: &Place, key: Option<&SealKey>) -> io::Result<Checked> {
    let (head, parts) = moment(place, key)?;
    let mut checked = Checked {
        intact: true,
        files: parts.iter().map(Part::name).collect(),
        lines: 0,
        first: None,
        last: None,
        before: 0,
        torn: 0,
        lost: 0,
        behind: 0,
        seal: match (&head, key) {
            (Found::None(_), _) => Seal::Wrong,
            (Found::Head(_), None) => Seal::NotChecked,
            (Found::Head(_), Some(_)) => Seal::Right,
        },
        findings: Vec::new(),
        found: 0,
    };
    let (head, why) = match head {
        Found::Head(head) => (Some(head), None),
        Found::None(why) => (None, Some(why)),
    };
    let mut walk = Walk::new(head.as_ref());
    for mut part in parts {
        walk.part(&mut part, place.current(), &mut checked)?;
    }
    walk.finish(&mut checked);
    if let Some(why) = why.filter(|why| checked.first.is_some() || *why != NoHead::Missing) {
        checked.tell(Finding::of_head(&place.head(), why));
    }
    Ok(checked)
}

/// What there is at one moment: no process is in its turn.
fn moment(place: &Place, key: Option<&SealKey>) -> io::Result<(Found, Vec<Part>)> {
    let Some(mut head) = open_head(place)? else {
        let parts = place.parts()?;
        // the head is made before the first line: one that is there now may be younger than what was opened
        return match open_head(place)? {
            Some(_) => moment(place, key),
            None => Ok((Found::None(NoHead::Missing), parts)),
        };
    };
    head.lock_shared()?;
    let found = head::read(&mut head, key)?;
    Ok((found, place.parts()?))
}

fn open_head(place: &Place) -> io::Result<Option<File>> {
    match ensemble_plain_file::open(&place.head()) {
        Ok((file, _)) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// What the head says, where it is compared.
fn last_of(head: Option<&Head>) -> Option<(u64, &str)> {
    head.map(|head| (head.seq, head.hash.as_str()))
}

/// The lines of a file in their order, one at a time.
pub(crate) struct Lines<'a> {
    reader: BufReader<io::Take<&'a mut File>>,
    line: Vec<u8>,
    number: u64,
}

/// One line without its end.
pub(crate) struct Line<'a> {
    pub(crate) bytes: &'a [u8],
    /// Counts from one.
    pub(crate) number: u64,
    /// Only the last line of a file can have none.
    pub(crate) ended: bool,
}

impl<'a> Lines<'a> {
    /// From where the file stands, so many bytes.
    pub(crate) fn of(file: &'a mut File, size: u64) -> Self {
        Self {
            reader: BufReader::with_capacity(LINE_MAX, file.take(size)),
            line: Vec::new(),
            number: 0,
        }
    }

    /// The next line; of one that is too long, a piece that is no line.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        self.number += 1;
        let mut ended = false;
        loop {
            let available = self.reader.fill_buf()?;
            if available.is_empty() {
                break;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(available.len());
            let room = (LINE_MAX + 1).saturating_sub(self.line.len());
            let kept = available.get(..taken.min(room)).unwrap_or_default();
            self.line.extend_from_slice(kept);
            self.reader.consume(taken + usize::from(end.is_some()));
            if end.is_some() {
                ended = true;
                break;
            }
        }
        if self.line.is_empty() && !ended {
            return Ok(None);
        }
        Ok(Some(Line {
            bytes: &self.line,
            number: self.number,
            ended,
        }))
    }
}
