//! Import: what a person kept elsewhere becomes records. A source is read whole into [`Item`]s, each with a key that stays the same when
//! the source is read again; the key gives the record its id. So a second import finds what the first one made: what the source did not
//! change stays as the person left it, what it changed is taken over, and unchanged rows write nothing. A bad row is named with its
//! place and the rest is imported.
//!
//! | source | gives | key |
//! |---|---|---|
//! | folder of Markdown | pages, links between them | the source's name and the file's path |
//! | iCalendar | events, one for each time of a series | UID and start |
//! | vCard | people | UID, else e-mail address, else name |
//! | CSV | tasks, and the people, projects and repositories they name | the source's name and the id column, else the title |
//! | GitHub issues | tasks, repository, people | the address |
//!
//! To add a source: its reader in a file here that answers a [`Parsed`], and its arm in [`read()`].

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

pub mod github;
pub mod ics;
pub mod item;
mod lines;
pub mod markdown;
mod merge;
pub mod plan;
pub mod table;
pub(crate) mod text;
pub mod vcard;
pub mod write;

pub use item::{BadRow, Item, Parsed};
pub use plan::{Plan, Verdict};
pub use write::Written;

/// Largest file that is read, in bytes.
pub const FILE_MAX: u64 = 256 * 1024 * 1024;
/// Most rows of one import.
pub const ROWS_MAX: usize = 1_000_000;

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Markdown,
    Ics,
    Vcard,
    Csv,
    Github,
}

impl Source {
    /// The name on the command line and in the `import` field of a record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Ics => "ics",
            Self::Vcard => "vcard",
            Self::Csv => "csv",
            Self::Github => "github",
        }
    }
}

/// How a source is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the person calls the source; the file's or folder's name when absent.
    pub name: Option<String>,
    /// CSV: which column is which field.
    pub columns: Vec<(table::Field, String)>,
    /// CSV: how a date like 03/04/2026 is read.
    pub dates: Option<table::DateOrder>,
    /// The person's time zone: for calendar times without one.
    pub zone: TimeZone,
    /// The present instant: series are expanded around it.
    pub now: Timestamp,
}

/// Why nothing could be imported; the text is a sentence for the person.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{path} cannot be read: check that it exists and that you may read it.")]
    Unreadable {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error("{path} is a folder: name the file in it.")]
    Folder { path: String },
    #[error("{path} is no folder: name the folder that has the Markdown files.")]
    NoFolder { path: String },
    #[error("{path} is larger than 256 MB: split it.")]
    TooLarge { path: String },
    #[error("{path} has more than 1,000,000 rows: split it.")]
    TooMany { path: String },
    #[error("{path} cannot be read: {reason}")]
    Malformed { path: String, reason: String },
    #[error("{0}")]
    Store(#[from] crate::store::StoreError),
    #[error("{0}")]
    Space(#[from] crate::admin::AdminError),
}

/// Reads a source whole. Nothing is written.
pub fn read(source: Source, path: &Path, options: &Options) -> Result<Parsed, ImportError> {
    let name = options.name.clone().unwrap_or_else(|| name_of(path));
    let parsed = match source {
        Source::Markdown => markdown::read(path, &name)?,
        Source::Ics => {
            ics::read(&file(path)?, options).map_err(|reason| malformed(path, reason))?
        }
        Source::Vcard => vcard::read(&file(path)?).map_err(|reason| malformed(path, reason))?,
        Source::Csv => {
            table::read(&file(path)?, &name, options).map_err(|reason| malformed(path, reason))?
        }
        Source::Github => github::read(&file(path)?).map_err(|reason| malformed(path, reason))?,
    };
    if parsed.items.len() > ROWS_MAX {
        return Err(ImportError::TooMany { path: shown(path) });
    }
    Ok(parsed.without_repeats())
}

fn file(path: &Path) -> Result<Vec<u8>, ImportError> {
    let unreadable = |source| ImportError::Unreadable {
        path: shown(path),
        source,
    };
    if path.is_dir() {
        return Err(ImportError::Folder { path: shown(path) });
    }
    ensemble_plain_file::read(path, FILE_MAX).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => ImportError::TooLarge { path: shown(path) },
        _ => unreadable(error),
    })
}

fn name_of(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    whole
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn malformed(path: &Path, reason: String) -> ImportError {
    ImportError::Malformed {
        path: shown(path),
        reason,
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
