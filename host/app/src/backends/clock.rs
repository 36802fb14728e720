//! The one clock of the process.

use std::time::Instant;

use ensemble_model::Clock;
use jiff::Timestamp;

/// The system's own clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the wall clock"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn instant(&self) -> Instant {
        Instant::now()
    }
}

/// The computer's time zone as an IANA name; UTC where it has none that can be named.
pub(crate) fn time_zone() -> String {
    jiff::tz::TimeZone::system()
        .iana_name()
        .unwrap_or("UTC")
        .to_owned()
}
