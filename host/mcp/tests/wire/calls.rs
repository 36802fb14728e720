//! The way of a call up to the component, and what a client may do around it.

use serde_json::{Value, json};

use crate::hub::Hub;
use crate::support::{World, failure, modern};

const KNOWN: Hub = Hub::Knows { changes: false };

#[tokio::test]
async fn arguments_that_do_not_keep_the_schema_are_named_in_the_result() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for (arguments, sentence) in [
        (
            json!({"limit": 0}),
            "The argument “limit” has to be at least 1, and 0 came.",
        ),
        (
            json!({"colour": 1}),
            "There is no argument “colour”: ensemble_tasks takes limit, space.",
        ),
    ] {
        let params = json!({"name": "ensemble_tasks", "arguments": arguments});
        assert_eq!(
            failure(&client.ask(1, "tools/call", params).await),
            sentence
        );
    }
    client.leave().await;
}

#[tokio::test]
async fn arguments_are_an_object_or_left_out() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for wrong in [json!([]), json!("x"), json!(5)] {
        let params = json!({"name": "ensemble_tasks", "arguments": wrong});
        let answer = client.ask(1, "tools/call", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    for params in [
        json!({"name": "ensemble_tasks"}),
        json!({"name": "ensemble_tasks", "arguments": null}),
        json!({"name": "ensemble_tasks", "arguments": {"limit": "10"}}),
    ] {
        let answer = client.ask(2, "tools/call", params).await;
        // it came as far as the component, which is none
        assert!(failure(&answer).contains("tasks"), "{answer}");
    }
    client.leave().await;
}

#[tokio::test]
async fn what_is_no_call_is_invalid_parameters() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for params in [json!({}), json!({"name": 5}), json!([]), Value::Null] {
        let answer = client.ask(1, "tools/call", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    client.leave().await;
}

#[tokio::test]
async fn an_unknown_resource_has_the_code_of_its_generation() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for uri in ["ensemble://nothing", "ensemble://tasks/", "", "file:///x"] {
        let answer = client.ask(1, "resources/read", json!({"uri": uri})).await;
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
        let answer = client
            .ask(2, "resources/read", modern(json!({"uri": uri})))
            .await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    client.leave().await;
}

#[tokio::test]
async fn a_cancelled_request_is_not_answered() {
    let world = World::new(Hub::Silent);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ensemble_tasks"}});
    client.send(call.clone()).await;
    // twice the same id at once is refused without taking the place of the first answer
    client.send(call).await;
    let refused = client.recv().await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&Value::Null, &json!(-32600))
    );
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    // the hub answers now, and nobody is told
    world.becomes(KNOWN);
    let list = client.ask(2, "tools/list", json!({})).await;
    assert!(list["result"]["tools"].is_array());
    client.leave().await;
}

#[tokio::test]
async fn a_cancelled_request_is_missing_from_its_batch() {
    let world = World::new(Hub::Silent);
    let mut client = world.connect();
    client.initialize("2025-03-26").await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ensemble_tasks"}});
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    client.send(json!([call, ping])).await;
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    assert_eq!(
        client.recv().await,
        json!([{"jsonrpc": "2.0", "id": 2, "result": {}}])
    );
    client.leave().await;
}
