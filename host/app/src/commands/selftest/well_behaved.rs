//! Each plugin of this program loads, lists what was approved, and answers one call, on the stage of the demo: a hub with the demo
//! workspace in a temporary folder.

use std::sync::Arc;
use std::time::Instant;

use ensemble_broker::OpenCall;
use ensemble_model::Clock as _;
use ensemble_runtime::offer::ToolStep;
use ensemble_runtime::{CallError, NoEvents, Plugin};
use ensemble_selftest::Row;

use crate::backends::clock::SystemClock;
use crate::commands::demo::stage::Stage;
use crate::compose::Composed;
use crate::env::Environment;

/// What stands for the id of the repository on the stage.
const REPO: &str = "REPO";

/// One call for each plugin.
const CALLS: [(&str, &str, &str); 10] = [
    (
        "context",
        "ensemble_brief",
        r#"{"repo":"encode/httpx","branch":"docs/default-timeout"}"#,
    ),
    ("tasks", "ensemble_tasks", "{}"),
    ("records", "ensemble_projects", "{}"),
    ("files", "ensemble_files", "{}"),
    ("code", "ensemble_repo_overview", r#"{"repo":"REPO"}"#),
    ("spaces", "ensemble_spaces", "{}"),
    ("docs", "ensemble_docs", r#"{"query":"key"}"#),
    ("actions", "ensemble_actions", "{}"),
    (
        "task-changes",
        "ensemble_create_task",
        r#"{"title":"A task of the self-test"}"#,
    ),
    (
        "file-changes",
        "ensemble_upload_file",
        r#"{"dataBase64":"YSBub3RlCg==","filename":"note.md"}"#,
    ),
];

pub(super) async fn rows(
    env: &dyn Environment,
    mut tell: impl FnMut(&Row),
) -> anyhow::Result<Vec<Row>> {
    let stage = Stage::set().await?;
    let parts = Composed::of(&stage.environment(env))?;
    let mut rows = Vec::new();
    for plugin in parts.registry.plugins() {
        let begun = SystemClock.instant();
        let row = row(&parts, &stage, plugin, begun).await;
        tell(&row);
        rows.push(row);
    }
    parts.close();
    drop(parts);
    stage.clear().await?;
    Ok(rows)
}

async fn row(parts: &Composed, stage: &Stage, plugin: &Plugin, begun: Instant) -> Row {
    let id = &plugin.manifest.id;
    let observed = match checked(parts, stage, plugin).await {
        Ok(observed) => observed,
        Err(error) => format!("refused: {error}"),
    };
    let expected = ["loads", "lists what was approved", "answered"];
    Row::of(
        &format!("the plugin {id}"),
        &expected,
        observed,
        begun.elapsed(),
    )
}

async fn checked(parts: &Composed, stage: &Stage, plugin: &Plugin) -> Result<String, CallError> {
    let id = &plugin.manifest.id;
    parts.registry.load(id).await?;
    let mut observed = vec!["loads".to_owned()];
    let listed = parts
        .registry
        .surface(id, session(parts, plugin, "list").await?)
        .await?;
    observed.push(if listed == plugin.surface {
        "lists what was approved".to_owned()
    } else {
        "lists something else than was approved".to_owned()
    });
    let Some((_, tool, arguments)) = CALLS.iter().find(|(known, ..)| *known == id.as_str()) else {
        observed.push("no call is known for it".to_owned());
        return Ok(observed.join("; "));
    };
    let session = session(parts, plugin, tool).await?;
    let events = Arc::new(NoEvents);
    let arguments = arguments.replace(REPO, stage.repo());
    let step = parts
        .registry
        .call_tool(id, session, tool, arguments, None, events)
        .await?;
    observed.push(match step {
        ToolStep::Done(output) if !output.is_error => format!("answered {tool}"),
        ToolStep::Done(_) => format!("{tool} says that it did not succeed"),
        ToolStep::Ask(_) => format!("{tool} asks instead"),
    });
    Ok(observed.join("; "))
}

async fn session(
    parts: &Composed,
    plugin: &Plugin,
    tool: &str,
) -> Result<ensemble_broker::Session, CallError> {
    let manifest = &plugin.manifest;
    let call = OpenCall {
        manifest,
        granted: &plugin.granted,
        digest: &plugin.digest,
        tool,
        space: None,
        limits: plugin.granted.limits(manifest),
    };
    Ok(parts.broker.open(call).await?)
}

#[cfg(test)]
mod tests {
    use ensemble_first_party::BUNDLED;

    use super::CALLS;

    #[test]
    fn every_plugin_has_its_call() {
        let called: Vec<&str> = CALLS.iter().map(|(id, ..)| *id).collect();
        let built: Vec<&str> = BUNDLED.iter().map(|bundled| bundled.id).collect();
        assert_eq!(called, built);
    }
}
