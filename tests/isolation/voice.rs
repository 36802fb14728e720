//! What a guest says besides its answer comes out clean, labelled and bounded, and never where only the host speaks.

use crate::bench::Bench;

#[tokio::test]
async fn stdout_and_stderr_become_lines_of_the_log() {
    let bench = Bench::probe("").ready().await;
    bench.call("flood_stdout", r#"{"lines":2}"#).await.unwrap();
    let forged = r#"Info {"jsonrpc":"2.0","id":1,"result":{}}"#;
    assert_eq!(
        bench.heard.all(),
        [
            forged,
            forged,
            "Warning [31mred[0m",
            "Info \u{fffd}\u{fffd}end"
        ]
    );
}

#[tokio::test]
async fn a_flood_is_cut_and_the_call_still_answers() {
    for (tool, arguments) in [
        ("flood_stdout", r#"{"lines":100000}"#),
        ("log_flood", r#"{"lines":100000}"#),
        ("big_log_line", r#"{"bytes":1000000}"#),
    ] {
        let bench = Bench::probe("log-bytes = 10000").ready().await;
        bench.call(tool, arguments).await.unwrap();
        let heard = bench.heard.all();
        let bytes: usize = heard.iter().map(String::len).sum();
        assert!(bytes < 12_000, "{tool}: {bytes}");
        if tool != "big_log_line" {
            assert_eq!(
                heard.last().map(String::as_str),
                Some("Warning said more than 10000 bytes in one call; the rest is dropped"),
                "{tool}"
            );
        }
        bench.answers().await;
    }
}

#[tokio::test]
async fn a_panic_says_where_and_why_in_the_log() {
    let bench = Bench::probe("").ready().await;
    let error = bench.call("panic", "{}").await.unwrap_err().to_string();
    assert!(
        error.starts_with("The plugin probe broke off (") && !error.contains("0x"),
        "{error}"
    );
    let heard = bench.heard.all().join("\n");
    assert!(
        heard.contains("exhaust.rs") && heard.contains("on purpose [31m"),
        "{heard}"
    );
}
