//! A bridge with one component that answers in whatever shape it is told to, and a client of it over a pipe in memory.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ensemble_broker::{
    Broker, Decision, DecisionSink, Deps, Download, Fault, FileRequest, Granted, HubPort, HubReply,
    HubRequest, Permit, PortFuture,
};
use ensemble_catalog::{Catalog, Entry};
use ensemble_mcp::{Bridge, BridgeConfig, serve};
use ensemble_model::{Clock, Digest, Manifest, Origin, Surface};
use ensemble_runtime::{Bytes, CacheConfig, Plugin, Registry, Runtime, RuntimeConfig};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio_util::sync::CancellationToken;

const MANIFEST: &str = "id = \"shape\"\nversion = \"0.1.0\"\ngroup = \"shape\"\ntitle = \"Shape\"\ndescription = \"d\"\nworld = \"reader\"\ngrant = \"read\"\nspace = true\n[limits]\ndeadline-ms = 5000\n";

/// The id of the request that every conversation ends with.
const LAST: &str = "the last one of this conversation";

/// What a conversation may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Says these bytes and then one `ping`, and gives every message that came. The input ends when the `ping` and the requests of these ids
/// are answered: what is under way by then is given up by the server.
pub(crate) fn spoken(greeted: bool, bytes: &[u8], wanted: &[Value]) -> Vec<Value> {
    let mut said = Vec::new();
    if greeted {
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}});
        said.extend(line(
            &json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": hello}),
        ));
        said.extend(line(
            &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ));
    }
    said.extend_from_slice(bytes);
    said.push(b'\n');
    said.extend(line(
        &json!({"jsonrpc": "2.0", "id": LAST, "method": "ping"}),
    ));
    let mut open: Vec<Value> = wanted.to_vec();
    open.push(json!(LAST));
    crate::executor().block_on(async {
        let conversation = converse(said, open);
        tokio::time::timeout(PATIENCE, conversation)
            .await
            .expect("the server is silent")
    })
}

/// Whether it answers the last request.
pub(crate) fn is_last(message: &Value) -> bool {
    message["id"] == LAST && message.get("method").is_none()
}

fn line(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

/// Everything that the server writes.
async fn converse(said: Vec<u8>, mut open: Vec<Value>) -> Vec<Value> {
    let (ours, theirs) = tokio::io::duplex(64 << 10);
    let (reader, writer) = tokio::io::split(theirs);
    let serving = tokio::spawn(serve(bridge(), reader, writer, CancellationToken::new()));
    let (from, mut to) = tokio::io::split(ours);
    let (answered, all_answered) = tokio::sync::oneshot::channel::<()>();
    let writing = tokio::spawn(async move {
        // a server that has had enough closes its end
        drop(to.write_all(&said).await);
        drop(all_answered.await);
        drop(to.shutdown().await);
    });
    let (mut from, mut messages, mut answered) = (BufReader::new(from), Vec::new(), Some(answered));
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).await.unwrap() > 0 {
        let text = std::str::from_utf8(&line).expect("no UTF-8 on the stream");
        assert!(text.ends_with('\n'), "the last line has no end: {text:?}");
        let message: Value =
            serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {text:?}"));
        if message.get("method").is_none() {
            open.retain(|id| message["id"] != *id);
        }
        if open.is_empty() {
            // dropped, it tells the writer
            answered = None;
        }
        messages.push(message);
        line.clear();
    }
    drop(answered);
    writing.await.unwrap();
    serving.await.unwrap().unwrap();
    messages
}

/// The one bridge; each conversation has a clone of it.
fn bridge() -> Bridge {
    static ONE: OnceLock<Bridge> = OnceLock::new();
    ONE.get_or_init(|| {
        let wasm = ensemble_test_artifacts::wasm("probe-shape");
        let manifest = Manifest::parse(MANIFEST).unwrap();
        let surface = Surface::parse(&surface()).unwrap();
        let entry = Entry {
            manifest: manifest.clone(),
            surface: surface.clone(),
            origin: Origin::BuiltIn,
        };
        let plugin = Plugin {
            granted: Granted::everything(&manifest),
            manifest,
            surface,
            digest: Digest::of(wasm),
            bytes: Bytes::Static(wasm),
            origin: Origin::BuiltIn,
        };
        let cache = CacheConfig {
            directory: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/fuzz-code"),
            key: [3; 32],
        };
        let runtime = Runtime::new(RuntimeConfig {
            cache: Some(cache),
            ..RuntimeConfig::default()
        })
        .unwrap();
        let broker = Broker::new(Deps {
            hub: Arc::new(Memory),
            repository: None,
            folder: None,
            log: Arc::new(Nowhere),
            clock: Arc::new(System),
            time_zone: "UTC".to_owned(),
        });
        let config = BridgeConfig {
            name: "fuzz".to_owned(),
            version: "1".to_owned(),
            instructions: String::new(),
            seal: [7; 32].into(),
        };
        let registry = Registry::new(runtime, vec![plugin]).unwrap();
        Bridge::new(
            broker,
            &Catalog::new(vec![entry]).unwrap(),
            registry,
            config,
        )
    })
    .clone()
}

fn surface() -> String {
    let tool = json!({
        "name": "shape", "title": "Shape", "description": "Answers in that shape.",
        "inputSchema": {"type": "object", "properties": {"shape": {"type": "string", "description": "JSON."}}},
        "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
    });
    json!({ "tools": [tool] }).to_string()
}

#[derive(Debug)]
struct Memory;

impl HubPort for Memory {
    fn credential(&self) -> Result<(), String> {
        Ok(())
    }

    fn request<'a>(&'a self, _: &'a Permit, _: HubRequest) -> PortFuture<'a, HubReply> {
        let body = r#"{"canWrite":false,"canUseApps":false,"keyName":"fuzz","defaultSpace":{"id":"s","name":"S"}}"#;
        Box::pin(async move {
            Ok(HubReply {
                body: body.to_owned(),
            })
        })
    }

    fn download<'a>(&'a self, _: &'a Permit, _: FileRequest) -> PortFuture<'a, Box<dyn Download>> {
        Box::pin(async { Err(Fault::NotFound("This hub keeps no files.".to_owned()).into()) })
    }
}

#[derive(Debug)]
struct Nowhere;

impl DecisionSink for Nowhere {
    fn record(&self, _: &Decision) {}
}

#[derive(Debug)]
struct System;

impl Clock for System {
    fn now(&self) -> Timestamp {
        Timestamp::constant(1_790_000_000, 0)
    }

    fn instant(&self) -> Instant {
        Instant::now()
    }
}
