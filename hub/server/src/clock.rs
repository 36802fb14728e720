//! The hub's time. Nothing in this crate asks the machine: whoever opens the hub passes the clock, and tests pass one that stands still.

use std::fmt;
use std::sync::Mutex;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Where the hub takes the present instant from.
pub trait HubClock: Send + Sync + fmt::Debug {
    /// Now, in UTC.
    fn now(&self) -> Timestamp;
}

/// A clock that moves only when told to.
#[derive(Debug)]
pub struct StillClock(Mutex<Timestamp>);

impl StillClock {
    /// A clock that stands at `now`.
    pub fn at(now: Timestamp) -> Self {
        Self(Mutex::new(now))
    }

    /// Moves it forward.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *now = now.checked_add(by).unwrap_or(Timestamp::MAX);
    }
}

impl HubClock for StillClock {
    fn now(&self) -> Timestamp {
        *self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// An instant as the wire shows it: UTC, to the millisecond.
pub fn instant(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// The name of a time zone, as the wire shows it.
pub fn zone_name(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("UTC")
}
