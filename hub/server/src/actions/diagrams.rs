//! Diagrams, checked and drawn.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
