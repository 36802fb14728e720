//! Boards: columns of tasks and pages.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
