//! The binary, a world for it to run in, and short ways to ask it.

use std::path::{Path, PathBuf};

use ensemble_test_harness::{Bridge, Grants, Home, LATEST, TestHub};
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, ProtocolVersion,
    ReadResourceRequestParams,
};
use rmcp::service::RunningService;
use rmcp::{ClientLifecycleMode, RoleClient, serve_client_with_lifecycle};
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The text of one result may have: 25,000 tokens, as clients count them.
pub(crate) const MOST_TEXT: usize = 100_000;

/// The tools that every key has, in the order in which they are listed. This is the one list: who adds a tool adds it here
/// and calls it in `generations`.
pub(crate) const READING: [&str; 24] = [
    "ensemble_brief",
    "ensemble_context",
    "ensemble_search",
    "ensemble_read",
    "ensemble_today",
    "ensemble_decisions",
    "ensemble_gaps",
    "ensemble_tasks",
    "ensemble_projects",
    "ensemble_repos",
    "ensemble_diagrams",
    "ensemble_plots",
    "ensemble_skills",
    "ensemble_deliverables",
    "ensemble_meetings",
    "ensemble_people",
    "ensemble_files",
    "ensemble_get_file",
    "ensemble_repo_overview",
    "ensemble_repo_file",
    "ensemble_spaces",
    "ensemble_docs",
    "ensemble_actions",
    "ensemble_act",
];

/// What a key with changes has besides.
pub(crate) const CHANGING: [&str; 3] = [
    "ensemble_create_task",
    "ensemble_update_task",
    "ensemble_upload_file",
];

/// All of them.
pub(crate) fn all_tools() -> Vec<&'static str> {
    [&READING[..], &CHANGING[..]].concat()
}

/// The resources of every key, in the order in which they are listed.
pub(crate) const RESOURCES: [&str; 10] = [
    "ensemble://today",
    "ensemble://decisions",
    "ensemble://gaps",
    "ensemble://tasks",
    "ensemble://projects",
    "ensemble://repos",
    "ensemble://skills",
    "ensemble://deliverables",
    "ensemble://meetings",
    "ensemble://people",
];

/// Their templates.
pub(crate) const TEMPLATES: [&str; 6] = [
    "ensemble://items/{kind}/{id}",
    "ensemble://tasks/{id}",
    "ensemble://projects/{id}",
    "ensemble://repos/{id}",
    "ensemble://skills/{id}",
    "ensemble://people/{id}",
];

/// The binary under test.
pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_ensemble"))
}

/// A home in which components are compiled once for all suites of this program.
pub(crate) fn home() -> Home {
    Home::sharing(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("program-cache"))
}

/// A hub with the demo workspace, and a home with a key for it.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) home: Home,
    pub(crate) hub: TestHub,
    pub(crate) key: String,
}

impl World {
    pub(crate) async fn new(grants: Grants) -> Self {
        let hub = TestHub::start().await;
        let key = hub.key("editor", grants).await;
        Self {
            home: home(),
            hub,
            key,
        }
    }

    /// The program, with the key and the address of the hub.
    pub(crate) fn command(&self) -> Command {
        let mut command = self.home.command(program());
        command
            .env("HUB_API_URL", self.hub.base())
            .env("ENSEMBLE_BRIDGE_TOKEN", &self.key);
        command
    }

    /// A bridge that was greeted already.
    pub(crate) async fn bridge(&self) -> Bridge {
        let mut bridge = Bridge::start(self.command());
        bridge.initialize(LATEST).await;
        bridge
    }

    /// The same for another working folder.
    pub(crate) async fn bridge_in(&self, folder: &Path) -> Bridge {
        let mut command = self.command();
        command.current_dir(folder);
        let mut bridge = Bridge::start(command);
        bridge.initialize(LATEST).await;
        bridge
    }
}

/// Ends a bridge, which has to end well.
pub(crate) async fn end(bridge: Bridge) {
    let ended = bridge.close().await;
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
}

/// The text of a tool's result.
#[track_caller]
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// The sentence of a result that has to be an error.
#[track_caller]
pub(crate) fn refusal(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result.get("structuredContent"), None, "{result}");
    text(result)
}

/// The structured content of a result that has to be an answer.
#[track_caller]
pub(crate) fn answer(result: &Value) -> &Value {
    assert_ne!(result["isError"], true, "{result}");
    assert!(result["structuredContent"].is_object(), "{result}");
    &result["structuredContent"]
}

