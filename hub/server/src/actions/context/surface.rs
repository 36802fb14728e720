//! The screens of Ensemble, each from the code that answers its route.

use ensemble_hub_api::{Kind, TaskStatus, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::Reading;
use crate::decisions;
use crate::error::RouteError;
use crate::files;
use crate::lists::{self, Part, Shelf};
use crate::meetings;
use crate::store::RecordQuery;
use crate::tasks::card;
use crate::today;

/// Cards of one column of the board, and of one kind of the context screen.
const COLUMN: u32 = 10;
const EACH: u32 = 3;

/// The screens.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Screen {
    Today,
    Board,
    Context,
    NeedsMe,
    Projects,
    Deliverables,
    People,
    Repositories,
    Meetings,
    Files,
    Skills,
    Diagrams,
    Plots,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Asked {
    /// Which screen.
    surface: Screen,
}

pub(super) async fn surface(on: &Reading, asked: Asked) -> Result<Value, RouteError> {
    let reader = on.reader();
    match asked.surface {
        Screen::Today => {
            let zone = on.hub.time_zone(&on.caller.space.account_id).await?;
            Ok(json!(today::today(&reader, &zone).await?))
        }
        Screen::Board => board(on).await,
        Screen::Context => overview(on).await,
        Screen::NeedsMe => Ok(json!(decisions::decisions(&reader).await?)),
        Screen::Projects => shelf(on, &lists::PROJECTS).await,
        Screen::Deliverables => shelf(on, &lists::DELIVERABLES).await,
        Screen::People => shelf(on, &lists::PEOPLE).await,
        Screen::Repositories => shelf(on, &lists::REPOS).await,
        Screen::Skills => shelf(on, &lists::SKILLS).await,
        Screen::Diagrams => shelf(on, &lists::DIAGRAMS).await,
        Screen::Plots => shelf(on, &lists::PLOTS).await,
        Screen::Meetings => {
            let zone = on.hub.time_zone(&on.caller.space.account_id).await?;
            let asked = meetings::Asked {
                from: None,
                to: None,
                words: None,
                part: Part::from_input(None, None, None, meetings::NAME)?,
            };
            Ok(meetings::meetings(&reader, &zone, &asked).await?.into())
        }
        Screen::Files => {
            let asked = files::Listed {
                query: None,
                on: None,
                part: Part::from_input(None, None, None, files::NAME)?,
            };
            Ok(files::list(&reader, &asked).await?.into())
        }
    }
}

async fn shelf(on: &Reading, shelf: &Shelf) -> Result<Value, RouteError> {
    let part = Part::from_input(None, None, None, shelf.plural)?;
    let list = lists::list(&on.reader(), shelf, None, &part).await?;
    Ok(list.into())
}

/// The tasks by their status, the last changed first.
async fn board(on: &Reading) -> Result<Value, RouteError> {
    let mut columns = Vec::new();
    for status in TaskStatus::ALL {
        let query = RecordQuery {
            kinds: vec![Kind::Task],
            statuses: vec![status.as_str().to_owned()],
            limit: COLUMN,
            ..RecordQuery::default()
        };
        let page = on.store().records(on.space(), &query).await?;
        let tasks = card::cards(&on.hub, on.space(), &page.items).await?;
        columns.push(json!({ "status": status, "total": page.total, "tasks": tasks }));
    }
    let notes = [
        sentences::REFERENCE_NOTE,
        "A column shows the 10 tasks that changed last; hub_list_tasks with a status gives all. hub_update_task moves a task.",
    ];
    Ok(json!({ "columns": columns, "notes": notes }))
}

/// How much there is of each kind, and what of it changed last.
async fn overview(on: &Reading) -> Result<Value, RouteError> {
    let mut kinds = Vec::new();
    for kind in Kind::ALL {
        let query = RecordQuery {
            kinds: vec![kind],
            limit: EACH,
            enabled: kind == Kind::Skill,
            ..RecordQuery::default()
        };
        let page = on.store().records(on.space(), &query).await?;
        if page.total > 0 {
            let cards = on.reader().cards(&page.items).await?;
            kinds.push(json!({ "kind": kind, "total": page.total, "lastChanged": cards }));
        }
    }
    let notes = [
        sentences::REFERENCE_NOTE,
        "hub_search_context finds records by words; hub_item_context shows what one is linked with.",
    ];
    Ok(json!({ "kinds": kinds, "notes": notes }))
}
