//! One connection over two streams of lines, from its first byte to its end.
//!
//! The end of the input ends the connection whatever state it is in: requests that are nearly done still have
//! [`GRACE`], then they are dropped, and after [`LAST`] more nothing is waited for. Together that is under a second.

use std::sync::Arc;
use std::time::Duration;

use rmcp::service::serve_directly_with_ct;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::bridge::Bridge;
use crate::connection::Connection;
use crate::errors::ServeError;
use crate::framing::{Hooks, LineTransport};
use crate::gate::Gate;
use crate::server::BridgeServer;

/// How a client reaches the bridge.
pub const TRANSPORTS: &[&str] = &["stdio", "http"];

/// The network addresses that the bridge listens on: none over stdio, this computer's own for `--http`.
pub const LISTENS: &[&str] = &["127.0.0.1:4010 and [::1]:4010 (`ensemble mcp --http` only)"];

/// For what was asked right before the input ended, as a shell pipe does it.
const GRACE: Duration = Duration::from_millis(500);

/// For writing what is already answered.
const LAST: Duration = Duration::from_millis(250);

/// Serves the editor that started this process, over standard input and output. Nothing else may write to standard output.
///
/// It returns as soon as the input has ended. A thread that is blocked in reading standard input can outlive it: end the
/// process, or the runtime with `shutdown_background`, rather than waiting for that thread.
///
/// # Errors
/// When the connection's task ended by itself.
pub async fn serve_stdio(bridge: Bridge, shutdown: CancellationToken) -> Result<(), ServeError> {
    let (reader, writer) = rmcp::transport::stdio_pipes();
    serve(bridge, reader, writer, shutdown).await
}

/// Serves one client over two streams until the input ends, the output is closed, or `shutdown` is cancelled.
///
/// # Errors
/// When the connection's task ended by itself.
pub async fn serve<R, W>(
    bridge: Bridge,
    reader: R,
    writer: W,
    shutdown: CancellationToken,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    bridge.begin();
    // a child of the process's own: ending the connection does not end the process
    let calls = CancellationToken::new();
    let hooks = Hooks {
        ended: shutdown.child_token(),
        ..Hooks::default()
    };
    let server = BridgeServer {
        bridge: bridge.clone(),
        connection: Arc::new(Connection::new(hooks.ended.clone())),
    };
    let transport = LineTransport::new(reader, writer, hooks.clone());
    // without rmcp's own handshake: it settles on one generation, and ends on anything else than a request before it
    let running = serve_directly_with_ct(Gate(server), transport, None, calls.clone());

    // dropped, and with it ended, at the end of this function
    let mut beside = JoinSet::new();
    let list_written = Arc::clone(&hooks.list_written);
    beside.spawn(async move {
        loop {
            list_written.notified().await;
            bridge.load_visible().await;
        }
    });

    let mut done = std::pin::pin!(running.waiting());
    tokio::select! {
        done = &mut done => return done.map(|_| ()).map_err(ServeError::Ended),
        () = hooks.ended.cancelled() => {}
    }
    tokio::select! {
        done = &mut done => return done.map(|_| ()).map_err(ServeError::Ended),
        () = tokio::time::sleep(GRACE) => calls.cancel(),
    }
    tokio::select! {
        done = &mut done => done.map(|_| ()).map_err(ServeError::Ended),
        () = tokio::time::sleep(LAST) => Ok(()),
    }
}
