//! What an action does before its transaction begins, because it takes long: getting a file, parsing a source. Other writers do not wait for it.

use serde_json::Value;

use super::diagrams::Parsed;
use super::{Reading, Running};
use crate::files::{About, Ready};

/// The function that does it, with the action's input.
pub(crate) type Prepare = for<'a> fn(&'a Reading, Value) -> Running<'a, Prepared>;

/// What came of it.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// A file that it got onto the disk.
    File(Box<Fetched>),
    /// What the source of a diagram says.
    Diagram(Parsed),
    /// This input needs nothing of it.
    Nothing,
}

/// A file that an action got before its transaction began.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) file: Ready,
    pub(crate) about: About,
}
