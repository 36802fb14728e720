//! What a record is linked with, search, and the screens of Ensemble.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
