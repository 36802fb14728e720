//! The text of a file, as far as it can be read: bounded going in and coming out, on a thread of its own, at most [`AT_ONCE`] at a time. A
//! broken file is a sentence, whatever the library that read it did, and the file itself is kept all the same.

mod html;
mod office;
mod pdf;
mod plain;
mod sheet;

use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::format::{Format, Reading};
use super::originals::Staged;

/// Bytes of a file that are looked at; a larger one has no text here.
pub const INPUT_MAX: u64 = 64 << 20;
/// Characters of a text that are kept; what is longer ends there and says so.
pub const TEXT_MAX: usize = 1_000_000;
/// Files that are read at the same time; reading takes a core and up to a few hundred megabytes.
const AT_ONCE: usize = 2;
/// How long one may take where nobody waits for an answer.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// What came out of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The text; `None` when there is none.
    pub text: Option<String>,
    /// Pages or slides.
    pub pages: Option<u64>,
    /// Why there is no text, or not all of it.
    pub note: Option<String>,
}

impl Extracted {
    fn without(note: &str) -> Self {
        Self {
            note: Some(note.to_owned()),
            ..Self::default()
        }
    }
}

/// Why a file could not be read: a sentence for a person.
type Broken = &'static str;

const UNREADABLE: &str =
    "The text of this file could not be read: it is damaged, or not what its name says.";
const TOO_LARGE: &str = "The file is larger than 64 MiB, so its text was not read.";
const NO_TEXT: &str =
    "Ensemble reads no text out of this kind of file; pictures, sound and scans have none here.";
const EMPTY: &str = "There is no text in this file; the pages of a scan are pictures.";
const CUT: &str = "Only the first 1,000,000 characters of the text are kept.";
const SLOW: &str = "The text of this file could not be read in time.";

/// Reads the text of an original that is on the disk; what takes longer than `patience` has none.
pub async fn text(staged: &Staged, format: Format, patience: Duration) -> Extracted {
    if format.reading == Reading::None {
        return Extracted::without(NO_TEXT);
    }
    if staged.about().size > INPUT_MAX {
        return Extracted::without(TOO_LARGE);
    }
    let Ok(file) = staged.open() else {
        return Extracted::without(UNREADABLE);
    };
    tokio::time::timeout(patience, in_turn(file, format.reading))
        .await
        .unwrap_or_else(|_| Extracted::without(SLOW))
}

async fn in_turn(file: File, how: Reading) -> Extracted {
    static TURNS: std::sync::OnceLock<Arc<Semaphore>> = std::sync::OnceLock::new();
    let turns = Arc::clone(TURNS.get_or_init(|| Arc::new(Semaphore::new(AT_ONCE))));
    let Ok(turn) = turns.acquire_owned().await else {
        return Extracted::without(SLOW);
    };
    let given_up = CancellationToken::new();
    let _at_the_end = given_up.clone().drop_guard();
    let reading = tokio::task::spawn_blocking(move || {
        // held by the thread: one that is given up still takes its place
        let _turn = turn;
        let mut bytes = Vec::new();
        let whole = file.take(INPUT_MAX).read_to_end(&mut bytes);
        whole.map_err(|_| UNREADABLE)?;
        read(&bytes, how, &given_up)
    });
    match reading.await {
        Ok(Ok((text, pages))) => bounded(&text, pages),
        Ok(Err(sentence)) => Extracted::without(sentence),
        // a library that panicked on it
        Err(_) => Extracted::without(UNREADABLE),
    }
}

fn read(
    bytes: &[u8],
    reading: Reading,
    given_up: &CancellationToken,
) -> Result<(String, Option<u64>), Broken> {
    match reading {
        Reading::Plain => Ok((plain::text(bytes)?, None)),
        Reading::Html => Ok((html::text(&plain::text(bytes)?), None)),
        Reading::Pdf => pdf::text(bytes),
        Reading::Word => Ok((office::word(bytes)?, None)),
        Reading::Sheet => Ok((sheet::text(bytes, given_up)?, None)),
        Reading::Slides => office::slides(bytes),
        Reading::None => Err(NO_TEXT),
    }
}

fn bounded(text: &str, pages: Option<u64>) -> Extracted {
    let mut kept: String = text.chars().take(TEXT_MAX).collect();
    let cut = kept.len() < text.len();
    kept.truncate(kept.trim_end().len());
    if kept.trim_start().is_empty() {
        return Extracted {
            pages,
            ..Extracted::without(EMPTY)
        };
    }
    Extracted {
        text: Some(kept),
        pages,
        note: cut.then(|| CUT.to_owned()),
    }
}

#[cfg(test)]
mod tests;
