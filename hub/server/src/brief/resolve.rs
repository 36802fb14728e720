//! Resolution: which task is meant. A named task, else the task of a branch, else the last one
//! worked on in a repository. Nothing is guessed: several are candidates, a finished one is not
//! the current one, and a name that nearly fits is no match.
//!
//! | asked | outcome |
//! |---|---|
//! | a handle, link, id or exact title of one task | `task` |
//! | a title or branch that several open tasks have | `ambiguous`, with the candidates |
//! | a branch with one open task | `task` |
//! | a branch with none | `branch_unmatched`, closed matches named |
//! | a repository without a branch, with open tasks | `task`: the last updated one, others named |
//! | a repository without open tasks | `repo_only` |
//! | a repository that is not in this space | `untracked_repo` |
//! | nothing, or a title that no open task has | `no_anchor` |

use ensemble_hub_api::{Handle, Kind, TaskStatus, handle::is_id, relation, sentences};
use serde::Serialize;

use super::remote::full_name;
use crate::error::RouteError;
use crate::store::{Direction, LinkQuery, Record, RecordQuery};
use crate::view::{self, Reader};

/// Tasks that an answer names beside the one that was meant.
pub const NAMED_MAX: u32 = 10;

/// What the resolution came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// One task is meant.
    Task,
    /// Several could be.
    Ambiguous,
    /// The repository is known, no open task has that branch.
    BranchUnmatched,
    /// No repository of that name is tracked in this space.
    UntrackedRepo,
    /// The repository is known and has no open task.
    RepoOnly,
    /// Nothing leads to a task.
    NoAnchor,
}

/// The outcome with everything that was found on the way.
#[derive(Debug)]
pub struct Resolution {
    /// What it came to.
    pub outcome: Outcome,
    /// The same in a sentence.
    pub message: String,
    /// The task that is meant, and how it was found.
    pub task: Option<(Record, &'static str)>,
    /// The repository.
    pub repo: Option<Record>,
    /// Who could be meant.
    pub candidates: Vec<Record>,
    /// Finished tasks that fit.
    pub closed: Vec<Record>,
    /// Other open tasks of the repository, newest update first.
    pub others: Vec<Record>,
}

impl Resolution {
    fn new(outcome: Outcome, message: impl Into<String>) -> Self {
        Self {
            outcome,
            message: message.into(),
            task: None,
            repo: None,
            candidates: Vec::new(),
            closed: Vec::new(),
            others: Vec::new(),
        }
    }

    fn task(task: Record, via: &'static str, message: impl Into<String>) -> Self {
        Self {
            task: Some((task, via)),
            ..Self::new(Outcome::Task, message)
        }
    }
}

/// What the caller says about where they are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place<'a> {
    /// A handle, a link, an id or an exact title.
    pub task: Option<&'a str>,
    /// `owner/name` or the address of a remote.
    pub repo: Option<&'a str>,
    /// The branch.
    pub branch: Option<&'a str>,
}

/// The task that `place` means.
///
/// # Errors
/// [`RouteError`] if a handle, link or id names nothing in this space, or no task.
pub async fn resolve(reader: &Reader<'_>, place: Place<'_>) -> Result<Resolution, RouteError> {
    let given = |text: Option<&'_ str>| text.is_some_and(|text| !text.trim().is_empty());
    if given(place.task) {
        return named(reader, place.task.unwrap_or_default().trim()).await;
    }
    if !given(place.repo) {
        let message = if given(place.branch) {
            "A branch alone does not say which repository it is of: pass `repo` too, or `task`."
        } else {
            "Nothing says which task this is about: pass `task`, or `repo` and `branch`."
        };
        return Ok(Resolution::new(Outcome::NoAnchor, message));
    }
    let asked = place.repo.unwrap_or_default().trim();
    let repos = repositories(reader, asked).await?;
    let [repo] = repos.as_slice() else {
        return Ok(no_repository(asked, repos));
    };
    let branch = place
        .branch
        .map(branch_name)
        .filter(|branch| !branch.is_empty());
    let mut found = match branch {
        Some(branch) => on_branch(reader, repo, branch).await?,
        None => in_repository(reader, repo).await?,
    };
    found.repo = Some(repo.clone());
    Ok(found)
}

