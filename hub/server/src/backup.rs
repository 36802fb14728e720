//! Backup and restore: one archive (tar) with everything the hub keeps. A backup is made beside a running hub; it is read back and
//! compared before it gets its name. A restore goes into a new folder, and that appears only when everything in it is as it was.
//!
//! | entry | what |
//! |---|---|
//! | `manifest.json` | first: version, schema, counts, and size and sha256 of every other entry |
//! | `hub.sqlite3` | the database, copied in one read transaction |
//! | `originals/ab/ab…` | the files themselves, under their hash |
//!
//! What belongs to a run of the hub (its address, its launch token) is not in it. Keys are in it as the hashes that the hub has, so they
//! open the restored hub too. An archive opens a whole workspace: only its owner can read it. A restored hub reads no checkout: a folder of
//! the computer that was backed up was allowed there, and may be another one here.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::clock::{HubClock, instant};
use crate::store::{self, OpenError, Snapshot, Store, StoreError};

mod archive;

/// The version of the archive's form.
const VERSION: u32 = 1;
/// What marks a manifest as ours.
const FORM: &str = "ensemble-hub-backup";
/// The database in the archive and in a data folder.
const DATABASE: &str = store::FILE;
/// The folder of files in the archive and in a data folder.
const ORIGINALS: &str = "originals";

/// What an archive holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    form: String,
    version: u32,
    /// When it was made.
    pub made: Timestamp,
    /// The number of the database's schema.
    pub schema: i64,
    /// Rows by table.
    pub counts: BTreeMap<String, u64>,
    /// Every other entry, in its order.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    name: String,
    size: u64,
    sha256: String,
}

/// What was done, for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The archive, or the restored folder.
    pub path: String,
    /// When the backup was made.
    pub made: String,
    pub bytes: u64,
    /// Originals of files, without the database.
    pub files: usize,
    /// Rows by table.
    pub counts: BTreeMap<String, u64>,
    /// Files that records name and the hub no longer has.
    pub missing_files: usize,
    /// Folders of checkouts that were allowed, and are not in the restored hub; 0 for a backup.
    pub forgotten_checkouts: u64,
}

/// Why a backup or restore failed; the text is a sentence for the person.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("There is no hub in {folder}: name the data folder of one with --data.")]
    NoHub { folder: String },
    #[error("{path} exists already: choose another name.")]
    Exists { path: String },
    #[error("{path} is not empty: name a new folder for the restored hub.")]
    NotEmpty { path: String },
    #[error(
        "{path} cannot be used: check that its folder exists, that you may use it and that the disk is not full."
    )]
    Io {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error("{path} is no backup of a hub.")]
    NoBackup { path: String },
    #[error("{path} was made by a newer version of Ensemble: update Ensemble.")]
    Newer { path: String },
    #[error("{path} is damaged: {entry} is not what it was. Nothing was kept.")]
    Damaged { path: String, entry: String },
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// Writes everything of the hub in `data_dir` into the new file `archive`.
///
/// # Errors
/// [`BackupError`]; then there is no file of that name.
pub async fn backup(
    data_dir: &Path,
    archive: &Path,
    clock: Arc<dyn HubClock>,
) -> Result<Summary, BackupError> {
    if !data_dir.join(DATABASE).is_file() {
        let folder = shown(data_dir);
        return Err(BackupError::NoHub { folder });
    }
    if fs::symlink_metadata(archive).is_ok() {
        return Err(BackupError::Exists {
            path: shown(archive),
        });
    }
    let failed = |source| io_error(archive, source);
    let folder = parent(archive);
    // A folder of its own, because SQLite makes the copy readable to whoever the umask lets.
    let work = private_folder(&folder, ".ensemble-backup-").map_err(failed)?;
    let copy = work.path().join(DATABASE);
    let made = clock.now();
    let store = Store::open(data_dir, clock).await?;
    let copied = store.copy_to(&copy).await;
    store.close().await;
    copied?;
    let snapshot = store::inspect(&copy).await?;
    let originals = data_dir.join(ORIGINALS);
    let mut sources = vec![(DATABASE.to_owned(), copy)];
    // Listed after the copy was made: what its records name is there by then.
    sources.extend(archive::originals(&originals).map_err(failed)?);
    let manifest = manifest(&sources, &snapshot, made).map_err(failed)?;
    let file = tempfile::NamedTempFile::new_in(&folder).map_err(failed)?;
    archive::write(file.as_file(), &manifest, &sources).map_err(failed)?;
    let read_back = archive::check(file.path(), &shown(archive))?;
    if read_back != manifest {
        return Err(BackupError::Damaged {
            path: shown(archive),
            entry: archive::MANIFEST.to_owned(),
        });
    }
    let bytes = file.as_file().metadata().map_err(failed)?.len();
    match file.persist_noclobber(archive) {
        Ok(_) => {}
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(BackupError::Exists {
                path: shown(archive),
            });
        }
        Err(error) => return Err(failed(error.error)),
    }
    Ok(manifest.summary(archive, bytes, &snapshot))
}

