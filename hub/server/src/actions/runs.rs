//! What happened in the space, and the runs of this hub. The hub runs no agents: its runs are the imports that the person started.

use ensemble_hub_api::{Kind, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Action, Reading, reads};
use crate::clock::instant;
use crate::error::RouteError;
use crate::store::{ActorKind, ChangeRow, ImportRun};
use crate::text::trust::one_line;

/// Changes of one answer.
const CHANGES_DEFAULT: u32 = 20;
const RUNS: &str = "This hub runs no agents and no workflows: its runs are the imports that the person started, one for each source.";

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_activity",
        Activity,
        activity,
        "What was changed in this space, the last first: by whom, when, which record, and whether it was undone."
    ),
    reads!(
        "hub_list_runs",
        super::context::Nothing,
        runs,
        "The runs of this hub in this space: the imports, one for each source. The hub itself runs no agents."
    ),
    reads!(
        "hub_get_run",
        One,
        one,
        "One run of hub_list_runs: when, how many records of which kinds, and whether it was finished."
    ),
];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Activity {
    /// Only changes of the person, of editors and agents, or of the hub itself.
    by: Option<Who>,
    /// Changes at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// The `nextBefore` of the answer before.
    #[schemars(range(min = 1))]
    before: Option<i64>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Who {
    Person,
    Agent,
    System,
}

async fn activity(on: &Reading, asked: Activity) -> Result<Value, RouteError> {
    let by = asked.by.map(|by| match by {
        Who::Person => ActorKind::Person,
        Who::Agent => ActorKind::Agent,
        Who::System => ActorKind::System,
    });
    changes(on, by, asked.before, asked.limit).await
}

/// The changes of the space, the last first.
pub(super) async fn changes(
    on: &Reading,
    by: Option<ActorKind>,
    before: Option<i64>,
    limit: Option<u32>,
) -> Result<Value, RouteError> {
    let limit = limit.unwrap_or(CHANGES_DEFAULT);
    // One more than is shown says whether there are more.
    let found = on
        .store()
        .changes_by(on.space(), by, before, limit + 1)
        .await?;
    let more = found.items.len() > limit as usize;
    let shown: Vec<&ChangeRow> = found.items.iter().take(limit as usize).collect();
    let next = shown.last().filter(|_| more).map(|row| row.seq);
    let mut answer = json!({
        "changes": shown.iter().map(|row| change(row)).collect::<Vec<_>>(),
        "total": found.total,
        "hasMore": more,
        "notes": [sentences::REFERENCE_NOTE],
    });
    if let (Some(next), Some(answer)) = (next, answer.as_object_mut()) {
        answer.insert("nextBefore".to_owned(), next.into());
    }
    Ok(answer)
}

fn change(row: &ChangeRow) -> Value {
    let mut card = json!({
        "at": instant(row.at),
        "by": one_line(&row.actor_name),
        "actor": row.actor,
        "action": row.action,
        "records": row.records,
        "undone": row.undone,
    });
    if let Some(card) = card.as_object_mut() {
        if let Some(kind) = Kind::parse(&row.kind) {
            let handle = ensemble_hub_api::Handle::new(kind, row.record_id.as_str());
            card.insert("ref".to_owned(), handle.to_string().into());
            card.insert("title".to_owned(), one_line(&row.title).into());
        }
        for (name, id) in [("changeId", &row.id), ("undoes", &row.undoes)] {
            if let Some(id) = id {
                card.insert(name.to_owned(), id.as_str().into());
            }
        }
    }
    card
}

async fn runs(on: &Reading, _: super::context::Nothing) -> Result<Value, RouteError> {
    let mut runs = Vec::new();
    for found in on.store().import_runs(on.space()).await? {
        runs.push(shown(on, &found).await?);
    }
    Ok(json!({ "total": runs.len(), "runs": runs, "notes": [RUNS] }))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The `id` of a run, such as import.ics.
    #[schemars(length(min = 1, max = 100))]
    run: String,
}

async fn one(on: &Reading, asked: One) -> Result<Value, RouteError> {
    whole(on, &asked.run).await
}

/// One run with the kinds of its records.
pub(super) async fn whole(on: &Reading, id: &str) -> Result<Value, RouteError> {
    let runs = on.store().import_runs(on.space()).await?;
    let found = runs.into_iter().find(|run| run.action == id);
    let found = found.ok_or_else(|| {
        RouteError::NotFound(format!(
            "There is no run called {} in this space: hub_list_runs lists those that there are.",
            sentences::quoted(id)
        ))
    })?;
    let kinds = on
        .store()
        .imported_kinds(on.space(), &found.action)
        .await?
        .into_iter()
        .map(|(kind, count)| json!({ "kind": kind, "records": count }));
    let mut run = shown(on, &found).await?;
    if let Some(run) = run.as_object_mut() {
        run.insert("kinds".to_owned(), kinds.collect());
    }
    Ok(json!({ "run": run, "notes": [RUNS] }))
}

async fn shown(on: &Reading, run: &ImportRun) -> Result<Value, RouteError> {
    let setting = format!("{}.{}", run.action, on.space());
    let account = &on.caller.space.account_id;
    let state = on.store().setting(account, &setting).await?;
    Ok(json!({
        "id": run.action,
        "source": run.action.trim_start_matches("import."),
        "state": state.as_deref().unwrap_or("done"),
        "firstAt": instant(run.first_at),
        "lastAt": instant(run.last_at),
        "records": run.records,
        "changes": run.changes,
    }))
}
