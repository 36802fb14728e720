//! One turn of one process: take the lock, see where the chain has got to, write the lines, move the head. What cannot be written whole
//! is taken back.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::sync::Arc;

use ensemble_model::Clock;
use ensemble_plain_file::private;

use crate::files::Place;
use crate::head::{self, Found, Head, SealKey};
use crate::line::Note;
use crate::tail::{self, Start};

/// A file that is larger is set aside: with [`KEPT`] of them, a year of daily use.
const FILE_BYTES: u64 = 16 << 20;
/// How many older files are kept; the oldest goes first.
const KEPT: usize = 7;

/// Writes lines.
#[derive(Debug)]
pub(crate) struct Appender {
    pub(crate) place: Place,
    pub(crate) key: Option<SealKey>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) file_bytes: u64,
    pub(crate) kept: usize,
}

impl Appender {
    pub(crate) fn new(place: Place, key: Option<SealKey>, clock: Arc<dyn Clock>) -> Self {
        Self {
            place,
            key,
            clock,
            file_bytes: FILE_BYTES,
            kept: KEPT,
        }
    }

    /// Writes these lines, and before them how many others could not be written.
    pub(crate) fn append(&self, bodies: &[String], lost: u64) -> io::Result<()> {
        let mut lock = head::lock(&self.place)?;
        let mut file = self.open()?;
        let mut size = file.metadata()?.len();
        let mut start = match head::read(&mut lock, self.key.as_ref())? {
            Found::Head(head) => tail::after(&mut file, size, head)?,
            Found::None(why) => tail::without(&self.place, why)?,
        };
        let in_order = start.close.is_empty() && start.notes.is_empty();
        if size > self.file_bytes && in_order && self.set_aside(&mut lock, &mut start.head)? {
            file = self.open()?;
            size = 0;
        }
        if lost > 0 {
            start.notes.push(Note::Lost { lines: lost });
        }
        let text = self.text(&mut start, bodies);
        start.head.bytes = size + text.len() as u64;
        let written = file
            .write_all(text.as_bytes())
            .and_then(|()| start.head.write(&mut lock, self.key.as_ref()));
        if written.is_err() {
            // what is left of it when this fails, too, is closed off by the next turn
            drop(file.set_len(size));
        }
        written
    }

    fn open(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = private::open(&mut options, self.place.current())?;
        private::make_private(&file)?;
        Ok(file)
    }

    fn text(&self, start: &mut Start, bodies: &[String]) -> String {
        let now = self.clock.now();
        let notes = start.notes.drain(..).map(|note| note.body(now));
        let mut at = start.head.position();
        let mut text = start.close.to_owned();
        for body in notes.chain(bodies.iter().cloned()) {
            text.push_str(&at.next(&body));
        }
        start.head.seq = at.seq;
        start.head.hash = at.hash;
        text
    }

    /// Gives the newest file its number, and lets the oldest go. Whether it was done: nothing is ever written over.
    fn set_aside(&self, lock: &mut File, head: &mut Head) -> io::Result<bool> {
        let aside = self.place.aside(head.begins);
        if aside.symlink_metadata().is_ok() {
            return Ok(false);
        }
        std::fs::rename(self.place.current(), aside)?;
        head.begins = head.seq + 1;
        head.bytes = 0;
        let older = self.place.older()?;
        let gone = older.len().saturating_sub(self.kept);
        let (gone, kept) = older.split_at(gone);
        if let (Some(_), Some((first, _))) = (gone.first(), kept.first()) {
            head.first = *first;
        }
        // before they go, so that a process that is killed here leaves more than the head says, and not less
        head.write(lock, self.key.as_ref())?;
        for (_, path) in gone {
            std::fs::remove_file(path)?;
        }
        Ok(true)
    }
}
