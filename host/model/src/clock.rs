//! Time is an argument: nothing outside `app` reads a clock of its own.

use std::time::Instant;

use jiff::Timestamp;

/// Where the host takes the time from.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The wall clock, in UTC.
    fn now(&self) -> Timestamp;

    /// A monotonic instant, for deadlines and durations.
    fn instant(&self) -> Instant;
}
