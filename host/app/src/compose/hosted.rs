//! One hub's tools for every key of it: the plugins are loaded once, and each key has a bridge of its own, with its own view of them and its own
//! permits. What one key sees and asks is in no other's.
//!
//! A key's bridge is kept while it is used. It is known by the key's hash and by what the key may do, so that a key that is narrowed meets
//! another bridge from then on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ensemble_broker::{Broker, Deps};
use ensemble_catalog::NamedAction;
use ensemble_decision_log::DecisionLog;
use ensemble_hub_client::Inside;
use ensemble_mcp::Bridge;
use ensemble_mcp::http::{Endpoint, Lifetime, StepUp};
use ensemble_model::{KeyGrants, Secret};
use tokio::time::Instant;

use super::{Plugins, bridge};
use crate::backends::clock::{self, SystemClock};
use crate::backends::hub::HubBackend;
use crate::env::Environment;
use crate::folders::Folders;

/// The tools in whose place the actions stand by name.
pub(crate) const LIST: &str = "ensemble_actions";
pub(crate) const RUN: &str = "ensemble_act";
/// Bridges at once; the one that was used longest ago gives way.
const BRIDGES_MAX: usize = 512;
/// How long one is kept that nobody uses.
const KEPT: Duration = Duration::from_mins(10);

/// Which bridge: the hash of the key, and what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Which {
    pub(crate) key_hash: String,
    pub(crate) grants: KeyGrants,
    pub(crate) profile: Profile,
}

/// How the hub's actions are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Profile {
    /// Two tools: one that lists them, one that runs one.
    Legacy,
    /// Each as a tool of its own.
    Catalog,
}

/// The tools of one hub.
pub(crate) struct Hosted {
    hub: Inside,
    /// Of no key: what the others are made from.
    of_nobody: Bridge,
    /// The same with the actions by name.
    by_name: Bridge,
    log: Arc<DecisionLog>,
    lifetime: Lifetime,
    kept: Mutex<HashMap<Which, Kept>>,
}

struct Kept {
    endpoint: Endpoint,
    used: Instant,
}

impl Hosted {
    /// Reads the environment and starts the engine.
    pub(crate) fn of(env: &dyn Environment, hub: Inside) -> anyhow::Result<Self> {
        let folders = Folders::of(env);
        let plugins = Plugins::of(env, &folders)?;
        for aside in &plugins.aside {
            tracing::warn!(plugin = aside.id, "{}", aside.reason);
        }
        let nobody = broker(&hub, Secret::new(String::new()), &plugins.log);
        let named = plugins.catalog.named(LIST, RUN, &actions())?;
        Ok(Self {
            by_name: bridge(nobody.clone(), &named, plugins.registry.clone())?,
            of_nobody: bridge(nobody, &plugins.catalog, plugins.registry)?,
            hub,
            log: plugins.log,
            lifetime: Lifetime::new(),
            kept: Mutex::default(),
        })
    }

    /// The endpoint of one key.
    pub(crate) fn endpoint(
        &self,
        which: &Which,
        step_up: Option<StepUp>,
        key: impl FnOnce() -> Secret,
    ) -> Endpoint {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if let Some(known) = kept.get_mut(which) {
            known.used = now;
            return known.endpoint.clone();
        }
        kept.retain(|_, known| now.saturating_duration_since(known.used) < KEPT);
        if kept.len() >= BRIDGES_MAX {
            let oldest = kept.iter().min_by_key(|(_, known)| known.used);
            if let Some(oldest) = oldest.map(|(which, _)| which.clone()) {
                kept.remove(&oldest);
            }
        }
        let broker = broker(&self.hub, key(), &self.log);
        let base = match which.profile {
            Profile::Legacy => &self.of_nobody,
            Profile::Catalog => &self.by_name,
        };
        let bridge = base.for_key(broker);
        let endpoint = Endpoint::hosted(bridge, self.lifetime.clone(), which.grants, step_up);
        let known = Kept {
            endpoint: endpoint.clone(),
            used: now,
        };
        kept.insert(which.clone(), known);
        endpoint
    }

    /// Ends it: calls that run are finished, `at_most` so long.
    pub(crate) async fn close(&self, at_most: Duration) {
        self.lifetime.drain(at_most).await;
        self.log.close();
    }
}

/// The hub's actions, as the catalog takes them.
pub(crate) fn actions() -> Vec<NamedAction> {
    let described = ensemble_hub_server::actions::described().into_iter();
    let named = described.map(|action| NamedAction {
        name: action.name.to_owned(),
        does: action.does,
        needs: KeyGrants {
            changes: action.writes,
            apps: action.apps,
        },
        input_schema: action.input_schema.as_object().cloned().unwrap_or_default(),
    });
    named.collect()
}

/// A broker for one key: no folder and no repository is near it.
fn broker(hub: &Inside, key: Secret, log: &Arc<DecisionLog>) -> Broker {
    Broker::new(Deps {
        hub: Arc::new(HubBackend::inside(hub.clone(), key)),
        repository: None,
        folder: None,
        log: Arc::<DecisionLog>::clone(log),
        clock: Arc::new(SystemClock),
        time_zone: clock::time_zone(),
    })
}
