//! `GET tasks`: the space's tasks, newest change first. `status` is one status, or `open`; without it all but dropped ones. `q` is words of the title.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::task::TaskList;
use ensemble_hub_api::{Kind, TaskStatus, limits, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Params;
use crate::store::RecordQuery;
use crate::tasks::card;

/// The `status` that means every status of unfinished work.
const OPEN: &str = "open";

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<TaskList>, RouteError> {
    let limit = params.number("limit", 1, limits::LIST_MAX, limits::LIST_DEFAULT)?;
    let offset = params.number("offset", 0, u32::MAX, 0)?;
    let asked = RecordQuery {
        kinds: vec![Kind::Task],
        statuses: statuses(params.text("status", limits::NAME_MAX)?)?,
        title_words: params.text("q", limits::QUERY_MAX)?.map(str::to_owned),
        limit,
        offset,
        ..RecordQuery::default()
    };
    let space = &caller.space.id;
    let page = hub.store().records(space, &asked).await?;
    let tasks = card::cards(&hub, space, &page.items).await?;
    let next = offset.saturating_add(u32::try_from(tasks.len()).unwrap_or(u32::MAX));
    let has_more = u64::from(next) < page.total && !tasks.is_empty();
    Ok(Json(TaskList {
        notes: notes(&tasks, page.total, has_more.then_some(next)),
        tasks,
        total: page.total,
        offset,
        limit,
        has_more,
        next_offset: has_more.then_some(next),
    }))
}

fn statuses(given: Option<&str>) -> Result<Vec<String>, RouteError> {
    let names = |list: &[TaskStatus]| list.iter().map(|one| one.as_str().to_owned()).collect();
    match given {
        None => Ok(TaskStatus::ALL
            .into_iter()
            .filter(|status| *status != TaskStatus::Dropped)
            .map(|status| status.as_str().to_owned())
            .collect()),
        Some(OPEN) => Ok(names(&TaskStatus::OPEN)),
        Some(name) => TaskStatus::parse(name)
            .map(|status| names(&[status]))
            .ok_or_else(|| {
                let all: Vec<&str> = TaskStatus::ALL
                    .iter()
                    .map(|status| status.as_str())
                    .collect();
                let needs = format!("{OPEN}, or one of {}", all.join(", "));
                RouteError::BadRequest(sentences::bad_query("status", &needs))
            }),
    }
}

fn notes<T>(tasks: &[T], total: u64, next: Option<u32>) -> Vec<String> {
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    if let Some(next) = next {
        let shown = tasks.len();
        notes.push(format!(
            "{shown} of {total} tasks: call again with offset {next} for the next."
        ));
    } else if total == 0 {
        notes.push("No task matches.".to_owned());
    }
    notes
}
