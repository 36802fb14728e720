//! A bridge over a pipe in memory, with a hub that answers as the test says. Most tests need no component: their plugins
//! have bytes that are none, and a call that reaches one is refused there, which is how a test sees that it came that far.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ensemble_broker::decision::{Decision, DecisionSink};
use ensemble_broker::{Broker, Deps, Granted, HubPort};
use ensemble_catalog::{Catalog, Entry};
use ensemble_mcp::{Bridge, BridgeConfig, ServeError, serve};
use ensemble_model::{Clock, Digest, Manifest, Surface};
use ensemble_runtime::{Bytes, CacheConfig, Origin, Plugin, Registry, Runtime, RuntimeConfig};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::hub::{FakeHub, HANG, Hub};

/// Long enough that only a bridge that hangs is hit by it.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug)]
struct NoLog;

impl DecisionSink for NoLog {
    fn record(&self, _: &Decision) {}
}

#[derive(Debug)]
struct TestClock(Instant);

impl Clock for TestClock {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::UNIX_EPOCH
    }

    fn instant(&self) -> Instant {
        self.0 + self.0.elapsed()
    }
}

/// A bridge and what a test moves it with.
pub(crate) struct World {
    pub(crate) bridge: Bridge,
    pub(crate) registry: Registry,
    hub: Arc<FakeHub>,
}

impl World {
    /// With a plugin that reads and one that changes, neither of which is a component.
    pub(crate) fn new(hub: Hub) -> Self {
        let plugins = vec![
            plugin("tasks", "read", "ensemble_tasks"),
            plugin("task-changes", "changes", "ensemble_create_task"),
        ];
        let runtime = Runtime::new(RuntimeConfig::default()).unwrap();
        Self::with(hub, runtime, plugins)
    }

    /// With a real component that does as a test says.
    pub(crate) fn with_guest() -> Self {
        let config = RuntimeConfig {
            cache: Some(CacheConfig {
                directory: PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("wire-code"),
                key: [7; 32],
            }),
            ..RuntimeConfig::default()
        };
        let runtime = Runtime::new(config).unwrap();
        let plugins = vec![
            guest(),
            plugin("task-changes", "changes", "ensemble_create_task"),
        ];
        Self::with(Hub::Knows { changes: true }, runtime, plugins)
    }

    /// With the guest of the conformance suite, as far as these tests use it.
    pub(crate) fn with_prompts() -> Self {
        let runtime = Runtime::new(RuntimeConfig::default()).unwrap();
        Self::with(Hub::Knows { changes: true }, runtime, vec![prompter()])
    }

    fn with(hub: Hub, runtime: Runtime, plugins: Vec<Plugin>) -> Self {
        let hub = Arc::new(FakeHub::new(hub));
        let broker = Broker::new(Deps {
            hub: Arc::clone(&hub) as Arc<dyn HubPort>,
            repository: None,
            folder: None,
            log: Arc::new(NoLog),
            clock: Arc::new(TestClock(Instant::now())),
            time_zone: "Europe/Berlin".into(),
        });
        let entries = plugins.iter().map(|plugin| Entry {
            manifest: plugin.manifest.clone(),
            surface: plugin.surface.clone(),
            origin: plugin.origin,
        });
        let catalog = Catalog::new(entries.collect()).unwrap();
        let registry = Registry::new(runtime, plugins).unwrap();
        let config = BridgeConfig {
            name: "ensemble".into(),
            version: "1.2.3".into(),
            instructions: "Start with ensemble_brief.".into(),
            seal: [7; 32].into(),
        };
        let bridge = Bridge::new(broker, &catalog, registry.clone(), config);
        Self {
            bridge,
            registry,
            hub,
        }
    }

    /// Waits until so many requests wait at the route that never answers.
    pub(crate) async fn hanging(&self, wanted: usize) {
        let mut hanging = self.hub.hanging.subscribe();
        let reached = tokio::time::timeout(PATIENCE, hanging.wait_for(|n| *n == wanted)).await;
        reached
            .expect("the requests to the hub are not as wanted")
            .unwrap();
    }

    /// From now on the hub behaves like this.
    pub(crate) fn becomes(&self, hub: Hub) {
        self.hub.behaviour.send_replace(hub);
    }

