//! Projects, repositories and skills to Trash and back. A file is not deleted from here, whatever it is called.

use ensemble_hub_api::{Handle, Kind, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::actions::{Changing, Done};
use crate::error::RouteError;

pub(super) const LIMIT: &str =
    "Files cannot be deleted from editors and agents; delete it in Ensemble.";
const OTHER_KIND: &str = "This takes projects, repositories and skills out of Trash: for any other record, run hub_manage_record with the operation restore.";
const NOT_IN_TRASH: &str = "That record is not in Trash: there is nothing to restore.";

/// What can be deleted; `document` is there so that it is refused with its reason.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Entity {
    Project,
    Repository,
    Skill,
    Document,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Delete {
    /// What it is; `document` is always refused.
    kind: Entity,
    /// The record, by id, handle, link or exact name.
    #[schemars(length(min = 1, max = 2000))]
    entity: String,
    /// The version you read; if the record has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn delete(on: &mut Changing, asked: Delete) -> Result<Done, RouteError> {
    let named = Handle::parse(&asked.entity).map(|handle| handle.kind);
    let kind = match asked.kind {
        _ if matches!(named, Some(Kind::File | Kind::Document)) => None,
        Entity::Document => None,
        Entity::Project => Some(Kind::Project),
        Entity::Repository => Some(Kind::Repo),
        Entity::Skill => Some(Kind::Skill),
    };
    let kind = kind.ok_or_else(|| RouteError::Forbidden(LIMIT.to_owned()))?;
    let record = on.record(kind, &asked.entity).await?;
    Changing::fresh(&record, asked.version)?;
    on.trash(&record).await?;
    Ok(Done::new(
        json!({ "deleted": [record.handle()] }),
        "The record is in Trash.",
    ))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Restore {
    /// The record in Trash, by handle, link or id, as the deletion answered it.
    #[schemars(length(min = 1, max = 2000))]
    entity: String,
}

pub(super) async fn restore(on: &mut Changing, asked: Restore) -> Result<Done, RouteError> {
    let handle = Handle::parse(&asked.entity);
    let id = handle.map_or_else(|| asked.entity.trim().to_owned(), |handle| handle.id);
    let space = on.space().to_owned();
    let found = on.change().by_ids_in_trash_too(&space, &[id]).await?.pop();
    let gone = found.ok_or_else(|| {
        RouteError::NotFound(sentences::no_such(&["project", "repository", "skill"]))
    })?;
    if !matches!(gone.kind, Kind::Project | Kind::Repo | Kind::Skill) {
        return Err(RouteError::BadRequest(OTHER_KIND.to_owned()));
    }
    if gone.deleted_at.is_none() {
        return Err(RouteError::Conflict(NOT_IN_TRASH.to_owned()));
    }
    let action = on.action.clone();
    let back = on.change().restore(&action, &gone).await?;
    let card = on.card(&back).await?;
    Ok(Done::new(
        json!({ "restored": card, "version": back.version }),
        "The record is out of Trash.",
    ))
}
