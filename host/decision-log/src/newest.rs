//! Reading back: the newest lines first, from the end of the newest file, and no more of the files than it takes.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

use serde_json::Value;

use crate::files::Place;
use crate::line::LINE_MAX;

/// How much is read at once.
const CHUNK: u64 = 64 << 10;

/// What was asked for.
#[derive(Debug)]
pub struct Newest {
    /// The lines, as JSON, the newest last.
    pub lines: Vec<Value>,
    /// How many lines on the way could not be read.
    pub unreadable: u64,
}

/// The newest lines that are wanted, at most so many, over all files. No file is no lines.
///
/// # Errors
/// What the system says.
pub fn newest(place: &Place, limit: usize, wanted: impl Fn(&Value) -> bool) -> io::Result<Newest> {
    let mut found = Newest {
        lines: Vec::new(),
        unreadable: 0,
    };
    for part in place.parts()?.iter_mut().rev() {
        let mut lines = Backwards::of(&mut part.file, part.size);
        while found.lines.len() < limit
            && let Some(line) = lines.next()?
        {
            match serde_json::from_slice::<Value>(&line.bytes) {
                Ok(value) if value.is_object() => {
                    if wanted(&value) {
                        found.lines.push(value);
                    }
                }
                // being written, or closed off by the next process that writes
                _ if !line.ended => {}
                _ => found.unreadable += 1,
            }
        }
    }
    found.lines.reverse();
    Ok(found)
}

/// The lines of a file from its end to its beginning. One that is too long comes as a piece of itself.
pub(crate) struct Backwards<'a> {
    file: &'a mut File,
    /// Where what is held begins in the file.
    from: u64,
    held: Vec<u8>,
    ended: bool,
    over: bool,
}

/// One line, without its end.
pub(crate) struct Line {
    pub(crate) bytes: Vec<u8>,
    /// Only the last line of a file can have none.
    pub(crate) ended: bool,
}

impl<'a> Backwards<'a> {
    pub(crate) fn of(file: &'a mut File, size: u64) -> Self {
        Self {
            file,
            from: size,
            held: Vec::new(),
            ended: false,
            over: false,
        }
    }

    /// The line before; what has no end comes first, and is empty where the last line has one.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        if self.over {
            return Ok(None);
        }
        let bytes = loop {
            if let Some(end) = self.held.iter().rposition(|byte| *byte == b'\n') {
                let line = self.held.split_off(end + 1);
                self.held.truncate(end);
                break line;
            }
            if self.from == 0 {
                self.over = true;
                break std::mem::take(&mut self.held);
            }
            self.held.truncate(LINE_MAX);
            self.read()?;
        };
        let ended = std::mem::replace(&mut self.ended, true);
        Ok(Some(Line { bytes, ended }))
    }

    fn read(&mut self) -> io::Result<()> {
        let length = self.from.min(CHUNK);
        self.from -= length;
        self.file.seek(SeekFrom::Start(self.from))?;
        let mut chunk = Vec::new();
        Read::by_ref(self.file)
            .take(length)
            .read_to_end(&mut chunk)?;
        chunk.append(&mut self.held);
        self.held = chunk;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &tempfile::TempDir) -> Place {
        Place::of(folder.path().join("decisions.jsonl"))
    }

    fn lines(numbers: std::ops::Range<u32>) -> String {
        let lines: Vec<String> = numbers.map(|n| format!("{{\"n\":{n}}}\n")).collect();
        lines.concat()
    }

    fn read(place: &Place, limit: usize, wanted: impl Fn(u64) -> bool) -> (Vec<u64>, u64) {
        let number = |line: &Value| line["n"].as_u64().unwrap();
        let found = newest(place, limit, |line| wanted(number(line))).unwrap();
        (found.lines.iter().map(number).collect(), found.unreadable)
    }

    #[test]
    fn the_newest_whole_lines_are_read_from_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(&folder);
        assert_eq!(read(&place, 5, |_| true), (vec![], 0));
        let text = lines(0..20_000) + "{\"torn\":";
        std::fs::write(place.current(), text).unwrap();
        assert_eq!(read(&place, 3, |_| true), (vec![19_997, 19_998, 19_999], 0));
        let all: Vec<u64> = (0..20_000).collect();
        assert_eq!(read(&place, 30_000, |_| true), (all, 0));
    }

    #[test]
    fn the_limit_counts_what_is_wanted_and_older_files_are_read_where_it_takes_them() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(&folder);
        std::fs::write(folder.path().join("decisions.1.jsonl"), lines(0..10)).unwrap();
        std::fs::write(place.aside(10), lines(10..100)).unwrap();
        std::fs::write(place.current(), lines(100..110) + "[]\nx\n").unwrap();
        assert_eq!(read(&place, 3, |n| n % 50 == 0), (vec![0, 50, 100], 2));
        assert_eq!(read(&place, 1, |n| n % 50 == 0), (vec![100], 2));
        let all: Vec<u64> = (0..110).collect();
        assert_eq!(read(&place, 1_000, |_| true), (all, 2));
    }

    #[test]
    fn a_line_without_end_takes_no_more_memory_than_a_line_may_have() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(&folder);
        let long = "x".repeat(10 * LINE_MAX);
        let text = format!("{}{long}\n{}", lines(0..2), lines(2..4));
        std::fs::write(place.current(), text).unwrap();
        let mut file = File::open(place.current()).unwrap();
        let size = file.metadata().unwrap().len();
        let mut backwards = Backwards::of(&mut file, size);
        let mut most = 0;
        while backwards.next().unwrap().is_some() {
            most = most.max(backwards.held.capacity());
        }
        assert!(most <= 4 * LINE_MAX, "{most}");
        assert_eq!(read(&place, 9, |_| true), (vec![0, 1, 2, 3], 1));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_the_log_is_an_error_and_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let place = place(&folder);
        mknodat(CWD, place.current(), FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert!(newest(&place, 5, |_| true).is_err());
    }
}
