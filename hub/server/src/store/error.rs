//! What can go wrong in the store, and how it reads. The database's own texts may hold SQL and values: they go to the log as a source, never into a sentence.

use ensemble_hub_api::sentences;

/// Why a hub database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(
        "The hub's data folder {folder} cannot be used: check that it exists and that you may write to it."
    )]
    Folder {
        folder: String,
        #[source]
        source: std::io::Error,
    },
    #[error(
        "The hub's database {file} is damaged: restore it from a backup, or move it away to start with an empty hub."
    )]
    Damaged { file: String },
    #[error("The file {file} is not a hub database: choose another data folder.")]
    Foreign { file: String },
    #[error(
        "The hub's database {file} was made by a newer version of Ensemble (schema {found}, this version knows {known}): update Ensemble."
    )]
    Newer {
        file: String,
        found: i64,
        known: i64,
    },
    #[error(
        "The hub's database {file} is in use and did not become free: close the other program and try again."
    )]
    Busy { file: String },
    #[error(
        "The hub's database {file} could not be opened: check its permissions and that the disk is not full."
    )]
    Failed {
        file: String,
        #[source]
        source: sqlx::Error,
    },
    /// It opened, but its first statements failed.
    #[error("The hub's database cannot be used: {source}")]
    Unusable {
        #[source]
        source: StoreError,
    },
    #[error("The system gave no random bytes.")]
    Random,
}

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database stayed locked for the whole waiting time.
    #[error("{}", sentences::BUSY)]
    Busy,
    #[error("{}", sentences::DISK_FULL)]
    DiskFull,
    #[error("{}", sentences::READ_ONLY)]
    ReadOnly,
    /// The record changed since it was read; nothing was written.
    #[error(
        "The record was changed meanwhile (it is at version {current} now): read it again and repeat the change."
    )]
    Conflict { current: i64 },
    /// The value breaks a rule of the schema: a duplicate, or a reference to nothing.
    #[error("The change does not fit what is stored.")]
    Constraint(#[source] sqlx::Error),
    /// A stored value cannot be read back.
    #[error("A stored record cannot be read: restore the database from a backup.")]
    Unreadable { what: &'static str },
    #[error("The hub's database failed.")]
    Database(#[source] sqlx::Error),
}

/// SQLite's primary result codes that have a meaning of their own here.
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READ_ONLY: i32 = 8;
const FULL: i32 = 13;
const CONSTRAINT: i32 = 19;

/// The primary result code of a database error (the extended code's low byte).
pub(super) fn code(error: &sqlx::Error) -> Option<i32> {
    let extended: i32 = error.as_database_error()?.code()?.parse().ok()?;
    Some(extended & 0xff)
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolTimedOut) {
            return Self::Busy;
        }
        match code(&error) {
            Some(BUSY | LOCKED) => Self::Busy,
            Some(FULL) => Self::DiskFull,
            Some(READ_ONLY) => Self::ReadOnly,
            Some(CONSTRAINT) => Self::Constraint(error),
            _ => Self::Database(error),
        }
    }
}
