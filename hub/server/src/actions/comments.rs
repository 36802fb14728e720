//! Comments and details of any record, and what is in Trash.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
