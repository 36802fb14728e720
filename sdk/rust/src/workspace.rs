//! Where the person works. Only a local host knows; elsewhere each function answers [`Error::Denied`].

use crate::Error;
use crate::bindings::imports::ensemble::workspace::{folder, repository};
use crate::files::Handle;

pub use folder::Saved;
pub use repository::Location;

/// The repository and branch of the working folder. Each is absent where the folder has none: no repository or no
/// remote, a detached head.
///
/// # Errors
/// [`Error::Denied`] where the host does not see the person's folder.
pub fn locate() -> Result<Location, Error> {
    repository::locate()
}

/// Whether [`save`] would write there. Ask before anything is asked of the hub, so that a path that cannot be written to
/// costs no request.
///
/// # Errors
/// [`Error::Invalid`] for a path that leads out of the working folder or is no name of a file, [`Error::Conflict`] where
/// something is there already, [`Error::Denied`] where the host does not see the person's folder.
pub fn check(path: &str, overwrite: bool) -> Result<(), Error> {
    folder::check(path, overwrite)
}

/// Writes the original that `file` names into the working folder, whole or not at all. Its bytes do not pass through the
/// plugin.
///
/// # Errors
/// As [`check`], and what the host or the hub said of the file.
pub fn save(file: &Handle, path: &str, overwrite: bool) -> Result<Saved, Error> {
    folder::save(file.as_str(), path, overwrite)
}
