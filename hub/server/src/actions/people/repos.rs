//! Repositories: what Ensemble keeps of them, and the projects and tasks that they belong to.

use ensemble_hub_api::{Kind, relation, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::input::Patch;
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::Record;
use crate::view;

/// Neither or both were given.
const ONE_END: &str = "Give `project` or `task`, exactly one of the two.";
/// The field of a task that names its repository.
const REPO_ID: &str = "repoId";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Link {
    /// The repository, by id, handle or name.
    #[schemars(length(min = 1, max = 2000))]
    repository: String,
    /// The project, by id, handle or name; this or `task`.
    #[schemars(length(min = 1, max = 2000))]
    project: Option<String>,
    /// The task, by id, handle or exact title; this or `project`.
    #[schemars(length(min = 1, max = 2000))]
    task: Option<String>,
}

impl Link {
    /// The repository, and the record that it is linked to.
    async fn ends(&self, on: &mut Changing) -> Result<(Record, Record), RouteError> {
        let (kind, given) = match (&self.project, &self.task) {
            (Some(project), None) => (Kind::Project, project),
            (None, Some(task)) => (Kind::Task, task),
            _ => return Err(limited(ONE_END)),
        };
        let repo = on.record(Kind::Repo, &self.repository).await?;
        Ok((repo, on.record(kind, given).await?))
    }
}

pub(super) async fn link(on: &mut Changing, asked: Link) -> Result<Done, RouteError> {
    let (repo, to) = asked.ends(on).await?;
    if to.kind == Kind::Task {
        if let Some(has) = repo_of(on, &to).await?.filter(|id| *id != repo.id) {
            let space = on.space().to_owned();
            let other = on.change().record(&space, &has).await?;
            let name = other.as_ref().map_or_else(String::new, view::title);
            return Err(RouteError::Conflict(format!(
                "This task belongs to the repository {}: take that one off with hub_unlink_repo first.",
                sentences::quoted(&name)
            )));
        }
        let mut task = to.clone();
        task.fields
            .insert(REPO_ID.to_owned(), Value::from(repo.id.clone()));
        on.update(&to, task).await?;
    }
    on.link(&to.id, relation::REPO, &repo.id).await?;
    Ok(answer(on, &repo, &to, true))
}

/// The repository that a task has now, in its field or by a link; one in Trash is none.
async fn repo_of(on: &mut Changing, task: &Record) -> Result<Option<String>, RouteError> {
    let space = on.space().to_owned();
    let links = on.change().links_of(&task.id).await?;
    let linked = links
        .into_iter()
        .filter(|(relation, _)| relation == relation::REPO)
        .map(|(_, id)| id);
    let ids: Vec<String> = task
        .text(REPO_ID)
        .map(str::to_owned)
        .into_iter()
        .chain(linked)
        .collect();
    let found = on.change().by_ids(&space, &ids).await?;
    Ok(found.into_iter().next().map(|repo| repo.id))
}

pub(super) async fn unlink(on: &mut Changing, asked: Link) -> Result<Done, RouteError> {
    let (repo, from) = asked.ends(on).await?;
    if from.kind == Kind::Task && from.text(REPO_ID) == Some(&repo.id) {
        let mut task = from.clone();
        task.fields.remove(REPO_ID);
        on.update(&from, task).await?;
    }
    on.unlink(&from.id, relation::REPO, &repo.id).await?;
    Ok(answer(on, &repo, &from, false))
}

fn answer(on: &Changing, repo: &Record, with: &Record, linked: bool) -> Done {
    let message = match (linked, on.write.change.wrote()) {
        (true, true) => "The repository was linked.",
        (true, false) => "The repository already was linked.",
        (false, true) => "The repository was taken off.",
        (false, false) => "The repository was not linked.",
    };
    let result = json!({ "repository": on.label(repo), with.kind.as_str(): on.label(with), "linked": linked });
    Done::new(result, message)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The repository, by id, handle or name.
    #[schemars(length(min = 1, max = 2000))]
    repository: String,
    /// The version you read; if the repository has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// What it is; null for unsaid.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    description: Patch<String>,
    /// The branch that work starts from; null for unknown.
    #[serde(default)]
    #[schemars(length(max = 200))]
    default_branch: Patch<String>,
    /// What the person is in it: “maintainer”; null for unsaid.
    #[serde(default)]
    #[schemars(length(max = 200))]
    my_role: Patch<String>,
    /// Whether the person follows it.
    tracked: Option<bool>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Repo, &asked.repository).await?;
    Changing::fresh(&before, asked.version)?;
    let mut repo = before.clone();
    repo.patch_line("description", &asked.description);
    repo.patch_line("defaultBranch", &asked.default_branch);
    repo.patch_line("myRole", &asked.my_role);
    if let Some(tracked) = asked.tracked {
        repo.fields.insert("tracked".to_owned(), tracked.into());
    }
    let repo = on.update(&before, repo).await?;
    let card = on.card(&repo).await?;
    Ok(Done::new(
        json!({ "repository": card, "version": repo.version }),
        on.says_changed("repository"),
    ))
}
