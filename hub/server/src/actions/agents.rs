//! Agents and their sessions.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