/// The names of a list of records, tools or hits, in order.
#[track_caller]
pub(crate) fn names<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    let items = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    items
        .iter()
        .map(|item| item[field].as_str().unwrap())
        .collect()
}

/// The names of the tools that are listed now.
pub(crate) async fn tools(bridge: &mut Bridge) -> Vec<String> {
    let listed = bridge.request("tools/list", json!({})).await;
    let names = names(&listed["result"]["tools"], "name");
    names.into_iter().map(str::to_owned).collect()
}

/// rmcp's own client on the pipes of a bridge.
#[derive(Debug)]
pub(crate) struct Editor {
    pub(crate) client: RunningService<RoleClient, ClientConfig>,
    child: Child,
    called: std::sync::Mutex<std::collections::BTreeSet<String>>,
}

impl Editor {
    /// Starts `command mcp` and agrees on that version, through `initialize` or, where the version has none, without.
    pub(crate) async fn start(mut command: Command, version: ProtocolVersion) -> Self {
        let mut child = command
            .arg("mcp")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let config = ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("Клиент", "1"),
        )
        .with_protocol_version(version.clone());
        let lifecycle = if version == ProtocolVersion::V_2026_07_28 {
            ClientLifecycleMode::Discover {
                preferred_versions: vec![version.clone()],
            }
        } else {
            ClientLifecycleMode::Initialize
        };
        let started = serve_client_with_lifecycle(config, pipes, lifecycle);
        let client = timeout(ensemble_test_harness::PATIENCE, started)
            .await
            .unwrap()
            .unwrap();
        let agreed = client.peer_info().unwrap();
        assert_eq!(agreed.protocol_version, version);
        Self {
            client,
            child,
            called: std::sync::Mutex::default(),
        }
    }

    /// Which tools were called so far, in the order of [`all_tools`]; others at the end.
    pub(crate) fn called(&self) -> Vec<String> {
        let mut called: Vec<String> = self.called.lock().unwrap().iter().cloned().collect();
        let place = |name: &String| all_tools().iter().position(|tool| tool == name);
        called.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
        called
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.called.lock().unwrap().insert(tool.to_owned());
        let mut call = CallToolRequestParams::new(tool.to_owned());
        call.arguments = arguments.as_object().cloned();
        let result = self.client.call_tool(call).await;
        let result = result.unwrap_or_else(|error| panic!("{tool}: {error}"));
        serde_json::to_value(result).unwrap()
    }

    /// Reads a resource that is one JSON text.
    pub(crate) async fn read(&self, uri: &str) -> Value {
        let read = ReadResourceRequestParams::new(uri);
        let result = self.client.read_resource(read).await;
        let result = result.unwrap_or_else(|error| panic!("{uri}: {error}"));
        let result = serde_json::to_value(result).unwrap();
        let [content] = result["contents"].as_array().unwrap().as_slice() else {
            panic!("{uri}: {result}");
        };
        assert_eq!(content["uri"], uri);
        assert_eq!(content["mimeType"], "application/json");
        let text = content["text"].as_str().unwrap();
        assert!(text.len() <= MOST_TEXT, "{uri} has {} bytes", text.len());
        serde_json::from_str(text).unwrap()
    }

    /// Leaves; the bridge has to end well by itself.
    pub(crate) async fn leave(mut self) {
        self.client.cancel().await.unwrap();
        let ended = timeout(ensemble_test_harness::PATIENCE, self.child.wait());
        assert_eq!(ended.await.unwrap().unwrap().code(), Some(0));
    }
}

/// Calls a tool, checks what holds for every answer, and gives what is in it.
pub(crate) async fn ask(editor: &Editor, tool: &str, arguments: Value) -> Value {
    let result = editor.call(tool, arguments).await;
    let found = answer(&result).clone();
    let text = text(&result);
    let size = text.len() + found.to_string().len();
    assert!(size <= MOST_TEXT, "{tool} answers {size} bytes");
    if let Some(packet) = found["packet"].as_str() {
        assert!(text.contains(packet), "{text}");
    } else if tool != "ensemble_brief" {
        let same: Value = serde_json::from_str(text).unwrap();
        assert_eq!(same, found, "text and structure of {tool} differ");
    }
    found
}
