//! One line of the chain, in bytes: `{"seq":N,"prev":"H",…,"hash":"H"}`.
//!
//! The hash is over the bytes as they stand, from the first one to the one before `,"hash":`. So no other way to write the same JSON is the
//! same line, and anybody can compute it with `sha256sum`.

use ensemble_model::Digest;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A longer line is not written, and is no line when it is read; a decision has a few hundred bytes.
pub(crate) const LINE_MAX: usize = 64 << 10;

const SEQ: &str = "{\"seq\":";
const PREV: &str = ",\"prev\":\"";
const HASH: &str = ",\"hash\":\"";
const END: &str = "\"}";
const DIGITS: usize = 64;

/// Where a chain has got to: the last line's number and hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    /// Counts from one; zero before the first line.
    pub(crate) seq: u64,
    pub(crate) hash: Digest,
}

impl Position {
    /// Before the first line.
    pub(crate) fn start() -> Self {
        Self {
            seq: 0,
            hash: Digest::from([0; 32]),
        }
    }

    /// The line that comes next with this body, a JSON object, and its end. It moves on behind it.
    pub(crate) fn next(&mut self, body: &str) -> String {
        let members = body
            .strip_prefix('{')
            .and_then(|body| body.strip_suffix('}'))
            .unwrap_or_default();
        self.seq += 1;
        let mut line = format!("{SEQ}{}{PREV}{}\",{members}", self.seq, self.hash);
        self.hash = Digest::of(line.as_bytes());
        line.push_str(HASH);
        line.push_str(self.hash.as_str());
        line.push_str(END);
        line.push('\n');
        line
    }

    /// Whether that line is the one that comes next.
    pub(crate) fn is_before(&self, link: &Link) -> bool {
        link.intact && link.seq == self.seq + 1 && link.prev == self.hash
    }
}

/// What a line says of its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) seq: u64,
    pub(crate) prev: Digest,
    pub(crate) hash: Digest,
    /// Whether its own hash is right.
    pub(crate) intact: bool,
}

impl Link {
    /// Reads a line without its end; `None` for what is no line of a chain.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let rest = line.strip_suffix(END)?;
        let (rest, hash) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
        let hashed = rest.strip_suffix(HASH)?;
        let (seq, rest) = hashed.strip_prefix(SEQ)?.split_once(PREV)?;
        let (prev, rest) = rest.split_at_checked(DIGITS)?;
        let plain = rest.starts_with("\",") && !seq.starts_with(['0', '+']);
        Some(Self {
            seq: seq.parse().ok().filter(|_| plain)?,
            prev: digest(prev)?,
            intact: Digest::of(hashed.as_bytes()).as_str() == hash,
            hash: digest(hash)?,
        })
    }

    pub(crate) fn position(self) -> Position {
        Position {
            seq: self.seq,
            hash: self.hash,
        }
    }
}

fn digest(text: &str) -> Option<Digest> {
    let digest = Digest::try_from(text.to_owned()).ok()?;
    (digest.as_str() == text).then_some(digest)
}

/// A line that is no decision: what became of the log itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub(crate) enum Note {
    /// The chain begins. What the file held before it has so many lines and bytes, and this hash.
    Begins {
        lines: u64,
        bytes: u64,
        sha256: Digest,
    },
    /// What stands before this line, of this length and hash, is a line that was not written to its end.
    Torn { bytes: u64, sha256: Digest },
    /// So many decisions could not be written.
    Lost { lines: u64 },
    /// The head could not be trusted: lines may have been cut off before this one.
    NoHead { why: NoHead },
}

/// What was wrong with the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NoHead {
    /// There was none, and there were lines.
    Missing,
    /// It could not be read.
    Damaged,
    /// It had no seal, or that of another key.
    Unsealed,
}

/// A note as it is written.
#[derive(Debug, Serialize, Deserialize)]
struct Noted {
    time: Timestamp,
    #[serde(flatten)]
    note: Note,
}

impl Note {
    /// The body of its line.
    pub(crate) fn body(self, time: Timestamp) -> String {
        // nothing in it can fail to be written
        serde_json::to_string(&Noted { time, note: self }).unwrap_or_default()
    }

    /// The note of a line, if it is one.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let noted: Noted = serde_json::from_slice(line).ok()?;
        Some(noted.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_json_and_reads_as_what_was_written() {
        let mut at = Position::start();
        let first = at.next("{\"route\":\"a\"}");
        let second = at.next("{\"route\":\"ü, \\\"hash\\\":\"}");
        let links: Vec<Link> = [&first, &second]
            .map(|line| Link::of(line.trim_end().as_bytes()).unwrap())
            .into();
        assert!(Position::start().is_before(&links[0]));
        assert!(links[0].clone().position().is_before(&links[1]));
        assert_eq!(links[1].clone().position(), at);
        let value: serde_json::Value = serde_json::from_str(&second).unwrap();
        assert_eq!(value["seq"], 2);
        assert_eq!(value["route"], "ü, \"hash\":");
        // the recipe of docs/decision-log.md
        let (hashed, _) = first.rsplit_once(",\"hash\":").unwrap();
        assert_eq!(links[0].hash, Digest::of(hashed.as_bytes()));
    }

    #[test]
    fn another_way_to_write_the_same_is_no_intact_line() {
        let line = Position::start().next("{\"route\":\"a\"}");
        let line = line.trim_end();
        for other in [
            line.replace("\"seq\":1", "\"seq\":01"),
            line.replace("\"seq\":1", "\"seq\":+1"),
            line.replace("\"seq\":1", "\"seq\": 1"),
            line.replace("route", "rout\\u0065"),
            line.to_uppercase(),
            format!(" {line}"),
            format!("{line} "),
            line.replace(",\"hash\"", ", \"hash\""),
            String::new(),
            "\"}".to_owned(),
            "é".repeat(40) + END,
        ] {
            let link = Link::of(other.as_bytes());
            assert!(link.is_none_or(|link| !link.intact), "{other}");
        }
    }

    #[test]
    fn a_note_is_read_from_its_line_and_a_decision_is_none() {
        let notes = [
            Note::Begins {
                lines: 1,
                bytes: 2,
                sha256: Digest::of(b"x"),
            },
            Note::Lost { lines: 3 },
            Note::NoHead {
                why: NoHead::Missing,
            },
        ];
        let mut at = Position::start();
        for note in notes {
            let line = at.next(&note.clone().body(Timestamp::UNIX_EPOCH));
            assert_eq!(Note::of(line.as_bytes()), Some(note), "{line}");
        }
        assert_eq!(Note::of(at.next("{\"route\":\"lost\"}").as_bytes()), None);
    }
}
