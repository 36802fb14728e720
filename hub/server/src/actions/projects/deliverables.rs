//! Adding and changing deliverables.

use ensemble_hub_api::{Kind, date, relation, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Standing;
use crate::actions::input::Patch;
use crate::actions::shared::lines;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// What has to be ready, in one line.
    #[schemars(length(min = 1, max = 500))]
    title: String,
    /// The project, by id, handle or exact name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
    /// The day it is due, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    due: Option<String>,
    /// The person who answers for it, by id, handle or name.
    #[schemars(length(max = 2000))]
    owner: Option<String>,
    /// Notes in Markdown.
    #[schemars(length(max = 100_000))]
    notes: Option<String>,
    /// Where it stands; planned when it is left out.
    status: Option<Standing>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    check(asked.due.as_deref())?;
    let status = asked.status.unwrap_or(Standing::Planned);
    let new = NewRecord {
        status: Some(status.as_str().to_owned()),
        fields: lines([("due", asked.due)]),
        body: asked.notes.unwrap_or_default(),
        ..NewRecord::new(on.space(), Kind::Deliverable, asked.title)
    };
    let (owner, project) = (asked.owner.as_deref(), asked.project.as_deref());
    let to = [
        ("owner", relation::OWNER, Kind::Person, owner),
        ("projectId", relation::PROJECT, Kind::Project, project),
    ];
    let deliverable = on.create_referring(new, &to).await?;
    answer(on, &deliverable, "The deliverable was added.".to_owned()).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The deliverable, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    deliverable: String,
    /// The version you read, needed with `notes`; if the deliverable has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The new title.
    #[schemars(length(min = 1, max = 500))]
    title: Option<String>,
    /// The project, by id, handle or exact name; null for none.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    project: Patch<String>,
    /// The day it is due, as YYYY-MM-DD; null for none.
    #[serde(default)]
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    due: Patch<String>,
    /// The person who answers for it, by id, handle or name; null for nobody.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    owner: Patch<String>,
    /// Its notes in Markdown, in place of those it has; null for none.
    #[serde(default)]
    #[schemars(length(max = 100_000))]
    notes: Patch<String>,
    /// Where it stands.
    status: Option<Standing>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Deliverable, &asked.deliverable).await?;
    Changing::fresh(&before, asked.version)?;
    let mut deliverable = before.clone();
    if let Some(title) = asked.title {
        deliverable.title = title;
    }
    if let Some(status) = asked.status {
        deliverable.status = Some(status.as_str().to_owned());
    }
    deliverable.patch_notes(&asked.notes);
    Changing::replaces(&before, &deliverable, asked.version)?;
    check(asked.due.set().map(String::as_str))?;
    deliverable.patch("due", &asked.due);
    let (owner, project) = (relation::OWNER, relation::PROJECT);
    on.refer(&mut deliverable, "owner", owner, Kind::Person, &asked.owner)
        .await?;
    on.refer(
        &mut deliverable,
        "projectId",
        project,
        Kind::Project,
        &asked.project,
    )
    .await?;
    let deliverable = on.update(&before, deliverable).await?;
    let message = on.says_changed("deliverable");
    answer(on, &deliverable, message).await
}

fn check(due: Option<&str>) -> Result<(), RouteError> {
    if due.is_none_or(date::is_date) {
        Ok(())
    } else {
        Err(RouteError::BadRequest(sentences::DUE_BAD.to_owned()))
    }
}

async fn answer(on: &Changing, deliverable: &Record, message: String) -> Result<Done, RouteError> {
    let card = on.card(deliverable).await?;
    Ok(Done::new(
        json!({ "deliverable": card, "version": deliverable.version }),
        message,
    ))
}
