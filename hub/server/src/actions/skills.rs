//! Skills: ways of working that agents are given. Each change of one is kept in the ledger and can be taken back to; only the current text is
//! ever shown. A skill that is switched off is left out of briefs and of the list, and stays.

mod manage;
mod read;
mod versions;

use super::{Action, changes, reads};

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_skills",
        read::List,
        read::list,
        "Lists skills by name: those that are switched on, or with `all` also the others."
    ),
    reads!(
        "hub_read_skill",
        read::One,
        read::read,
        "One skill's current text, in parts, and its latest versions without their texts. `version` is what an update can be tied to."
    ),
    changes!(
        "hub_manage_skill",
        manage::Manage,
        manage::manage,
        "Creates, updates or deletes a skill, switches it on or off, or takes it back to an earlier version that hub_read_skill lists. `operation` says which."
    ),
];
