//! The key that authenticates this host's cache of compiled components: 32 random bytes that only this user can read. Two
//! processes that start at once agree on one key: it is linked into place, and the one that comes second reads the first's.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::Path;

use ensemble_plain_file::private;

const LENGTH: usize = 32;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HostKeyError {
    #[error("the host's key cannot be kept")]
    File(#[from] io::Error),
    #[error("the system gives no random bytes")]
    Random(#[from] getrandom::Error),
}

/// The key in this file, made now if there is none, or if what is there is damaged or open to others.
pub(crate) fn load(path: &Path) -> Result<[u8; LENGTH], HostKeyError> {
    if let Some(key) = read(path)? {
        return Ok(key);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    private::create_folder(folder)?;
    let mut key = [0; LENGTH];
    getrandom::fill(&mut key)?;
    let draft = folder.join(format!(".host.key.{}", uuid::Uuid::new_v4().simple()));
    let placed = place(&draft, path, &key);
    // the draft is a second name of the key, or of nothing
    drop(std::fs::remove_file(&draft));
    match placed {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(read(path)?.ok_or(error)?),
        Err(error) => Err(error.into()),
    }
}

fn place(draft: &Path, path: &Path, key: &[u8]) -> io::Result<()> {
    let mut file = private::open(OpenOptions::new().write(true).create_new(true), draft)?;
    file.write_all(key)?;
    file.sync_all()?;
    std::fs::hard_link(draft, path)
}

/// `None` where there is no usable key; an unusable one is removed, so that a new one can take its place.
fn read(path: &Path) -> io::Result<Option<[u8; LENGTH]>> {
    match look(path)? {
        Look::Key(key) => Ok(Some(key)),
        Look::Nothing => Ok(None),
        Look::Unusable => {
            tracing::warn!(path = %path.display(), "the host's key was damaged or open to others: a new one is made");
            std::fs::remove_file(path)?;
            Ok(None)
        }
    }
}

/// The key in this file, if there is a usable one. Nothing is made or changed.
pub(crate) fn existing(path: &Path) -> io::Result<Option<[u8; LENGTH]>> {
    match look(path)? {
        Look::Key(key) => Ok(Some(key)),
        Look::Nothing | Look::Unusable => Ok(None),
    }
}

enum Look {
    Nothing,
    /// Damaged, or open to others.
    Unusable,
    Key([u8; LENGTH]),
}

fn look(path: &Path) -> io::Result<Look> {
    let mut file = match ensemble_plain_file::open(path) {
        Ok((file, _)) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Look::Nothing),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::with_capacity(LENGTH + 1);
    Read::by_ref(&mut file)
        .take(LENGTH as u64 + 1)
        .read_to_end(&mut bytes)?;
    match <[u8; LENGTH]>::try_from(bytes) {
        Ok(key) if private::is_private(&file)? => Ok(Look::Key(key)),
        _ => Ok(Look::Unusable),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_key_is_made_once_kept_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/host.key");
        assert_eq!(existing(&path).unwrap(), None);
        let first = load(&path).unwrap();
        assert_ne!(first, [0; LENGTH]);
        assert_eq!(existing(&path).unwrap(), Some(first));
        assert_eq!(load(&path).unwrap(), first);
        assert!(private::is_private(&File::open(&path).unwrap()).unwrap());
        assert_eq!(path.parent().unwrap().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn many_at_once_agree_on_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.key");
        let keys: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..16)
                .map(|_| scope.spawn(|| load(&path).unwrap()))
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
    }

    #[test]
    fn a_short_key_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.key");
        std::fs::write(&path, b"short").unwrap();
        assert_eq!(existing(&path).unwrap(), None);
        assert_eq!(std::fs::read(&path).unwrap(), b"short");
        let key = load(&path).unwrap();
        assert_eq!(load(&path).unwrap(), key);
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_can_read_is_replaced() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.key");
        let first = load(&path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert_ne!(load(&path).unwrap(), first);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_the_key_is_an_error_and_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.key");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(load(&path).is_err());
    }
}
