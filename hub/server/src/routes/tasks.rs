//! `GET tasks`: the space's tasks, newest change first. `status` is one status, or `open`; without it all but dropped ones. `q` is words of the title.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::task::TaskList;
use ensemble_hub_api::{Kind, TaskStatus, limits, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::lists::{self, GoOn, Part};
use crate::params::Params;
use crate::store::{Record, RecordQuery};
use crate::tasks::card;
use crate::view::{self, Reader};

/// The name of the list.
const NAME: &str = "tasks";

/// The `status` that means every status of unfinished work.
const OPEN: &str = "open";

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<TaskList>, RouteError> {
    let part = Part::of(&params, NAME)?;
    let asked = RecordQuery {
        kinds: vec![Kind::Task],
        statuses: statuses(params.text("status", limits::NAME_MAX)?)?,
        title_words: params.text("q", limits::QUERY_MAX)?.map(str::to_owned),
        ..RecordQuery::default()
    };
    let space = &caller.space.id;
    let found = lists::walk(&Reader::of(&hub, &caller), asked, &part).await?;
    let records: Vec<Record> = found.steps.iter().map(|step| step.record.clone()).collect();
    let tasks = card::cards(&hub, space, &records).await?;
    let (tasks, _) = view::fit(tasks, lists::LIST_BYTES);
    let on = GoOn::of(NAME, tasks.len(), &found, &part);
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    notes.extend(on.note(NAME, tasks.len(), found.total));
    Ok(Json(TaskList {
        tasks,
        total: found.total,
        offset: part.offset,
        limit: part.limit,
        has_more: on.offset.is_some(),
        next_offset: on.offset,
        next: on.after,
        notes,
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
