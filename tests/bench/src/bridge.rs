//! The host with a hub that answers `whoami` from memory: what is left is the cost of the sandbox. Its component is the test guests' probe,
//! once as `echo`, whose tools answer, are refused or break off, and once as `spinner`, which only spins.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use ensemble_broker::{
    Broker, Decision, DecisionSink, Deps, Download, Fault, FileRequest, Granted, HubPort, HubReply,
    HubRequest, Permit, PortFuture,
};
use ensemble_catalog::{Catalog, Entry};
use ensemble_mcp::{Bridge, BridgeConfig};
use ensemble_model::{Clock, Digest, Manifest, Surface};
use ensemble_runtime::{Bytes, CacheConfig, Origin, Plugin, Registry, Runtime, RuntimeConfig};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// The plugins, and the tools of each.
const PLUGINS: [(&str, &[&str]); 2] = [
    ("echo", &["echo", "fail", "panic", "get_route"]),
    ("spinner", &["spin"]),
];

/// Serves until standard input ends.
pub(crate) fn serve() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let bridge = bridge()?;
    runtime.block_on(ensemble_mcp::serve_stdio(bridge, CancellationToken::new()))?;
    runtime.shutdown_background();
    Ok(())
}

fn bridge() -> anyhow::Result<Bridge> {
    let mut plugins = Vec::new();
    for (id, tools) in PLUGINS {
        plugins.push(plugin(id, tools)?);
    }
    let entry = |plugin: &Plugin| Entry {
        manifest: plugin.manifest.clone(),
        surface: plugin.surface.clone(),
        origin: Origin::BuiltIn,
    };
    let catalog = Catalog::new(plugins.iter().map(entry).collect())?;
    let home = std::env::var_os("HOME").context("HOME is not set")?;
    let cache = CacheConfig {
        directory: PathBuf::from(home).join("bench-code"),
        key: [1; 32],
    };
    let runtime = Runtime::new(RuntimeConfig {
        cache: Some(cache),
        ..RuntimeConfig::default()
    })?;
    let broker = Broker::new(Deps {
        hub: Arc::new(Memory),
        repository: None,
        folder: None,
        log: Arc::new(Nowhere),
        clock: Arc::new(System),
        time_zone: "UTC".to_owned(),
    });
    let config = BridgeConfig {
        name: "bench".to_owned(),
        version: "1".to_owned(),
        instructions: String::new(),
        seal: [7; 32].into(),
    };
    Ok(Bridge::new(
        broker,
        catalog,
        Registry::new(runtime, plugins)?,
        config,
    ))
}

fn plugin(id: &str, tools: &[&str]) -> anyhow::Result<Plugin> {
    let manifest = Manifest::parse(&format!(
        "id = \"{id}\"\nversion = \"0.1.0\"\ngroup = \"bench\"\ntitle = \"Bench\"\ndescription = \"Is measured.\"\nworld = \"reader\"\n\
         grant = \"read\"\nspace = true\n[[imports]]\ninterface = \"ensemble:hub/read\"\nreason = \"The test guest imports it.\"\n"
    ))?;
    let tool = |name: &&str| {
        json!({
            "name": name, "title": name, "description": "Does what its name says.",
            "inputSchema": {"type": "object", "properties": {
                "text": {"type": "string", "description": "Any text."},
                "path": {"type": "string", "description": "Any path."}
            }},
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
        })
    };
    let tools: Vec<_> = tools.iter().map(tool).collect();
    let wasm = ensemble_test_artifacts::wasm("probe-kit");
    Ok(Plugin {
        granted: Granted::everything(&manifest),
        manifest,
        surface: Surface::parse(&json!({ "tools": tools }).to_string())?,
        digest: Digest::of(wasm),
        bytes: Bytes::Static(wasm),
        origin: Origin::BuiltIn,
    })
}

#[derive(Debug)]
struct Memory;

impl HubPort for Memory {
    fn credential(&self) -> Result<(), String> {
        Ok(())
    }

    fn request<'a>(&'a self, _: &'a Permit, _: HubRequest) -> PortFuture<'a, HubReply> {
        let body = r#"{"canWrite":false,"canUseApps":false,"keyName":"bench","defaultSpace":{"id":"s","name":"S"}}"#;
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
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }

    fn instant(&self) -> Instant {
        Instant::now()
    }
}
