//! People, and the repositories of the space.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
