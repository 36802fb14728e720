//! What comes down the pipe that is not quite a message, and that the session goes on after it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::hub::Hub;
use crate::support::{Client, World, hello};

const KNOWN: Hub = Hub::Knows { changes: false };

async fn code(client: &mut Client, line: &str) -> (Value, i64) {
    client.line(line).await;
    let answer = client.recv().await;
    (
        answer["id"].clone(),
        answer["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("{answer}")),
    )
}

#[tokio::test]
async fn a_line_that_is_no_json_is_answered_once_and_the_session_goes_on() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    assert_eq!(code(&mut client, "not json").await, (Value::Null, -32700));
    client.bytes(b"\xFF\xFE\n").await;
    assert_eq!(client.recv().await["error"]["code"], -32700);
    client
        .bytes(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\xC3\x28\"}}\n",
        )
        .await;
    assert_eq!(client.recv().await["error"]["code"], -32700);
    let answer = client.initialize("2025-06-18").await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(client.ask(2, "ping", json!({})).await["result"], json!({}));
    client.leave().await;
}

#[tokio::test]
async fn a_byte_order_mark_carriage_returns_and_blank_lines_are_nothing() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello(&json!("2025-11-25"))});
    client
        .bytes(format!("\u{feff}{first}\r\n\r\n   \n").as_bytes())
        .await;
    assert_eq!(
        client.recv().await["result"]["protocolVersion"],
        "2025-11-25"
    );
    client
        .bytes(b"  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}  \r\n")
        .await;
    assert_eq!(client.recv().await["id"], 1);
    client.leave().await;
}

#[tokio::test]
async fn a_burst_of_garbage_gets_one_reply_each_and_then_the_ping_is_answered() {
    let world = World::new(KNOWN);
    let mut client = world.connect_through(64 << 10);
    client.initialize("2025-11-25").await;
    let mut replies = 0;
    for _ in 0..10 {
        client.bytes("garbage\n".repeat(100).as_bytes()).await;
        for _ in 0..100 {
            assert_eq!(client.recv().await["error"]["code"], -32700);
            replies += 1;
        }
    }
    assert_eq!(replies, 1000);
    assert_eq!(client.ask(1, "ping", json!({})).await["result"], json!({}));
    client.leave().await;
}

#[tokio::test]
async fn a_peer_that_sends_everything_back_does_not_start_an_exchange() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for line in [
        "garbage",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    ] {
        client.line(line).await;
        let echo = client.recv().await;
        client.send(echo).await;
    }
    // nothing but the answer to this comes
    assert_eq!(
        client.ask("last", "ping", json!({})).await["result"],
        json!({})
    );
    client.leave().await;
}

#[tokio::test]
async fn ids_come_back_as_they_were_and_what_is_no_id_is_refused() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for id in [
        "-1",
        "4294967296",
        "9007199254740993",
        "\"abc\"",
        "\"\"",
        "0",
        "\"1\"",
    ] {
        client
            .line(&format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}"
            ))
            .await;
        assert_eq!(client.recv().await["id"].to_string(), id);
    }
    for id in [
        "null",
        "1.0",
        "1.5",
        "true",
        "[]",
        "{}",
        "9223372036854775808",
    ] {
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}");
        assert_eq!(
            code(&mut client, &line).await,
            (Value::Null, -32600),
            "{id}"
        );
    }
    client.leave().await;
}

#[tokio::test]
async fn json_that_is_no_request_is_refused_with_its_id_where_it_has_one() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for line in ["1", "\"x\"", "null", "{}", "{\"method\":\"ping\"}"] {
        assert_eq!(
            code(&mut client, line).await,
            (Value::Null, -32600),
            "{line}"
        );
    }
    for line in [
        r#"{"jsonrpc":"2.0","id":7}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":5}"#,
        r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
        r#"{"id":7,"method":"ping"}"#,
    ] {
        assert_eq!(code(&mut client, line).await, (json!(7), -32600), "{line}");
    }
    client.leave().await;
}

