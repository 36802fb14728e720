//! The limits as rows for an audit: each is a row, or this file does not compile.

use super::{
    EPOCH_TICK, LISTING_DEADLINE, Limits, MAX_COMPONENT_BYTES, MAX_CORE_INSTANCES, MAX_FILE_CHUNK,
    MAX_GUEST_STACK, MAX_LIVE_CALLS, MAX_MEMORY_BYTES, MAX_PATH_BYTES, MAX_SHOWN_FILE_BYTES,
    MAX_SHOWN_IMAGE_BYTES, MAX_SHOWN_TEXT, MAX_TABLE_ELEMENTS, MAX_UPLOAD_BYTES, MAX_WAITING_CALLS,
};

/// One limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// As `plugin.toml` would write it, with its unit where it has one.
    pub name: &'static str,
    /// In that unit.
    pub value: u64,
    /// What it bounds.
    pub bounds: &'static str,
}

impl Limits {
    /// What one call may use, as rows.
    #[must_use]
    pub fn rows(self) -> Vec<Row> {
        let Self {
            deadline,
            memory_bytes,
            output_bytes,
            log_bytes,
            hub_requests,
            request_bytes,
            response_bytes,
            hostcall_bytes,
        } = self;
        let deadline = u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX);
        vec![
            row("deadline-ms", deadline, "wall time of one call"),
            row("memory-bytes", memory_bytes as u64, "memory of one call"),
            row("output-bytes", output_bytes as u64, "one answer"),
            row("log-bytes", log_bytes as u64, "what one call logs"),
            row(
                "hub-requests",
                u64::from(hub_requests),
                "requests to the hub in one call",
            ),
            row(
                "request-bytes",
                request_bytes as u64,
                "one request to the hub",
            ),
            row(
                "response-bytes",
                response_bytes as u64,
                "one answer of the hub",
            ),
            row(
                "hostcall-bytes",
                hostcall_bytes as u64,
                "what a guest hands over at once",
            ),
        ]
    }
}

/// What holds for the host as a whole.
#[must_use]
pub fn of_the_host() -> Vec<Row> {
    let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    vec![
        row("live-calls", MAX_LIVE_CALLS as u64, "instances at once"),
        row("waiting-calls", MAX_WAITING_CALLS as u64, "calls in wait"),
        row(
            "epoch-tick-ms",
            ms(EPOCH_TICK),
            "until a spinning guest is noticed",
        ),
        row(
            "listing-ms",
            ms(LISTING_DEADLINE),
            "until an installed component has said what it offers",
        ),
        row(
            "memory-bytes",
            MAX_MEMORY_BYTES as u64,
            "memory of any instance",
        ),
        row("stack-bytes", MAX_GUEST_STACK as u64, "a guest's stack"),
        row(
            "table-elements",
            MAX_TABLE_ELEMENTS as u64,
            "elements of tables",
        ),
        row(
            "core-instances",
            MAX_CORE_INSTANCES as u64,
            "core instances in a component",
        ),
        row(
            "component-bytes",
            MAX_COMPONENT_BYTES as u64,
            "a component's file",
        ),
        row("path-bytes", MAX_PATH_BYTES as u64, "a path with its query"),
        row(
            "file-chunk-bytes",
            u64::from(MAX_FILE_CHUNK),
            "a file's bytes that a guest gets at once",
        ),
        row(
            "shown-file-bytes",
            MAX_SHOWN_FILE_BYTES,
            "a file inside an answer",
        ),
        row(
            "shown-image-bytes",
            MAX_SHOWN_IMAGE_BYTES,
            "a picture inside an answer",
        ),
        row(
            "shown-text-characters",
            MAX_SHOWN_TEXT as u64,
            "a file's text inside an answer",
        ),
        row(
            "upload-bytes",
            MAX_UPLOAD_BYTES as u64,
            "a file that is taken in",
        ),
    ]
}

const fn row(name: &'static str, value: u64, bounds: &'static str) -> Row {
    Row {
        name,
        value,
        bounds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every `pub const` of the limits is a row; one that is another in another unit is named here.
    #[test]
    fn no_limit_is_left_out() {
        let constants = include_str!("../limits.rs")
            .lines()
            .filter(|line| line.starts_with("pub const "))
            .count();
        let in_another_unit = ["MAX_UPLOAD_BASE64"];
        assert_eq!(of_the_host().len() + in_another_unit.len(), constants);
        assert_eq!(Limits::DEFAULT.rows().len(), 8);
    }
}
