//! `PATCH write/tasks/{id}`: moves a task on, or adds a note to its page, in the name of the key.

use axum::extract::{FromRequest as _, Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use ensemble_hub_api::paths;
use ensemble_hub_api::task::{TaskWritten, UpdateTask};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::params::Payload;
use crate::tasks::write::{self, Begun};
use crate::tasks::{card, update};

pub(super) async fn patch(
    caller: Caller,
    State(hub): State<Hub>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, RouteError> {
    write::admit(&hub, &caller)?;
    let headers = request.headers().clone();
    let payload = Payload::<UpdateTask>::from_request(request, &hub).await?;
    let route = format!("PATCH {}/{id}", paths::WRITE_TASKS);
    let mut write = match write::begin(&hub, &caller, &headers, &route, &payload.bytes).await? {
        Begun::New(write) => write,
        Begun::Done(response) => return Ok(response),
    };
    let space = &caller.space.id;
    let (task, message) = update::update(
        &mut write.change,
        space,
        &id,
        payload.value,
        &caller.key_name,
    )
    .await?;
    let written = TaskWritten {
        task: card::one_changed(&hub, &mut write.change, &task).await?,
        message,
        undoable: Some(write.change.wrote()),
        change_id: write.change.wrote().then(|| write.change.id().to_owned()),
    };
    write.finish(StatusCode::OK, &written).await
}
