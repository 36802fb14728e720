//! A bridge with the plugin `conformance` alone. What it lists is what its component says, asked once at the start.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use ensemble_broker::{
    Broker, Decision, DecisionSink, Deps, Download, Fault, FileRequest, Granted, HubPort, HubReply,
    HubRequest, Permit, PortFuture,
};
use ensemble_catalog::{Catalog, Entry};
use ensemble_hub_server::{Routes, serve_routes};
use ensemble_mcp::http::{Endpoint, Lifetime, LocalGate};
use ensemble_mcp::{Bridge, BridgeConfig};
use ensemble_model::{Clock, Digest, Manifest, Surface};
use ensemble_runtime::{Bytes, CacheConfig, Origin, Plugin, Registry, Runtime, RuntimeConfig};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const MANIFEST: &str = include_str!("../../components/conformance/plugin.toml");

/// Serves until standard input ends.
pub(crate) fn serve() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let bridge = bridge().await?;
        ensemble_mcp::serve_stdio(bridge, CancellationToken::new()).await?;
        anyhow::Ok(())
    })?;
    runtime.shutdown_background();
    Ok(())
}

/// Serves over HTTP until it is ended.
pub(crate) fn serve_http(port: u16) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let endpoint = Endpoint::local(bridge().await?, Lifetime::new());
        let gate = Arc::new(LocalGate::new(port, None));
        let routes = Routes::any(&["/mcp"], move |request, seat| {
            let (endpoint, gate) = (endpoint.clone(), Arc::clone(&gate));
            async move {
                if let Err(refused) = gate.check(request.headers()) {
                    return refused;
                }
                seat.is_of_a_caller();
                endpoint.answer(request).await
            }
        });
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        serve_routes(listener, routes, CancellationToken::new()).await;
        anyhow::Ok(())
    })
}

async fn bridge() -> anyhow::Result<Bridge> {
    // one compilation for all processes of a run
    let folder = std::env::temp_dir().join("ensemble-conformance-code");
    let runtime = Runtime::new(RuntimeConfig {
        cache: Some(CacheConfig {
            directory: folder,
            key: [1; 32],
        }),
        ..RuntimeConfig::default()
    })?;
    let broker = Broker::new(Deps {
        hub: Arc::new(OneKey),
        repository: None,
        folder: None,
        log: Arc::new(Nowhere),
        clock: Arc::new(System),
        time_zone: "UTC".to_owned(),
    });
    let mut plugin = plugin(Surface::default())?;
    let (id, manifest, digest) = (&plugin.manifest.id, &plugin.manifest, &plugin.digest);
    let unlisted = Registry::new(runtime.clone(), vec![plugin.clone()])?;
    // the time of a session runs from its making, and loading is no part of it
    unlisted.load(id).await?;
    let session = broker.listing(manifest, digest);
    plugin.surface = unlisted
        .surface(id, session)
        .await
        .context("the component does not say what it offers")?;
    let catalog = Catalog::of_any_schema(vec![Entry {
        manifest: plugin.manifest.clone(),
        surface: plugin.surface.clone(),
        origin: Origin::BuiltIn,
    }])?;
    let config = BridgeConfig {
        name: "ensemble-conformance".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: String::new(),
        seal: [1; 32].into(),
    };
    let registry = Registry::new(runtime, vec![plugin])?;
    Ok(Bridge::new(broker, &catalog, registry, config))
}

fn plugin(surface: Surface) -> anyhow::Result<Plugin> {
    let manifest = Manifest::parse(MANIFEST)?;
    let wasm = ensemble_test_artifacts::wasm("probe-conformance");
    Ok(Plugin {
        granted: Granted::everything(&manifest),
        manifest,
        surface,
        digest: Digest::of(wasm),
        bytes: Bytes::Static(wasm),
        origin: Origin::BuiltIn,
    })
}

/// A hub that knows one key. Nothing ever changes in it.
#[derive(Debug)]
struct OneKey;

impl HubPort for OneKey {
    fn credential(&self) -> Result<(), String> {
        Ok(())
    }

    fn request<'a>(&'a self, _: &'a Permit, request: HubRequest) -> PortFuture<'a, HubReply> {
        let changes = request.path.to_string() == "/api/bridge/changes";
        let again = request.query.iter().any(|(name, _)| name == "after");
        let body = if changes {
            r#"{"cursor":"0","changed":[],"resources":[],"more":false}"#
        } else {
            r#"{"canWrite":false,"canUseApps":false,"keyName":"conformance","defaultSpace":{"id":"s","name":"S"}}"#
        };
        Box::pin(async move {
            if changes && again {
                std::future::pending::<()>().await;
            }
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
