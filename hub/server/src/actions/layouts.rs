//! Layouts, to read: what the screens of Ensemble show and in which order, as `hub_read_surface` gives them.

use ensemble_hub_api::TaskStatus;
use ensemble_hub_api::relation::SIDES;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Action, Reading, reads};
use crate::error::RouteError;

/// The group.
pub(super) const ACTIONS: &[Action] = &[reads!(
    "hub_read_layout",
    Asked,
    layout,
    "What a screen shows and in which order. The layouts of this hub are fixed; hub_read_surface gives what is on them."
)];

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Screen {
    Today,
    Board,
    Record,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Asked {
    /// Only this screen.
    screen: Option<Screen>,
}

/// The lists of Today, in their order.
const TODAY: [&str; 7] = [
    "focus",
    "proposed",
    "review",
    "waitingOn",
    "deliverables",
    "meetings",
    "needsMe",
];

async fn layout(_: &Reading, asked: Asked) -> Result<Value, RouteError> {
    let screens = match asked.screen {
        Some(screen) => vec![screen],
        None => vec![Screen::Today, Screen::Board, Screen::Record],
    };
    let layouts: Vec<Value> = screens
        .into_iter()
        .map(|screen| match screen {
            Screen::Today => json!({ "screen": "today", "sections": TODAY }),
            Screen::Board => json!({ "screen": "board", "columns": TaskStatus::ALL }),
            Screen::Record => {
                let relations = SIDES
                    .iter()
                    .map(|side| json!({ "rel": side.rel, "says": side.says }));
                json!({ "screen": "record", "relations": relations.collect::<Vec<_>>() })
            }
        })
        .collect();
    let notes = ["The layouts are the same for everybody and are not changed from here."];
    Ok(json!({ "layouts": layouts, "notes": notes }))
}
