//! What was imported.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
