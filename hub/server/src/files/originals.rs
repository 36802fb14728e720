//! Originals: the files themselves, below the data folder, under the hash of their bytes. Two records with the same bytes share one file;
//! a file is complete under its name or not there at all; only its owner can read it; none is ever changed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};

use crate::store::create_private_folder;

/// The folder's name in the data folder.
const FOLDER: &str = "originals";
/// How the name of an unfinished file ends.
const PART: &str = "part";
/// Bytes copied at once.
const BUFFER: usize = 256 * 1024;
/// Bytes of the beginning that [`super::format`] looks at.
const BEGINNING: usize = 1_100;

/// The originals of one hub.
#[derive(Clone, Debug)]
pub struct Originals {
    folder: PathBuf,
}

/// What was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// In bytes.
    pub size: u64,
    /// The first bytes.
    pub beginning: Vec<u8>,
}

impl Originals {
    /// The originals of the hub in this data folder. Nothing is made yet.
    pub fn of(data_dir: &Path) -> Self {
        Self {
            folder: data_dir.join(FOLDER),
        }
    }

    /// Keeps everything that `source` gives.
    ///
    /// # Errors
    /// What reading or writing failed with; then nothing is kept.
    pub fn keep(&self, source: impl Read) -> io::Result<Kept> {
        self.stage(source)?.keep()
    }

    /// Writes everything that `source` gives to the disk, under no name yet: it is gone with what is returned unless that is kept.
    ///
    /// # Errors
    /// What reading or writing failed with; then nothing is there.
    pub fn stage(&self, mut source: impl Read) -> io::Result<Staged> {
        create_private_folder(&self.folder)?;
        let part = Part::new(&self.folder)?;
        let mut file = part.create()?;
        let mut hash = Sha256::new();
        let mut kept = Kept {
            sha256: String::new(),
            size: 0,
            beginning: Vec::new(),
        };
        let mut buffer = vec![0; BUFFER];
        loop {
            let read = match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let chunk = buffer.get(..read).unwrap_or_default();
            let room = BEGINNING.saturating_sub(kept.beginning.len());
            kept.beginning.extend(chunk.iter().take(room));
            hash.update(chunk);
            file.write_all(chunk)?;
            kept.size += chunk.len() as u64;
        }
        kept.sha256 = super::hex(&hash.finalize());
        file.sync_all()?;
        drop(file);
        let place = self.place(&kept.sha256);
        Ok(Staged { part, place, kept })
    }

    /// Removes what writers that were killed left unfinished: parts that nobody has written to since `before`. How many there were.
    ///
    /// # Errors
    /// What reading the folder failed with; none is no error.
    pub fn sweep(&self, before: SystemTime) -> io::Result<usize> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            entries => entries?,
        };
        let mut removed = 0;
        for entry in entries {
            let path = entry?.path();
            let is_part = path.extension().is_some_and(|ending| ending == PART);
            let written = path.symlink_metadata().and_then(|about| about.modified());
            if is_part && written.is_ok_and(|at| at < before) && fs::remove_file(&path).is_ok() {
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Opens an original for reading, if it is there in its full size.
    ///
    /// # Errors
    /// What opening failed with; [`io::ErrorKind::InvalidData`] for another size.
    pub fn open(&self, sha256: &str, size: u64) -> io::Result<File> {
        if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let (file, has) = ensemble_plain_file::open(&self.place(sha256))?;
        if has == size {
            Ok(file)
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    /// `originals/ab/ab…`: no folder gets more entries than file systems like.
    fn place(&self, sha256: &str) -> PathBuf {
        let shard: String = sha256.chars().take(2).collect();
        self.folder.join(shard).join(sha256)
    }
}

/// An original that is on the disk and under no name yet; dropped, it is removed.
#[derive(Debug)]
pub struct Staged {
    part: Part,
    place: PathBuf,
    kept: Kept,
}

impl Staged {
    /// What it is.
    pub const fn about(&self) -> &Kept {
        &self.kept
    }

    /// Opens it for reading.
    ///
    /// # Errors
    /// What opening failed with.
    pub fn open(&self) -> io::Result<File> {
        File::open(&self.part.path)
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// What naming failed with; then nothing is kept.
    pub fn keep(self) -> io::Result<Kept> {
        if let Some(folder) = self.place.parent() {
            create_private_folder(folder)?;
        }
        // The same bytes under the same name: replacing is no change.
        fs::rename(&self.part.path, &self.place)?;
        self.part.done();
        Ok(self.kept)
    }
}

/// A file that is being written; dropped before it is done, it is removed.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    done: bool,
}

impl Part {
    fn new(folder: &Path) -> io::Result<Self> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| io::ErrorKind::Other)?;
        Ok(Self {
            path: folder.join(format!("{}.{PART}", super::hex(&random))),
            done: false,
        })
    }

    fn create(&self) -> io::Result<File> {
        let mut open = OpenOptions::new();
        open.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        open.open(&self.path)
    }

    fn done(mut self) {
        self.done = true;
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.done
            && let Err(error) = fs::remove_file(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "an unfinished original is left over");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_same_bytes_are_kept_once_and_only_the_owner_reads_them() {
        let data = tempfile::tempdir().unwrap();
        let originals = Originals::of(data.path());
        let one = originals.keep(&b"hello"[..]).unwrap();
        assert_eq!(originals.keep(&b"hello"[..]).unwrap(), one);
        assert_eq!(one.size, 5);
        assert_eq!(one.sha256, super::super::hex(&Sha256::digest(b"hello")));
        assert_eq!(names(&data.path().join(FOLDER)), ["2c"]);
        let mut text = String::new();
        let mut file = originals.open(&one.sha256, 5).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
    }

    #[test]
    fn a_source_that_breaks_leaves_nothing() {
        struct Breaks(bool);
        impl Read for Breaks {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                buffer[0] = 1;
                Ok(1)
            }
        }
        let data = tempfile::tempdir().unwrap();
        let originals = Originals::of(data.path());
        assert!(originals.keep(Breaks(false)).is_err());
        assert_eq!(names(&data.path().join(FOLDER)), Vec::<String>::new());
    }

    #[test]
    fn what_a_killed_writer_left_is_removed_and_nothing_that_is_being_written() {
        let data = tempfile::tempdir().unwrap();
        let originals = Originals::of(data.path());
        assert_eq!(originals.sweep(SystemTime::UNIX_EPOCH).unwrap(), 0);
        let kept = originals.keep(&b"hello"[..]).unwrap();
        let running = originals.stage(&b"running"[..]).unwrap();
        let now = fs::metadata(&running.part.path).unwrap();
        let now = now.modified().unwrap();
        let left = data.path().join(FOLDER).join("00.part");
        let file = File::create(&left).unwrap();
        file.set_modified(now - Duration::from_hours(48)).unwrap();
        let yesterday = now - Duration::from_hours(24);
        assert_eq!(originals.sweep(yesterday).unwrap(), 1);
        assert!(!left.exists());
        assert!(originals.open(&kept.sha256, 5).is_ok());
        assert_eq!(running.keep().unwrap().size, 7);
    }

    #[test]
    fn a_damaged_or_made_up_original_does_not_open() {
        let data = tempfile::tempdir().unwrap();
        let originals = Originals::of(data.path());
        let kept = originals.keep(&b"hello"[..]).unwrap();
        assert!(originals.open(&kept.sha256, 4).is_err());
        assert!(originals.open("../../etc/passwd", 5).is_err());
        assert!(originals.open(&"0".repeat(64), 5).is_err());
    }
}
