//! Where the chain goes on: what a file holds behind the place that the head names, and where it ends when there is no head.
//!
//! | behind the head's place | is |
//! |---|---|
//! | nothing | as it should be |
//! | lines that follow it | written by a process that was killed before it moved the head: the chain goes on behind them |
//! | a line that has no end | closed off, and said to be torn |
//! | anything else | left as it is, for `check` to find: the chain goes on from the head |

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

use ensemble_model::Digest;
use sha2::{Digest as _, Sha256};

use crate::files::{Part, Place};
use crate::head::Head;
use crate::line::{LINE_MAX, Link, NoHead, Note, Position};
use crate::newest::Backwards;

/// More than one turn of a process can have written.
const TURN_MAX: u64 = 4 << 20;

/// From where to write on.
#[derive(Debug)]
pub(crate) struct Start {
    /// Where the chain has got to, with the numbers of what is kept.
    pub(crate) head: Head,
    /// Ends a line that has no end.
    pub(crate) close: &'static str,
    /// What is to be said first.
    pub(crate) notes: Vec<Note>,
}

/// What stands in the newest file, of this size, behind the place that the head names.
pub(crate) fn after(file: &mut File, size: u64, mut head: Head) -> io::Result<Start> {
    let mut start = Start {
        close: "",
        notes: Vec::new(),
        head: head.clone(),
    };
    if size == head.bytes {
        return Ok(start);
    }
    if size == 0 {
        // set aside by a process that was killed then, or taken away
        start.head.begins = head.seq + 1;
        return Ok(start);
    }
    let behind = size > head.bytes && size - head.bytes <= TURN_MAX;
    let from = if behind {
        head.bytes
    } else {
        size.saturating_sub(LINE_MAX as u64)
    };
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    Read::by_ref(file)
        .take(size - from)
        .read_to_end(&mut bytes)?;
    let lines = bytes.iter().rposition(|byte| *byte == b'\n');
    let (lines, torn) = bytes.split_at(lines.map_or(0, |end| end + 1));
    let mut at = head.position();
    let mut whole = behind;
    if whole {
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            whole = follow(&mut at, line.strip_suffix(b"\n").unwrap_or(line));
            if !whole {
                break;
            }
        }
    }
    if !torn.is_empty() {
        start.close = "\n";
        if !(whole && follow(&mut at, torn)) {
            start.notes.push(torn_note(torn));
        }
    }
    head.seq = at.seq;
    head.hash = at.hash;
    start.head = head;
    Ok(start)
}

/// Moves on behind this line, if it is the one that comes next.
fn follow(at: &mut Position, line: &[u8]) -> bool {
    match Link::of(line) {
        Some(link) if at.is_before(&link) => {
            *at = link.position();
            true
        }
        _ => false,
    }
}

fn torn_note(torn: &[u8]) -> Note {
    Note::Torn {
        bytes: torn.len() as u64,
        sha256: Digest::of(torn),
    }
}

/// Where the chain ends, or begins, when there is no head to say so.
pub(crate) fn without(place: &Place, why: NoHead) -> io::Result<Start> {
    let mut parts = place.parts()?;
    let mut start = Start {
        head: Head {
            first: 1,
            begins: 1,
            bytes: 0,
            seq: 0,
            hash: Position::start().hash,
        },
        close: "",
        notes: Vec::new(),
    };
    let mut last = None;
    for part in parts.iter_mut().rev() {
        let newest = part.path == place.current();
        let mut lines = Backwards::of(&mut part.file, part.size);
        while let Some(line) = lines.next()? {
            let link = Link::of(&line.bytes).filter(|link| link.intact);
            if newest && !line.ended && !line.bytes.is_empty() {
                start.close = "\n";
                if link.is_none() {
                    start.notes.push(torn_note(&line.bytes));
                }
            }
            last = link;
            if last.is_some() {
                break;
            }
        }
        if last.is_some() {
            break;
        }
    }
    let Some(last) = last else {
        return beginning(
            start,
            parts.pop().filter(|p| p.path == place.current()),
            why,
        );
    };
    let position = last.position();
    start.head.first = first_number(&mut parts)?.unwrap_or(position.seq);
    let newest = parts.iter_mut().filter(|p| p.path == place.current());
    let newest = newest.last().map(std::slice::from_mut);
    let begins = newest.map(first_number).transpose()?.flatten();
    start.head.begins = begins.unwrap_or(position.seq + 1);
    start.head.seq = position.seq;
    start.head.hash = position.hash;
    start.notes.push(Note::NoHead { why });
    Ok(start)
}

/// No line is chained yet: the first one commits to what the newest file holds.
fn beginning(mut start: Start, newest: Option<Part>, why: NoHead) -> io::Result<Start> {
    let mut hash = Sha256::new();
    let (mut lines, mut bytes) = (0, 0);
    if let Some(mut part) = newest {
        part.file.seek(SeekFrom::Start(0))?;
        let mut rest = part.file.take(part.size);
        let mut buffer = vec![0; LINE_MAX];
        loop {
            let read = rest.read(&mut buffer)?;
            let Some(read) = buffer.get(..read).filter(|read| !read.is_empty()) else {
                break;
            };
            hash.update(read);
            bytes += read.len() as u64;
            lines += read.split(|byte| *byte == b'\n').count() as u64 - 1;
        }
        hash.update(start.close);
        bytes += start.close.len() as u64;
        lines += start.close.len() as u64;
    }
    // a torn line from before the chain is one of its lines
    start.notes = vec![Note::Begins {
        lines,
        bytes,
        sha256: Digest::from(<[u8; 32]>::from(hash.finalize())),
    }];
    if why != NoHead::Missing {
        start.notes.push(Note::NoHead { why });
    }
    Ok(start)
}

/// The number of the first chained line in these files.
fn first_number(parts: &mut [Part]) -> io::Result<Option<u64>> {
    for part in parts {
        part.file.seek(SeekFrom::Start(0))?;
        let mut lines = crate::check::Lines::of(&mut part.file, part.size);
        while let Some(line) = lines.next()? {
            if let Some(link) = Link::of(line.bytes) {
                return Ok(Some(link.seq));
            }
        }
    }
    Ok(None)
}
