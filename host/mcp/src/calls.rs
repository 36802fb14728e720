//! One run of a plugin for a request of a client: the plugin as it was approved, a session of the broker, and what the client is
//! told meanwhile. Tools, resources, prompts and completion differ in what they run in it.

use std::sync::Arc;

use ensemble_broker::{Fault, OpenCall, Session};
use ensemble_model::{Origin, PluginId};
use ensemble_runtime::{Events, Plugin};
use rmcp::RoleServer;
use rmcp::service::RequestContext;

use crate::events::{CallEvents, Listeners, Teller, events};
use crate::server::{BridgeServer, named_space};

/// A run that may begin.
pub(crate) struct Opened<'a> {
    plugin: &'a Plugin,
    session: Session,
    events: CallEvents,
    teller: Teller,
}

/// Why none may.
pub(crate) enum Closed {
    /// The plugin is not there for anybody: it is refused, or offers something else than was approved.
    Absent,
    /// What the broker or the hub said.
    Fault(Fault),
}

/// Opens a run. `named` is what the decision log calls it.
pub(crate) async fn open<'a>(
    server: &'a BridgeServer,
    owner: &PluginId,
    named: &str,
    space: Option<&str>,
    context: &RequestContext<RoleServer>,
) -> Result<Opened<'a>, Closed> {
    let bridge = &server.bridge;
    let Some(plugin) = bridge.registry().plugin(owner) else {
        return Err(Closed::Absent);
    };
    // before the call's own time runs; a refusal is remembered and is what the call then answers
    bridge.ready(owner).await;
    if !bridge.lists(owner) {
        return Err(Closed::Absent);
    }
    let call = OpenCall {
        manifest: &plugin.manifest,
        granted: &plugin.granted,
        digest: &plugin.digest,
        tool: named,
        space: space.or_else(|| named_space(context)),
        limits: plugin.granted.limits(&plugin.manifest),
    };
    let session = bridge.broker().open(call).await.map_err(|fault| {
        bridge.ask();
        Closed::Fault(fault)
    })?;
    let listeners = Listeners {
        lists: bridge.lists_changed().clone(),
        updates: session.in_default_space().then(|| bridge.updates().clone()),
    };
    let (events, teller) = events(
        owner.as_str(),
        listeners,
        context.meta.get_progress_token(),
        server.threshold(context),
        context.peer.clone(),
        context.ct.clone(),
    );
    Ok(Opened {
        plugin,
        session,
        events,
        teller,
    })
}

impl Opened<'_> {
    /// The mark of an installed plugin, which stands before what it says.
    pub(crate) fn mark(&self) -> Option<String> {
        self.plugin.origin.mark(&self.plugin.manifest.id)
    }

    /// Whether a person installed the plugin.
    pub(crate) fn is_installed(&self) -> bool {
        self.plugin.origin == Origin::Installed
    }

    /// Runs it to its end; what it tells meanwhile is passed on, and all of that before its answer.
    pub(crate) async fn run<F: Future>(
        self,
        work: impl FnOnce(Session, Arc<dyn Events>) -> F,
    ) -> F::Output {
        let Self {
            session,
            events,
            mut teller,
            ..
        } = self;
        let events = Arc::new(events);
        let told = Arc::clone(&events);
        let work = work(session, events);
        let done = tokio::select! {
            biased;
            done = work => done,
            never = teller.run() => match never {},
        };
        teller.finish(&told).await;
        done
    }
}
