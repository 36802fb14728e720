//! The brief: a named task, else repository and branch; what is not named is found in the working folder, never guessed.
//!
//! | given | asked of the hub |
//! |---|---|
//! | task | that task |
//! | repo, with or without branch | that repository, that branch |
//! | branch alone | the working folder's repository, that branch |
//! | neither | the working folder's repository and branch |

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::workspace::{self, Location};
use ensemble_sdk::{Error, Output, Value, args, given, serde_json};
use serde::Deserialize;

use crate::brief_text;

/// Said first when the working folder says nothing: a person may have started the editor in another one.
const NOWHERE: &str = "The working folder is in no git repository with a remote and a branch.\n\n";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    task: Option<String>,
    repo: Option<String>,
    branch: Option<String>,
    query: Option<String>,
    limit: Option<u32>,
}

/// What the brief starts from.
#[derive(Debug, Default, PartialEq)]
struct Anchor {
    task: Option<String>,
    repo: Option<String>,
    branch: Option<String>,
}

pub(crate) fn answer(arguments: Value) -> Result<Output, Error> {
    let ask: Ask = args(arguments)?;
    let anchor = anchor(ask.task, ask.repo, ask.branch, workspace::locate)?;
    let nowhere = anchor == Anchor::default();
    let query = Query::none()
        .maybe("task", anchor.task)
        .maybe("repo", anchor.repo)
        .maybe("branch", anchor.branch)
        .maybe("query", given(ask.query))
        .maybe("limit", ask.limit);
    let json = hub::get_text("/api/bridge/brief", query)?;
    let brief: Value = serde_json::from_str(&json).map_err(|_| {
        Error::Failed("Ensemble answered with something that cannot be read.".to_owned())
    })?;
    let mut text = brief_text::render(&brief);
    if nowhere {
        text.insert_str(0, NOWHERE);
    }
    Ok(Output::text(text).with_structured(json))
}

fn anchor(
    task: Option<String>,
    repo: Option<String>,
    branch: Option<String>,
    locate: impl Fn() -> Result<Location, Error>,
) -> Result<Anchor, Error> {
    let (task, repo, branch) = (given(task), given(repo), given(branch));
    if task.is_some() {
        return Ok(Anchor {
            task,
            ..Anchor::default()
        });
    }
    if repo.is_some() {
        return Ok(Anchor {
            task: None,
            repo,
            branch,
        });
    }
    let here = locate().map_err(|error| match error {
        Error::Denied(_) | Error::Unavailable(_) => Error::Invalid(
            "This connection cannot see the folder you work in: give task, or repo and branch."
                .to_owned(),
        ),
        other => other,
    })?;
    Ok(Anchor {
        task: None,
        repo: here.repo,
        branch: branch.or(here.branch),
    })
}

#[cfg(test)]
mod tests {
    use ensemble_sdk::Denial;

    use super::*;

    fn here() -> Location {
        Location {
            repo: Some("encode/httpx".to_owned()),
            branch: Some("docs/default-timeout".to_owned()),
        }
    }

    #[track_caller]
    fn check(given: [&str; 3], expected: [&str; 3]) {
        let owned = |text: &str| Some(text.to_owned());
        let found = anchor(owned(given[0]), owned(given[1]), owned(given[2]), || {
            Ok(here())
        })
        .unwrap();
        let found = [found.task, found.repo, found.branch].map(Option::unwrap_or_default);
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_named_wins_over_the_folder() {
        check(["a", "b/c", "d"], ["a", "", ""]);
        check(["", "b/c", "d"], ["", "b/c", "d"]);
        check(["", "b/c", ""], ["", "b/c", ""]);
        check([" ", "", "d"], ["", "encode/httpx", "d"]);
        check(["", "", ""], ["", "encode/httpx", "docs/default-timeout"]);
    }

    #[test]
    fn a_folder_without_a_repository_is_no_error() {
        let nowhere = || {
            Ok(Location {
                repo: None,
                branch: None,
            })
        };
        assert_eq!(anchor(None, None, None, nowhere), Ok(Anchor::default()));
    }

    #[test]
    fn where_the_folder_cannot_be_seen_an_anchor_is_asked_for() {
        let denied = || {
            Err(Error::Denied(Denial {
                wanted: "the folder".to_owned(),
                missing: "a local host".to_owned(),
            }))
        };
        let Err(Error::Invalid(text)) = anchor(None, None, Some("main".to_owned()), denied) else {
            panic!("an anchor was found");
        };
        assert!(text.contains("task, or repo and branch"), "{text}");
        let cancelled = || Err(Error::Cancelled);
        assert_eq!(anchor(None, None, None, cancelled), Err(Error::Cancelled));
    }
}
