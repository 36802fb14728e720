//! The person's desk.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
