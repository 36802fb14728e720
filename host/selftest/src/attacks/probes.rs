//! The verdict of each probe of the kit.

use serde_json::{Value, json};

use crate::attack::{Attack, How, Kit, attack, call, hurried};
use crate::guests::{CALLS, MASK, Probe, SPINS};

/// Bytes of what is too much to hand over at once.
const HUGE: usize = 30 << 20;

/// The attacks with this probe.
#[expect(clippy::too_many_lines, reason = "a table, with an arm for each probe")]
pub(super) fn of(probe: Probe) -> Vec<Attack> {
    match probe {
        Probe::Spin => spins(),
        Probe::SpinInAllocation => vec![
            hurried(
                "an endless loop while its arguments are handed over",
                probe,
                padded(SPINS),
            ),
            // with time for the hub to answer
            attack(
                "an endless loop while the hub's answer is handed over",
                &[
                    "one call may take 2 seconds",
                    "the hub saw GET /api/bridge/spins",
                ],
                How::Call(Kit::Waiting, Probe::GetRoute, path("/api/bridge/spins"), 1),
            ),
        ],
        Probe::SpinInCleanup => vec![hurried(
            "an endless loop while its answer is cleaned up",
            probe,
            json!({}),
        )],
        Probe::AllocLoop => memory(),
        Probe::Recurse => vec![call(
            "deep recursion",
            probe,
            json!({}),
            &["a deeper stack"],
        )],
        Probe::RecurseWidely => vec![call(
            "deep recursion with wide frames",
            probe,
            json!({}),
            &["broke off"],
        )],
        Probe::CallInAllocation => vec![
            call(
                "calling the host while the host hands over its arguments",
                probe,
                padded(CALLS),
                &["broke off", "cannot leave"],
            ),
            call(
                "recursion through the host: calling it while it hands over the hub's answer",
                Probe::GetRoute,
                path("/api/bridge/calls"),
                &["broke off", "cannot leave"],
            ),
        ],
        Probe::BigOutput => output(),
        Probe::ManyBlocks => vec![call(
            "an answer of many empty blocks",
            probe,
            json!({ "blocks": 100_000 }),
            &["more than 8 MiB at once"],
        )],
        Probe::ManyPairs => vec![call(
            "a list of 300,000 pairs into the host",
            probe,
            json!({ "path": "/api/bridge/tasks", "pairs": 300_000 }),
            &["more than 8 MiB at once", "the hub saw nothing"],
        )],
        Probe::ManyRequests => vec![call(
            "a hundred requests in one call",
            probe,
            json!({ "path": "/api/bridge/tasks", "requests": 100 }),
            &["One call may send 32 requests", "the hub saw 32 requests"],
        )],
        Probe::BigLogLine => vec![
            call(
                "a log line of 30 MiB",
                probe,
                json!({ "bytes": HUGE }),
                &["more than 8 MiB at once"],
            ),
            call(
                "a log line of one megabyte",
                probe,
                json!({ "bytes": 1_000_000 }),
                &["answered: said", "its log has 4099 bytes"],
            ),
        ],
        Probe::LogFlood => vec![call(
            "20,000 log lines and as much progress",
            probe,
            json!({ "lines": 20_000 }),
            &["answered: said", "the rest is dropped"],
        )],
        Probe::FloodStdout => stdout(),
        Probe::ReadStdin => vec![call(
            "reading what the editor sends",
            probe,
            json!({}),
            &["answered: 0"],
        )],
        Probe::ReadEnvArgs => vec![call(
            "reading environment and arguments",
            probe,
            json!({}),
            &[r#"answered: {"arguments":[],"path":null,"variables":[]}"#],
        )],
        Probe::Panic => vec![call(
            "breaking off in the middle",
            probe,
            json!({}),
            &["broke off (", "nothing of the call is left"],
        )],
        Probe::Exit => vec![call(
            "ending its process",
            probe,
            json!({}),
            &["it ended itself with code"],
        )],
        Probe::State => vec![attack(
            "keeping state from one call to the next",
            &["answered: 1, answered: 1, answered: 1"],
            How::Call(Kit::Usual, probe, json!({}), 3),
        )],
        Probe::GetRoute => super::routes::of(),
        Probe::Query => super::routes::queries(),
        Probe::ShowAFile => vec![call(
            "showing a file that nobody gave it",
            probe,
            json!({}),
            &["an answer that cannot be shown"],
        )],
        Probe::Structured => super::lists::promises(),
        Probe::Lie => vec![call(
            "nothing hostile: it asks the hub how its list is to lie",
            probe,
            json!({}),
            &["answered: "],
        )],
        Probe::SearchMemory => vec![search()],
        Probe::Echo => vec![call(
            "nothing hostile: it answers",
            probe,
            json!({ "text": "hello" }),
            &["answered: hello"],
        )],
        Probe::Ask => vec![call(
            "nothing hostile: it asks",
            probe,
            json!({}),
            &["asked 1 question"],
        )],
        Probe::Fail => vec![call(
            "nothing hostile: it fails",
            probe,
            json!({}),
            &["refused: The task was changed meanwhile."],
        )],
    }
}

fn spins() -> Vec<Attack> {
    vec![
        hurried("an endless loop", Probe::Spin, json!({})),
        attack(
            "an endless loop for every core, and one more",
            &["5 × refused", "one call may take 300 milliseconds"],
            How::Crowd(Kit::Hurried, Probe::Spin, 5),
        ),
    ]
}

fn memory() -> Vec<Attack> {
    vec![
        call(
            "taking memory without end",
            Probe::AllocLoop,
            json!({}),
            &["more than 64 MiB of memory"],
        ),
        attack(
            "taking memory without end, ten at once",
            &["10 × refused", "more than 64 MiB of memory"],
            How::Crowd(Kit::Usual, Probe::AllocLoop, 10),
        ),
    ]
}

fn output() -> Vec<Attack> {
    vec![
        call(
            "an answer of 30 MiB",
            Probe::BigOutput,
            json!({ "bytes": HUGE }),
            &["more than 8 MiB at once"],
        ),
        call(
            "an answer of 5 MiB",
            Probe::BigOutput,
            json!({ "bytes": 5 << 20 }),
            &["one answer may have 4194304"],
        ),
    ]
}

fn stdout() -> Vec<Attack> {
    vec![
        call(
            "20,000 lines of JSON-RPC on its standard output",
            Probe::FloodStdout,
            json!({ "lines": 20_000 }),
            &["answered: written", "the rest is dropped"],
        ),
        attack(
            "forged answers on its standard output, under the MCP server",
            &["answered: written", "1 answer on the stream"],
            How::Mcp(Probe::FloodStdout, json!({ "lines": 50 })),
        ),
    ]
}

/// The key is looked for where it would be if any of it had come into the guest: after answers and errors of all kinds.
fn search() -> Attack {
    // the key itself is put in when it is tried
    let present = masked("a text that is certainly there");
    let arguments = json!({
        "paths": ["/api/bridge/tasks", "/api/bridge/breaks", "/api/bridge/moved", "/api/bridge/none", "/api/../x"],
        "present": present,
        "given": "a text that is certainly there",
    });
    attack(
        "searching its own memory for the key, after requests that succeed and fail",
        &["found what it holds", "the key 0 times"],
        How::Search(arguments),
    )
}

/// A text as the guest is given what it is to look for.
pub(crate) fn masked(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| byte ^ MASK).collect()
}

pub(super) fn path(path: &str) -> Value {
    json!({ "path": path })
}

/// Arguments whose JSON text has exactly so many bytes.
fn padded(bytes: usize) -> Value {
    let empty = json!({ "a": "" }).to_string().len();
    json!({ "a": "x".repeat(bytes - empty) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_exact() {
        assert_eq!(padded(SPINS).to_string().len(), SPINS);
    }
}
