//! Requests that a plugin may not make, and ones that are not what they look like. What reached the hub is a part of each verdict.

use serde_json::json;

use super::probes::path;
use crate::attack::{Attack, How, attack, call};
use crate::guests::Probe;

/// Paths that are no plain path below the declared routes, each with what is tried.
const TRICKS: [(&str, &str); 18] = [
    ("a route that is not declared", "/api/bridge/brief"),
    ("a path that goes up", "/api/bridge/tasks/../brief"),
    ("a path that goes up, encoded", "/api/bridge/%2e%2e/tasks"),
    (
        "a path that goes up, encoded twice",
        "/api/bridge/%252e%252e/tasks",
    ),
    ("an encoded slash", "/api/bridge%2ftasks"),
    ("an empty segment", "/api/bridge//tasks"),
    ("a slash at the end", "/api/bridge/tasks/"),
    ("the route in other letters", "/API/bridge/TASKS"),
    ("letters that look alike", "/api/bridge/t\u{430}sks"),
    ("a query in the path", "/api/bridge/tasks?space=s2"),
    ("a fragment", "/api/bridge/tasks#x"),
    ("a parameter in the path", "/api/bridge/tasks;space=s2"),
    ("an address", "https://evil.example/api/bridge/tasks"),
    ("another host", "//evil.example/api/bridge/tasks"),
    ("a backslash", "/api/bridge\\tasks"),
    ("a NUL", "/api/bridge/tasks\0"),
    (
        "another header behind a line end",
        "/api/bridge/tasks\r\nx-ensemble-space: s2",
    ),
    ("no path", ""),
];

/// With `get_route`.
pub(super) fn of() -> Vec<Attack> {
    let tricks = TRICKS.into_iter().map(|(what, tried)| {
        let expected = ["is not allowed", "the hub saw nothing"];
        call(
            &format!("a request: {what}"),
            Probe::GetRoute,
            path(tried),
            &expected,
        )
    });
    let probe = Probe::GetRoute;
    let others = [
        call(
            "nothing hostile: a declared request",
            probe,
            path("/api/bridge/tasks"),
            &[
                r#"answered: {"ok":true}"#,
                "the hub saw GET /api/bridge/tasks in s1",
            ],
        ),
        call(
            "a space in a declared route's place for an id",
            probe,
            path("/api/bridge/tasks/..%2fs2"),
            &["is not allowed", "the hub saw nothing"],
        ),
        attack(
            "waiting for a hub that never answers",
            &["did not answer in time", "the request was given up"],
            How::Hang(path("/api/bridge/hangs")),
        ),
        call(
            "an answer of the hub of 9 MiB",
            probe,
            path("/api/bridge/large"),
            &["is larger than 8 MiB", "the hub saw GET /api/bridge/large"],
        ),
        call(
            "an error page of the hub that shows the key",
            probe,
            path("/api/bridge/breaks"),
            &[
                "refused: Ensemble failed to answer",
                "the hub saw GET /api/bridge/breaks",
            ],
        ),
        call(
            "a hub that sends the request on to another origin",
            probe,
            path("/api/bridge/moved"),
            &[
                "refused: ",
                "the hub saw GET /api/bridge/moved in s1",
                "no other origin saw anything",
            ],
        ),
    ];
    tricks.chain(others).collect()
}

/// With `query`: pairs that look like a header or like another space. Each arrives as a query and as nothing else.
pub(super) fn queries() -> Vec<Attack> {
    [
        (
            "a header for another space, as a query",
            "x-ensemble-space",
            "s2",
            "the hub saw GET /api/bridge/tasks?x-ensemble-space=s2 in s1",
        ),
        (
            "another space, as a query",
            "space",
            "s2",
            "the hub saw GET /api/bridge/tasks?space=s2 in s1",
        ),
        (
            "a line end and a header in a query",
            "a",
            "b\r\nx-ensemble-space: s2",
            "the hub saw GET /api/bridge/tasks?a=b%0D%0Ax-ensemble-space%3A+s2 in s1",
        ),
        (
            "the end of the request in a query",
            "a",
            "b HTTP/1.1\r\n\r\nGET /api/bridge/brief HTTP/1.1\r\n",
            "the hub saw GET /api/bridge/tasks?a=b+HTTP%2F1.1%0D%0A%0D%0AGET",
        ),
    ]
    .into_iter()
    .map(|(name, pair, value, expected)| {
        let arguments = json!({ "path": "/api/bridge/tasks", "name": pair, "value": value });
        call(name, Probe::Query, arguments, &[expected])
    })
    .collect()
}
