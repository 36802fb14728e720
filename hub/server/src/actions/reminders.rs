//! Reminders and watchers.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
