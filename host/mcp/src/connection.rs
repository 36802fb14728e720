//! What one connection remembers: what it was shown, how much log it asked for, and whether it still lives. Nothing of a
//! call is kept here.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use ensemble_catalog::View;
use ensemble_model::KeyGrants;
use rmcp::{Peer, RoleServer};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::bridge::Bridge;
use crate::events::Threshold;
use crate::subscriptions;

/// Open `subscriptions/listen` requests of one connection: a client needs one, and each is a task.
pub(crate) const MAX_LISTENS: usize = 16;

/// Subscribed resources of one connection, for each generation: more than a person has open, and little to compare.
pub(crate) const MAX_RESOURCES: usize = 256;

/// The resources that a client of the older generation subscribed, and the task that tells it of them.
#[derive(Debug, Default)]
pub(crate) struct Subscribed {
    pub(crate) uris: HashSet<String>,
    pub(crate) teller: Option<AbortOnDropHandle<()>>,
}

impl Subscribed {
    /// Forgets one; without any nobody has to be told.
    pub(crate) fn remove(&mut self, uri: &str) {
        self.uris.remove(uri);
        if self.uris.is_empty() {
            self.teller = None;
        }
    }
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Connection {
    state: Mutex<State>,
    /// Places for listeners.
    pub(crate) listens: Arc<Semaphore>,
    /// The resources that the client of the older generation subscribed. Held while it is told of one, so that nothing comes
    /// after the answer to an unsubscription.
    pub(crate) resources: tokio::sync::Mutex<Subscribed>,
    /// How many resources the open listeners have together.
    pub(crate) listened: Arc<Semaphore>,
    /// Cancelled when the client has left or the process ends.
    pub(crate) ended: CancellationToken,
}

#[derive(Debug, Default)]
struct State {
    /// For which grants the lists were last shown; `None` before the first and after the client was told of a change.
    shown: Shown,
    /// The client of the older generation, once it said that it is ready.
    legacy: Option<Peer<RoleServer>>,
    threshold: Threshold,
    /// The task that tells it which of its lists are stale.
    follower: Option<AbortOnDropHandle<()>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    tools: Option<KeyGrants>,
    resources: Option<KeyGrants>,
    prompts: Option<KeyGrants>,
}

/// Which lists are not any more as they were shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) tools: bool,
    pub(crate) resources: bool,
    pub(crate) prompts: bool,
}

impl Connection {
    pub(crate) fn new(ended: CancellationToken) -> Self {
        Self {
            state: Mutex::default(),
            listens: Arc::new(Semaphore::new(MAX_LISTENS)),
            resources: tokio::sync::Mutex::default(),
            listened: Arc::new(Semaphore::new(MAX_RESOURCES)),
            ended,
        }
    }

    /// What the caller sees now, remembered as what its list of tools shows.
    pub(crate) fn show_tools(&self, bridge: &Bridge) -> Arc<View> {
        let mut state = self.lock();
        // read under the lock: a change after this is noticed by whoever compares
        let grants = bridge.grants();
        state.shown.tools = Some(grants);
        Arc::clone(bridge.view_of(grants))
    }

    /// The same for resources and their templates.
    pub(crate) fn show_resources(&self, bridge: &Bridge) -> Arc<View> {
        let mut state = self.lock();
        let grants = bridge.grants();
        state.shown.resources = Some(grants);
        Arc::clone(bridge.view_of(grants))
    }

    /// The same for prompts.
    pub(crate) fn show_prompts(&self, bridge: &Bridge) -> Arc<View> {
        let mut state = self.lock();
        let grants = bridge.grants();
        state.shown.prompts = Some(grants);
        Arc::clone(bridge.view_of(grants))
    }

    /// What a new listener has seen: what the connection was last shown, else what holds now.
    pub(crate) fn last_shown(&self, bridge: &Bridge) -> KeyGrants {
        let state = self.lock();
        state.shown.tools.unwrap_or_else(|| bridge.grants())
    }

    /// The client of the older generation, and which of its lists are stale. Each staleness is told once.
    pub(crate) fn stale(&self, bridge: &Bridge) -> Option<(Peer<RoleServer>, Changed)> {
        let mut state = self.lock();
        let peer = state.legacy.clone()?;
        let now = bridge.grants();
        let differs = |shown: Option<KeyGrants>| {
            shown.map_or_else(Changed::default, |shown| changed(bridge, shown, now))
        };
        let stale = Changed {
            tools: differs(state.shown.tools).tools,
            resources: differs(state.shown.resources).resources,
            prompts: differs(state.shown.prompts).prompts,
        };
        if stale.tools {
            state.shown.tools = None;
        }
        if stale.resources {
            state.shown.resources = None;
        }
        if stale.prompts {
            state.shown.prompts = None;
        }
        (stale != Changed::default()).then_some((peer, stale))
    }

    /// The client of the older generation is ready to be told things, and from now on it is.
    pub(crate) fn ready(self: &Arc<Self>, bridge: &Bridge, peer: Peer<RoleServer>) {
        let follow = subscriptions::follow(bridge.clone(), Arc::downgrade(self));
        let follower = AbortOnDropHandle::new(tokio::spawn(follow));
        let mut state = self.lock();
        state.legacy = Some(peer);
        state.follower = Some(follower);
    }

    /// The client of the older generation, once it is ready.
    pub(crate) fn legacy(&self) -> Option<Peer<RoleServer>> {
        self.lock().legacy.clone()
    }

    pub(crate) fn threshold(&self) -> Threshold {
        self.lock().threshold
    }

    pub(crate) fn set_threshold(&self, threshold: Threshold) {
        self.lock().threshold = threshold;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which lists differ between two sets of grants.
pub(crate) fn changed(bridge: &Bridge, before: KeyGrants, after: KeyGrants) -> Changed {
    if before == after {
        return Changed::default();
    }
    let (before, after) = (bridge.view_of(before), bridge.view_of(after));
    Changed {
        tools: tool_names(before) != tool_names(after),
        resources: addresses(before) != addresses(after),
        prompts: before.prompts() != after.prompts(),
    }
}

fn tool_names(view: &View) -> Vec<&str> {
    let names = view.tools().iter().map(|l| l.tool.name.as_str());
    names.collect()
}

fn addresses(view: &View) -> Vec<&str> {
    let fixed = view.resources().iter().map(|l| l.resource.uri.as_str());
    let families = view
        .templates()
        .iter()
        .map(|l| l.template.uri_template.as_str());
    fixed.chain(families).collect()
}
