//! `POST write/tasks`: adds a task in the name of the key. 201 with its card.

use axum::extract::{FromRequest as _, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use ensemble_hub_api::paths;
use ensemble_hub_api::task::{CreateTask, TaskWritten};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Payload;
use crate::tasks::write::{self, Begun};
use crate::tasks::{card, create};

/// What the ledger calls it.
const ACTION: &str = "bridge.create_task";

pub(super) async fn post(
    caller: Caller,
    State(hub): State<Hub>,
    request: Request,
) -> Result<Response, RouteError> {
    write::admit(&hub, &caller)?;
    let headers = request.headers().clone();
    let payload = Payload::<CreateTask>::from_request(request, &hub).await?;
    let route = format!("POST {}", paths::WRITE_TASKS);
    let mut write = match write::begin(&hub, &caller, &headers, &route, &payload.bytes).await? {
        Begun::New(write) => write,
        Begun::Done(response) => return Ok(response),
    };
    let task = create::create(
        &mut write.change,
        &caller.space.id,
        ACTION,
        payload.value,
        create::More::default(),
    )
    .await?;
    let written = TaskWritten {
        task: card::one_changed(&hub, &mut write.change, &task).await?,
        message: "The task was added.".to_owned(),
        undoable: Some(true),
        change_id: Some(write.change.id().to_owned()),
    };
    write.finish(StatusCode::CREATED, &written).await
}
