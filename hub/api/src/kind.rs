//! The kinds of record a hub keeps. A kind has one name on the wire; two have an older second name that is still read.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Task,
    Project,
    Person,
    Repo,
    Deliverable,
    /// Meeting notes with their transcript.
    Meeting,
    /// A calendar event.
    Event,
    /// An uploaded file: its details, not its bytes.
    File,
    Document,
    Page,
    Skill,
    /// An item saved from a connected app.
    Artifact,
    /// Something that waits for the person's yes or no.
    Approval,
    /// A question an editor or agent asked the person.
    Decision,
    Diagram,
    Plot,
    /// Columns of cards.
    Board,
    /// What somebody said about a record.
    Comment,
    /// A table of values that plots are drawn from.
    Dataset,
    /// Work that the hub begins by itself at set times.
    Routine,
    /// Something to be told at a time.
    Reminder,
    /// An entry of the person's desk.
    DeskItem,
}

impl Kind {
    /// The kinds that search, `read` and handles of relations know, in the order in which lists show them.
    pub const ALL: [Self; 16] = [
        Self::Task,
        Self::Project,
        Self::Person,
        Self::Repo,
        Self::Deliverable,
        Self::Meeting,
        Self::Event,
        Self::File,
        Self::Document,
        Self::Page,
        Self::Skill,
        Self::Artifact,
        Self::Approval,
        Self::Decision,
        Self::Diagram,
        Self::Plot,
    ];

    /// The kinds that only actions show.
    pub const OF_ACTIONS: [Self; 6] = [
        Self::Board,
        Self::Comment,
        Self::Dataset,
        Self::Routine,
        Self::Reminder,
        Self::DeskItem,
    ];

    /// The name on the wire, in handles and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Project => "project",
            Self::Person => "person",
            Self::Repo => "repo",
            Self::Deliverable => "deliverable",
            Self::Meeting => "meeting",
            Self::Event => "event",
            Self::File => "file",
            Self::Document => "document",
            Self::Page => "page",
            Self::Skill => "skill",
            Self::Artifact => "artifact",
            Self::Approval => "approval",
            Self::Decision => "decision",
            Self::Diagram => "diagram",
            Self::Plot => "plot",
            Self::Board => "board",
            Self::Comment => "comment",
            Self::Dataset => "dataset",
            Self::Routine => "routine",
            Self::Reminder => "reminder",
            Self::DeskItem => "desk_item",
        }
    }

    /// The kind of this name; `meeting_note` and `repository` are read as `meeting` and `repo`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "meeting_note" => Some(Self::Meeting),
            "repository" => Some(Self::Repo),
            _ => Self::ALL
                .into_iter()
                .chain(Self::OF_ACTIONS)
                .find(|kind| kind.as_str() == name),
        }
    }

    /// The name with its article, for sentences: “a task”, “an approval”.
    pub const fn with_article(self) -> &'static str {
        match self {
            Self::Task => "a task",
            Self::Project => "a project",
            Self::Person => "a person",
            Self::Repo => "a repository",
            Self::Deliverable => "a deliverable",
            Self::Meeting => "a meeting",
            Self::Event => "an event",
            Self::File => "a file",
            Self::Document => "a document",
            Self::Page => "a page",
            Self::Skill => "a skill",
            Self::Artifact => "a saved app item",
            Self::Approval => "an approval",
            Self::Decision => "a decision",
            Self::Diagram => "a diagram",
            Self::Plot => "a plot",
            Self::Board => "a board",
            Self::Comment => "a comment",
            Self::Dataset => "a dataset",
            Self::Routine => "a routine",
            Self::Reminder => "a reminder",
            Self::DeskItem => "a desk item",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_parses_from_its_own_name_and_serializes_to_it() {
        for kind in Kind::ALL.into_iter().chain(Kind::OF_ACTIONS) {
            assert_eq!(Kind::parse(kind.as_str()), Some(kind));
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
        }
        assert_eq!(Kind::parse("meeting_note"), Some(Kind::Meeting));
        assert_eq!(Kind::parse("Task"), None);
        assert_eq!(Kind::parse(""), None);
    }
}
