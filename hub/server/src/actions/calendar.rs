//! Events, and what the week was.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
