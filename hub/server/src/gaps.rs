//! What the bridge does not have or will not give, so that nobody invents it. Each line is true
//! of this hub as it is built; a route that closes a gap removes its line.

use ensemble_hub_api::paths;
use serde::Serialize;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Gaps {
    /// What is missing or excluded.
    pub gaps: &'static [Gap],
    /// What can be read.
    pub reads: &'static [Read],
}

/// Something that is not given.
#[derive(Debug, Serialize)]
pub struct Gap {
    /// What somebody might ask for.
    pub requested: &'static str,
    /// `missing`: it does not exist here. `excluded`: it exists and is not given.
    pub status: &'static str,
    /// What there is instead.
    pub detail: &'static str,
}

/// Something that can be read.
#[derive(Debug, Serialize)]
pub struct Read {
    /// The route.
    pub route: &'static str,
    /// What it answers.
    pub detail: &'static str,
}

const fn missing(requested: &'static str, detail: &'static str) -> Gap {
    Gap {
        requested,
        status: "missing",
        detail,
    }
}

const fn excluded(requested: &'static str, detail: &'static str) -> Gap {
    Gap {
        requested,
        status: "excluded",
        detail,
    }
}

const GAPS: &[Gap] = &[
    missing(
        "search by meaning",
        "Search ranks words and links between records. There are no embeddings: try other words.",
    ),
    missing(
        "redaction of what is read",
        "Stored text is given as it is stored. Invisible characters are removed and forged frames made harmless; secrets in a text are not removed.",
    ),
    missing(
        "mail, chats and transcripts that nobody saved",
        "Only what the person saved or imported is here. The bridge does not ask the services where it came from.",
    ),
    missing(
        "text of pictures, sound and film",
        "ensemble_get_file gives a file's extracted text and the file itself. There is no text recognition in pictures and none for audio or video.",
    ),
    missing(
        "larger files in an answer",
        "One answer carries a file of up to 20 MB. A larger one comes through saveTo, where the bridge runs on the editor's computer.",
    ),
    missing(
        "replacing and deleting files",
        "A new file is uploaded, or saved from a web link, by a key with changes allowed, up to 25 MB. An original is never replaced or deleted from an editor.",
    ),
    missing(
        "files of repositories that nobody allowed",
        "ensemble_repo_overview and ensemble_repo_file read a checkout that the person allowed with `ensemble hub repo allow`. There is no search in source code and no history of git.",
    ),
    missing(
        "connected apps",
        "This hub has no connected apps: nothing is read from or changed in another service.",
    ),
    missing(
        "reminders, routines, desk, layouts and settings",
        "They are read only through ensemble_act, with the actions of their groups; layouts and settings are never changed.",
    ),
    excluded(
        "older skill bodies",
        "Only the current body of a skill is given. Disabled skills are left out of briefs and search.",
    ),
    excluded(
        "keys and passwords in repositories",
        "Private keys, environment files, credentials, git's own files and what .gitignore leaves out are skipped, and links are not followed.",
    ),
    excluded(
        "records in Trash",
        "They are not read, listed or found, and count as unknown; hub_manage_record takes one out by its handle.",
    ),
    excluded(
        "other spaces",
        "A call acts in one space: the key's own, or another that its account owns. Spaces that others share are refused.",
    ),
    excluded(
        "answering what needs the person",
        "Approvals and questions of editors are read only: the person answers them in Ensemble.",
    ),
    excluded(
        "changes that ensemble_actions does not list",
        "A key with changes allowed runs the actions of that list, at once, and the person can undo them. A key without them only reads.",
    ),
    excluded(
        "deleting for good",
        "What is deleted goes to Trash, where the person can take it out. Files and routines are not deleted, and the person alone undoes changes.",
    ),
];

const READS: &[Read] = &[
    Read {
        route: paths::BRIEF,
        detail: "the task at hand with everything that belongs to it",
    },
    Read {
        route: paths::SEARCH,
        detail: "ranked word search",
    },
    Read {
        route: paths::READ,
        detail: "one record in full, in parts",
    },
    Read {
        route: paths::CONTEXT,
        detail: "one record and what it links to, each relation page by page",
    },
    Read {
        route: paths::TASKS,
        detail: "tasks, newest update first",
    },
    Read {
        route: paths::PROJECTS,
        detail: "projects",
    },
    Read {
        route: paths::REPOS,
        detail: "repositories",
    },
    Read {
        route: paths::REPO_OVERVIEW,
        detail: "the outline of a checkout that the person allowed",
    },
    Read {
        route: paths::REPO_FILE,
        detail: "one file of such a checkout, in parts",
    },
    Read {
        route: paths::PEOPLE,
        detail: "people",
    },
    Read {
        route: paths::SKILLS,
        detail: "skills that are switched on, with their current bodies",
    },
    Read {
        route: paths::DELIVERABLES,
        detail: "deliverables",
    },
    Read {
        route: paths::MEETINGS,
        detail: "calendar events of the next days, each with the meeting before it in its series",
    },
    Read {
        route: paths::DIAGRAMS,
        detail: "diagrams",
    },
    Read {
        route: paths::PLOTS,
        detail: "plots",
    },
    Read {
        route: paths::FILES,
        detail: "files, with their text and the originals",
    },
    Read {
        route: paths::TODAY,
        detail: "the person's day",
    },
    Read {
        route: paths::DECISIONS,
        detail: "what waits for the person",
    },
    Read {
        route: paths::DOCS,
        detail: "the published documentation",
    },
    Read {
        route: paths::SPACES,
        detail: "the spaces that the key's account can open",
    },
    Read {
        route: paths::WHOAMI,
        detail: "the key's grants and space",
    },
];

/// The list; the same for every caller.
pub const fn gaps() -> Gaps {
    Gaps {
        gaps: GAPS,
        reads: READS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gap_says_what_there_is_instead() {
        for gap in gaps().gaps {
            assert!(
                gap.detail.ends_with('.') && !gap.requested.is_empty(),
                "{}",
                gap.requested
            );
        }
    }
}
