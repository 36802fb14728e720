//! Prompts, completion and bytes of a component, and what it says to have changed.

use serde_json::{Value, json};

use crate::support::{World, able, modern};

fn both() -> Value {
    json!({"name": "test_prompt_with_arguments", "arguments": {"arg1": "one", "arg2": "two"}})
}

fn typing(reference: &Value, argument: &str, typed: &str) -> Value {
    json!({"ref": reference, "argument": {"name": argument, "value": typed}})
}

#[tokio::test]
async fn prompts_are_listed_and_made_in_both_generations() {
    let world = World::with_prompts();
    let mut client = world.connect();
    let hello = client.initialize("2025-11-25").await;
    let capabilities = &hello["result"]["capabilities"];
    assert_eq!(capabilities["prompts"], json!({"listChanged": true}));
    assert_eq!(capabilities["completions"], json!({}));
    let list = client.ask(1, "prompts/list", json!({})).await;
    let first = &list["result"]["prompts"][0];
    assert_eq!(first["name"], "test_prompt_with_arguments");
    assert_eq!(
        first["arguments"][1],
        json!({"name": "arg2", "required": true})
    );
    assert!(list["result"].get("resultType").is_none() && list["result"].get("ttlMs").is_none());
    let list = client.ask(2, "prompts/list", modern(json!({}))).await;
    assert_eq!(list["result"]["resultType"], "complete");
    assert_eq!(list["result"]["cacheScope"], "private");

    let wanted = json!([{"role": "user", "content": {
        "type": "text", "text": "Prompt with arguments: arg1='one', arg2='two'"
    }}]);
    let made = client.ask(3, "prompts/get", both()).await;
    assert_eq!(
        made["result"],
        json!({"description": "Two.", "messages": wanted})
    );
    let made = client.ask(4, "prompts/get", modern(both())).await;
    assert_eq!(made["result"]["messages"], wanted);
    assert_eq!(made["result"]["resultType"], "complete");
    client.leave().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_prompt_is_said() {
    let world = World::with_prompts();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let cases = [
        (json!({"name": "nothing"}), "Unknown prompt: nothing"),
        (
            json!({"name": "test_prompt_with_arguments", "arguments": {"arg1": "one"}}),
            "The prompt test_prompt_with_arguments needs the argument “arg2”.",
        ),
    ];
    for (params, wanted) in cases {
        let answer = client.ask(1, "prompts/get", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer["error"]["message"], wanted);
    }
    client.leave().await;
}

#[tokio::test]
async fn an_argument_is_completed_by_the_plugin_of_its_prompt() {
    let world = World::with_prompts();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let prompt = json!({"type": "ref/prompt", "name": "test_prompt_with_arguments"});
    let answer = client
        .ask(1, "completion/complete", typing(&prompt, "arg1", "par"))
        .await;
    assert_eq!(
        answer["result"],
        json!({"completion": {"values": ["paris", "park", "party"], "total": 3, "hasMore": false}})
    );
    for (reference, argument) in [
        (prompt, "arg3"),
        (json!({"type": "ref/prompt", "name": "nothing"}), "a"),
        (json!({"type": "ref/resource", "uri": "test://{id}"}), "id"),
    ] {
        let answer = client
            .ask(2, "completion/complete", typing(&reference, argument, ""))
            .await;
        assert!(answer["error"]["code"].is_i64(), "{answer}");
    }
    client.leave().await;
}

#[tokio::test]
async fn a_prompt_asks_like_a_tool() {
    let world = World::with_prompts();
    let mut client = world.connect();
    let params = json!({"name": "test_input_required_result_prompt"});
    let forms = json!({"elicitation": {}});
    let asks = client
        .ask(1, "prompts/get", able(params.clone(), &forms))
        .await;
    assert_eq!(asks["result"]["resultType"], "input_required", "{asks}");
    let mut again = able(params, &forms);
    again["requestState"] = asks["result"]["requestState"].clone();
    again["inputResponses"] =
        json!({"user_context": {"action": "accept", "content": {"context": "work"}}});
    let made = client.ask(2, "prompts/get", again).await;
    let said = made["result"]["messages"][0]["content"]["text"].as_str();
    assert!(said.is_some_and(|said| said.contains("work")), "{made}");
    client.leave().await;
}

#[tokio::test]
async fn bytes_arrive_as_bytes() {
    let world = World::with_prompts();
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    let params = json!({"name": "test_prompt_with_image"});
    let made = client.ask(1, "prompts/get", params).await;
    let image = &made["result"]["messages"][0]["content"];
    assert_eq!(image["mimeType"], "image/png");
    let params = json!({"uri": "test://static-binary"});
    let read = client.ask(2, "resources/read", params).await;
    let contents = &read["result"]["contents"][0];
    assert_eq!(contents["blob"], image["data"]);
    assert!(image["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    client.leave().await;
}

#[tokio::test]
async fn a_changed_list_is_told_to_who_listens_for_it() {
    let world = World::with_prompts();
    let mut caller = world.connect();
    caller.initialize("2025-11-25").await;
    let mut listener = world.connect();
    let notifications =
        json!({"promptsListChanged": true, "resourceSubscriptions": ["test://watched-resource"]});
    listener
        .send(json!({
            "jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen",
            "params": modern(json!({ "notifications": notifications }))
        }))
        .await;
    let begun = listener.recv().await;
    assert_eq!(begun["method"], "notifications/subscriptions/acknowledged");
    let tell = |name: &str| json!({"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": {"name": name}});
    caller.send(tell("test_trigger_prompt_change")).await;
    let told = listener.recv().await;
    assert_eq!(told["method"], "notifications/prompts/list_changed");
    caller.send(tell("test_trigger_resource_change")).await;
    let told = listener.recv().await;
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], "test://watched-resource");
    // the caller is of the older generation, and is told of lists unsubscribed
    let mut methods = Vec::new();
    for _ in 0..3 {
        let message = caller.recv().await;
        methods.push(message["method"].as_str().unwrap_or("answer").to_owned());
    }
    methods.sort();
    assert_eq!(
        methods,
        ["answer", "answer", "notifications/prompts/list_changed"]
    );
    listener.leave().await;
    caller.leave().await;
}
