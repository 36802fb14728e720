//! The statuses of a task and which may follow which.
//!
//! | from | to |
//! |---|---|
//! | proposed | todo, `in_progress`, dropped |
//! | todo | `in_progress`, blocked, done, dropped |
//! | `in_progress` | todo, `waiting_approval`, blocked, done, dropped |
//! | `waiting_approval` | `in_progress`, blocked, done, dropped |
//! | blocked | todo, `in_progress`, dropped |
//! | done | todo, `in_progress` |
//! | dropped | todo |
//!
//! Staying where it is is no move and is always allowed. Editors and agents may ask for the statuses in [`TaskStatus::ASKABLE`] only:
//! proposing again and dropping stay with the person.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    Proposed,
    Todo,
    InProgress,
    WaitingApproval,
    Blocked,
    Done,
    Dropped,
}

impl TaskStatus {
    /// Every status, in the order of a task's life.
    pub const ALL: [Self; 7] = [
        Self::Proposed,
        Self::Todo,
        Self::InProgress,
        Self::WaitingApproval,
        Self::Blocked,
        Self::Done,
        Self::Dropped,
    ];
    /// The statuses of a task that still waits to be finished.
    pub const OPEN: [Self; 5] = [
        Self::Proposed,
        Self::Todo,
        Self::InProgress,
        Self::WaitingApproval,
        Self::Blocked,
    ];
    /// What a write over the bridge may set.
    pub const ASKABLE: [Self; 5] = [
        Self::InProgress,
        Self::WaitingApproval,
        Self::Done,
        Self::Blocked,
        Self::Todo,
    ];
    /// What a task may be created with; the first is the default.
    pub const CREATABLE: [Self; 2] = [Self::Proposed, Self::Todo];

    /// The name on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Todo => "todo",
            Self::InProgress => "in_progress",
            Self::WaitingApproval => "waiting_approval",
            Self::Blocked => "blocked",
            Self::Done => "done",
            Self::Dropped => "dropped",
        }
    }

    /// The status of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Neither done nor dropped.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Done | Self::Dropped)
    }

    /// The statuses that may follow this one, in the order in which a refusal lists them.
    pub const fn next(self) -> &'static [Self] {
        match self {
            Self::Proposed | Self::Blocked => &[Self::Todo, Self::InProgress, Self::Dropped],
            Self::Todo | Self::WaitingApproval => {
                &[Self::InProgress, Self::Blocked, Self::Done, Self::Dropped]
            }
            Self::InProgress => &[
                Self::Todo,
                Self::WaitingApproval,
                Self::Blocked,
                Self::Done,
                Self::Dropped,
            ],
            Self::Done => &[Self::Todo, Self::InProgress],
            Self::Dropped => &[Self::Todo],
        }
    }

    /// Whether a task may go from here to `to`.
    pub fn may_become(self, to: Self) -> bool {
        self == to || self.next().contains(&to)
    }
}

impl fmt::Display for TaskStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How much a task matters: `p0` the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    P0,
    P1,
    P2,
    P3,
}

impl Priority {
    pub const ALL: [Self; 4] = [Self::P0, Self::P1, Self::P2, Self::P3];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::P0 => "p0",
            Self::P1 => "p1",
            Self::P2 => "p2",
            Self::P3 => "p3",
        }
    }

    /// The priority of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|priority| priority.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_can_be_left_and_never_lists_itself() {
        for status in TaskStatus::ALL {
            assert_eq!(TaskStatus::parse(status.as_str()), Some(status));
            assert!(!status.next().is_empty(), "{status} is a dead end");
            assert!(!status.next().contains(&status), "{status} lists itself");
            assert!(status.may_become(status));
        }
        assert!(!TaskStatus::Done.may_become(TaskStatus::WaitingApproval));
        assert!(!TaskStatus::Proposed.may_become(TaskStatus::Done));
    }

    #[test]
    fn open_is_all_but_done_and_dropped() {
        let open: Vec<_> = TaskStatus::ALL
            .into_iter()
            .filter(|status| status.is_open())
            .collect();
        assert_eq!(open, TaskStatus::OPEN);
    }
}
