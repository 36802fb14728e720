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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ensemble_hub_api::Kind;

    use super::*;
    use crate::clock::StillClock;
    use crate::store::{Actor, NewRecord, RecordQuery, Store};

    async fn add(store: &Store, space: &str, title: &str) -> Result<(), StoreError> {
        let mut change = store.change(Actor::system("test")).await?;
        let mut new = NewRecord::new(space, Kind::Page, title);
        new.body = "x".repeat(100_000);
        change.create("test.add", new).await?;
        change.commit().await
    }

    /// The one connection that writes, told so.
    async fn pragma(store: &Store, text: &'static str) {
        sqlx::query(text).execute(&store.writer).await.unwrap();
    }

    #[tokio::test]
    async fn a_full_disk_and_a_read_only_database_say_so_with_nothing_written_and_go_on_after() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(StillClock::at("2026-03-02T09:00:00Z".parse().unwrap()));
        let store = Store::open(folder.path(), clock).await.unwrap();
        let (_, home) = store.ensure_owner("You", "Home").await.unwrap();
        add(&store, &home.id, "Before").await.unwrap();

        // As SQLite sees a disk on which no page is left.
        pragma(&store, "PRAGMA max_page_count = 1").await;
        let full = add(&store, &home.id, "Full").await.unwrap_err();
        assert!(matches!(full, StoreError::DiskFull), "{full:?}");
        assert_eq!(full.to_string(), sentences::DISK_FULL);
        pragma(&store, "PRAGMA max_page_count = 4294967294").await;

        pragma(&store, "PRAGMA query_only = 1").await;
        let refused = add(&store, &home.id, "Read only").await.unwrap_err();
        assert!(matches!(refused, StoreError::ReadOnly), "{refused:?}");
        assert_eq!(refused.to_string(), sentences::READ_ONLY);
        pragma(&store, "PRAGMA query_only = 0").await;

        add(&store, &home.id, "After").await.unwrap();
        let pages = store.records(&home.id, &RecordQuery::default()).await;
        let mut titles: Vec<String> = pages
            .unwrap()
            .items
            .into_iter()
            .map(|page| page.title)
            .collect();
        titles.sort();
        assert_eq!(titles, ["After", "Before"]);
        assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    }
}
