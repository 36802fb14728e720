//! Checkouts that the person allowed.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
