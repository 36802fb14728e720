//! Pages, as Markdown and block by block.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
