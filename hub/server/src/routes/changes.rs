//! `GET changes`: which records of the space changed since a cursor, so that a client knows what to read again. Without `after` only the
//! present cursor; with `wait` the answer comes when something changed, or after that many seconds.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::account::Changed;
use ensemble_hub_api::{Handle, Kind, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Params;

/// The longest wait, in seconds; shorter than a request may take.
const WAIT_MAX: u32 = 20;
/// Records of one answer; more are left to the next.
const RECORDS_MAX: u32 = 200;
/// How often another process's change is looked for. A change of this process is told at once.
const LOOK: Duration = Duration::from_millis(500);

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    params: Params,
) -> Result<Json<Changed>, RouteError> {
    let space = caller.space.id.as_str();
    let wait = params.number("wait", 0, WAIT_MAX, 0)?;
    let Some(after) = params.text("after", 20)? else {
        let cursor = hub.store().changed_until(space).await?.to_string();
        return Ok(Json(Changed {
            cursor,
            changed: Vec::new(),
            resources: Vec::new(),
            more: false,
        }));
    };
    let after: i64 = after.parse().map_err(|_| {
        RouteError::BadRequest(sentences::bad_query(
            "after",
            "the `cursor` of an earlier answer",
        ))
    })?;
    let until = tokio::time::Instant::now() + Duration::from_secs(u64::from(wait));
    let mut told = hub.store().told();
    loop {
        let (records, cursor, more) = hub.store().changed_since(space, after, RECORDS_MAX).await?;
        if !records.is_empty() || tokio::time::Instant::now() >= until {
            return Ok(Json(Changed {
                cursor: cursor.to_string(),
                resources: resources(&records),
                changed: records.iter().map(Handle::to_string).collect(),
                more,
            }));
        }
        let look = tokio::time::sleep_until((tokio::time::Instant::now() + LOOK).min(until));
        tokio::select! {
            () = look => {}
            _ = told.changed() => {}
        }
    }
}

/// What reads otherwise when these records have changed.
fn resources(changed: &[Handle]) -> Vec<String> {
    let mut uris = Vec::new();
    for handle in changed {
        uris.push(format!("ensemble://items/{}/{}", handle.kind, handle.id));
        let (list, of_each) = match handle.kind {
            Kind::Task => ("tasks", true),
            Kind::Project => ("projects", true),
            Kind::Repo => ("repos", true),
            Kind::Skill => ("skills", true),
            Kind::Person => ("people", true),
            Kind::Deliverable => ("deliverables", false),
            Kind::Event | Kind::Meeting => ("meetings", false),
            Kind::Approval | Kind::Decision => ("decisions", false),
            _ => continue,
        };
        if of_each {
            uris.push(format!("ensemble://{list}/{}", handle.id));
        }
        uris.push(format!("ensemble://{list}"));
        if matches!(list, "tasks" | "deliverables" | "meetings" | "decisions") {
            uris.push("ensemble://today".to_owned());
        }
    }
    uris.sort();
    uris.dedup();
    uris
}
