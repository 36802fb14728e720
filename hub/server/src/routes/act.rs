//! `POST act/{name}`: runs one action. An input that does not fit is 400 with the action's schema; a change answers with the id that undoes it.

use axum::extract::{FromRequest as _, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::{Json, body::Bytes};
use ensemble_hub_api::paths;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions::{Action, Changing, Reading, Run, input, list};
use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Payload;
use crate::tasks::write::{self, Begun};

/// The body.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Act {
    #[serde(default)]
    input: Value,
}

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Acted<'a> {
    action: &'a str,
    result: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undoable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change_id: Option<String>,
}

pub(super) async fn post(
    caller: Caller,
    State(hub): State<Hub>,
    name: Result<Path<String>, axum::extract::rejection::PathRejection>,
    request: Request,
) -> Result<Response, RouteError> {
    let name = name.map(|Path(name)| name).unwrap_or_default();
    let action = list::known(&name)?;
    list::may(&caller, action)?;
    write::count(&hub, &caller)?;
    let headers = request.headers().clone();
    let payload = Payload::<Act>::from_request(request, &hub).await?;
    let ran = match action.run {
        Run::Read(_) => read(hub, caller, action, payload.value.input).await,
        Run::Change(_) => change(hub, caller, action, &headers, payload).await,
    };
    ran.map_err(|refused| with_schema(action, refused))
}

/// What an action says against its input comes with the schema.
fn with_schema(action: &Action, refused: RouteError) -> RouteError {
    match refused {
        RouteError::BadRequest(sentence) => RouteError::BadInput {
            sentence,
            schema: Box::new(input::schema_of(action)),
        },
        other => other,
    }
}

async fn read(
    hub: Hub,
    caller: Caller,
    action: &Action,
    input: Value,
) -> Result<Response, RouteError> {
    let Run::Read(run) = action.run else {
        return Err(RouteError::Broken(ensemble_hub_api::sentences::INTERNAL));
    };
    let input = input::checked(action, input)?;
    let on = Reading { hub, caller };
    let result = run(&on, input).await?;
    let acted = Acted {
        action: action.name,
        result,
        message: None,
        undoable: None,
        change_id: None,
    };
    Ok(Json(acted).into_response())
}

async fn change(
    hub: Hub,
    caller: Caller,
    action: &Action,
    headers: &HeaderMap,
    payload: Payload<Act>,
) -> Result<Response, RouteError> {
    let Run::Change(run) = action.run else {
        return Err(RouteError::Broken(ensemble_hub_api::sentences::INTERNAL));
    };
    let input = input::checked(action, payload.value.input)?;
    let route = format!("POST {}", paths::ACT.replace("{name}", action.name));
    let bytes: Bytes = payload.bytes;
    let mut prepared = None;
    if let Some(prepare) = action.prepare {
        if let Some(done) = write::done_before(&hub, &caller, headers, &route, &bytes).await? {
            return Ok(done);
        }
        let on = Reading {
            hub: hub.clone(),
            caller: caller.clone(),
        };
        prepared = Some(prepare(&on, input.clone()).await?);
    }
    let write = match write::begin(&hub, &caller, headers, &route, &bytes).await? {
        Begun::New(write) => write,
        Begun::Done(response) => return Ok(response),
    };
    let change_id = write.change.id().to_owned();
    let name = format!("bridge.{}", action.name);
    let mut on = Changing::new(hub, caller, name, write, prepared);
    let done = run(&mut on, input).await?;
    // A change that found everything as it should be left nothing to undo.
    let undoable = on.write.change.wrote();
    let acted = Acted {
        action: action.name,
        result: done.result,
        message: Some(done.message),
        undoable: Some(undoable),
        change_id: undoable.then_some(change_id),
    };
    on.write.finish(StatusCode::OK, &acted).await
}
