//! `writes`: how many changes the hub makes, and what the bridge adds to one.
//!
//! 1. `ensemble_create_task`'s route straight at the hub with 1, 8 and 32 writers: acknowledged writes a second. Each has an idempotency key
//!    and waits for its answer before the next, as a caller does. The run fails if one is refused, or if the hub has another number of tasks
//!    in the end than it acknowledged.
//! 2. One action that changes and one that reads, straight at the hub and through the bridge in turns: p50, p99 and the ratio
//!    (see [`latency`]).
//!
//! The hub allows 240 a minute in one space, so each space gets that many and then the next one is used; the limit is counted all the same.

mod latency;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use ensemble_hub_api::limits::WRITES_PER_MINUTE;
use ensemble_hub_api::paths;
use ensemble_hub_api::task::TaskWritten;
use ensemble_hub_client::{Call, HubClient, Method};
use ensemble_hub_server::Admin;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::hub::{Hub, Now};

/// Writers at once.
const WRITERS: [usize; 3] = [1, 8, 32];
/// Spaces that each number of writers fills.
const SPACES: usize = 10;
/// Writes in one space: as many as a minute allows.
const IN_ONE: usize = WRITES_PER_MINUTE as usize;
const TIMEOUT: Duration = Duration::from_secs(30);

/// Runs the benchmark; `ensemble` is the program.
pub(crate) fn run(ensemble: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let wanted = WRITERS.len() * SPACES + latency::SPACES;
    let mut spaces = runtime.block_on(spaces(&folder.path().join("hub"), wanted))?;
    let hub = Hub::start_plain(ensemble, folder.path())?;
    let client = hub.client()?;
    println!("{:<44} {:>10}", "acknowledged writes", "a second");
    for writers in WRITERS {
        let own = spaces.split_off(spaces.len() - SPACES).into();
        let rate = runtime.block_on(rate(&client, writers, &own))?;
        let noun = if writers == 1 { "writer" } else { "writers" };
        println!("{:<44} {rate:>10.0}", format!("{writers} {noun}"));
    }
    latency::print(ensemble, &hub, &runtime, &spaces)
}

/// The ids of that many new spaces of the owner.
#[expect(clippy::disallowed_methods, reason = "the moment of making")]
async fn spaces(data: &Path, number: usize) -> anyhow::Result<Vec<String>> {
    let admin = Admin::open(data, Arc::new(Now(Timestamp::now()))).await?;
    admin.ensure_owner().await?;
    let mut ids = Vec::with_capacity(number);
    for at in 0..number {
        ids.push(admin.create_space(&format!("Space {at}")).await?.id);
    }
    admin.close().await;
    Ok(ids)
}

/// Fills these spaces: writes in a second.
async fn rate(client: &HubClient, writers: usize, spaces: &Arc<[String]>) -> anyhow::Result<f64> {
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let open: Vec<_> = (0..writers)
        .map(|_| {
            let (client, spaces, next) = (client.clone(), Arc::clone(spaces), Arc::clone(&next));
            tokio::spawn(async move {
                let mut acknowledged = 0;
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(space) = spaces.get(at / IN_ONE) else {
                        return anyhow::Ok(acknowledged);
                    };
                    create(&client, space, &format!("Write {at}")).await?;
                    acknowledged += 1;
                }
            })
        })
        .collect();
    let mut acknowledged = 0;
    for writer in open {
        acknowledged += writer.await??;
    }
    let seconds = started.elapsed().as_secs_f64();
    let mut kept = 0;
    for space in spaces.iter() {
        kept += total(client, space).await?;
    }
    ensure!(
        kept == acknowledged && kept == spaces.len() * IN_ONE,
        "{acknowledged} writes were acknowledged and {kept} tasks are there"
    );
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let acknowledged = acknowledged as f64;
    Ok(acknowledged / seconds)
}

/// One new task: its id.
async fn create(client: &HubClient, space: &str, title: &str) -> anyhow::Result<String> {
    let body = json!({ "title": title, "page": "Written by the benchmark." });
    let reply = post(client, paths::WRITE_TASKS, space, &body).await?;
    Ok(reply.json::<TaskWritten>()?.task.id)
}

/// A change with an idempotency key of its own, as the bridge sends it.
async fn post(
    client: &HubClient,
    path: &str,
    space: &str,
    body: &Value,
) -> anyhow::Result<ensemble_hub_client::Reply> {
    static SENT: AtomicUsize = AtomicUsize::new(0);
    let key = format!("bench-{}", SENT.fetch_add(1, Ordering::Relaxed));
    let body = body.to_string();
    let call = Call {
        method: Method::Post,
        body: Some(body.as_bytes()),
        space: Some(space),
        idempotency_key: Some(&key),
        ..Call::get(path, TIMEOUT)
    };
    Ok(client.request(call).await?)
}

async fn total(client: &HubClient, space: &str) -> anyhow::Result<usize> {
    let call = Call {
        query: &[("limit", "1")],
        space: Some(space),
        ..Call::get(paths::TASKS, TIMEOUT)
    };
    let answer: Value = client.request(call).await?.json()?;
    let total = answer.get("total").and_then(Value::as_u64);
    Ok(usize::try_from(total.context("no total")?)?)
}
