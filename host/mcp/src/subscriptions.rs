//! Who is told that a list is not any more as it was shown: the older generation through its connection, once it said that
//! it is ready; the newer one through each `subscriptions/listen` that asked for it. Nobody is told anything unasked.

use rmcp::ErrorData;
use rmcp::model::SubscriptionFilter;
use rmcp::service::SubscriptionContext;

use crate::bridge::{Bridge, grants};
use crate::connection::{Changed, Connection, MAX_LISTENS, changed};

/// What a listener can have of what it asked for.
pub(crate) fn accepted() -> SubscriptionFilter {
    let builder = SubscriptionFilter::builder();
    builder
        .tools_list_changed()
        .resources_list_changed()
        .build()
}

/// Serves one listener until it is cancelled or the connection ends.
pub(crate) async fn listen(
    bridge: &Bridge,
    connection: &Connection,
    context: SubscriptionContext,
) -> Result<(), ErrorData> {
    let Ok(_place) = connection.listens.try_acquire() else {
        let why = format!("One connection may have {MAX_LISTENS} subscriptions: end one of them.");
        return Err(ErrorData::internal_error(why, None));
    };
    let mut key = bridge.watch();
    let mut seen = connection.last_shown(bridge);
    loop {
        let now = grants(key.borrow_and_update().as_ref());
        let stale = changed(bridge, seen, now);
        seen = now;
        if tell_listener(&context, stale).await.is_err() {
            return Ok(());
        }
        tokio::select! {
            () = context.cancelled() => return Ok(()),
            () = connection.ended.cancelled() => return Ok(()),
            changed = key.changed() => if changed.is_err() {
                return Ok(());
            },
        }
    }
}

async fn tell_listener(context: &SubscriptionContext, stale: Changed) -> Result<(), ()> {
    let (accepted, sink) = (context.accepted(), context.sink());
    if stale.tools && accepted.tools_list_changed == Some(true) {
        sink.notify_tool_list_changed().await.map_err(|_| ())?;
    }
    if stale.resources && accepted.resources_list_changed == Some(true) {
        sink.notify_resource_list_changed().await.map_err(|_| ())?;
    }
    Ok(())
}

/// Follows the key for the client of the older generation, until the connection ends.
pub(crate) async fn follow(bridge: &Bridge, connection: &Connection) {
    let mut key = bridge.watch();
    loop {
        tell_legacy(bridge, connection).await;
        tokio::select! {
            () = connection.ended.cancelled() => return,
            changed = key.changed() => if changed.is_err() {
                return;
            },
        }
    }
}

/// Tells the client of the older generation which of its lists are stale.
pub(crate) async fn tell_legacy(bridge: &Bridge, connection: &Connection) {
    let Some((peer, stale)) = connection.stale(bridge) else {
        return;
    };
    let mut told = Ok(());
    if stale.tools {
        told = peer.notify_tool_list_changed().await;
    }
    if stale.resources && told.is_ok() {
        told = peer.notify_resource_list_changed().await;
    }
    if let Err(error) = told {
        tracing::debug!("a changed list was not announced: {error}");
    }
}
