//! Layouts, to read.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
