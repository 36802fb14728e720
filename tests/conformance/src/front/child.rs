//! One process that speaks stdio, and the requests that it has not answered.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::{broadcast, mpsc};

/// Where a listener's notifications say which one it is.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// Messages that may wait for who reads them; the suite's longest stream has some ten.
pub(super) const QUEUE: usize = 1024;

static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// The process; it ends when this is dropped.
pub(super) struct Child {
    number: u64,
    input: tokio::sync::Mutex<ChildStdin>,
    next: AtomicU64,
    open: Mutex<BTreeMap<u64, Open>>,
    unasked: broadcast::Sender<Value>,
    lives: AtomicBool,
    _process: tokio::process::Child,
}

struct Open {
    id: Value,
    token: Option<Value>,
    tell: mpsc::Sender<Value>,
}

impl Child {
    pub(super) fn start() -> anyhow::Result<Arc<Self>> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg("stdio")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let input = process.stdin.take().context("there is no input")?;
        let output = process.stdout.take().context("there is no output")?;
        let child = Arc::new(Self {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            input: tokio::sync::Mutex::new(input),
            next: AtomicU64::new(1),
            open: Mutex::default(),
            unasked: broadcast::Sender::new(QUEUE),
            lives: AtomicBool::new(true),
            _process: process,
        });
        // not a reason for the process to live
        let reader = Arc::downgrade(&child);
        tokio::spawn(read(output, reader));
        Ok(child)
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn lives(&self) -> bool {
        self.lives.load(Ordering::Relaxed)
    }

    /// What it says that belongs to no request.
    pub(super) fn unasked(&self) -> broadcast::Receiver<Value> {
        self.unasked.subscribe()
    }

    pub(super) async fn write(&self, message: &Value) {
        let line = format!("{message}\n");
        // a process that does not read has ended, and its requests end with it
        drop(self.input.lock().await.write_all(line.as_bytes()).await);
    }

    /// Sends a request under an id of its own; what comes back comes under the client's.
    pub(super) async fn request(&self, mut message: Value) -> (u64, mpsc::Receiver<Value>) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (tell, told) = mpsc::channel(QUEUE);
        let id = std::mem::replace(&mut message["id"], json!(number));
        let token = message.pointer_mut("/params/_meta/progressToken");
        let token = token.map(|token| std::mem::replace(token, json!(number)));
        self.open().insert(number, Open { id, token, tell });
        self.write(&message).await;
        (number, told)
    }

    /// The client has gone away from a request.
    pub(super) async fn given_up(&self, number: u64) {
        if self.open().remove(&number).is_some() {
            let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}});
            self.write(&cancelled).await;
        }
    }

    /// Gives a message to whom it belongs.
    fn take(&self, mut message: Value) {
        let mut open = self.open();
        let Some(method) = message["method"].as_str().map(ToOwned::to_owned) else {
            let number = message["id"].as_u64().unwrap_or_default();
            if let Some(Open { id, tell, .. }) = open.remove(&number) {
                message["id"] = id;
                drop(tell.try_send(message));
            }
            return;
        };
        let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let listener = number(&message["params"]["_meta"][SUBSCRIPTION]);
        let owner = if method == "notifications/progress" {
            let owner = number(&message["params"]["progressToken"]).and_then(|n| open.get(&n));
            if let Some(token) = owner.and_then(|owner| owner.token.clone()) {
                message["params"]["progressToken"] = token;
            }
            owner
        } else if let Some(owner) = listener.and_then(|number| open.get(&number)) {
            message["params"]["_meta"][SUBSCRIPTION] = owner.id.clone();
            Some(owner)
        } else if method.ends_with("list_changed") || method.ends_with("resources/updated") {
            None
        } else {
            // a question or a log line says not of which request it is; the suite has one at a time
            open.values().next_back()
        };
        match owner {
            Some(owner) => drop(owner.tell.try_send(message)),
            None => drop(self.unasked.send(message)),
        }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(output: ChildStdout, child: std::sync::Weak<Child>) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let Some(child) = child.upgrade() else { return };
        if let Ok(message) = serde_json::from_str(&line) {
            child.take(message);
        }
    }
    if let Some(child) = child.upgrade() {
        child.lives.store(false, Ordering::Relaxed);
        child.open().clear();
    }
}
