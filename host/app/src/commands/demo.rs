//! `ensemble demo`: everything at work, with nothing left behind. A hub with the demo workspace, two keys, a git repository,
//! and this very program as `ensemble mcp`, started as an editor starts it.

mod editor;
mod report;
mod show;
pub(super) mod stage;

use std::pin::pin;

use anyhow::{Context as _, bail};
use ensemble_decision_log::newest;
use serde_json::{Value, json};

use super::{log_show, signals};
use crate::cli;
use crate::output;
use editor::Editor;
use report::{Called, Report};
use show::Show;
use stage::{KeyKind, Stage};

const INTERRUPTED: &str = "the demo was interrupted; nothing of it is left";
/// Lines of the decision log that are shown.
const DECISIONS: usize = 200;

pub(crate) async fn run(asked: cli::Demo) -> anyhow::Result<()> {
    let show = Show::new(asked.json);
    let mut interrupted = pin!(signals::end());
    show.opening();
    let stage = tokio::select! {
        stage = Stage::set() => stage?,
        () = &mut interrupted => bail!(INTERRUPTED),
    };
    // on an interrupt the acts end first, and with them the programs that they started
    let played = tokio::select! {
        played = acts(&stage, &show) => played,
        () = &mut interrupted => Err(anyhow::Error::msg(INTERRUPTED)),
    };
    let cleared = stage.clear().await;
    let report = played?;
    cleared?;
    if show.is_json() {
        return output::json(&report);
    }
    show.closing(&report);
    Ok(())
}

async fn acts(stage: &Stage, show: &Show) -> anyhow::Result<Report> {
    show.stage(stage);
    show.compiling();
    let plugins_read_only = plugins(stage, KeyKind::ReadOnly).await?;
    let plugins = plugins(stage, KeyKind::Changes).await?;
    show.plugins(&plugins, &plugins_read_only)?;

    let mut editor = Editor::start(stage, KeyKind::Changes).await?;
    let tools = editor.tools().await?;
    show.tools(&tools);
    let brief = editor.call("ensemble_brief", json!({})).await?;
    show.brief(&brief);
    let search = editor
        .call(
            "ensemble_search",
            json!({"query": "default timeout", "limit": 2}),
        )
        .await?;
    show.search(&search);
    let created = editor
        .call("ensemble_create_task", json!({"title": TITLE}))
        .await?;
    let id = created_id(&created)?;
    let read_back = editor
        .call("ensemble_read", json!({"kind": "task", "id": id}))
        .await?;
    show.task(&created, &read_back);
    editor.end().await?;

    let mut reader = Editor::start(stage, KeyKind::ReadOnly).await?;
    let tools_read_only = reader.tools().await?;
    show.fewer_tools(&tools_read_only, &tools);
    let refused = reader
        .refused("ensemble_create_task", json!({"title": TITLE}))
        .await?;
    show.refused(&refused);
    reader.end().await?;

    let decisions = newest(&stage.decisions(), DECISIONS, log_show::is_decision)
        .context("the decision log of the demo cannot be read")?
        .lines;
    show.decisions(&decisions);
    Ok(Report {
        plugins,
        plugins_read_only,
        tools,
        tools_read_only,
        brief: Called::of(brief),
        search: Called::of(search),
        created: Called::of(created),
        read_back: Called::of(read_back),
        unknown_tool: refused,
        decisions,
        connect: show::connect(),
    })
}

const TITLE: &str = "Say in the docs what the default timeout is";

/// What `ensemble plugin list --json` says for that key.
async fn plugins(stage: &Stage, key: KeyKind) -> anyhow::Result<Value> {
    let listed = stage
        .program(key)?
        .args(["plugin", "list", "--json"])
        .output()
        .await
        .context("`ensemble plugin list` cannot be started")?;
    anyhow::ensure!(
        listed.status.success(),
        "`ensemble plugin list` failed: {}",
        String::from_utf8_lossy(&listed.stderr).trim()
    );
    serde_json::from_slice(&listed.stdout).context("`ensemble plugin list` printed no JSON")
}

fn created_id(created: &Value) -> anyhow::Result<String> {
    let structured = created.get("structuredContent").unwrap_or(&Value::Null);
    structured
        .pointer("/task/id")
        .or_else(|| structured.get("id"))
        .and_then(Value::as_str)
        .map(str::to_owned)
        .context("the new task came back without an id")
}
