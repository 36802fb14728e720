//! Files: what there is, and new ones; originals are never changed.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
