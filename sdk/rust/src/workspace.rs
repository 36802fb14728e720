//! Where the person works. Only a local host knows; elsewhere each function answers [`Error::Denied`].

use crate::Error;
use crate::bindings::imports::ensemble::workspace::repository;

pub use repository::Location;

/// The repository and branch of the working folder. Each is absent where the folder has none: no repository or no
/// remote, a detached head.
///
/// # Errors
/// [`Error::Denied`] where the host does not see the person's folder.
pub fn locate() -> Result<Location, Error> {
    repository::locate()
}
