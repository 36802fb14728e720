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
//!
//! Three more are shown by actions only:
//!
//! | relation | from → to |
//! |---|---|
//! | `parent` | page → the page that it is below |
//! | `card` | board → a task or page that has a place on it |
//! | `comment` | comment → what it is about |

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
pub const PARENT: &str = "parent";
pub const CARD: &str = "card";
pub const COMMENT: &str = "comment";

/// The relations that only actions show.
pub const OF_ACTIONS: [&str; 3] = [CARD, COMMENT, PARENT];

/// Every relation that a context shows, in alphabetical order.
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

/// The end of a relation at which a record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The record's own links.
    From,
    /// Links of others to the record.
    To,
    /// Both: the relation has no order.
    Both,
}

/// A relation as a record at one end of it says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The name that a caller pages it by.
    pub rel: &'static str,
    /// The same in words, between the record and the other one: “waits for”.
    pub says: &'static str,
    /// The relation of the links.
    pub relation: &'static str,
    pub end: End,
}

impl Side {
    /// The side that a caller names.
    pub fn named(rel: &str) -> Option<&'static Self> {
        SIDES.iter().find(|side| side.rel == rel)
    }
}

const fn from(rel: &'static str, says: &'static str, relation: &'static str) -> Side {
    Side {
        rel,
        says,
        relation,
        end: End::From,
    }
}

const fn to(rel: &'static str, says: &'static str, relation: &'static str) -> Side {
    Side {
        rel,
        says,
        relation,
        end: End::To,
    }
}

/// Every relation from each of its ends, in the order in which a context shows them: where it came from, who, what it waits for, what
/// belongs to it, what is beside it.
pub const SIDES: [Side; 27] = [
    from("from_meeting", "came from the meeting", FROM_MEETING),
    from("requested_by", "was asked for by", REQUESTED_BY),
    from("project", "is part of the project", PROJECT),
    from("repo", "is in the repository", REPO),
    from("deliverable", "is part of the deliverable", DELIVERABLE),
    from("owner", "is owned by", OWNER),
    from("assignee", "is worked on by", ASSIGNEE),
    from("member", "has the member", MEMBER),
    from("participant", "has the participant", PARTICIPANT),
    from("depends_on", "waits for", DEPENDS_ON),
    to("needed_by", "is waited for by", DEPENDS_ON),
    from("series", "follows in its series", SERIES),
    to("continued_by", "is followed in its series by", SERIES),
    to("led_to", "led to", FROM_MEETING),
    to("asked_for", "asked for", REQUESTED_BY),
    to("owns", "owns", OWNER),
    to("works_on", "works on", ASSIGNEE),
    to("member_of", "is a member of", MEMBER),
    to("takes_part_in", "takes part in", PARTICIPANT),
    to("contains", "has as a part", PROJECT),
    to("repo_of", "is the repository of", REPO),
    to("delivered_by", "is made of", DELIVERABLE),
    from("attached", "has the file", ATTACHED),
    to("attached_to", "is attached to", ATTACHED),
    from("skill", "uses the skill", SKILL),
    to("skill_of", "applies to", SKILL),
    Side {
        rel: "related",
        says: "is related to",
        relation: RELATED,
        end: End::Both,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_relation_is_named_once_from_each_end() {
        for relation in ALL {
            let ends: Vec<End> = SIDES
                .iter()
                .filter(|side| side.relation == relation)
                .map(|side| side.end)
                .collect();
            let both = ends == [End::Both];
            let each = ends.len() == 2 && ends.contains(&End::From) && ends.contains(&End::To);
            assert!(both || each, "{relation}: {ends:?}");
        }
        for side in &SIDES {
            assert_eq!(Side::named(side.rel), Some(side), "{} twice", side.rel);
        }
    }
}
