//! `POST write/files`: saves a file in the name of the key. 201 with its card. The bytes are on the disk and read before the transaction
//! begins; what is refused or broken off leaves nothing.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use ensemble_hub_api::{paths, sentences};
use serde::Serialize;
use tokio::sync::Semaphore;

use crate::auth::Caller;
use crate::error::RouteError;
use crate::files::originals::Originals;
use crate::files::{self, About, Ready, attach, upload};
use crate::hub::Hub;
use crate::params;
use crate::store::StoreError;
use crate::tasks::write::{self, Begun};
use crate::view::{Card, Reader};

/// What the ledger calls it.
const ACTION: &str = "bridge.file.upload";
/// Uploads that are received at the same time: each is in memory until it is on the disk.
const AT_ONCE: usize = 4;
/// How long reading the text may take; the caller waits.
const PATIENCE: Duration = Duration::from_secs(10);

static TURNS: Semaphore = Semaphore::const_new(AT_ONCE);

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FileWritten {
    file: Card,
    size: u64,
    sha256: String,
    message: String,
    undoable: bool,
    change_id: String,
}

pub(super) async fn post(
    caller: Caller,
    State(hub): State<Hub>,
    request: Request,
) -> Result<Response, RouteError> {
    write::admit(&hub, &caller)?;
    let headers = request.headers().clone();
    let (said, staged) = {
        let _turn = TURNS.acquire().await;
        let body = params::body(request, upload::TOO_LARGE).await?;
        let originals = Originals::of(hub.data_dir());
        let received = move || upload::received(&body, &originals);
        let done = tokio::task::spawn_blocking(received).await;
        done.map_err(|_| RouteError::Broken(sentences::INTERNAL))??
    };
    let route = format!("POST {}", paths::WRITE_FILES);
    let same = serde_json::to_vec(&said).map_err(|_| StoreError::Unreadable { what: "upload" })?;
    let same = Bytes::from(same);
    if let Some(answered) = write::done_before(&hub, &caller, &headers, &route, &same).await? {
        return Ok(answered);
    }
    let ready = Ready::of(staged, &said.filename, PATIENCE).await;
    let ready = ready.map_err(files::refused)?;
    let mut write = match write::begin(&hub, &caller, &headers, &route, &same).await? {
        Begun::New(write) => write,
        Begun::Done(response) => return Ok(response),
    };
    let space = caller.space.id.as_str();
    let target = match &said.attach_to {
        Some(given) => Some(attach::target(&mut write.change, space, given).await?),
        None => None,
    };
    let about = About {
        media_type: said.media_type,
        ..About::default()
    };
    let (size, sha256) = (ready.kept().size, ready.kept().sha256.clone());
    let added = ready.write(&mut write.change, ACTION, space, &about).await;
    let added = added.map_err(files::refused)?;
    if let Some(target) = &target {
        attach::attach(&mut write.change, ACTION, &added.record, target).await?;
    }
    let mut message = "The file was saved.".to_owned();
    if said.summarize {
        message.push_str(" This hub runs no model, so no summary was written.");
    }
    if let Some(note) = &added.note {
        message.push(' ');
        message.push_str(note);
    }
    let written = FileWritten {
        file: files::row(&Reader::of(&hub, &caller), &added.record),
        size,
        sha256,
        message,
        undoable: true,
        change_id: write.change.id().to_owned(),
    };
    write.finish(StatusCode::CREATED, &written).await
}
