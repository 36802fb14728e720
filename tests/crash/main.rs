//! The hub is killed at random moments under eight writers, a hundred times. After each start the database is whole, every write that was
//! acknowledged is there, and a write that is sent again with its idempotency key is there once.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ensemble_hub_api::task::TaskWritten;
use ensemble_hub_api::{Kind, paths};
use ensemble_hub_client::{Bearer, Call, ClientError, HubClient, Method};
use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::store::{RecordQuery, Store};
use ensemble_hub_server::{Admin, CreateKey};
use ensemble_test_harness::Home;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;

const ROUNDS: u32 = 100;
const WRITERS: u32 = 8;
const PATIENCE: Duration = Duration::from_secs(20);

/// A write: acknowledged with the task's id, or without an answer.
type Writes = Arc<Mutex<BTreeMap<String, Option<String>>>>;

async fn serve(home: &Home) -> (Child, String) {
    let mut command = home.command(Path::new(env!("CARGO_BIN_EXE_ensemble")));
    command
        .args(["hub", "serve", "--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    loop {
        let line = lines.next_line().await.unwrap().expect("the hub ended");
        let address = line
            .split_whitespace()
            .find(|word| word.starts_with("http://"));
        if let Some(address) = address {
            let address = address.trim_end_matches(['.', ',']).to_owned();
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return (child, address);
        }
    }
}

/// Sends one write: the id of its task, or `None` when no answer came or the space had enough for this minute.
async fn write(client: &HubClient, name: &str) -> Option<String> {
    let body = json!({ "title": name, "page": format!("Written as {name}.") }).to_string();
    let call = Call {
        method: Method::Post,
        path: paths::WRITE_TASKS,
        query: &[],
        body: Some(body.as_bytes()),
        space: None,
        idempotency_key: Some(name),
        timeout: PATIENCE,
    };
    match client.request(call).await {
        Ok(reply) => Some(reply.json::<TaskWritten>().unwrap().task.id),
        Err(refused) => {
            let expected = !matches!(refused, ClientError::Refused { status, .. } if status != 429);
            assert!(expected, "{name}: {refused}");
            None
        }
    }
}

/// One writer until the hub is gone: first what got no answer before, then new ones.
async fn writer(
    client: HubClient,
    writes: Writes,
    round: u32,
    number: u32,
    acknowledged: Arc<AtomicU32>,
) {
    let open: Vec<String> = {
        let writes = writes.lock().unwrap();
        let open = writes.iter().filter(|(_, id)| id.is_none());
        open.map(|(name, _)| name.clone())
            .filter(|name| name.ends_with(&format!("-of-{number}")))
            .collect()
    };
    let new = (0..).map(|count| format!("{round}.{count}-of-{number}"));
    for name in open.into_iter().chain(new) {
        writes.lock().unwrap().entry(name.clone()).or_insert(None);
        let Some(id) = write(&client, &name).await else {
            return;
        };
        writes.lock().unwrap().insert(name, Some(id));
        acknowledged.fetch_add(1, Ordering::Relaxed);
    }
}

/// What the database holds: the tasks by title, after it was checked whole.
async fn whole(data: &Path) -> BTreeMap<String, Vec<String>> {
    let clock = Arc::new(StillClock::at("2026-03-02T09:00:00Z".parse().unwrap()));
    let store = Store::open(data, clock).await.unwrap();
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    let owner = store.owner().await.unwrap().unwrap();
    let home = store.home_of(&owner.id).await.unwrap().unwrap();
    let mut tasks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut asked = RecordQuery {
        kinds: vec![Kind::Task],
        limit: 500,
        ..RecordQuery::default()
    };
    loop {
        let page = store.records(&home.id, &asked).await.unwrap();
        for record in &page.items {
            assert_eq!(record.body, format!("Written as {}.", record.title));
            tasks
                .entry(record.title.clone())
                .or_default()
                .push(record.id.clone());
        }
        asked.offset += asked.limit;
        if u64::from(asked.offset) >= page.total {
            break;
        }
    }
    store.close().await;
    tasks
}

fn compare(writes: &Writes, tasks: &BTreeMap<String, Vec<String>>) {
    let writes = writes.lock().unwrap();
    for (name, id) in writes.iter() {
        let there = tasks.get(name).map_or(&[][..], Vec::as_slice);
        match id {
            Some(id) => assert_eq!(there, std::slice::from_ref(id), "{name} was acknowledged"),
            None => assert!(there.len() <= 1, "{name} is there {} times", there.len()),
        }
    }
    for title in tasks.keys() {
        assert!(writes.contains_key(title), "nobody wrote {title}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hub_that_is_killed_a_hundred_times_loses_nothing_and_does_nothing_twice() {
    let home = Home::new();
    let data = home.hub_data();
    let clock = Arc::new(StillClock::at("2026-03-02T09:00:00Z".parse().unwrap()));
    let admin = Admin::open(&data, clock).await.unwrap();
    let asked = CreateKey {
        name: "writer".to_owned(),
        changes: true,
        ..CreateKey::default()
    };
    let key = admin
        .create_key(asked)
        .await
        .unwrap()
        .value
        .expose()
        .to_owned();
    admin.close().await;

    let writes = Writes::default();
    let acknowledged = Arc::new(AtomicU32::new(0));
    // Moments that differ from round to round and are the same in each run: multiples of a prime, between 0 and 60 writes.
    for round in 0..ROUNDS {
        let (mut hub, address) = serve(&home).await;
        let client = HubClient::new(&address, &Bearer::new(&*key)).unwrap();
        let until = acknowledged.load(Ordering::Relaxed) + (round * 37) % 61;
        let writers: Vec<_> = (0..WRITERS)
            .map(|number| {
                tokio::spawn(writer(
                    client.clone(),
                    Arc::clone(&writes),
                    round,
                    number,
                    Arc::clone(&acknowledged),
                ))
            })
            .collect();
        while acknowledged.load(Ordering::Relaxed) < until
            && writers.iter().any(|writer| !writer.is_finished())
        {
            tokio::task::yield_now().await;
        }
        hub.start_kill().unwrap();
        hub.wait().await.unwrap();
        for writer in writers {
            writer.await.unwrap();
        }
        compare(&writes, &whole(&data).await);
    }

    // What never got an answer is sent once more, and is there once.
    let (mut hub, address) = serve(&home).await;
    let client = HubClient::new(&address, &Bearer::new(&*key)).unwrap();
    let open: Vec<String> = {
        let writes = writes.lock().unwrap();
        writes
            .iter()
            .filter(|(_, id)| id.is_none())
            .map(|(name, _)| name.clone())
            .collect()
    };
    for name in open {
        let id = write(&client, &name).await.expect("the hub is there");
        writes.lock().unwrap().insert(name, Some(id));
    }
    hub.start_kill().unwrap();
    hub.wait().await.unwrap();
    compare(&writes, &whole(&data).await);
    assert!(
        acknowledged.load(Ordering::Relaxed) > 1_000,
        "too little was written to say anything"
    );
}
