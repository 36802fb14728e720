//! The relations of the context graph. A link is a row (from, relation, to); it is read from both ends, so each relation has one direction only.
//!
//! | relation | from → to |
//! |---|---|
//! | `project` | task, deliverable, meeting, page, … → project |
//! | `repo` | task, project → repo |
//! | `owner` | task, deliverable, project → the person who answers for it |
//! | `assignee` | task → a person who works on it |
//! | `requested_by` | task → the person who asked |
//! | `member` | project → person |
//! | `participant` | meeting, event → person |
//! | `depends_on` | task → the task it waits for |
//! | `related` | any → any, no order meant |
//! | `attached` | task, page, project → file or document |
//! | `from_meeting` | task → the meeting it came from |
//! | `deliverable` | task → the deliverable it is part of |
//! | `series` | event, meeting → the earlier one of its series |
//! | `skill` | task, project → a skill that applies |

pub const PROJECT: &str = "project";
pub const REPO: &str = "repo";
pub const OWNER: &str = "owner";
pub const ASSIGNEE: &str = "assignee";
pub const REQUESTED_BY: &str = "requested_by";
pub const MEMBER: &str = "member";
pub const PARTICIPANT: &str = "participant";
pub const DEPENDS_ON: &str = "depends_on";
pub const RELATED: &str = "related";
pub const ATTACHED: &str = "attached";
pub const FROM_MEETING: &str = "from_meeting";
pub const DELIVERABLE: &str = "deliverable";
pub const SERIES: &str = "series";
pub const SKILL: &str = "skill";

/// Every relation, in alphabetical order.
pub const ALL: [&str; 14] = [
    ASSIGNEE,
    ATTACHED,
    DELIVERABLE,
    DEPENDS_ON,
    FROM_MEETING,
    MEMBER,
    OWNER,
    PARTICIPANT,
    PROJECT,
    RELATED,
    REPO,
    REQUESTED_BY,
    SERIES,
    SKILL,
];
