//! A hub and a bridge as processes, and a plain HTTP client.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};

use ensemble_test_harness::{Home, PATIENCE};
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The next request's id.
static NEXT: AtomicU64 = AtomicU64::new(1);

pub(crate) const LEGACY: &str = "2025-06-18";
pub(crate) const MODERN: &str = "2026-07-28";

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_ensemble"))
}

pub(crate) fn home() -> Home {
    Home::sharing(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("program-cache"))
}

/// A process that said where it is.
pub(crate) struct Served {
    pub(crate) home: Home,
    pub(crate) base: String,
    child: Child,
}

impl Served {
    async fn start(home: Home, mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap();
        let Some(first) = first else {
            let mut said = String::new();
            let mut stderr = child.stderr.take().unwrap();
            stderr.read_to_string(&mut said).await.unwrap();
            panic!("it did not start: {said}");
        };
        // what follows is for a person, and is read so that nothing waits for it
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let (_, at) = first.split_once("http://").unwrap();
        let base = format!("http://{}", at.trim_end_matches("/mcp"));
        Self { home, base, child }
    }

    /// A hub with the demo workspace.
    pub(crate) async fn hub(environment: &[(&str, &str)]) -> Self {
        let home = home();
        let mut command = home.command(program());
        command.args(["hub", "serve", "--demo", "--listen", "127.0.0.1:0"]);
        command.envs(environment.iter().copied());
        Self::start(home, command).await
    }

    /// A bridge for a hub.
    pub(crate) async fn bridge(hub: &str, key: &str, environment: &[(&str, &str)]) -> Self {
        let home = home();
        let mut command = home.command(program());
        command
            .args(["mcp", "--http"])
            .env("HUB_API_URL", hub)
            .env("ENSEMBLE_BRIDGE_TOKEN", key)
            .env("CONTEXT_BRIDGE_PORT", "0")
            .envs(environment.iter().copied());
        Self::start(home, command).await
    }

    /// What a command of the hub's owner prints.
    pub(crate) async fn run(&self, arguments: &[&str]) -> String {
        let output = self.home.command(program()).args(arguments).output();
        let output = output.await.unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) async fn key(&self, name: &str, more: &[&str]) -> String {
        let mut arguments = vec!["hub", "key", "create", "--name", name];
        arguments.extend(more);
        self.run(&arguments).await
    }

    pub(crate) fn mcp(&self) -> String {
        format!("{}/mcp", self.base)
    }

    pub(crate) fn port(&self) -> &str {
        self.base.rsplit(':').next().unwrap()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Asks it to end, as a terminal does; how it ended and what it said.
    pub(crate) async fn end(mut self) -> (Option<i32>, String) {
        let pid = self.pid().to_string();
        let killed = Command::new("kill").args(["-INT", &pid]).status().await;
        assert!(killed.unwrap().success());
        let mut stderr = self.child.stderr.take().unwrap();
        let mut said = String::new();
        timeout(PATIENCE, stderr.read_to_string(&mut said))
            .await
            .unwrap()
            .unwrap();
        let status = timeout(PATIENCE, self.child.wait()).await.unwrap().unwrap();
        (status.code(), said)
    }
}

/// An answer, read.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The one message, from a document or from the last event of a stream that has data.
    #[track_caller]
    pub(crate) fn message(&self) -> Value {
        let text = if self.header("content-type").starts_with("text/event-stream") {
            let mut data = self.text.lines().filter_map(|l| l.strip_prefix("data: "));
            data.rfind(|data| !data.is_empty()).unwrap_or_default()
        } else {
            &self.text
        };
        serde_json::from_str(text).unwrap_or_else(|_| panic!("{} {}", self.status, self.text))
    }

    /// The refusal: status, code, and whether it says something.
    #[track_caller]
    pub(crate) fn refusal(&self) -> (u16, i64) {
        let message = self.message();
        let error = &message["error"];
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        assert!(error["message"].as_str().unwrap().len() > 10, "{message}");
        (self.status, error["code"].as_i64().unwrap())
    }
}

/// Somebody who asks one address.
#[derive(Clone)]
pub(crate) struct Asker {
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
    client: Client,
}

/// reqwest is built without a TLS provider of its own.
pub(crate) fn with_crypto() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // another test of the process may have been quicker
        drop(rustls::crypto::ring::default_provider().install_default());
    }
}

impl Asker {
    pub(crate) fn new(url: &str) -> Self {
        with_crypto();
        Self {
            url: url.to_owned(),
            headers: Vec::new(),
            client: Client::builder().no_proxy().build().unwrap(),
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn with_key(self, key: &str) -> Self {
        self.with("authorization", &format!("Bearer {key}"))
    }

    pub(crate) fn request(&self, method: Method) -> RequestBuilder {
        let mut request = self.client.request(method, &self.url);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Answer {
        let response = timeout(PATIENCE, request.send()).await.unwrap().unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = timeout(PATIENCE, response.text()).await.unwrap().unwrap();
        Answer {
            status,
            headers,
            text,
        }
    }

    pub(crate) async fn any(&self, method: Method) -> Answer {
        self.send(self.request(method)).await
    }

    /// Sends these bytes as a message.
    pub(crate) async fn raw(&self, body: impl Into<reqwest::Body>) -> Answer {
        let request = self.request(Method::POST);
        let request = request.header("content-type", "application/json");
        self.send(request.body(body)).await
    }

    pub(crate) async fn post(&self, message: &Value) -> Answer {
        self.raw(message.to_string()).await
    }

    pub(crate) async fn ask(&self, method: &str, params: Value) -> Answer {
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.post(&message).await
    }

    /// A request of the newer generation, with all that it has to say.
    pub(crate) async fn modern(&self, method: &str, mut params: Value) -> Answer {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let mut asker = self
            .clone()
            .with("mcp-protocol-version", MODERN)
            .with("mcp-method", method);
        if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
            asker = asker.with("mcp-name", name);
        }
        asker.ask(method, params).await
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.ask("tools/call", params).await;
        answer.message()
    }

    pub(crate) async fn tools(&self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({})).await.message();
        let tools = listed["result"]["tools"].as_array();
        let tools = tools.unwrap_or_else(|| panic!("{listed}"));
        tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// `initialize` with this version; the asker that goes on in the session, if it is given one.
    pub(crate) async fn session(&self, version: &str) -> Self {
        let greeting = greeting(version);
        let answer = self.ask("initialize", greeting).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let session = answer.header("mcp-session-id");
        assert!(!session.is_empty(), "{answer:?}");
        let asker = self
            .clone()
            .with("mcp-session-id", session)
            .with("mcp-protocol-version", version);
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(asker.post(&ready).await.status, 202);
        asker
    }
}

pub(crate) fn greeting(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

/// Kilobytes of memory that a process has.
pub(crate) fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    let number = line.split_whitespace().nth(1).unwrap();
    number.parse().unwrap()
}
