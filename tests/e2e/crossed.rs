//! Two accounts on one hub, each with a space and a key of its own, and many bridges of both at work at once: no answer, no line of a log and
//! no file of one holds an id or a word of the other.
//!
//! `ENSEMBLE_CROSSED_CALLS` says how many calls there are in all; without it there are about a thousand; `.ci/run` asks for ten thousand.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ensemble_hub_server::secret::KeyValue;
use ensemble_hub_server::store::{KeyKind, NewKey};
use ensemble_test_harness::{Bridge, Home, LATEST, TestHub};
use serde_json::{Value, json};

use crate::support::{answer, home, program};

/// Bridges in all, half of them of each account.
const BRIDGES: usize = 32;
/// Calls in all, where nothing else is said.
const CALLS: usize = 960;
/// Records of each kind that each account has from the beginning.
const RECORDS: usize = 12;

/// One account's side.
#[derive(Debug)]
struct Side {
    /// A word that stands in every record of it, and nowhere else.
    word: &'static str,
    key: String,
    home: Home,
    tasks: Vec<String>,
    people: Vec<String>,
    /// A task that the other side asks for on purpose.
    bait: String,
}

impl Side {
    async fn new(hub: &TestHub, word: &'static str) -> Self {
        let mut side = Self {
            word,
            key: account(hub, word).await,
            home: home(),
            tasks: Vec::new(),
            people: Vec::new(),
            bait: String::new(),
        };
        let mut bridge = side.bridge(hub).await;
        for number in 0..RECORDS {
            let title = format!("{word} shared plan {number}");
            side.tasks.push(task(&mut bridge, &title).await);
            let person = json!({"action": "hub_create_person", "input": {"name": format!("{word} Person {number}")}});
            let made = bridge.call("ensemble_act", person).await;
            side.people.push(first_id(answer(&made)));
        }
        side.bait = task(&mut bridge, &format!("{word} bait")).await;
        bridge.close().await;
        side
    }

    async fn bridge(&self, hub: &TestHub) -> Bridge {
        let mut command = self.home.command(program());
        command
            .env("HUB_API_URL", hub.base())
            .env("ENSEMBLE_BRIDGE_TOKEN", &self.key);
        let mut bridge = Bridge::start(command);
        bridge.initialize(LATEST).await;
        bridge
    }

    /// What nobody else may see of it.
    fn secrets(&self) -> BTreeSet<&str> {
        let ids = self.tasks.iter().chain(&self.people).map(String::as_str);
        ids.chain([self.word]).collect()
    }

    /// The call with this number, and whether it has to be refused.
    fn call(&self, other: &Self, number: usize) -> (&'static str, Value, bool) {
        let own = |ids: &[String]| ids.get(number % ids.len()).cloned().unwrap_or_default();
        match number % 48 {
            0 => (
                "ensemble_create_task",
                json!({"title": format!("{} more {number}", self.word)}),
                false,
            ),
            24 => (
                "ensemble_act",
                json!({"action": "hub_list_people", "input": {}}),
                false,
            ),
            47 => (
                "ensemble_update_task",
                json!({"id": other.bait, "status": "done"}),
                true,
            ),
            n if n % 8 == 1 => ("ensemble_search", json!({"query": "shared plan"}), false),
            n if n % 8 == 2 => ("ensemble_tasks", json!({"limit": 50}), false),
            n if n % 8 == 3 => (
                "ensemble_read",
                json!({"kind": "task", "id": own(&self.tasks)}),
                false,
            ),
            n if n % 8 == 4 => (
                "ensemble_context",
                json!({"kind": "task", "item": other.bait}),
                true,
            ),
            n if n % 8 == 5 => (
                "ensemble_context",
                json!({"kind": "person", "item": own(&self.people)}),
                false,
            ),
            n if n % 8 == 6 => ("ensemble_brief", json!({"query": "shared plan"}), false),
            n if n % 8 == 7 => (
                "ensemble_read",
                json!({"kind": "task", "id": other.bait}),
                true,
            ),
            _ => ("ensemble_people", json!({}), false),
        }
    }
}

