//! What all writes share: may the caller, not too often, and a repeated request answers as the first did.

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use ensemble_hub_api::{limits, paths, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::secret::hash_parts;
use crate::store::{Change, Kept, Repeat, StoreError};

/// One write in progress.
#[derive(Debug)]
pub(crate) struct Write {
    pub(crate) change: Change,
    repeat: Option<Repeat>,
}

/// What a write begins with: it has to be done, or was done already.
#[derive(Debug)]
pub(crate) enum Begun {
    New(Box<Write>),
    Done(Response),
}

/// Refuses a key that only reads, before the body is looked at; a refused caller uses up nothing of the space's rate.
pub(crate) fn admit(hub: &Hub, caller: &Caller) -> Result<(), RouteError> {
    caller.may_write()?;
    count(hub, caller)
}

/// Counts a request against the space's rate.
pub(crate) fn count(hub: &Hub, caller: &Caller) -> Result<(), RouteError> {
    hub.writes()
        .count(&caller.space.id)
        .map_err(RouteError::TooMany)
}

/// Starts the change and looks for an earlier one with the same idempotency key. `route` is method and path.
pub(crate) async fn begin(
    hub: &Hub,
    caller: &Caller,
    headers: &HeaderMap,
    route: &str,
    body: &Bytes,
) -> Result<Begun, RouteError> {
    let idem_key = idempotency_key(headers)?;
    let mut change = hub.store().change(caller.actor()).await?;
    let Some(idem_key) = idem_key else {
        return Ok(Begun::New(Box::new(Write {
            change,
            repeat: None,
        })));
    };
    let repeat = Repeat {
        space: caller.space.id.clone(),
        key_id: caller.key_id.clone(),
        idem_key,
        request_hash: hash_parts(&[route.as_bytes(), body]),
    };
    match change.kept(&repeat).await? {
        Kept::New => Ok(Begun::New(Box::new(Write {
            change,
            repeat: Some(repeat),
        }))),
        Kept::Other => Err(RouteError::Conflict(
            sentences::IDEMPOTENCY_OTHER.to_owned(),
        )),
        Kept::Done { status, response } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
            Ok(Begun::Done(json(status, response)))
        }
    }
}

/// The answer of an earlier request with the same idempotency key. Asked before work that does not belong into a transaction; [`begin`] asks
/// again.
pub(crate) async fn done_before(
    hub: &Hub,
    caller: &Caller,
    headers: &HeaderMap,
    route: &str,
    body: &Bytes,
) -> Result<Option<Response>, RouteError> {
    if idempotency_key(headers)?.is_none() {
        return Ok(None);
    }
    Ok(match begin(hub, caller, headers, route, body).await? {
        Begun::Done(response) => Some(response),
        Begun::New(_) => None,
    })
}

impl Write {
    /// Keeps the answer for repeats and makes everything permanent.
    pub(crate) async fn finish(
        mut self,
        status: StatusCode,
        written: &(impl serde::Serialize + Sync),
    ) -> Result<Response, RouteError> {
        let text = serde_json::to_string(written)
            .map_err(|_| StoreError::Unreadable { what: "answer" })?;
        if let Some(repeat) = &self.repeat {
            self.change.keep(repeat, status.as_u16(), &text).await?;
        }
        self.change.commit().await?;
        Ok(json(status, text))
    }
}

fn json(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, RouteError> {
    let Some(value) = headers.get(paths::IDEMPOTENCY_HEADER) else {
        return Ok(None);
    };
    let key = value.to_str().unwrap_or_default().trim();
    let fits = (1..=limits::IDEMPOTENCY_KEY_MAX).contains(&key.len())
        && key.bytes().all(|byte| byte.is_ascii_graphic());
    if fits {
        Ok(Some(key.to_owned()))
    } else {
        Err(RouteError::BadRequest(
            sentences::IDEMPOTENCY_BAD.to_owned(),
        ))
    }
}