    /// Another client changes what these resources show.
    pub(crate) fn changes(&self, uris: &[&str]) {
        let uris = uris.iter().map(|&uri| uri.to_owned()).collect();
        self.hub.changes.send_modify(|all| all.push(uris));
    }

    /// Waits until so many followers wait for a change.
    pub(crate) async fn followed(&self, wanted: usize) {
        let waiting = async {
            while self.hub.changes.receiver_count() != wanted {
                tokio::task::yield_now().await;
            }
        };
        let reached = tokio::time::timeout(PATIENCE, waiting).await;
        reached.expect("the changes are not followed as wanted");
    }

    /// The paths that the hub was asked for.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.hub.asked.lock().unwrap().clone()
    }

    /// A client that is connected and has said nothing.
    pub(crate) fn connect(&self) -> Client {
        self.connect_through(1 << 20)
    }

    /// The same through a pipe that holds so many bytes.
    pub(crate) fn connect_through(&self, bytes: usize) -> Client {
        let (client, server) = tokio::io::duplex(bytes);
        let shutdown = CancellationToken::new();
        let (reader, writer) = tokio::io::split(server);
        let served = tokio::spawn(serve(self.bridge.clone(), reader, writer, shutdown.clone()));
        let (reader, writer) = tokio::io::split(client);
        Client {
            reader: BufReader::new(reader),
            writer: Some(writer),
            served,
            shutdown,
        }
    }
}

fn plugin(id: &str, grant: &str, tool: &str) -> Plugin {
    let manifest = Manifest::parse(&format!(
        "id = \"{id}\"\nversion = \"0.1.0\"\ngroup = \"tasks\"\ntitle = \"T\"\ndescription = \"D\"\n\
         world = \"reader\"\ngrant = \"{grant}\"\nspace = true\n"
    ))
    .unwrap();
    let reads = grant == "read";
    let mut surface = json!({"tools": [{
        "name": tool, "title": "Title", "description": "Description.",
        "inputSchema": {"type": "object", "additionalProperties": false, "properties": {
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "How many."}
        }},
        "annotations": {"readOnlyHint": reads, "destructiveHint": false, "idempotentHint": reads, "openWorldHint": false}
    }]});
    if reads {
        surface["resources"] = json!([{"uri": "ensemble://tasks", "name": "tasks"}]);
        surface["resourceTemplates"] =
            json!([{"uriTemplate": "ensemble://tasks/{id}", "name": "task"}]);
    }
    let bytes: &[u8] = b"no component";
    Plugin {
        granted: Granted::everything(&manifest),
        manifest,
        surface: Surface::parse(&surface.to_string()).unwrap(),
        digest: Digest::of(bytes),
        bytes: Bytes::Static(b"no component"),
        origin: Origin::BuiltIn,
    }
}

/// The probe, with the tools that these tests use.
fn guest() -> Plugin {
    let manifest = Manifest::parse(&format!(
        "id = \"probe\"\nversion = \"0.1.0\"\ngroup = \"probe\"\ntitle = \"T\"\ndescription = \"D\"\n\
         world = \"reader\"\ngrant = \"read\"\nspace = true\n\
         [[imports]]\ninterface = \"ensemble:hub/read\"\nreason = \"a test\"\n\
         [[routes]]\nmethod = \"GET\"\npath = \"{HANG}\"\nreason = \"a test\"\n\
         [[routes]]\nmethod = \"GET\"\npath = \"/api/bridge/tasks\"\nreason = \"a test\"\n\
         [limits]\ndeadline-ms = 3000\n"
    ))
    .unwrap();
    let tool = |name: &&str| {
        json!({
            "name": name, "title": name, "description": "A test.",
            "inputSchema": {"type": "object", "properties": {
                "text": {"type": "string", "description": "T."},
                "path": {"type": "string", "description": "P."},
                "lines": {"type": "integer", "description": "L."}
            }},
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
        })
    };
    let names = ["echo", "ask", "fail", "log_flood", "get_route", "spin"];
    let surface = json!({
        "tools": names.iter().map(tool).collect::<Vec<_>>(),
        "resources": [{"uri": "probe://one", "name": "one"}],
        "resourceTemplates": [{"uriTemplate": "probe://{id}", "name": "any"}]
    });
    let bytes = ensemble_test_artifacts::wasm("probe-kit");
    Plugin {
        granted: Granted::everything(&manifest),
        manifest,
        surface: Surface::parse(&surface.to_string()).unwrap(),
        digest: Digest::of(bytes),
        bytes: Bytes::Static(bytes),
        origin: Origin::BuiltIn,
    }
}

