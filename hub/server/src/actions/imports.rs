//! What was imported. The person imports with `ensemble hub import`; boards of connected apps are not imported here, because none is connected.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Action, Changing, Done, Reading, apps, changes, reads, runs};
use crate::error::RouteError;

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_read_import",
        Read,
        read,
        "What was imported into this space from one source, or from which sources there were imports: when, how many records, of which kinds, and whether it was finished."
    ),
    reads!(
        "hub_preview_board_import",
        Board,
        preview,
        "Shows what importing a board of a connected app would add. Needs that app to be connected."
    )
    .with_apps(),
    changes!(
        "hub_start_board_import",
        Board,
        start,
        "Imports a board of a connected app. Needs that app to be connected."
    )
    .with_apps(),
    changes!(
        "hub_manage_import",
        Manage,
        manage,
        "Cancels or undoes the import of a board of a connected app. Needs that app to be connected."
    )
    .with_apps(),
];

/// What `ensemble hub import` reads.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Source {
    Markdown,
    Ics,
    Vcard,
    Csv,
    Github,
}

impl Source {
    const fn action(self) -> &'static str {
        match self {
            Self::Markdown => "import.markdown",
            Self::Ics => "import.ics",
            Self::Vcard => "import.vcard",
            Self::Csv => "import.csv",
            Self::Github => "import.github",
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Read {
    /// Only the imports of this source.
    source: Option<Source>,
}

const NOTE: &str = "The person imports with `ensemble hub import` and can undo each change with `ensemble hub undo`.";

async fn read(on: &Reading, asked: Read) -> Result<Value, RouteError> {
    let found = on.store().import_runs(on.space()).await?;
    let wanted = found.iter().filter(|run| {
        asked
            .source
            .is_none_or(|source| source.action() == run.action)
    });
    let mut imports = Vec::new();
    for run in wanted {
        let mut whole = runs::whole(on, &run.action).await?;
        imports.push(whole.get_mut("run").map(Value::take));
    }
    let none = imports.is_empty().then_some("Nothing was imported.");
    let notes: Vec<&str> = none.into_iter().chain([NOTE]).collect();
    Ok(json!({ "total": imports.len(), "imports": imports, "notes": notes }))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Board {
    /// The app that has the board, such as Jira or Linear.
    #[schemars(length(min = 1, max = 100))]
    app: String,
    /// The board's address or id in the app.
    #[schemars(length(min = 1, max = 2000))]
    #[expect(dead_code, reason = "only a connected app could look it up")]
    board: String,
}

async fn preview(_: &Reading, asked: Board) -> Result<Value, RouteError> {
    Err(apps::named(&asked.app))
}

async fn start(_: &mut Changing, asked: Board) -> Result<Done, RouteError> {
    Err(apps::named(&asked.app))
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    Cancel,
    Undo,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only a connected app could look it up")]
pub(super) struct Manage {
    /// What to do with the import.
    operation: Operation,
    /// The import's id, as `hub_start_board_import` answered it.
    #[schemars(length(min = 1, max = 200))]
    import: String,
}

async fn manage(_: &mut Changing, _: Manage) -> Result<Done, RouteError> {
    Err(apps::not_connected("the app of the board"))
}
