//! When a person or a supervisor asks the process to end.

/// Resolves at the first interrupt (Ctrl-C) or request to terminate.
pub(crate) async fn end() {
    let interrupt = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "an interrupt cannot be waited for");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupt => {}
        () = terminate() => {}
    }
}

#[cfg(unix)]
async fn terminate() {
    use tokio::signal::unix::{SignalKind, signal};
    let signals =
        signal(SignalKind::terminate()).and_then(|term| Ok((term, signal(SignalKind::hangup())?)));
    match signals {
        Ok((mut term, mut hangup)) => {
            tokio::select! {
                _ = term.recv() => {}
                _ = hangup.recv() => {}
            }
        }
        Err(error) => {
            tracing::warn!(%error, "a request to terminate cannot be waited for");
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
async fn terminate() {
    std::future::pending::<()>().await;
}
