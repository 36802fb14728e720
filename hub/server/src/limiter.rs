//! How often one space is written to and has actions run, those that read too: 240 a minute, spread evenly after a burst of as many. Time is
//! the hub's clock.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use ensemble_hub_api::limits::WRITES_PER_MINUTE;
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::clock::HubClock;

/// The hub's clock as the limiter reads it.
#[derive(Clone, Debug)]
struct Ticks(Arc<dyn HubClock>);

impl Clock for Ticks {
    type Instant = Duration;

    fn now(&self) -> Duration {
        let micros = u64::try_from(self.0.now().as_microsecond()).unwrap_or(0);
        Duration::from_micros(micros)
    }
}

type Limiter = RateLimiter<String, DashMapStateStore<String>, Ticks, NoOpMiddleware<Duration>>;

/// Counts the changes and actions of every space.
#[derive(Debug)]
pub(crate) struct WriteLimiter {
    limiter: Limiter,
    clock: Ticks,
}

impl WriteLimiter {
    pub(crate) fn new(clock: Arc<dyn HubClock>) -> Self {
        Self::per_minute(clock, WRITES_PER_MINUTE)
    }

    /// The same with another number a minute.
    pub(crate) fn per_minute(clock: Arc<dyn HubClock>, number: u32) -> Self {
        let clock = Ticks(clock);
        let per = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let limiter = RateLimiter::new(
            Quota::per_minute(per),
            DashMapStateStore::default(),
            clock.clone(),
        );
        Self { limiter, clock }
    }

    /// Counts one of them; when there were too many, the whole seconds until the next one fits.
    pub(crate) fn count(&self, space: &str) -> Result<(), u64> {
        self.limiter.check_key(&space.to_owned()).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::StillClock;

    #[test]
    fn a_space_has_240_changes_and_then_waits_and_other_spaces_do_not() {
        let clock = Arc::new(StillClock::at("2026-03-01T09:00:00Z".parse().unwrap()));
        let limiter = WriteLimiter::new(Arc::<StillClock>::clone(&clock));
        for _ in 0..WRITES_PER_MINUTE {
            limiter.count("a").unwrap();
        }
        assert_eq!(limiter.count("a"), Err(1));
        assert_eq!(limiter.count("b"), Ok(()));
        clock.advance(jiff::SignedDuration::from_secs(1));
        for _ in 0..4 {
            limiter.count("a").unwrap();
        }
        assert_eq!(limiter.count("a"), Err(1));
    }
}
