//! Repositories whose folder the person allowed: their outline and files, as the routes give them; and what editors and agents changed.

use ensemble_hub_api::{Kind, limits, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::context::Nothing;
use super::{Action, Reading, reads, runs};
use crate::error::RouteError;
use crate::repos::{self, FilePart};
use crate::store::ActorKind;

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_repo_overview",
        Overview,
        overview,
        "The outline of a repository's folder on the hub's computer: tree, manifests, entry points, README headings, languages."
    ),
    reads!(
        "hub_repo_read_file",
        ReadFile,
        read_file,
        "One file of a repository's folder, in parts. Keys and what .gitignore leaves out are never shown."
    ),
    reads!(
        "hub_list_code_folders",
        Nothing,
        folders,
        "The repositories of this space whose folder the person allowed to be read."
    ),
    reads!(
        "hub_list_agent_changes",
        Changes,
        agent_changes,
        "What editors and agents changed in this space, the last first. Changes to code stand in the repository's own history."
    ),
];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Overview {
    /// The repository, by id, handle, link or exact name (owner/name).
    #[schemars(length(min = 1, max = 2000))]
    repository: String,
}

async fn overview(on: &Reading, asked: Overview) -> Result<Value, RouteError> {
    let repo = on.record(Kind::Repo, &asked.repository).await?;
    Ok(repos::overview(&on.reader(), &repo.id).await?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ReadFile {
    /// The repository, by id, handle, link or exact name (owner/name).
    #[schemars(length(min = 1, max = 2000))]
    repository: String,
    /// The file's path inside the repository, such as src/lib.rs.
    #[schemars(length(min = 1, max = 1000))]
    path: String,
    /// Where the part begins, in characters.
    offset: Option<u32>,
    /// Characters of the part.
    #[schemars(range(min = 1, max = 20000))]
    limit: Option<u32>,
}

async fn read_file(on: &Reading, asked: ReadFile) -> Result<Value, RouteError> {
    let repo = on.record(Kind::Repo, &asked.repository).await?;
    let part = FilePart {
        offset: asked.offset.unwrap_or(0),
        limit: asked.limit.unwrap_or(limits::FILE_TEXT_DEFAULT),
    };
    let file = repos::file(&on.reader(), &repo.id, &asked.path, part).await?;
    Ok(file.into())
}

async fn folders(on: &Reading, _: Nothing) -> Result<Value, RouteError> {
    let account = &on.caller.space.account_id;
    let mut rows = on.store().checkouts(account).await?;
    rows.retain(|row| row.space_id == on.space());
    let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
    let repos = on.store().by_ids(on.space(), &ids).await?;
    let cards = on.reader().cards(&repos).await?;
    let mut notes = vec![sentences::REFERENCE_NOTE];
    if cards.is_empty() {
        notes.push("No folder was allowed: the person allows one with `ensemble hub repo allow PATH` on the hub's computer.");
    }
    Ok(json!({ "total": cards.len(), "repositories": cards, "notes": notes }))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Changes {
    /// Changes at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// The `nextBefore` of the answer before.
    #[schemars(range(min = 1))]
    before: Option<i64>,
}

async fn agent_changes(on: &Reading, asked: Changes) -> Result<Value, RouteError> {
    runs::changes(on, Some(ActorKind::Agent), asked.before, asked.limit).await
}
