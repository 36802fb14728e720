//! Repository and branch around the editor's folder, read from the files of git; no git program is run.
//!
//! | the folder | repo | branch |
//! |---|---|---|
//! | in no repository | none | none |
//! | in a repository, a subfolder, a worktree, a bare one | by the remote below | the one checked out, also when it has no commit yet |
//! | with a detached head | by the remote below | none |
//! | below a `.git` file that points to no repository | an error: the repository around it is not taken instead | |
//! | in one whose files are no plain files, or too large ([`bounded`]) | an error, at once | |
//!
//! The remote is the one the branch follows, else `origin`, else the only one there is. No other is guessed. Variables
//! such as `GIT_DIR` redirect nothing: an editor's own environment may hold some of another repository.

mod bounded;

use std::path::{Path, PathBuf};
use std::time::Duration;

use ensemble_broker::{Fault, Location, Permit, PortFault, PortFuture, RepositoryPort};
use gix::remote::Direction;

use super::remote;

/// Files on a dead network drive hang; an answer that late is of no use.
const AT_MOST: Duration = Duration::from_secs(5);
const TOO_SLOW: &str =
    "The working folder does not answer: pass `task`, or `repo` and `branch`, to go on without it.";
const NOT_READABLE: &str =
    "The repository around the working folder cannot be read: pass `task`, or `repo` and `branch`.";

/// Looks from one folder, the process's own.
#[derive(Debug, Clone)]
pub(crate) struct WorkingFolder {
    from: PathBuf,
}

impl WorkingFolder {
    /// Looks from this folder upward.
    pub(crate) fn new(from: PathBuf) -> Self {
        Self { from }
    }

    /// What the port answers, for the commands that show it.
    pub(crate) async fn look(&self) -> Result<Location, Fault> {
        let from = self.from.clone();
        let found = tokio::task::spawn_blocking(move || locate(&from));
        match tokio::time::timeout(AT_MOST, found).await {
            Ok(Ok(found)) => found,
            Ok(Err(_)) => Err(Fault::Failed(NOT_READABLE.to_owned())),
            Err(_) => Err(Fault::Unavailable(TOO_SLOW.to_owned())),
        }
    }
}

impl RepositoryPort for WorkingFolder {
    fn locate<'a>(&'a self, _permit: &'a Permit) -> PortFuture<'a, Location> {
        Box::pin(async move { self.look().await.map_err(PortFault::from) })
    }

    fn directory(&self) -> PathBuf {
        self.from.clone()
    }
}

/// Which settings of git are followed: the person's own, for addresses that they abbreviate, and the repository's. None
/// from the environment.
fn options() -> gix::open::Options {
    let mut permissions = gix::open::Permissions::default();
    permissions.config.env = false;
    permissions.env.git_prefix = gix::sec::Permission::Deny;
    gix::open::Options::default().permissions(permissions)
}

fn locate(from: &Path) -> Result<Location, Fault> {
    bounded::check(from)?;
    let found = gix::discover_opts(from, gix::discover::upwards::Options::default(), options());
    let repository = match found {
        Ok(repository) => repository,
        Err(error) if error.is_not_found() && pointer(from).is_none() => {
            return Ok(Location::default());
        }
        Err(error) => {
            tracing::warn!(folder = %from.display(), %error, "the repository cannot be read");
            return Err(Fault::Failed(NOT_READABLE.to_owned()));
        }
    };
    if let Some(pointer) = pointer(from)
        && passed_over(&pointer, &repository)
    {
        tracing::warn!(file = %pointer.display(), "the file points to no repository");
        return Err(Fault::Failed(NOT_READABLE.to_owned()));
    }
    let branch = branch(&repository)?;
    let repo = followed(&repository, branch.as_deref())
        .or_else(|| named(&repository, "origin"))
        .or_else(|| only(&repository));
    Ok(Location { repo, branch })
}

/// The nearest `.git` that is a file, from the folder upward.
fn pointer(from: &Path) -> Option<PathBuf> {
    let mut files = from.ancestors().map(|folder| folder.join(".git"));
    files.find(|file| file.is_file())
}

/// Whether the repository that was found lies around the folder of this `.git` file, which then led nowhere.
fn passed_over(pointer: &Path, repository: &gix::Repository) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let inside = pointer.parent().and_then(real);
    let found = repository.workdir().and_then(real);
    match (inside, found) {
        (Some(inside), Some(found)) => inside != found && inside.starts_with(&found),
        _ => false,
    }
}

fn branch(repository: &gix::Repository) -> Result<Option<String>, Fault> {
    match repository.head_name() {
        // a head at a tag or elsewhere is on no branch
        Ok(name) => Ok(name
            .filter(|name| name.as_bstr().starts_with(b"refs/heads/"))
            .map(|name| name.shorten().to_string())),
        Err(error) => {
            tracing::warn!(%error, "the head of the repository cannot be read");
            Err(Fault::Failed(NOT_READABLE.to_owned()))
        }
    }
}

/// The remote that the branch follows; `.` is the repository itself and names none.
fn followed(repository: &gix::Repository, branch: Option<&str>) -> Option<String> {
    let name = repository.branch_remote_name(branch?, Direction::Fetch)?;
    match name {
        gix::remote::Name::Url(url) => remote::repository(&url.to_string()),
        gix::remote::Name::Symbol(name) => named(repository, &name),
    }
}

fn only(repository: &gix::Repository) -> Option<String> {
    let names = repository.remote_names();
    let mut names = names.iter();
    match (names.next(), names.next()) {
        (Some(name), None) => named(repository, &name.to_string()),
        _ => None,
    }
}

fn named(repository: &gix::Repository, name: &str) -> Option<String> {
    let remote = repository.try_find_remote(name)?.ok()?;
    remote::of(remote.url(Direction::Fetch)?)
}

#[cfg(test)]
mod tests;