/// Makes the folder `data_dir` from the backup in `archive`.
///
/// # Errors
/// [`BackupError`]; then the folder is as it was.
pub async fn restore(archive: &Path, data_dir: &Path) -> Result<Summary, BackupError> {
    let failed = |source| io_error(data_dir, source);
    let taken = match fs::read_dir(data_dir) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(_) if fs::symlink_metadata(data_dir).is_ok() => true,
        Err(error) => return Err(failed(error)),
    };
    if taken || fs::symlink_metadata(data_dir).is_ok_and(|about| about.is_symlink()) {
        return Err(BackupError::NotEmpty {
            path: shown(data_dir),
        });
    }
    let folder = parent(data_dir);
    store::create_private_folder(&folder).map_err(failed)?;
    let work = private_folder(&folder, ".ensemble-restore-").map_err(failed)?;
    let manifest = archive::unpack(archive, work.path())?;
    let snapshot = store::inspect(&work.path().join(DATABASE)).await?;
    if snapshot.counts != manifest.counts || snapshot.schema != manifest.schema {
        return Err(BackupError::Damaged {
            path: shown(archive),
            entry: DATABASE.to_owned(),
        });
    }
    let forgotten = store::forget_all_checkouts(&work.path().join(DATABASE)).await?;
    // An empty folder is in the way of a rename on some systems; one that filled meanwhile is not removed.
    match fs::remove_dir(data_dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    fs::rename(work.keep(), data_dir).map_err(failed)?;
    let bytes = manifest.entries.iter().map(|entry| entry.size).sum();
    let mut summary = manifest.summary(data_dir, bytes, &snapshot);
    summary.forgotten_checkouts = forgotten;
    if let Some(settings) = summary.counts.get_mut("settings") {
        *settings = settings.saturating_sub(forgotten);
    }
    Ok(summary)
}

impl Manifest {
    fn summary(&self, path: &Path, bytes: u64, snapshot: &Snapshot) -> Summary {
        let has = |hash: &String| self.entries.iter().any(|entry| entry.sha256 == *hash);
        Summary {
            path: shown(path),
            made: instant(self.made),
            bytes,
            files: self.entries.len() - 1,
            counts: self.counts.clone(),
            forgotten_checkouts: 0,
            missing_files: snapshot.originals.iter().filter(|hash| !has(hash)).count(),
        }
    }
}

fn manifest(
    sources: &[(String, PathBuf)],
    snapshot: &Snapshot,
    made: Timestamp,
) -> io::Result<Manifest> {
    let entries = sources.iter().map(|(name, path)| {
        let (size, sha256) = archive::hash(&mut ensemble_plain_file::open(path)?.0)?;
        Ok(Entry {
            name: name.clone(),
            size,
            sha256,
        })
    });
    Ok(Manifest {
        form: FORM.to_owned(),
        version: VERSION,
        // As precise as it is shown, so that it is the same when it is read back.
        made: Timestamp::from_millisecond(made.as_millisecond()).unwrap_or(made),
        schema: snapshot.schema,
        counts: snapshot.counts.clone(),
        entries: entries.collect::<io::Result<_>>()?,
    })
}

/// The folder that a path is in.
fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => PathBuf::from("."),
    }
}

/// A folder that only its owner can enter, which goes away with the value.
fn private_folder(parent: &Path, prefix: &str) -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    builder.tempdir_in(parent)
}

fn io_error(path: &Path, source: io::Error) -> BackupError {
    BackupError::Io {
        path: shown(path),
        source,
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
