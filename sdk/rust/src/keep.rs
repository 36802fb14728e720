//! A small store of this plugin in this space, with a quota. Calls run side by side: the last write wins.

use crate::Error;
use crate::bindings::imports::ensemble::keep::keep;

/// The value under `key`.
///
/// # Errors
/// [`Error::Denied`] without the grant.
pub fn get(key: &str) -> Result<Option<Vec<u8>>, Error> {
    keep::get(key)
}

/// Writes `value` under `key`.
///
/// # Errors
/// [`Error::Denied`] without the grant, [`Error::TooLarge`] above the quota.
pub fn set(key: &str, value: &[u8]) -> Result<(), Error> {
    keep::set(key, value)
}

/// Removes `key`, if it is there.
///
/// # Errors
/// [`Error::Denied`] without the grant.
pub fn remove(key: &str) -> Result<(), Error> {
    keep::remove(key)
}

/// Keys that begin with `prefix`, in order, from the one after `after`. A full page means that there may be more.
///
/// # Errors
/// [`Error::Denied`] without the grant.
pub fn keys(prefix: &str, after: Option<&str>) -> Result<Vec<String>, Error> {
    keep::keys(prefix, after)
}
