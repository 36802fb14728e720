//! A call that asks: in each generation in its form, only what the client can be asked, and with a state that comes back as it went or not
//! at all.

use serde_json::{Value, json};

use crate::support::{Client, World, able, failure, hello, modern};

fn asker() -> Value {
    json!({"name": "ask", "arguments": {"text": "a"}})
}

fn with_forms(params: Value) -> Value {
    able(params, &json!({"elicitation": {}}))
}

fn text(answer: &Value) -> &str {
    let text = answer["result"]["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("{answer}"))
}

/// Asks and gives the state that came with the question.
async fn asked(client: &mut Client) -> String {
    let answer = client.ask("first", "tools/call", with_forms(asker())).await;
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    assert_eq!(
        result["inputRequests"]["sure"]["method"],
        "elicitation/create"
    );
    assert_eq!(
        result["inputRequests"]["sure"]["params"]["message"],
        "Are you sure?"
    );
    result["requestState"].as_str().unwrap().to_owned()
}

fn answering(mut params: Value, state: &str, response: &Value) -> Value {
    params["requestState"] = json!(state);
    params["inputResponses"] = json!({ "sure": response });
    with_forms(params)
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"sure": true}})
}

#[tokio::test]
async fn the_newer_generation_asks_in_a_result_and_is_called_again() {
    let world = World::with_guest();
    let mut client = world.connect();
    let state = asked(&mut client).await;
    let params = answering(asker(), &state, &yes());
    let answer = client.ask(1, "tools/call", params).await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(text(&answer), "sure: {\"sure\":true} [1, 2, 3]");
    let params = answering(asker(), &state, &json!({"action": "decline"}));
    let answer = client.ask(2, "tools/call", params).await;
    assert_eq!(text(&answer), "no [1, 2, 3]");
    client.leave().await;
}

#[tokio::test]
async fn an_answer_that_is_none_is_asked_for_again() {
    let world = World::with_guest();
    let mut client = world.connect();
    let state = asked(&mut client).await;
    for none in [json!(1), json!({"action": "accept", "content": {}})] {
        let params = answering(asker(), &state, &none);
        let answer = client.ask(1, "tools/call", params).await;
        assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
        assert!(answer["result"]["inputRequests"]["sure"].is_object());
    }
    client.leave().await;
}

#[tokio::test]
async fn a_state_is_good_for_the_request_that_it_was_given_to() {
    let world = World::with_guest();
    let mut client = world.connect();
    let state = asked(&mut client).await;
    let mut changed = state.clone();
    changed.replace_range(
        10..11,
        if state.get(10..11) == Some("A") {
            "B"
        } else {
            "A"
        },
    );
    let cases = [
        (asker(), format!("{state}x")),
        (asker(), changed),
        (asker(), "made up".to_owned()),
        (
            json!({"name": "ask", "arguments": {"text": "b"}}),
            state.clone(),
        ),
        (
            json!({"name": "echo", "arguments": {"text": "a"}}),
            state.clone(),
        ),
    ];
    for (params, state) in cases {
        let params = answering(params, &state, &yes());
        let answer = client.ask(1, "tools/call", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let why = answer["error"]["message"].as_str().unwrap();
        assert!(why.contains("requestState"), "{why}");
    }
    client.leave().await;
}

#[tokio::test]
async fn the_older_generation_is_asked_while_its_request_waits() {
    let world = World::with_guest();
    let mut client = world.connect();
    let mut params = hello(&json!("2025-11-25"));
    params["capabilities"] = json!({"elicitation": {}});
    client.ask("init", "initialize", params).await;
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;
    for (response, wanted) in [
        (json!({"result": yes()}), "sure: {\"sure\":true} [1, 2, 3]"),
        (json!({"result": {"action": "cancel"}}), "no [1, 2, 3]"),
        (
            json!({"error": {"code": -1, "message": "no"}}),
            "no [1, 2, 3]",
        ),
    ] {
        client
            .send(
                json!({"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": asker()}),
            )
            .await;
        let question = client.recv().await;
        assert_eq!(question["method"], "elicitation/create", "{question}");
        assert_eq!(question["params"]["message"], "Are you sure?");
        // what nobody asked for is dropped
        client
            .send(json!({"jsonrpc": "2.0", "id": 12345, "result": yes()}))
            .await;
        let mut answer = response;
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = question["id"].clone();
        client.send(answer).await;
        let answer = client.recv().await;
        assert_eq!(answer["id"], "call", "{answer}");
        assert_eq!(text(&answer), wanted);
    }
    client.leave().await;
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_not_asked() {
    let world = World::with_guest();
    let mut client = world.connect();
    let answer = client.ask(1, "tools/call", modern(asker())).await;
    assert_eq!(text(&answer), "no [1, 2, 3]");
    client.initialize("2025-11-25").await;
    let answer = client.ask(2, "tools/call", asker()).await;
    assert_eq!(text(&answer), "no [1, 2, 3]");
    client.leave().await;
}

#[tokio::test]
async fn a_tool_that_cannot_do_without_says_what_it_needs() {
    let world = World::with_prompts();
    let mut client = world.connect();
    let params = json!({"name": "test_missing_capability"});
    let answer = client.ask(1, "tools/call", modern(params.clone())).await;
    assert_eq!(answer["error"]["code"], -32021, "{answer}");
    assert_eq!(
        answer["error"]["data"]["requiredCapabilities"],
        json!({"sampling": {}})
    );
    client.initialize("2025-11-25").await;
    let answer = client.ask(2, "tools/call", params).await;
    assert!(
        failure(&answer).contains("has to ask something"),
        "{answer}"
    );
    client.leave().await;
}