/// A key of a new account, and its value.
async fn account(hub: &TestHub, name: &str) -> String {
    let store = hub.hub().store();
    let (account, space) = store
        .create_account(name, &format!("{name} home"))
        .await
        .unwrap();
    let value = KeyValue::random().unwrap();
    let key = NewKey {
        id: format!("{name}-key"),
        name: format!("{name} editor"),
        hash: value.hash(),
        account_id: Some(account.id),
        space_id: space.id,
        kind: KeyKind::Bridge,
        can_write: true,
        can_use_apps: false,
    };
    store.insert_key(&key).await.unwrap();
    value.expose().to_owned()
}

async fn task(bridge: &mut Bridge, title: &str) -> String {
    let made = bridge
        .call("ensemble_create_task", json!({"title": title}))
        .await;
    first_id(answer(&made))
}

/// The id of the one record in an answer.
fn first_id(made: &Value) -> String {
    let found = [
        "/id",
        "/task/id",
        "/person/id",
        "/result/id",
        "/result/person/id",
        "/record/id",
    ]
    .iter()
    .find_map(|at| made.pointer(at).and_then(Value::as_str));
    found
        .unwrap_or_else(|| panic!("no id in {made}"))
        .to_owned()
}

/// Everything that one bridge said, in answer to its calls and besides.
async fn work(hub: Arc<TestHub>, own: Arc<Side>, other: Arc<Side>, numbers: Vec<usize>) {
    let mut bridge = own.bridge(&hub).await;
    let secrets = other.secrets();
    for number in numbers {
        let (tool, arguments, refused) = own.call(&other, number);
        let said = bridge.call(tool, arguments).await;
        assert_eq!(said["isError"] == true, refused, "{tool} {number}: {said}");
        let said = said.to_string();
        assert!(
            refused || said.contains(own.word),
            "{tool} {number}: {said}"
        );
        clean(&said, &secrets, tool);
    }
    let ended = bridge.close().await;
    clean(&ended.stderr, &secrets, "standard error");
    for message in &ended.others {
        clean(&message.to_string(), &secrets, "a message");
    }
    assert_eq!(ended.status.code(), Some(0));
}

fn clean(text: &str, secrets: &BTreeSet<&str>, of: &str) {
    for secret in secrets {
        assert!(!text.contains(secret), "{of} holds {secret}: {text}");
    }
}

/// Every file below the folder, which is one side's whole home.
fn clean_files(folder: &Path, secrets: &BTreeSet<&str>) -> usize {
    let mut looked_at = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            looked_at += clean_files(&path, secrets);
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        clean(
            &String::from_utf8_lossy(&bytes),
            secrets,
            &path.display().to_string(),
        );
        looked_at += 1;
    }
    looked_at
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_accounts_under_load_never_meet() {
    let said = std::env::vars().find(|(name, _)| name == "ENSEMBLE_CROSSED_CALLS");
    let calls = said.map_or(CALLS, |(_, calls)| calls.parse().unwrap());
    let hub = Arc::new(TestHub::start().await);
    let quokka = Arc::new(Side::new(&hub, "quokkaword").await);
    let narwhal = Arc::new(Side::new(&hub, "narwhalword").await);
    let mut bridges = tokio::task::JoinSet::new();
    for at in 0..BRIDGES {
        let (own, other) = match at % 2 {
            0 => (&quokka, &narwhal),
            _ => (&narwhal, &quokka),
        };
        // no two bridges ask for the same at the same time
        let numbers = (0..calls / BRIDGES).map(|number| number + at * 7).collect();
        bridges.spawn(work(
            Arc::clone(&hub),
            Arc::clone(own),
            Arc::clone(other),
            numbers,
        ));
    }
    bridges.join_all().await;
    for (own, other) in [(&quokka, &narwhal), (&narwhal, &quokka)] {
        let log = std::fs::read_to_string(own.home.decisions()).unwrap();
        assert!(
            log.lines().count() >= calls / 2,
            "the log is not of these calls"
        );
        assert!(clean_files(own.home.path(), &other.secrets()) > 1);
    }
    Arc::into_inner(hub).unwrap().stop().await;
}
