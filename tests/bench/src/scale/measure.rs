//! Asks a hub over HTTP, one request after the other, each with other words or records.

use std::time::{Duration, Instant};

use anyhow::ensure;
use ensemble_hub_client::Call;

use super::asks::asks;
use super::generate::World;
use super::random::Random;
use crate::hub::Hub;
use crate::measure::{milliseconds, percentiles};

/// Requests of each kind; the first tenth is not counted.
const REQUESTS: usize = 300;
const WARM: usize = 30;
const TIMEOUT: Duration = Duration::from_secs(30);

/// One kind of request.
pub(super) struct Route {
    pub(super) name: &'static str,
    pub(super) target: Target,
    pub(super) p50: f64,
    pub(super) p99: f64,
}

/// What is wanted at the large size.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// At most 20 ms at p50 and 60 ms at p99.
    Search,
    /// At most 5 ms at p50.
    List,
    /// Only that it grows at most threefold, as the others must too.
    Growth,
}

impl Target {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Search => "p50 <= 20, p99 <= 60",
            Self::List => "p50 <= 5",
            Self::Growth => "growth <= 3",
        }
    }

    pub(super) fn is_met(self, small: &Route, large: &Route) -> bool {
        // Below half a millisecond a ratio is noise.
        let grows = large.p50 > 3.0 * small.p50 && large.p50 > 0.5;
        let fast = match self {
            Self::Search => large.p50 <= 20.0 && large.p99 <= 60.0,
            Self::List => large.p50 <= 5.0,
            Self::Growth => true,
        };
        fast && !grows
    }
}

/// Measures every read route, or those whose names hold `only`.
pub(super) fn routes(hub: &Hub, world: &World, only: Option<&str>) -> anyhow::Result<Vec<Route>> {
    let client = hub.client()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut done = Vec::new();
        for (name, target, ask) in asks(world) {
            if only.is_some_and(|only| !name.contains(only)) {
                continue;
            }
            let mut random = Random::new(3);
            let mut times = Vec::with_capacity(REQUESTS);
            for at in 0..REQUESTS {
                let (path, query) = ask(&mut random);
                let query: Vec<(&str, &str)> = query
                    .iter()
                    .map(|(name, value)| (*name, value.as_str()))
                    .collect();
                let started = Instant::now();
                let reply = client
                    .request(Call {
                        query: &query,
                        ..Call::get(&path, TIMEOUT)
                    })
                    .await?;
                let time = milliseconds(started);
                ensure!(!reply.body.is_empty(), "{name} answered nothing");
                if at >= WARM {
                    times.push(time);
                }
            }
            let [p50, p99] = percentiles(times, [50, 99]);
            done.push(Route {
                name,
                target,
                p50,
                p99,
            });
        }
        Ok(done)
    })
}
