//! `ensemble mcp`: MCP over standard input and output, until standard input closes or the process is asked to end.

use tokio_util::sync::CancellationToken;

use super::signals;
use crate::compose::Composed;
use crate::env::Environment;

pub(crate) async fn run(env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    for aside in &parts.aside {
        tracing::warn!(plugin = aside.id, "{}", aside.reason);
    }
    let shutdown = CancellationToken::new();
    let asked = shutdown.clone();
    tokio::spawn(async move {
        signals::end().await;
        asked.cancel();
    });
    let served = ensemble_mcp::serve_stdio(parts.bridge()?, shutdown).await;
    parts.close();
    Ok(served?)
}
