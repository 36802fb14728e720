//! Playbooks: how boards, diagrams, plots and pages are made well.

use super::Action;

/// The group.
pub(super) const ACTIONS: &[Action] = &[];
