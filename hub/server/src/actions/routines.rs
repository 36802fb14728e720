//! Routines: work that begins at set times.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
