//! Datasets, and the plots that are drawn from them.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
