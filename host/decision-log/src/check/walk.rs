//! The walk along the lines. It knows the last number and hash; a line that was changed keeps its place, so that one change is one finding.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use ensemble_model::Digest;
use sha2::{Digest as _, Sha256};

use super::{Checked, Finding, Line, Lines, Problem, last_of};
use crate::files::Part;
use crate::head::Head;
use crate::line::{Link, Note, Position};

/// Where it has got to.
pub(super) struct Walk<'a> {
    head: Option<&'a Head>,
    /// The last number; its hash, where it is known.
    at: Option<(u64, Option<Digest>)>,
    /// A line that is none, and may be said to be torn by the next one.
    pending: Option<Pending>,
    file: String,
    /// Lines of this file before its first chained one.
    unchained: u64,
}

struct Pending {
    file: String,
    line: u64,
    bytes: u64,
    sha256: Digest,
}

/// What the first line of the chain says of what stood before it.
struct Before {
    line: u64,
    lines: u64,
    bytes: u64,
    sha256: Digest,
}

impl<'a> Walk<'a> {
    pub(super) fn new(head: Option<&'a Head>) -> Self {
        Self {
            head,
            at: None,
            pending: None,
            file: String::new(),
            unchained: 0,
        }
    }

    /// One file.
    pub(super) fn part(
        &mut self,
        part: &mut Part,
        current: &Path,
        checked: &mut Checked,
    ) -> io::Result<()> {
        let newest = part.path == current;
        self.file = part.name();
        self.unchained = 0;
        let mut before = None;
        let mut lines = Lines::of(&mut part.file, part.size);
        while let Some(line) = lines.next()? {
            if line.ended || !newest {
                self.line(&line, &mut before, checked);
            } else {
                self.end_of_newest(&line, checked);
            }
        }
        drop(lines);
        match before {
            Some(before) => self.compare(&before, part, checked)?,
            // only the newest file, and the one that was set aside before there was a chain, can have no chained line
            None if self.unchained > 0 && !newest && !self.file.ends_with(".1.jsonl") => {
                let says = format!("{} lines of it are not of this log", self.unchained);
                checked.tell(Finding::new(&self.file, None, Problem::Inserted, says));
            }
            None => {}
        }
        checked.before += self.unchained;
        Ok(())
    }

    /// After the last file.
    pub(super) fn finish(&mut self, checked: &mut Checked) {
        self.not_torn(checked);
        checked.last = self.at.as_ref().map(|(seq, _)| *seq);
        let Some((last, _)) = last_of(self.head) else {
            return;
        };
        let first = self.head.map_or(1, |head| head.first);
        let at = checked.last.unwrap_or(first.saturating_sub(1));
        if at < last {
            checked.tell(Finding::missing(&self.file, None, at + 1, last));
        }
        checked.behind = at.saturating_sub(last);
    }

    fn line(&mut self, line: &Line<'_>, before: &mut Option<Before>, checked: &mut Checked) {
        let Some(link) = Link::of(line.bytes) else {
            self.not_torn(checked);
            if self.at.is_none() {
                self.unchained += 1;
            } else {
                self.pending = Some(Pending {
                    file: self.file.clone(),
                    line: line.number,
                    bytes: line.bytes.len() as u64,
                    sha256: Digest::of(line.bytes),
                });
            }
            return;
        };
        let note = Note::of(line.bytes).filter(|_| link.intact);
        if let Some(Note::Torn { bytes, sha256 }) = &note {
            let torn = self
                .pending
                .take_if(|it| it.bytes == *bytes && it.sha256 == *sha256);
            if torn.is_some() {
                checked.torn += 1;
            } else {
                let says = "closes off a line that is not before it".to_owned();
                self.tell(line.number, Problem::Missing, says, checked);
            }
        }
        self.not_torn(checked);
        checked.lines += 1;
        if !link.intact || !line.ended {
            let says = "is not as it was written".to_owned();
            self.tell(line.number, Problem::Changed, says, checked);
            let seq = self.at.as_ref().map_or(link.seq, |(seq, _)| seq + 1);
            checked.first = checked.first.or(Some(seq));
            self.at = Some((seq, None));
            return;
        }
        if self.at.is_none() && link.seq != 1 && self.unchained > 0 {
            let says = format!("{} lines before it are not of this log", self.unchained);
            self.tell(line.number, Problem::Inserted, says, checked);
        }
        self.follow(&link, line.number, checked);
        match note {
            Some(Note::Begins {
                lines,
                bytes,
                sha256,
            }) if link.seq == 1 => {
                *before = Some(Before {
                    line: line.number,
                    lines,
                    bytes,
                    sha256,
                });
            }
            Some(Note::Lost { lines }) => checked.lost = checked.lost.saturating_add(lines),
            Some(Note::NoHead { why }) => {
                checked.tell(Finding::said_of_head(&self.file, line.number, why));
            }
            _ => {}
        }
    }

