//! `ensemble mcp --http`: MCP over Streamable HTTP for programs of this computer, until it is interrupted. The hub's key stays in this process.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use ensemble_hub_server::{RequestBody, Routes, Seat, serve_routes};
use ensemble_mcp::http::{Body, Cors, Endpoint, Lifetime, LocalGate};
use ensemble_model::Secret;
use http::{Method, Request, Response};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::signals;
use crate::compose::{Composed, Files};
use crate::config;
use crate::env::Environment;
use crate::output;

/// How long calls get when the bridge ends.
const DRAIN: Duration = Duration::from_secs(8);

struct Served {
    gate: LocalGate,
    endpoint: Endpoint,
}

pub(crate) async fn run(env: &dyn Environment) -> anyhow::Result<()> {
    let asked = config::local(env)?;
    let token = asked.token.map(Secret::new);
    let listeners = listen(&asked.hosts, asked.port).await?;
    let files = if token.is_some() {
        Files::Here
    } else {
        Files::Closed
    };
    let parts = Composed::with(env, files)?;
    for aside in &parts.aside {
        tracing::warn!(plugin = aside.id, "{}", aside.reason);
    }
    let first = listeners.first().map(TcpListener::local_addr);
    let at = first
        .transpose()?
        .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0)));
    let lifetime = Lifetime::new();
    let served = Arc::new(Served {
        gate: LocalGate::new(at.port(), token.as_ref()),
        endpoint: Endpoint::local(parts.bridge()?, lifetime.clone()),
    });
    let routes = Routes::any(&["/mcp", "/mcp/"], move |request, seat| {
        let served = Arc::clone(&served);
        async move { served.answer(request, seat).await }
    });
    output::print(&hello(at, token.is_some()))?;
    let shutdown = CancellationToken::new();
    let serving: Vec<_> = listeners
        .into_iter()
        .map(|listener| tokio::spawn(serve_routes(listener, routes.clone(), shutdown.clone())))
        .collect();
    signals::end().await;
    shutdown.cancel();
    lifetime.drain(DRAIN).await;
    for served in serving {
        served.await?;
    }
    parts.close();
    Ok(())
}

impl Served {
    async fn answer(&self, request: Request<RequestBody>, seat: Seat) -> Response<Body> {
        let headers = request.headers().clone();
        let mut response = self.admitted(request, &seat).await;
        Cors::Loopback.allow(&headers, &mut response);
        response
    }

    async fn admitted(&self, request: Request<RequestBody>, seat: &Seat) -> Response<Body> {
        if let Err(refused) = self.gate.check(request.headers()) {
            return refused;
        }
        if request.method() == Method::OPTIONS {
            return Cors::Loopback.preflight(request.headers());
        }
        if let Err(refused) = self.gate.authenticate(request.headers()) {
            return refused;
        }
        seat.is_of_a_caller();
        self.endpoint.answer(request).await
    }
}

/// Listens on all of these, or says in one sentence why not. Where a computer has no IPv6, the other one is enough.
async fn listen(hosts: &[IpAddr], port: u16) -> anyhow::Result<Vec<TcpListener>> {
    let mut listeners: Vec<TcpListener> = Vec::new();
    for host in hosts {
        let port = match listeners.first() {
            Some(first) => first.local_addr()?.port(),
            None => port,
        };
        match TcpListener::bind((*host, port)).await {
            Ok(listener) => listeners.push(listener),
            Err(error)
                if !listeners.is_empty() && error.kind() != std::io::ErrorKind::AddrInUse => {}
            Err(error) => {
                let at = SocketAddr::new(*host, port);
                let sentence = match error.kind() {
                    std::io::ErrorKind::AddrInUse => format!(
                        "{at} is in use, perhaps by another bridge: stop it, or set CONTEXT_BRIDGE_PORT to another port"
                    ),
                    _ => format!("cannot listen on {at} ({error})"),
                };
                return Err(anyhow::Error::msg(sentence));
            }
        }
    }
    Ok(listeners)
}

fn hello(at: SocketAddr, token: bool) -> String {
    let files = if token {
        "Every request needs the token of CONTEXT_BRIDGE_HTTP_TOKEN."
    } else {
        "Any program of this computer can use it; with CONTEXT_BRIDGE_HTTP_TOKEN only who has the token can,\nand files of this folder can be read and saved."
    };
    format!("MCP on http://{at}/mcp\n{files}\n\nCtrl-C stops the bridge.")
}
