//! A file that is opened by its name is a plain one, and opening it never waits.
//!
//! | what is there under the name | is |
//! |---|---|
//! | a plain file, or a link to one | opened |
//! | a pipe, a socket, a device, a folder | an error, at once |
//!
//! Opening a pipe waits until somebody writes into it, and a thread that waits so cannot be ended: the program would hang, and not even
//! stop. Asking first what is there and opening then leaves a moment in which it can be swapped, so the file is opened without waiting, and
//! what was opened is looked at.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod private;

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens the file for reading; with its size in bytes.
///
/// # Errors
/// What the system says; [`io::ErrorKind::InvalidInput`] for what is no plain file.
pub fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = open_with(OpenOptions::new().read(true), path)?;
    let size = file.metadata()?.len();
    Ok((file, size))
}

/// Opens the file with these options.
///
/// # Errors
/// As [`open`].
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // means nothing to a plain file; a terminal does not become the one of this process
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no plain file",
        ))
    }
}

/// Reads the whole file, if it has at most this many bytes.
///
/// # Errors
/// As [`open`], and [`io::ErrorKind::FileTooLarge`] for a larger one; no more than that is read of it.
pub fn read(path: &Path, at_most: u64) -> io::Result<Vec<u8>> {
    let (file, size) = open(path)?;
    let room = usize::try_from(size.min(at_most)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(room);
    // it may grow while it is read
    file.take(at_most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > at_most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_file_is_read_up_to_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(
            read(&path, 4).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
        assert_eq!(open(&path).unwrap().1, 5);
        let missing = read(&folder.path().join("b"), 5).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    /// A test that hangs is a failure, too.
    #[cfg(unix)]
    #[test]
    fn what_is_no_plain_file_is_an_error_at_once() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let linked = folder.path().join("linked");
        std::os::unix::fs::symlink(&pipe, &linked).unwrap();
        for path in [&pipe, &linked, folder.path(), Path::new("/dev/zero")] {
            let error = read(path, 5).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{path:?}");
        }
        // nobody reads from it
        assert!(open_with(OpenOptions::new().append(true), &pipe).is_err());
        let reader = OpenOptions::new().read(true).write(true).open(&pipe);
        assert!(open_with(OpenOptions::new().append(true), &pipe).is_err());
        drop(reader);
    }
}