    /// Whether it follows the line before.
    fn follow(&mut self, link: &Link, line: u64, checked: &mut Checked) {
        let start = Position::start();
        let first = self.head.map_or(link.seq, |head| head.first);
        let before = match self.at.take() {
            Some(at) => at,
            None if link.seq == 1 => (start.seq, Some(start.hash)),
            // what the first line that is kept follows is not kept
            None if link.seq < first => (link.seq.saturating_sub(1), None),
            None => (first.saturating_sub(1), None),
        };
        checked.first = checked.first.or(Some(link.seq));
        let (seq, hash) = &before;
        if link.seq <= *seq {
            let says = format!("number {} stands behind number {seq}", link.seq);
            self.tell(line, Problem::Reordered, says, checked);
            self.at = Some(before);
            return;
        }
        if link.seq > seq + 1 {
            let finding = Finding::missing(&self.file, Some(line), seq + 1, link.seq - 1);
            checked.tell(finding);
        } else if hash.as_ref().is_some_and(|hash| *hash != link.prev) {
            let says =
                "does not follow the line before it: one of them was written anew".to_owned();
            self.tell(line, Problem::Changed, says, checked);
        }
        if let Some((last, hash)) = last_of(self.head)
            && last == link.seq
            && hash != link.hash.as_str()
        {
            let says = "is not the line that the head names".to_owned();
            self.tell(line, Problem::Changed, says, checked);
        }
        self.at = Some((link.seq, Some(link.hash.clone())));
    }

    /// The last line has no end: a killed process left it, or somebody took the end away.
    fn end_of_newest(&mut self, line: &Line<'_>, checked: &mut Checked) {
        self.not_torn(checked);
        if self.at.is_none() {
            self.unchained += 1;
        } else {
            checked.torn += 1;
            self.number_of_torn(line, checked);
        }
    }

    /// Whole but for its end, it is said to be there, if it is behind what the head names.
    fn number_of_torn(&mut self, line: &Line<'_>, checked: &mut Checked) {
        let named = last_of(self.head).map_or(0, |(last, _)| last);
        if let Some(link) = Link::of(line.bytes)
            && link.seq <= named
        {
            checked.torn -= 1;
            let says = "has no end of line, and was written with one".to_owned();
            self.tell(line.number, Problem::Changed, says, checked);
            let seq = self.at.as_ref().map_or(0, |(seq, _)| *seq);
            self.at = Some((seq.max(link.seq), None));
        }
    }

    /// The lines from before the chain, against what its first line says of them.
    fn compare(&self, before: &Before, part: &mut Part, checked: &mut Checked) -> io::Result<()> {
        part.file.seek(SeekFrom::Start(0))?;
        let mut rest = (&mut part.file).take(before.bytes);
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = rest.read(&mut buffer)?;
            match buffer.get(..read) {
                Some(read) if !read.is_empty() => hash.update(read),
                _ => break,
            }
        }
        let hash = Digest::from(<[u8; 32]>::from(hash.finalize()));
        if hash != before.sha256 || self.unchained != before.lines {
            let says = "the lines above it, from before the chain, are not as they were".to_owned();
            self.tell(before.line, Problem::Changed, says, checked);
        }
        Ok(())
    }

    /// A line that is none was not said to be torn.
    fn not_torn(&mut self, checked: &mut Checked) {
        if let Some(Pending { file, line, .. }) = self.pending.take() {
            let says = "is no line of this log".to_owned();
            checked.tell(Finding::new(&file, Some(line), Problem::Inserted, says));
        }
    }

    fn tell(&self, line: u64, problem: Problem, says: String, checked: &mut Checked) {
        checked.tell(Finding::new(&self.file, Some(line), problem, says));
    }
}
