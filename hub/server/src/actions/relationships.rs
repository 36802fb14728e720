//! Connections to apps, and which records belong to which item there.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