#[tokio::test]
async fn a_batch_is_answered_as_one_array_where_the_version_has_batches() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-03-26").await;
    client
        .line(
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},5,{"jsonrpc":"2.0","method":"notifications/initialized"},
                {"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#
                .replace('\n', "")
                .as_str(),
        )
        .await;
    let answer = client.recv().await;
    let mut ids: Vec<String> = answer
        .as_array()
        .unwrap()
        .iter()
        .map(|a| a["id"].to_string())
        .collect();
    ids.sort();
    assert_eq!(ids, ["1", "2", "null"]);
    assert_eq!(code(&mut client, "[]").await, (Value::Null, -32600));
    client.line("[1]").await;
    assert_eq!(client.recv().await[0]["error"]["code"], -32600);
    assert_eq!(client.ask(3, "ping", json!({})).await["result"], json!({}));
    client.leave().await;
}

#[tokio::test]
async fn a_batch_is_one_error_in_every_other_version() {
    let world = World::new(KNOWN);
    let batch =
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#;
    let mut client = world.connect();
    for line in [batch, "[]", "[1]"] {
        assert_eq!(code(&mut client, line).await, (Value::Null, -32600));
    }
    client.initialize("2025-06-18").await;
    for line in [batch, "[]", "[1]"] {
        assert_eq!(code(&mut client, line).await, (Value::Null, -32600));
    }
    assert_eq!(client.ask(3, "ping", json!({})).await["result"], json!({}));
    client.leave().await;
}

#[tokio::test]
async fn large_messages_work_and_one_over_the_limit_is_named() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for size in [5 << 10, 100 << 10, 5 << 20] {
        let params = json!({"name": "ensemble_tasks", "arguments": {"limit": "x".repeat(size)}});
        let answer = client.ask(size, "tools/call", params).await;
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("“limit” has to be an integer"), "{text}");
        assert!(text.len() < 500);
    }
    let params = json!({"name": "ensemble_tasks", "arguments": {"limit": "x".repeat(40 << 20)}});
    client
        .send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
        .await;
    let answer = client.recv().await;
    assert_eq!(answer["error"]["code"], -32600);
    let sentence = answer["error"]["message"].as_str().unwrap();
    assert!(sentence.contains("39146840"), "{sentence}");
    assert_eq!(client.ask(2, "ping", json!({})).await["result"], json!({}));
    client.leave().await;
}

#[tokio::test]
async fn a_client_that_writes_before_it_reads_is_heard() {
    let world = World::new(KNOWN);
    // much more in both directions than the pipe holds
    let mut client = world.connect_through(4 << 10);
    client.initialize("2025-11-25").await;
    for id in 0..200 {
        client
            .send(json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}))
            .await;
    }
    let mut seen = Vec::new();
    for _ in 0..200 {
        seen.push(client.recv().await["id"].as_i64().unwrap());
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..200).collect::<Vec<_>>());
    client.leave().await;
}

#[tokio::test]
async fn the_end_of_the_input_is_the_end_in_every_state() {
    let begun = std::time::Instant::now();
    let world = World::new(Hub::Silent);
    world.connect().leave().await;

    let mut garbage = world.connect();
    garbage.bytes(b"half a li").await;
    garbage.leave().await;

    let mut fresh = world.connect();
    fresh.initialize("2025-11-25").await;
    fresh.leave().await;

    // a call that waits for a hub that never answers
    let mut waiting = world.connect();
    waiting.initialize("2025-11-25").await;
    waiting
        .send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ensemble_tasks"}}))
        .await;
    waiting.leave().await;
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn what_was_asked_right_before_the_end_is_still_answered() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client
        .send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello(&json!("2025-11-25"))}))
        .await;
    // without a newline at the end, and in one go with the end of the input
    client
        .bytes(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}")
        .await;
    client.close_input().await;
    assert_eq!(client.recv().await["id"], 1);
    assert_eq!(client.recv().await["id"], 2);
    client.ended().await;
}

#[tokio::test]
async fn a_closed_output_ends_the_bridge() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    client.line("garbage").await;
    let served = client.vanish();
    let served = tokio::time::timeout(Duration::from_secs(20), served);
    served.await.expect("the bridge goes on").unwrap().unwrap();
}

#[tokio::test]
async fn a_client_that_never_reads_does_not_keep_the_bridge() {
    let world = World::new(KNOWN);
    let mut client = world.connect_through(1 << 10);
    for id in 0..20 {
        client
            .send(json!({"jsonrpc": "2.0", "id": id, "method": "ping"}))
            .await;
    }
    client.leave().await;
}

#[tokio::test]
async fn shutting_down_ends_the_connection() {
    let world = World::new(Hub::Silent);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    client.shutdown.cancel();
    client.ended().await;
}
