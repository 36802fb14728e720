//! What a key sees, and that a hub that is slow, gone or refuses never holds up the protocol.

use std::time::{Duration, Instant};

use ensemble_runtime::LoadState;
use serde_json::json;

use crate::hub::Hub;
use crate::support::{Client, World, failure, hello, modern, names};

async fn tools(client: &mut Client) -> Vec<String> {
    let answer = client.ask("list", "tools/list", json!({})).await;
    names(&answer).into_iter().map(ToOwned::to_owned).collect()
}

#[tokio::test]
async fn a_key_sees_what_it_may_do() {
    for (changes, seen) in [
        (false, &["ensemble_tasks"][..]),
        (true, &["ensemble_tasks", "ensemble_create_task"][..]),
    ] {
        let world = World::new(Hub::Knows { changes });
        let mut client = world.connect();
        client.initialize("2025-11-25").await;
        assert_eq!(tools(&mut client).await, seen);
        client.leave().await;
    }
}

#[tokio::test]
async fn a_hidden_tool_answers_exactly_as_one_that_does_not_exist() {
    let world = World::new(Hub::Knows { changes: false });
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let mut call = async |name: &str| {
        let answer = client.ask(1, "tools/call", json!({"name": name})).await;
        answer.to_string().replace(name, "NAME")
    };
    let (hidden, absent) = (
        call("ensemble_create_task").await,
        call("ensemble_no_such").await,
    );
    assert_eq!(hidden, absent);
    assert!(hidden.contains("Unknown tool: NAME") && hidden.contains("-32602"));
    client.leave().await;
}

#[tokio::test]
async fn a_hidden_plugin_is_not_loaded() {
    let world = World::new(Hub::Knows { changes: false });
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    tools(&mut client).await;
    // loading is in the background and one after the other; asking for the same again waits for it
    world.bridge.load_visible().await;
    let state = |id: &str| world.registry.state(&id.parse().unwrap());
    assert!(matches!(state("tasks"), LoadState::Refused(_)));
    assert!(matches!(state("task-changes"), LoadState::NotLoaded));
    client.leave().await;
}

#[tokio::test]
async fn the_first_call_right_after_initialize_waits_for_the_key() {
    let world = World::new(Hub::Silent);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    client
        .send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ensemble_create_task"}}))
        .await;
    world.becomes(Hub::Knows { changes: true });
    let answer = client.recv().await;
    // it came as far as the component
    assert!(failure(&answer).contains("task-changes"), "{answer}");
    client.leave().await;
}

#[tokio::test]
async fn no_hub_delays_initialize_and_a_list_only_briefly() {
    for hub in [Hub::Silent, Hub::Dead, Hub::NoKey, Hub::Refuses] {
        let world = World::new(hub.clone());
        let mut client = world.connect();
        let begun = Instant::now();
        client
            .ask(0, "initialize", hello(&json!("2025-11-25")))
            .await;
        assert!(begun.elapsed() < Duration::from_millis(500), "{hub:?}");
        assert_eq!(tools(&mut client).await, ["ensemble_tasks"], "{hub:?}");
        client.leave().await;
    }
}

#[tokio::test]
async fn without_a_key_or_a_hub_every_call_says_so_and_nothing_is_sent() {
    for (hub, sentence, requests) in [
        (
            Hub::NoKey,
            "There is no key: make one with `ensemble hub key create`.",
            0,
        ),
        (Hub::Dead, "Ensemble is not running.", 1),
        (Hub::Refuses, "The hub does not accept this key.", 1),
    ] {
        let world = World::new(hub);
        let mut client = world.connect();
        client.initialize("2025-11-25").await;
        for name in ["ensemble_tasks", "ensemble_create_task"] {
            let answer = client.ask(1, "tools/call", json!({"name": name})).await;
            assert_eq!(failure(&answer), sentence);
        }
        let answer = client
            .ask(2, "tools/call", json!({"name": "ensemble_no_such"}))
            .await;
        assert_eq!(answer["error"]["code"], -32602);
        let answer = client
            .ask(3, "resources/read", json!({"uri": "ensemble://tasks/1"}))
            .await;
        assert_eq!(answer["error"]["message"], sentence);
        assert_eq!(world.asked().is_empty(), requests == 0);
        client.leave().await;
    }
}

#[tokio::test]
async fn the_older_generation_is_told_when_its_list_is_stale_and_only_then() {
    let world = World::new(Hub::Silent);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    assert_eq!(tools(&mut client).await, ["ensemble_tasks"]);
    world.becomes(Hub::Knows { changes: true });
    assert_eq!(
        client.recv().await,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    );
    assert_eq!(
        tools(&mut client).await,
        ["ensemble_tasks", "ensemble_create_task"]
    );
    client.leave().await;

    // a client that was shown nothing stale is told nothing
    let mut second = world.connect();
    second.initialize("2025-11-25").await;
    tools(&mut second).await;
    assert_eq!(second.ask(9, "ping", json!({})).await["result"], json!({}));
    second.leave().await;
}

#[tokio::test]
async fn a_listener_of_the_newer_generation_is_told_with_its_id() {
    let world = World::new(Hub::Silent);
    let mut client = world.connect();
    client.ask(1, "tools/list", modern(json!({}))).await;
    client
        .send(json!({"jsonrpc": "2.0", "id": "sub", "method": "subscriptions/listen",
            "params": modern(json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true}}))}))
        .await;
    let acknowledged = client.recv().await;
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"toolsListChanged": true})
    );
    world.becomes(Hub::Knows { changes: true });
    let told = client.recv().await;
    assert_eq!(told["method"], "notifications/tools/list_changed");
    assert_eq!(
        told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        "sub"
    );
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "sub"}}))
        .await;
    // listening again is possible, and nothing else comes
    assert_eq!(
        names(&client.ask(2, "tools/list", modern(json!({}))).await).len(),
        2
    );
    client.leave().await;
}

#[tokio::test]
async fn a_listener_that_came_after_the_change_is_told_at_once() {
    let world = World::new(Hub::Dead);
    let mut client = world.connect();
    client.ask(1, "tools/list", modern(json!({}))).await;
    world.becomes(Hub::Knows { changes: true });
    // a call asks again who is calling
    client
        .ask(
            2,
            "tools/call",
            modern(json!({"name": "ensemble_create_task"})),
        )
        .await;
    client
        .send(
            json!({"jsonrpc": "2.0", "id": 3, "method": "subscriptions/listen",
            "params": modern(json!({"notifications": {"toolsListChanged": true}}))}),
        )
        .await;
    assert_eq!(
        client.recv().await["method"],
        "notifications/subscriptions/acknowledged"
    );
    assert_eq!(
        client.recv().await["method"],
        "notifications/tools/list_changed"
    );
    client.leave().await;
}
