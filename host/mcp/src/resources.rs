//! Resources: listed from the approved surfaces, read through a fresh instance in the key's default space.

use std::sync::Arc;

use ensemble_broker::OpenCall;
use ensemble_model::{Origin, PluginId};
use rmcp::model::{
    CacheScope, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use crate::errors;
use crate::events::events;
use crate::server::{BridgeServer, listed};
use crate::{convert, server};

pub(crate) async fn list(
    server: &BridgeServer,
    context: &RequestContext<RoleServer>,
) -> ListResourcesResult {
    server.bridge.first_answer().await;
    let view = server.connection.show_resources(&server.bridge);
    server.bridge.compared(&view).await;
    let items = view.resources().iter();
    let items = items.filter(|l| server.bridge.lists(&l.plugin));
    let items = items.map(|l| convert::resource(&l.resource));
    listed!(server, context, ListResourcesResult, items)
}

pub(crate) async fn templates(
    server: &BridgeServer,
    context: &RequestContext<RoleServer>,
) -> ListResourceTemplatesResult {
    server.bridge.first_answer().await;
    let view = server.connection.show_resources(&server.bridge);
    server.bridge.compared(&view).await;
    let items = view.templates().iter();
    let items = items.filter(|l| server.bridge.lists(&l.plugin));
    let items = items.map(|l| convert::template(&l.template));
    listed!(server, context, ListResourceTemplatesResult, items)
}

pub(crate) async fn read(
    server: &BridgeServer,
    uri: &str,
    context: &RequestContext<RoleServer>,
) -> Result<ReadResourceResult, ErrorData> {
    let (owner, declared) = owner(server, uri).await?;
    let Some(plugin) = server.bridge.registry().plugin(&owner) else {
        return Err(errors::unknown_resource(uri));
    };
    server.bridge.ready(&owner).await;
    if !server.bridge.lists(&owner) {
        return Err(errors::unknown_resource(uri));
    }
    let call = OpenCall {
        manifest: &plugin.manifest,
        granted: &plugin.granted,
        digest: &plugin.digest,
        tool: &declared,
        space: server::named_space(context),
        limits: plugin.granted.limits(&plugin.manifest),
    };
    let opened = server.bridge.broker().open(call).await;
    let session = opened.map_err(|fault| {
        server.bridge.ask();
        errors::unread(uri, &fault)
    })?;
    let updates = session
        .in_default_space()
        .then(|| server.bridge.updates().clone());
    let (events, mut teller) = events(
        owner.as_str(),
        updates,
        context.meta.get_progress_token(),
        server.threshold(context),
        context.peer.clone(),
        context.ct.clone(),
    );
    let events = Arc::new(events);
    let told = Arc::clone(&events);
    let read = server
        .bridge
        .registry()
        .read_resource(&owner, session, uri, events);
    let read = tokio::select! {
        biased;
        read = read => read,
        never = teller.run() => match never {},
    };
    teller.finish(&told).await;
    let contents = read.map_err(|error| {
        server.bridge.ask();
        errors::unread_call(uri, &error)
    })?;
    let installed = plugin.origin == Origin::Installed;
    let contents = contents.into_iter().map(convert::contents);
    let contents = contents.map(|c| {
        if installed {
            convert::owned(c, &owner)
        } else {
            c
        }
    });
    let contents = contents.collect();
    let mut result = ReadResourceResult::new(contents);
    if server::is_modern(context) {
        result = result.with_ttl_ms(0).with_cache_scope(CacheScope::Private);
        result.meta = Some(server.meta());
    }
    Ok(result)
}

/// Whose resource it is, as for tools, and as what it was declared: the log names that and not the address, which holds an
/// argument.
async fn owner(server: &BridgeServer, uri: &str) -> Result<(PluginId, String), ErrorData> {
    let bridge = &server.bridge;
    if bridge.widest().resource(uri).is_none() {
        return Err(errors::unknown_resource(uri));
    }
    let principal = bridge.principal().await;
    let principal = principal.map_err(|fault| errors::unread(uri, &fault))?;
    let owner = bridge.view_of(principal.grants).resource(uri);
    let owner = owner.map(|(plugin, declared)| (plugin.clone(), declared.to_owned()));
    owner.ok_or_else(|| errors::unknown_resource(uri))
}