fn no_repository(asked: &str, repos: Vec<Record>) -> Resolution {
    let name = sentences::quoted(&full_name(asked).unwrap_or_else(|| shown_remote(asked)));
    if repos.is_empty() {
        let message = format!("The repository {name} is not tracked in this space.");
        return Resolution::new(Outcome::UntrackedRepo, message);
    }
    let message = format!("Several repositories in this space are called {name}: none was chosen.");
    Resolution {
        candidates: repos,
        ..Resolution::new(Outcome::Ambiguous, message)
    }
}

/// An address that names no repository may hold a password: only its end is shown.
fn shown_remote(asked: &str) -> String {
    asked
        .rsplit(['/', '\\', '@'])
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The branch without what git puts before it.
fn branch_name(branch: &str) -> &str {
    let branch = branch.trim();
    branch.strip_prefix("refs/heads/").unwrap_or(branch)
}

async fn repositories(reader: &Reader<'_>, asked: &str) -> Result<Vec<Record>, RouteError> {
    let Some(name) = full_name(asked) else {
        return Ok(Vec::new());
    };
    let mut repos = reader
        .store
        .find_by_title(reader.space, Kind::Repo, &name)
        .await?;
    repos.retain(|repo| repo.flag("tracked") != Some(false));
    Ok(repos)
}

async fn named(reader: &Reader<'_>, asked: &str) -> Result<Resolution, RouteError> {
    let unknown = || RouteError::NotFound(sentences::unknown_record(Kind::Task));
    let (id, via) = match Handle::parse(asked) {
        Some(handle) if handle.kind != Kind::Task => {
            return Err(RouteError::BadRequest(sentences::other_kind(
                Kind::Task,
                handle.kind,
            )));
        }
        Some(handle) => {
            let link = !asked.starts_with(ensemble_hub_api::handle::SCHEME);
            (handle.id, if link { "link" } else { "handle" })
        }
        None if is_id(asked) => (asked.to_owned(), "id"),
        None => return titled(reader, asked).await,
    };
    match reader.store.record(reader.space, &id).await? {
        Some(task) if task.kind == Kind::Task => {
            let message = about(&task);
            Ok(Resolution::task(task, via, message))
        }
        Some(other) => Err(RouteError::BadRequest(sentences::other_kind(
            Kind::Task,
            other.kind,
        ))),
        // One word can be a title; what has the form of an id is one.
        None if via == "id" && !is_uuid(asked) => titled(reader, asked).await,
        None => Err(unknown()),
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.matches('-').count() == 4
}

async fn titled(reader: &Reader<'_>, title: &str) -> Result<Resolution, RouteError> {
    let all = reader
        .store
        .find_by_title(reader.space, Kind::Task, title)
        .await?;
    let (mut open, closed): (Vec<Record>, Vec<Record>) = all.into_iter().partition(is_open);
    let name = sentences::quoted(title);
    if open.len() == 1 {
        let task = open.remove(0);
        let message = about(&task);
        return Ok(Resolution {
            closed,
            ..Resolution::task(task, "title", message)
        });
    }
    let (outcome, message) = if !open.is_empty() {
        let many = format!("Several open tasks are called {name}: pass the `ref` of one of them.");
        (Outcome::Ambiguous, many)
    } else if !closed.is_empty() {
        (
            Outcome::NoAnchor,
            format!("The task called {name} is closed: pass its `ref` to read about it."),
        )
    } else {
        (
            Outcome::NoAnchor,
            format!("No open task is called exactly {name}: search for it, or pass its handle."),
        )
    };
    open.truncate(NAMED_MAX as usize);
    Ok(Resolution {
        candidates: open,
        closed,
        ..Resolution::new(outcome, message)
    })
}

fn about(task: &Record) -> String {
    let title = sentences::quoted(&view::title(task));
    match task.status.as_deref().and_then(TaskStatus::parse) {
        Some(TaskStatus::Done) => format!("{title} is done."),
        Some(TaskStatus::Dropped) => format!("{title} was dropped."),
        _ => format!("This is about {title}."),
    }
}

async fn on_branch(
    reader: &Reader<'_>,
    repo: &Record,
    branch: &str,
) -> Result<Resolution, RouteError> {
    let query = RecordQuery {
        field_equals: vec![("branch".to_owned(), branch.to_owned())],
        limit: 100,
        ..tasks_of(repo)
    };
    let all = reader.store.records(reader.space, &query).await?.items;
    let (mut open, mut closed): (Vec<Record>, Vec<Record>) = all.into_iter().partition(is_open);
    closed.truncate(NAMED_MAX as usize);
    let name = sentences::quoted(branch);
    let mut found = match open.len() {
        1 => {
            let task = open.remove(0);
            let title = sentences::quoted(&view::title(&task));
            Resolution::task(
                task,
                "branch",
                format!("The branch {name} is where {title} is worked on."),
            )
        }
        0 => {
            let end = if closed.is_empty() {
                "none was chosen"
            } else {
                "a closed one does, and is not the current task"
            };
            let message = format!("No open task has the branch {name}: {end}.");
            Resolution::new(Outcome::BranchUnmatched, message)
        }
        count => {
            open.truncate(NAMED_MAX as usize);
            let message = format!(
                "{count} open tasks have the branch {name}: none was chosen, pass the `ref` of one as `task`."
            );
            Resolution {
                candidates: open,
                ..Resolution::new(Outcome::Ambiguous, message)
            }
        }
    };
    found.closed = closed;
    let shown: Vec<&str> = found
        .candidates
        .iter()
        .chain(found.task.iter().map(|(task, _)| task))
        .map(|task| task.id.as_str())
        .collect();
    let mut others = open_tasks(reader, repo).await?;
    others.retain(|task| !shown.contains(&task.id.as_str()));
    others.truncate(NAMED_MAX as usize);
    found.others = others;
    Ok(found)
}

async fn in_repository(reader: &Reader<'_>, repo: &Record) -> Result<Resolution, RouteError> {
    let mut open = open_tasks(reader, repo).await?.into_iter();
    let name = sentences::quoted(&view::title(repo));
    let Some(task) = open.next() else {
        let message = format!("{name} has no open task in this space.");
        return Ok(Resolution::new(Outcome::RepoOnly, message));
    };
    let title = sentences::quoted(&view::title(&task));
    let message = format!(
        "No branch was given: {title} is the most recently updated open task of {name}, and the others are named."
    );
    let others = open.take(NAMED_MAX as usize).collect();
    Ok(Resolution {
        others,
        ..Resolution::task(task, "repo", message)
    })
}

/// The open tasks of a repository, newest update first; more than can be named are not read.
async fn open_tasks(reader: &Reader<'_>, repo: &Record) -> Result<Vec<Record>, RouteError> {
    let open = TaskStatus::OPEN.iter().map(|status| status.as_str());
    let query = LinkQuery {
        relations: vec![relation::REPO.to_owned()],
        kinds: vec![Kind::Task],
        statuses: open.map(str::to_owned).collect(),
        limit: NAMED_MAX * 2 + 1,
        ..LinkQuery::new(repo.id.as_str(), Direction::To)
    };
    let links = reader.store.first_links(reader.space, &query).await?;
    Ok(links.into_iter().map(|link| link.record).collect())
}

fn tasks_of(repo: &Record) -> RecordQuery {
    RecordQuery {
        kinds: vec![Kind::Task],
        linked_to: Some((relation::REPO.to_owned(), repo.id.clone())),
        ..RecordQuery::default()
    }
}

/// Whether a task still waits to be finished.
pub fn is_open(task: &Record) -> bool {
    task.status
        .as_deref()
        .and_then(TaskStatus::parse)
        .is_some_and(TaskStatus::is_open)
}
