//! The store: records, links, ledger, keys, spaces and the search index, on SQLite. The only module that knows SQL.
//!
//! Reads go through a pool of connections and see the last committed state. Writes go through one connection, each as one
//! immediate transaction ([`Change`]) that writes the record, its links, its ledger row and its index row together or not at all.
//! Every statement names the space: a record of another space looks as if it did not exist. Every list has an order that ends in the id.
//!
//! To add a table: a new file in `schema/`, its number in `open`, a module for its statements.

mod bulk;
mod by_name;
mod change;
mod changed;
mod checkouts;
mod emails;
mod error;
mod files;
mod graph;
mod history;
mod idempotency;
mod imports;
mod index;
mod keys;
mod ledger;
mod links;
mod mentions;
mod names;
pub(crate) mod oauth;
mod open;
mod query;
mod recap;
mod record;
mod scope;
mod series;
mod sign_in;
mod snapshot;
mod spaces;
mod titles;
mod trash;
mod undo;
mod verify;
mod walk;
mod window;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use sqlx::SqlitePool;
use tokio::sync::watch;
use uuid::{ContextV7, Uuid};

use crate::clock::HubClock;

pub use change::{Actor, ActorKind, Change};
pub use checkouts::CheckoutRow;
pub(crate) use checkouts::forget_all_checkouts;
pub use error::{OpenError, StoreError};
pub use files::FileQuery;
pub use graph::{Begin, Related, Relations};
pub use history::{ChangeRow, Version};
pub use idempotency::{Kept, Repeat};
pub use imports::{KnownName, derived_id};
pub use keys::{KeyKind, KeyRow, NewKey};
pub use ledger::LedgerRow;
pub use links::{Direction, LinkQuery, Linked};
pub use names::name_key;
pub(crate) use names::one_line;
pub(crate) use open::{FILE, create_private_folder};
pub use query::{Order, Page, RecordQuery};
pub use recap::{ImportRun, Made, Moved};
pub use record::{NewRecord, Record};
pub use scope::{CITABLE, SEARCHED};
pub use sign_in::{LINK_LASTS, PasswordRow, SESSION_LONGEST};
pub use snapshot::{Snapshot, inspect};
pub use spaces::{AccountRow, MembershipRow, SpaceRow};
pub use undo::{UndoError, Undone};
pub use walk::{Key, Mark, Step, Walk};
pub use window::EventWindow;

/// The database of one hub. Cheap to clone: clones share connections.
#[derive(Clone)]
pub struct Store {
    reader: SqlitePool,
    writer: SqlitePool,
    clock: Arc<dyn HubClock>,
    ids: Arc<Mutex<ContextV7>>,
    data_dir: PathBuf,
    /// Told of every change that was made permanent.
    tell: watch::Sender<()>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the database in `data_dir`, creating folder and file when they are missing, and brings its schema up to date.
    ///
    /// # Errors
    /// [`OpenError`] when the folder cannot be used, or the file is damaged, no hub database, or from a newer version.
    pub async fn open(data_dir: &Path, clock: Arc<dyn HubClock>) -> Result<Self, OpenError> {
        let pools = open::open(data_dir).await?;
        Ok(Self {
            reader: pools.reader,
            writer: pools.writer,
            clock,
            ids: Arc::new(Mutex::new(ContextV7::new())),
            data_dir: data_dir.to_owned(),
            tell: watch::Sender::new(()),
        })
    }

    /// The folder that the database was opened in.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The present instant of the hub's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new record id; later ids sort after earlier ones.
    pub fn new_id(&self) -> String {
        let now = self.now();
        let context = self
            .ids
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let seconds = u64::try_from(now.as_second()).unwrap_or(0);
        let nanos = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
        Uuid::new_v7(uuid::Timestamp::from_unix(&*context, seconds, nanos)).to_string()
    }

    /// Closes all connections after letting running statements finish; the write-ahead log is folded into the file.
    pub async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
    }
}
