//! One running hub for one data folder: a second one would overwrite the first one's `api.json`, and its end would hide a hub
//! that still runs. The lock belongs to the process, so a hub that was killed leaves nothing behind. Programs that only open
//! the database, such as `ensemble hub key create`, do not take it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

const FILE: &str = "hub.lock";

/// Held as long as the hub runs.
#[derive(Debug)]
pub(super) struct FolderLock(#[expect(dead_code, reason = "the open file is the lock")] File);

impl FolderLock {
    /// Takes the lock; `None` when another hub has it.
    pub(super) fn take(folder: &Path) -> io::Result<Option<Self>> {
        let mut open = OpenOptions::new();
        open.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        let file = ensemble_plain_file::open_with(&mut open, &folder.join(FILE))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FolderLock;

    #[test]
    fn a_folder_has_one_hub_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::take(folder.path()).unwrap();
        assert!(first.is_some());
        assert!(FolderLock::take(folder.path()).unwrap().is_none());
        drop(first);
        assert!(FolderLock::take(folder.path()).unwrap().is_some());
    }
}
