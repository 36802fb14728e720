//! What happened, and the runs of the hub.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
