//! Calls that reach a component: what it answers, what it tells meanwhile, and how it is ended.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::hub::{HANG, Hub};
use crate::support::{Client, World, failure, modern, names};

fn hanging(id: i64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "get_route", "arguments": {"path": HANG}}})
}

/// Sends a call and gives what came before its answer, and the answer.
async fn heard(client: &mut Client, params: Value) -> (Vec<Value>, Value) {
    client
        .send(json!({"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": params}))
        .await;
    let mut before = Vec::new();
    loop {
        let message = client.recv().await;
        if message["id"] == "call" {
            return (before, message);
        }
        before.push(message);
    }
}

fn of<'a>(messages: &'a [Value], method: &str) -> Vec<&'a Value> {
    let params = messages.iter().filter(|m| m["method"] == method);
    params.map(|m| &m["params"]).collect()
}

#[tokio::test]
async fn an_answer_has_the_form_of_the_clients_generation() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let params = json!({"name": "echo", "arguments": {"text": "日本語 🚀 é\nnew line"}});
    let answer = client.ask(1, "tools/call", params.clone()).await;
    assert_eq!(
        answer["result"],
        json!({"content": [{"type": "text", "text": "日本語 🚀 é\nnew line"}], "isError": false})
    );
    let answer = client.ask(2, "tools/call", modern(params)).await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(
        answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"],
        json!({"name": "ensemble", "version": "1.2.3"})
    );
    client.leave().await;
}

#[tokio::test]
async fn what_a_component_refuses_is_a_result_with_its_sentence() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let answer = client.ask(1, "tools/call", json!({"name": "fail"})).await;
    assert_eq!(failure(&answer), "The task was changed meanwhile.");
    let params = json!({"name": "get_route", "arguments": {"path": "/api/bridge/other"}});
    let answer = client.ask(3, "tools/call", params).await;
    assert!(failure(&answer).contains("/api/bridge/other"), "{answer}");
    client.leave().await;
}

#[tokio::test]
async fn progress_and_log_lines_come_before_the_answer_to_who_asked_for_them() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let call = json!({"name": "log_flood", "arguments": {"lines": 10}});

    let (before, _) = heard(&mut client, call.clone()).await;
    assert_eq!(before, Vec::<Value>::new());

    client
        .ask(1, "logging/setLevel", json!({"level": "warning"}))
        .await;
    let (before, _) = heard(&mut client, call.clone()).await;
    assert_eq!(before, Vec::<Value>::new(), "these lines are of level info");

    client
        .ask(2, "logging/setLevel", json!({"level": "debug"}))
        .await;
    let mut with_token = call.clone();
    with_token["_meta"] = json!({"progressToken": "p"});
    let (before, answer) = heard(&mut client, with_token).await;
    assert_eq!(answer["result"]["isError"], false);
    let lines = of(&before, "notifications/message");
    assert_eq!(lines.len(), 10);
    assert_eq!(
        *lines[9],
        json!({"level": "info", "logger": "probe", "data": "line 9"})
    );
    // ten reports of the same progress are one
    assert_eq!(
        of(&before, "notifications/progress"),
        [&json!({"progressToken": "p", "progress": 1.0, "message": "still here"})]
    );

    // the newer generation asks in each request
    let (before, _) = heard(&mut client, modern(call.clone())).await;
    assert_eq!(before, Vec::<Value>::new());
    let mut wanted = modern(call);
    wanted["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
    let (before, _) = heard(&mut client, wanted).await;
    assert_eq!(of(&before, "notifications/message").len(), 10);
    client.leave().await;
}

#[tokio::test]
async fn a_flood_of_log_lines_is_cut_and_says_how_much() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    client
        .ask(1, "logging/setLevel", json!({"level": "debug"}))
        .await;
    let call = json!({"name": "log_flood", "arguments": {"lines": 300}});
    let (before, answer) = heard(&mut client, call).await;
    assert_eq!(answer["result"]["isError"], false);
    let lines = of(&before, "notifications/message");
    let (last, lines) = lines.split_last().unwrap();
    let cut: usize = last["data"]
        .as_str()
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(last["data"].as_str().unwrap().contains("left out"));
    assert_eq!(cut + lines.len(), 300);
    client.leave().await;
}

#[tokio::test]
async fn a_cancelled_call_gives_up_its_request_to_the_hub() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    client.send(hanging(1)).await;
    world.hanging(1).await;
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    world.hanging(0).await;
    let answer = client
        .ask(
            2,
            "tools/call",
            json!({"name": "echo", "arguments": {"text": "x"}}),
        )
        .await;
    assert_eq!(answer["result"]["content"][0]["text"], "x");
    client.leave().await;
}

#[tokio::test]
async fn the_end_of_the_input_gives_up_what_is_in_work() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for id in 0..3 {
        client.send(hanging(id)).await;
    }
    world.hanging(3).await;
    let begun = Instant::now();
    client.leave().await;
    // by itself a call would have ended after its deadline of three seconds
    assert!(begun.elapsed() < Duration::from_secs(2));
    world.hanging(0).await;
}

#[tokio::test]
async fn a_spinning_component_holds_up_nobody() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    world.bridge.load_visible().await;
    client
        .send(
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "spin"}}),
        )
        .await;
    // its answer comes after this one
    assert_eq!(client.ask(2, "ping", json!({})).await["result"], json!({}));
    let answer = client.recv().await;
    assert_eq!(answer["id"], 1);
    assert!(failure(&answer).contains("probe"), "{answer}");
    client.leave().await;
}

#[tokio::test]
async fn a_resource_is_read_and_what_cannot_be_has_an_error() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let answer = client
        .ask(1, "resources/read", json!({"uri": "probe://one"}))
        .await;
    assert_eq!(
        answer["result"],
        json!({"contents": [{"uri": "probe://one", "mimeType": "application/json", "text": "{\"one\":1}"}]})
    );
    let answer = client
        .ask(2, "resources/read", modern(json!({"uri": "probe://one"})))
        .await;
    assert_eq!(answer["result"]["cacheScope"], "private");
    assert_eq!(answer["result"]["ttlMs"], 0);
    let answer = client
        .ask(3, "resources/read", json!({"uri": "probe://other"}))
        .await;
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
    client.leave().await;
}

#[tokio::test]
async fn a_key_that_is_refused_in_a_call_takes_its_tools_with_it() {
    let world = World::with_guest();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let listed = client.ask(1, "tools/list", json!({})).await;
    assert!(names(&listed).contains(&"ensemble_create_task"));

    world.becomes(Hub::Refuses);
    let params = json!({"name": "get_route", "arguments": {"path": "/api/bridge/tasks"}});
    let (mut before, answer) = heard(&mut client, params).await;
    assert_eq!(failure(&answer), "The hub does not accept this key.");
    if before.is_empty() {
        before.push(client.recv().await);
    }
    assert_eq!(before[0]["method"], "notifications/tools/list_changed");
    let listed = client.ask(2, "tools/list", json!({})).await;
    assert!(!names(&listed).contains(&"ensemble_create_task"));
    client.leave().await;
}
