//! Projects and their deliverables.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
