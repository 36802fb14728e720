//! Resources: listed from the approved surfaces, read through a fresh instance in the key's default space.

use ensemble_model::PluginId;
use rmcp::model::{
    CacheScope, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use crate::calls::{self, Closed};
use crate::errors;
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
    let opened = calls::open(server, &owner, &declared, None, context).await;
    let opened = opened.map_err(|closed| match closed {
        Closed::Absent => errors::unknown_resource(uri),
        Closed::Fault(fault) => errors::unread(uri, &fault),
    })?;
    let installed = opened.is_installed();
    let registry = server.bridge.registry();
    let read = opened
        .run(|session, events| registry.read_resource(&owner, session, uri, events))
        .await;
    let contents = read.map_err(|error| {
        server.bridge.ask();
        errors::unread_call(uri, &error)
    })?;
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
