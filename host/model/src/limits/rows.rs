//! All limits as rows: what `ensemble audit` prints and a reviewer reads. A limit that is in no row does not compile.

use super::{
    BRISK_CALL, EPOCH_TICK, LISTING_DEADLINE, Limits, MAX_CALLS_OF_PRINCIPAL, MAX_COMPONENT_BYTES,
    MAX_CORE_INSTANCES, MAX_FILE_CHUNK, MAX_GUEST_STACK, MAX_LIVE_CALLS, MAX_MEMORIES,
    MAX_MEMORY_BYTES, MAX_PATH_BYTES, MAX_SHOWN_FILE_BYTES, MAX_SHOWN_IMAGE_BYTES, MAX_SHOWN_TEXT,
    MAX_TABLES, MAX_UPLOAD_BYTES, MAX_WAITING_CALLS,
};

/// One limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitRow {
    /// Its name; for a limit of one plugin, the key in `[limits]` of its `plugin.toml` and in `limits.toml`.
    pub name: &'static str,
    /// The most.
    pub value: u64,
    /// Of what.
    pub unit: &'static str,
    /// Why this much.
    pub reason: &'static str,
}

const fn row(name: &'static str, value: u64, unit: &'static str, reason: &'static str) -> LimitRow {
    LimitRow {
        name,
        value,
        unit,
        reason,
    }
}

impl Limits {
    /// What one call of the plugin may use.
    #[must_use]
    #[expect(clippy::too_many_lines, reason = "a table, with a row for each limit")]
    pub fn rows(&self) -> Vec<LimitRow> {
        let Self {
            deadline,
            memory_bytes,
            table_elements,
            handles,
            output_bytes,
            log_bytes,
            hub_requests,
            request_bytes,
            response_bytes,
            hostcall_bytes,
            calls_at_once,
        } = *self;
        let deadline = u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX);
        vec![
            row(
                "deadline-ms",
                deadline,
                "milliseconds",
                "wall time of one call, waits for the hub included; nobody waits longer for an answer",
            ),
            row(
                "memory-bytes",
                memory_bytes as u64,
                "bytes",
                "linear memory of one call, over all its memories",
            ),
            row(
                "table-elements",
                table_elements as u64,
                "entries",
                "table entries of one call, over all its tables; JavaScript components need 7,691, Python 5,674",
            ),
            row(
                "handles",
                handles as u64,
                "handles",
                "handles that one call holds at once; a guest has its three streams and few more",
            ),
            row(
                "output-bytes",
                output_bytes as u64,
                "bytes",
                "what one call may answer; clients cut far below",
            ),
            row(
                "log-bytes",
                log_bytes as u64,
                "bytes",
                "log, standard output, standard error and progress of one call together",
            ),
            row(
                "hub-requests",
                u64::from(hub_requests),
                "requests",
                "requests to the hub in one call; a brief needs one, a page of records a few",
            ),
            row(
                "request-bytes",
                request_bytes as u64,
                "bytes",
                "the body of one request to the hub",
            ),
            row(
                "response-bytes",
                response_bytes as u64,
                "bytes",
                "the answer to one request to the hub",
            ),
            row(
                "hostcall-bytes",
                hostcall_bytes as u64,
                "bytes",
                "what one call of the host may copy out of the guest",
            ),
            row(
                "calls-at-once",
                calls_at_once as u64,
                "calls",
                "calls of the plugin in flight; the others wait their turn, and other plugins go on",
            ),
        ]
    }

    /// What holds for the whole host and is no plugin's to lower.
    #[must_use]
    #[expect(clippy::too_many_lines, reason = "a table, with a row for each limit")]
    pub fn of_host() -> Vec<LimitRow> {
        let tick = u64::try_from(EPOCH_TICK.as_millis()).unwrap_or(u64::MAX);
        vec![
            row(
                "live calls",
                MAX_LIVE_CALLS as u64,
                "calls",
                "instances alive at once; with the largest memory each, it bounds the host",
            ),
            row(
                "calls of one key",
                MAX_CALLS_OF_PRINCIPAL as u64,
                "calls",
                "calls in flight for one key, so that no key has all instances",
            ),
            row(
                "waiting calls",
                MAX_WAITING_CALLS as u64,
                "calls",
                "calls that wait for an instance; one plugin fills half of it at the most",
            ),
            row(
                "epoch",
                tick,
                "milliseconds",
                "how often a computing guest lets others run, and how late after its deadline it is stopped",
            ),
            row(
                "brisk call",
                u64::try_from(BRISK_CALL.as_millis()).unwrap_or(u64::MAX),
                "milliseconds",
                "what a call may compute before it shares a lane with other long ones, one thread narrower than the host",
            ),
            row(
                "largest memory",
                MAX_MEMORY_BYTES as u64,
                "bytes",
                "one memory slot; no plugin and no person can have more",
            ),
            row(
                "memories",
                MAX_MEMORIES as u64,
                "memories",
                "memories in one component; a guest has one, an adapter a second",
            ),
            row(
                "tables",
                MAX_TABLES as u64,
                "tables",
                "tables in one component; JavaScript and Python components have fewer than ten",
            ),
            row(
                "core instances",
                MAX_CORE_INSTANCES as u64,
                "instances",
                "core instances in one component; Python components have 38",
            ),
            row(
                "guest stack",
                MAX_GUEST_STACK as u64,
                "bytes",
                "native stack of a guest: deep recursion ends there and not in the host",
            ),
            row(
                "component file",
                MAX_COMPONENT_BYTES as u64,
                "bytes",
                "a component is read whole before it is checked; Python components have 18 MB",
            ),
            row(
                "hub path",
                MAX_PATH_BYTES as u64,
                "bytes",
                "the longest path of a request with its query",
            ),
            row(
                "listing",
                u64::try_from(LISTING_DEADLINE.as_millis()).unwrap_or(u64::MAX),
                "milliseconds",
                "an installed component says in it what it offers, and a client waits for it",
            ),
            row(
                "shown file",
                MAX_SHOWN_FILE_BYTES,
                "bytes",
                "an original that is put into an answer; what is larger is saved instead",
            ),
            row(
                "shown picture",
                MAX_SHOWN_IMAGE_BYTES,
                "bytes",
                "a file that is shown as a picture: models refuse larger ones",
            ),
            row(
                "shown text",
                MAX_SHOWN_TEXT as u64,
                "characters",
                "a file that is shown as text",
            ),
            row(
                "file chunk",
                u64::from(MAX_FILE_CHUNK),
                "bytes",
                "what a guest gets of an original at once; it is copied into its memory",
            ),
            row(
                "upload",
                MAX_UPLOAD_BYTES as u64,
                "bytes",
                "a file that is taken in, as the hub takes it",
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_limit_has_a_number_a_unit_and_a_reason_of_its_own() {
        let mut rows = Limits::DEFAULT.rows();
        rows.extend(Limits::of_host());
        let names: BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
        let reasons: BTreeSet<&str> = rows.iter().map(|row| row.reason).collect();
        assert_eq!((names.len(), reasons.len()), (rows.len(), rows.len()));
        for row in rows {
            assert!(row.value > 0 && !row.unit.is_empty(), "{row:?}");
        }
    }
}