/// The guest of the conformance suite.
fn prompter() -> Plugin {
    let manifest = include_str!("../../../../tests/components/conformance/plugin.toml");
    let manifest = Manifest::parse(manifest).unwrap();
    let tool = |name: &str| {
        json!({
            "name": name, "title": name, "description": "A test.", "inputSchema": {"type": "object", "properties": {}},
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
        })
    };
    let argument = |name: &str| json!({"name": name, "required": true});
    let surface = json!({
        "tools": [tool("test_trigger_prompt_change"), tool("test_missing_capability"), tool("test_trigger_resource_change")],
        "resources": [{"uri": "test://watched-resource", "name": "watched"}, {"uri": "test://static-binary", "name": "bytes"}],
        "prompts": [
            {"name": "test_prompt_with_arguments", "description": "Two.", "arguments": [argument("arg1"), argument("arg2")]},
            {"name": "test_prompt_with_image", "description": "An image."},
            {"name": "test_input_required_result_prompt", "description": "Asks."}
        ],
        "completes": true
    });
    let bytes = ensemble_test_artifacts::wasm("probe-conformance");
    Plugin {
        granted: Granted::everything(&manifest),
        manifest,
        surface: Surface::parse(&surface.to_string()).unwrap(),
        digest: Digest::of(bytes),
        bytes: Bytes::Static(bytes),
        origin: Origin::BuiltIn,
    }
}

/// One end of the pipe, in bytes and lines.
pub(crate) struct Client {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: Option<WriteHalf<DuplexStream>>,
    served: JoinHandle<Result<(), ServeError>>,
    pub(crate) shutdown: CancellationToken,
}

impl Client {
    /// Writes bytes as they are.
    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(bytes).await.unwrap();
    }

    /// Writes a line.
    pub(crate) async fn line(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.line(&message.to_string()).await;
    }

    /// The next line, which has to be JSON and nothing else.
    pub(crate) async fn recv(&mut self) -> Value {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.reader.read_line(&mut line));
        read.await.expect("the bridge is silent").unwrap();
        assert!(line.ends_with('\n') && !line.contains('\r'), "{line:?}");
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request and gives its answer; anything else that comes before it is a fault.
    pub(crate) async fn ask(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        let id = id.into();
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        let answer = self.recv().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// `initialize` and `notifications/initialized`; the answer to the first.
    pub(crate) async fn initialize(&mut self, version: &str) -> Value {
        let answer = self.ask("init", "initialize", hello(&json!(version))).await;
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        answer
    }

    /// Closes the input of the bridge.
    pub(crate) async fn close_input(&mut self) {
        let mut writer = self.writer.take().unwrap();
        writer.shutdown().await.unwrap();
    }

    /// Closes the input of the bridge and waits for it to end well.
    pub(crate) async fn leave(mut self) {
        self.close_input().await;
        self.ended().await;
    }

    /// Waits for the bridge to end well.
    pub(crate) async fn ended(self) {
        let served = tokio::time::timeout(PATIENCE, self.served);
        served.await.expect("the bridge goes on").unwrap().unwrap();
    }

    /// Lets go of both ends of the pipe, and gives what waits for the bridge to end.
    pub(crate) fn vanish(self) -> JoinHandle<Result<(), ServeError>> {
        self.served
    }
}

/// The parameters of `initialize`.
pub(crate) fn hello(version: &Value) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "Клиент", "version": "1"}})
}

/// The parameters of a request of the newer generation.
pub(crate) fn modern(params: Value) -> Value {
    able(params, &json!({}))
}

/// The same of a client that says what it can do.
pub(crate) fn able(mut params: Value, capabilities: &Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": "Клиент", "version": "1"}
    });
    params
}

/// The names of a list of tools.
pub(crate) fn names(answer: &Value) -> Vec<&str> {
    let tools = answer["result"]["tools"].as_array().unwrap();
    tools.iter().map(|t| t["name"].as_str().unwrap()).collect()
}

/// The text of a failed call.
pub(crate) fn failure(answer: &Value) -> &str {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    answer["result"]["content"][0]["text"].as_str().unwrap()
}
