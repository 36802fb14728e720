//! Who is told that a list is not any more as it was shown, or that a resource is not: the older generation through its connection, once it said that
//! it is ready; the newer one through each `subscriptions/listen` that asked for it. Nobody is told anything unasked.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::SubscriptionContext;
use rmcp::{ErrorData, Peer, RoleServer};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::task::AbortOnDropHandle;

use crate::bridge::{Bridge, grants};
use crate::connection::{Changed, Connection, MAX_LISTENS, MAX_RESOURCES, changed};
use crate::gate::Given;
use crate::updates::{Subscription, Updates};

/// The longest address of a resource that can be subscribed, in bytes.
const URI_MAX: usize = 2_048;

/// What a listener can have of what it asked for. Any resource can be waited for: one that is not there may be one day.
pub(crate) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let builder = SubscriptionFilter::builder();
    let uris = requested.resource_subscriptions.clone();
    builder
        .tools_list_changed()
        .resources_list_changed()
        .prompts_list_changed()
        .resource_subscriptions(uris.unwrap_or_default())
        .build()
}

/// Places for the resources of a listener.
pub(crate) fn places(
    connection: &Connection,
    uris: &[String],
) -> Result<OwnedSemaphorePermit, ErrorData> {
    for uri in uris {
        fits(uri)?;
    }
    let wanted = u32::try_from(uris.len()).unwrap_or(u32::MAX);
    let places = Arc::clone(&connection.listened).try_acquire_many_owned(wanted);
    places.map_err(|_| too_many())
}

/// Begins to tell a client of the older generation of a resource. Subscribing twice is subscribing once.
pub(crate) async fn subscribe(
    updates: &Updates,
    connection: &Arc<Connection>,
    peer: Peer<RoleServer>,
    uri: String,
) -> Result<(), ErrorData> {
    fits(&uri)?;
    let mut subscribed = connection.resources.lock().await;
    if !subscribed.uris.contains(&uri) && subscribed.uris.len() >= MAX_RESOURCES {
        return Err(too_many());
    }
    if subscribed.teller.is_none() {
        let subscription = updates.subscribe().await;
        let told = tell_updated(subscription, Arc::downgrade(connection), peer);
        subscribed.teller = Some(AbortOnDropHandle::new(tokio::spawn(told)));
    }
    subscribed.uris.insert(uri);
    Ok(())
}

/// Tells a client of the older generation of its resources, until the connection ends.
async fn tell_updated(
    mut subscription: Subscription,
    connection: Weak<Connection>,
    peer: Peer<RoleServer>,
) {
    while let Some(news) = subscription.next().await {
        let Some(connection) = connection.upgrade() else {
            return;
        };
        let subscribed = connection.resources.lock().await;
        for uri in news.among(&subscribed.uris) {
            let updated = ResourceUpdatedNotificationParam::new(uri);
            if let Err(error) = peer.notify_resource_updated(updated).await {
                tracing::debug!("a changed resource was not announced: {error}");
                return;
            }
        }
    }
}

fn fits(uri: &str) -> Result<(), ErrorData> {
    if uri.len() <= URI_MAX {
        return Ok(());
    }
    let why = format!("The address of a resource may have {URI_MAX} bytes at the most.");
    Err(ErrorData::invalid_params(why, None))
}

fn too_many() -> ErrorData {
    let why = format!(
        "One connection may subscribe to {MAX_RESOURCES} resources: end one of its subscriptions."
    );
    ErrorData::invalid_params(why, None)
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
    tokio::select! {
        () = context.cancelled() => {}
        () = connection.ended.cancelled() => {}
        () = tell_lists(bridge, connection, &context) => {}
        () = tell_resources(&context) => {}
    }
    Ok(())
}

/// Follows the key, and what plugins say of their lists, for a listener, until it cannot be told any more.
async fn tell_lists(bridge: &Bridge, connection: &Connection, context: &SubscriptionContext) {
    let mut key = bridge.watch();
    let mut said = bridge.lists_changed().listen();
    let mut seen = connection.last_shown(bridge);
    loop {
        let now = grants(key.borrow_and_update().as_ref());
        let stale = changed(bridge, seen, now);
        seen = now;
        if tell_listener(context, stale).await.is_err() {
            return;
        }
        tokio::select! {
            changed = key.changed() => if changed.is_err() {
                return;
            },
            heard = said.next() => {
                let Some(heard) = heard else { return };
                if tell_listener(context, heard).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// The same for the resources that a listener subscribed; without any it never ends.
async fn tell_resources(context: &SubscriptionContext) {
    let given = Given::of(context.request_context());
    let Some((mut subscription, _places)) = given.and_then(Given::take) else {
        return std::future::pending().await;
    };
    let uris = context.accepted().resource_subscriptions.iter().flatten();
    let wanted: HashSet<String> = uris.cloned().collect();
    while let Some(news) = subscription.next().await {
        for uri in news.among(&wanted) {
            if context.sink().notify_resource_updated(uri).await.is_err() {
                return;
            }
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
    if stale.prompts && accepted.prompts_list_changed == Some(true) {
        sink.notify_prompt_list_changed().await.map_err(|_| ())?;
    }
    Ok(())
}

/// Follows the key, and what plugins say of their lists, for the client of the older generation, until the connection ends.
pub(crate) async fn follow(bridge: Bridge, connection: Weak<Connection>) {
    let mut key = bridge.watch();
    let mut said = bridge.lists_changed().listen();
    loop {
        let Some(connected) = connection.upgrade() else {
            return;
        };
        tell_legacy(&bridge, &connected).await;
        let ended = connected.ended.clone();
        drop(connected);
        tokio::select! {
            () = ended.cancelled() => return,
            changed = key.changed() => if changed.is_err() {
                return;
            },
            heard = said.next() => {
                let Some(heard) = heard else { return };
                let peer = connection.upgrade().and_then(|connected| connected.legacy());
                if let Some(peer) = peer {
                    tell_peer(&peer, heard).await;
                }
            }
        }
    }
}

/// Tells the client of the older generation which of its lists are stale.
pub(crate) async fn tell_legacy(bridge: &Bridge, connection: &Connection) {
    if let Some((peer, stale)) = connection.stale(bridge) {
        tell_peer(&peer, stale).await;
    }
}

async fn tell_peer(peer: &Peer<RoleServer>, stale: Changed) {
    let mut told = Ok(());
    if stale.tools {
        told = peer.notify_tool_list_changed().await;
    }
    if stale.resources && told.is_ok() {
        told = peer.notify_resource_list_changed().await;
    }
    if stale.prompts && told.is_ok() {
        told = peer.notify_prompt_list_changed().await;
    }
    if let Err(error) = told {
        tracing::debug!("a changed list was not announced: {error}");
    }
}
