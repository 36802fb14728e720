//! `ensemble mcp` as a process, spoken to in raw lines: what a client library would hide is what a suite wants to see.

use std::process::{ExitStatus, Stdio};

use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::PATIENCE;

/// The newest version that starts with `initialize`.
pub const LATEST: &str = "2025-11-25";
/// The stateless generation.
pub const MODERN: &str = "2026-07-28";

/// A running bridge.
#[derive(Debug)]
pub struct Bridge {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    errors: JoinHandle<String>,
    others: Vec<Value>,
    last: u64,
}

/// How it ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// All of its standard error.
    pub stderr: String,
    /// What stood on standard output and was no answer that was waited for.
    pub others: Vec<Value>,
}

impl Bridge {
    /// Starts `command mcp`. The command comes from [`crate::Home::command`], with the variables of the case.
    pub fn start(mut command: Command) -> Self {
        command
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("the bridge does not start: {error}"));
        let (to, from, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(from), Some(mut err)) = (from, err) else {
            panic!("the bridge has no pipes");
        };
        let errors = tokio::spawn(async move {
            let mut bytes = Vec::new();
            match err.read_to_end(&mut bytes).await {
                Ok(_) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(error) => format!("standard error broke: {error}"),
            }
        });
        Self {
            child,
            to,
            from: BufReader::new(from),
            errors,
            others: Vec::new(),
            last: 0,
        }
    }

    /// Greets it in that version and returns the result of `initialize`.
    pub async fn initialize(&mut self, version: &str) -> Value {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "harness", "version": "1"},
        });
        let answer = self.request("initialize", params).await;
        self.notify("notifications/initialized", json!({})).await;
        result(answer)
    }

    /// Sends a request and returns its whole answer, result or error.
    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        self.answer(id).await
    }

    /// The same in the stateless generation: the version and the client stand in the request's `_meta`.
    pub async fn stateless(&mut self, method: &str, params: Value) -> Value {
        let mut params = match params {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        if let Some(meta) = meta.as_object_mut() {
            for (name, value) in [
                ("protocolVersion", json!(MODERN)),
                ("clientCapabilities", json!({})),
                ("clientInfo", json!({"name": "harness", "version": "1"})),
            ] {
                meta.insert(format!("io.modelcontextprotocol/{name}"), value);
            }
        }
        self.request(method, Value::Object(params)).await
    }

    /// Calls a tool and returns its result; a protocol error fails the test.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        result(self.request("tools/call", params).await)
    }

    /// Sends a request without waiting; returns its id.
    pub async fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        id
    }

    /// Sends a notification.
    pub async fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
            .await;
    }

    /// Waits for the answer to that request; what comes before it is kept in [`Bridge::others`].
    pub async fn answer(&mut self, id: u64) -> Value {
        let kept = self.others.iter().position(|other| is_answer(other, id));
        if let Some(at) = kept {
            return self.others.remove(at);
        }
        loop {
            let message = self.message().await;
            if is_answer(&message, id) {
                return message;
            }
            self.others.push(message);
        }
    }

    /// The next message, whatever it is.
    pub async fn message(&mut self) -> Value {
        match timeout(PATIENCE, self.line()).await {
            Ok(Some(message)) => message,
            Ok(None) => panic!("the bridge closed its standard output"),
            Err(late) => panic!("the bridge said nothing for {PATIENCE:?} ({late})"),
        }
    }

    /// The next line of standard output, which has to be a message as the transport wants it: one JSON-RPC object, or an
    /// array of them, and one LF.
    async fn line(&mut self) -> Option<Value> {
        let mut line = Vec::new();
        if let Err(error) = self.from.read_until(b'\n', &mut line).await {
            panic!("its standard output broke: {error}");
        }
        if line.is_empty() {
            return None;
        }
        let shown = String::from_utf8_lossy(&line).into_owned();
        let Some(text) = line.strip_suffix(b"\n") else {
            panic!("a line without its end on standard output: {shown:?}");
        };
        assert!(!text.contains(&b'\r'), "a carriage return: {shown:?}");
        let message: Value = serde_json::from_slice(text)
            .unwrap_or_else(|error| panic!("no JSON on standard output ({error}): {shown:?}"));
        let version = |message: &Value| message.get("jsonrpc") == Some(&json!("2.0"));
        let whole = match &message {
            Value::Array(batch) => !batch.is_empty() && batch.iter().all(version),
            one => version(one),
        };
        assert!(whole, "no JSON-RPC on standard output: {shown:?}");
        Some(message)
    }

    /// Notifications and answers that nobody has waited for yet.
    pub fn others(&self) -> &[Value] {
        &self.others
    }

    /// Sends these very bytes.
    pub async fn raw(&mut self, bytes: &[u8]) {
        let Some(to) = self.to.as_mut() else {
            panic!("standard input is closed already");
        };
        let written = async {
            to.write_all(bytes).await?;
            to.flush().await
        };
        match timeout(PATIENCE, written).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => panic!("the bridge does not read: {error}"),
            Err(late) => panic!("the bridge read nothing for {PATIENCE:?} ({late})"),
        }
    }

    /// Stops reading its standard output: what it writes from now on meets a closed pipe.
    pub fn deaf(mut self) -> Child {
        // the standard input stays open, in the child
        self.child.stdin = self.to.take();
        self.child
    }

    /// Its process id.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Closes its standard input, reads what it still says, and waits for its end.
    pub async fn close(mut self) -> Ended {
        self.to = None;
        self.wait().await
    }

    /// Waits for its end without closing anything.
    pub async fn wait(mut self) -> Ended {
        let ended = async {
            while let Some(message) = self.line().await {
                self.others.push(message);
            }
            self.child.wait().await
        };
        let status = match timeout(PATIENCE, ended).await {
            Ok(Ok(status)) => status,
            Ok(Err(error)) => panic!("the bridge cannot be waited for: {error}"),
            Err(late) => panic!("the bridge did not end within {PATIENCE:?} ({late})"),
        };
        let stderr = self
            .errors
            .await
            .unwrap_or_else(|error| panic!("standard error broke: {error}"));
        Ended {
            status,
            stderr,
            others: self.others,
        }
    }

    async fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes()).await;
    }
}

fn is_answer(message: &Value, id: u64) -> bool {
    message.get("method").is_none() && message.get("id").and_then(Value::as_u64) == Some(id)
}

fn result(mut answer: Value) -> Value {
    match answer.get_mut("result") {
        Some(result) => result.take(),
        None => panic!("no result: {answer}"),
    }
}
