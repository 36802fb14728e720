//! How rmcp serves here: its settings, and a server for each session or each request without one.

use std::sync::Arc;
use std::time::Duration;

use rmcp::transport::StreamableHttpServerConfig;

use super::lifetime::Lifetime;
use crate::bridge::Bridge;
use crate::connection::Connection;
use crate::framing::MAX_LINE;
use crate::server::BridgeServer;

/// A stream that says nothing is kept open by a comment in this time; proxies cut one that is silent for a minute.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub(super) fn config(lifetime: &Lifetime) -> StreamableHttpServerConfig {
    // hosts and origins were checked before, by rules of our own
    StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_sse_keep_alive(Some(KEEP_ALIVE))
        .with_max_request_body_bytes(MAX_LINE)
        .with_cancellation_token(lifetime.streams().clone())
}

/// A server for each session, or each request that has none.
pub(super) fn factory(
    bridge: &Bridge,
    lifetime: &Lifetime,
) -> impl Fn() -> Result<BridgeServer, std::io::Error> + Send + Sync + 'static {
    let (bridge, streams) = (bridge.clone(), lifetime.streams().clone());
    move || {
        Ok(BridgeServer {
            bridge: bridge.clone(),
            connection: Arc::new(Connection::new(streams.child_token())),
        })
    }
}
