//! `[limits]` of a `plugin.toml`, and the same keys in the person's `limits.toml`: the first lowers, the second decides.

use std::time::Duration;

use serde::Deserialize;

use super::{Limits, MAX_LIVE_CALLS, MAX_MEMORY_BYTES, MAX_TABLE_ELEMENTS, MAX_UPLOAD_BASE64};

/// The longest deadline that a person can set: nobody waits for an answer longer.
pub const MAX_DEADLINE: Duration = Duration::from_hours(1);

/// The most bytes that a person can set for what passes through the host at once: several of them fit into its memory.
pub const MAX_PASSED_BYTES: usize = 64 << 20;

/// The most requests in one call that a person can set.
pub const MAX_HUB_REQUESTS: u32 = 10_000;

/// What stands in a table of limits. A key that is not there leaves the limit as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LimitsDeclaration {
    /// See [`Limits::deadline`], in milliseconds.
    pub deadline_ms: Option<u64>,
    /// See [`Limits::memory_bytes`].
    pub memory_bytes: Option<usize>,
    /// See [`Limits::table_elements`].
    pub table_elements: Option<usize>,
    /// See [`Limits::handles`].
    pub handles: Option<usize>,
    /// See [`Limits::output_bytes`].
    pub output_bytes: Option<usize>,
    /// See [`Limits::log_bytes`].
    pub log_bytes: Option<usize>,
    /// See [`Limits::hub_requests`].
    pub hub_requests: Option<u32>,
    /// See [`Limits::request_bytes`].
    pub request_bytes: Option<usize>,
    /// See [`Limits::response_bytes`].
    pub response_bytes: Option<usize>,
    /// See [`Limits::hostcall_bytes`].
    pub hostcall_bytes: Option<usize>,
    /// See [`Limits::calls_at_once`].
    pub calls_at_once: Option<usize>,
}

/// A limit that no person can mean.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} is {value}, and it has to be from 1 to {most}")]
pub struct BadLimit {
    /// The key.
    pub name: &'static str,
    /// What was set.
    pub value: u64,
    /// The most that this host can give.
    pub most: u64,
}

impl LimitsDeclaration {
    /// Checks each of them against what this host can give at all.
    ///
    /// # Errors
    /// The first that is zero or more.
    pub fn check(&self) -> Result<(), BadLimit> {
        let bytes = |bytes: Option<usize>| bytes.map(|bytes| bytes as u64);
        let passed = MAX_PASSED_BYTES as u64;
        let deadline = u64::try_from(MAX_DEADLINE.as_millis()).unwrap_or(u64::MAX);
        let all = [
            ("deadline-ms", self.deadline_ms, deadline),
            (
                "memory-bytes",
                bytes(self.memory_bytes),
                MAX_MEMORY_BYTES as u64,
            ),
            (
                "table-elements",
                bytes(self.table_elements),
                MAX_TABLE_ELEMENTS as u64,
            ),
            ("handles", bytes(self.handles), 1 << 20),
            ("output-bytes", bytes(self.output_bytes), passed),
            ("log-bytes", bytes(self.log_bytes), passed),
            (
                "hub-requests",
                self.hub_requests.map(u64::from),
                u64::from(MAX_HUB_REQUESTS),
            ),
            ("request-bytes", bytes(self.request_bytes), passed),
            ("response-bytes", bytes(self.response_bytes), passed),
            (
                "hostcall-bytes",
                bytes(self.hostcall_bytes),
                passed.max(MAX_UPLOAD_BASE64 as u64),
            ),
            (
                "calls-at-once",
                bytes(self.calls_at_once),
                MAX_LIVE_CALLS as u64,
            ),
        ];
        for (name, value, most) in all {
            if let Some(value) = value
                && !(1..=most).contains(&value)
            {
                return Err(BadLimit { name, value, most });
            }
        }
        Ok(())
    }
}

impl Limits {
    /// These limits, lowered to what a manifest asks for. A larger wish has no effect.
    #[must_use]
    pub fn lowered_by(self, wish: &LimitsDeclaration) -> Self {
        fn low<T: Ord>(now: T, wish: T) -> T {
            now.min(wish)
        }
        let wished = self.set_by(wish);
        Self {
            deadline: low(self.deadline, wished.deadline),
            memory_bytes: low(self.memory_bytes, wished.memory_bytes),
            table_elements: low(self.table_elements, wished.table_elements),
            handles: low(self.handles, wished.handles),
            output_bytes: low(self.output_bytes, wished.output_bytes),
            log_bytes: low(self.log_bytes, wished.log_bytes),
            hub_requests: low(self.hub_requests, wished.hub_requests),
            request_bytes: low(self.request_bytes, wished.request_bytes),
            response_bytes: low(self.response_bytes, wished.response_bytes),
            hostcall_bytes: low(self.hostcall_bytes, wished.hostcall_bytes),
            calls_at_once: low(self.calls_at_once, wished.calls_at_once),
        }
    }

    /// These limits, with what the person set in place of them, higher or lower.
    #[must_use]
    pub fn set_by(self, person: &LimitsDeclaration) -> Self {
        Self {
            deadline: person
                .deadline_ms
                .map_or(self.deadline, Duration::from_millis),
            memory_bytes: person.memory_bytes.unwrap_or(self.memory_bytes),
            table_elements: person.table_elements.unwrap_or(self.table_elements),
            handles: person.handles.unwrap_or(self.handles),
            output_bytes: person.output_bytes.unwrap_or(self.output_bytes),
            log_bytes: person.log_bytes.unwrap_or(self.log_bytes),
            hub_requests: person.hub_requests.unwrap_or(self.hub_requests),
            request_bytes: person.request_bytes.unwrap_or(self.request_bytes),
            response_bytes: person.response_bytes.unwrap_or(self.response_bytes),
            hostcall_bytes: person.hostcall_bytes.unwrap_or(self.hostcall_bytes),
            calls_at_once: person.calls_at_once.unwrap_or(self.calls_at_once),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_lowers_and_never_raises() {
        let wish = LimitsDeclaration {
            deadline_ms: Some(1_000),
            memory_bytes: Some(usize::MAX),
            hub_requests: Some(1),
            ..LimitsDeclaration::default()
        };
        let limits = Limits::DEFAULT.lowered_by(&wish);
        assert_eq!(limits.deadline, Duration::from_secs(1));
        assert_eq!(limits.memory_bytes, Limits::DEFAULT.memory_bytes);
        assert_eq!(limits.hub_requests, 1);
        assert_eq!(limits.output_bytes, Limits::DEFAULT.output_bytes);
    }

    #[test]
    fn a_person_raises_and_lowers_within_what_the_host_can_give() {
        let set = |deadline_ms, calls_at_once| LimitsDeclaration {
            deadline_ms: Some(deadline_ms),
            calls_at_once: Some(calls_at_once),
            ..LimitsDeclaration::default()
        };
        let limits = Limits::DEFAULT.set_by(&set(60_000, 1));
        assert_eq!(
            (limits.deadline, limits.calls_at_once),
            (Duration::from_mins(1), 1)
        );
        assert_eq!(set(60_000, 1).check(), Ok(()));
        assert_eq!(
            set(0, 1).check().unwrap_err().to_string(),
            "deadline-ms is 0, and it has to be from 1 to 3600000"
        );
        assert_eq!(
            set(1, 33).check().unwrap_err().to_string(),
            "calls-at-once is 33, and it has to be from 1 to 32"
        );
    }
}
