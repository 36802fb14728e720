//! Skills and their versions.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
