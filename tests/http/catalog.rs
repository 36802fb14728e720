//! The named catalog: who gets it, what is in it, and that a name calls what it says and nothing else.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Asker, Served};

async fn listed(asker: &Asker) -> Vec<Value> {
    let answer = asker.ask("tools/list", json!({})).await;
    let tools = answer.message()["result"]["tools"].clone();
    tools.as_array().unwrap().clone()
}

/// One line for each tool: its name, what it does to what, and what a token needs for it.
fn line(tool: &Value) -> String {
    let hints = &tool["annotations"];
    let hint = |name: &str, word: &'static str| hints[name].as_bool().unwrap().then_some(word);
    let words: Vec<&str> = [
        hint("readOnlyHint", "reads"),
        hint("destructiveHint", "may remove"),
        hint("idempotentHint", "same again"),
        hint("openWorldHint", "beyond the hub"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let scopes = &tool["_meta"]["securitySchemes"][0]["scopes"];
    let scopes: Vec<&str> = scopes
        .as_array()
        .unwrap()
        .iter()
        .map(|scope| scope.as_str().unwrap())
        .collect();
    assert!(!tool["title"].as_str().unwrap().is_empty());
    format!(
        "{}: {}; {}",
        tool["name"].as_str().unwrap(),
        words.join(", "),
        scopes.join(" ")
    )
}

#[tokio::test]
async fn every_action_is_a_tool_with_hints_and_scopes() {
    let hub = Served::hub(&[]).await;
    let key = hub.key("all", &["--changes", "--apps"]).await;
    let asker = Asker::new(&hub.mcp())
        .with_key(&key)
        .with("x-ensemble-tools", "catalog");
    let tools = listed(&asker).await;
    let lines: Vec<String> = tools.iter().map(line).collect();
    let lines = lines.join("\n") + "\n";
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        assert!(name.len() <= 64, "{name}");
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        assert!(
            properties.contains_key("space") || name == "ensemble_spaces",
            "{name}"
        );
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/http/golden/catalog.txt");
    if std::env::vars().any(|(name, _)| name == "BLESS") {
        std::fs::write(&golden, &lines).unwrap();
    }
    assert_eq!(
        lines,
        std::fs::read_to_string(golden).unwrap(),
        "BLESS=1 writes it anew"
    );
}

#[tokio::test]
async fn a_name_calls_what_it_says_and_only_whoever_may_sees_it() {
    let hub = Served::hub(&[]).await;
    let (reads, changes) = (
        hub.key("reads", &[]).await,
        hub.key("changes", &["--changes"]).await,
    );
    let by_name = |key: &str| {
        Asker::new(&hub.mcp())
            .with_key(key)
            .with("x-ensemble-tools", "catalog")
    };
    let (reader, changer) = (by_name(&reads), by_name(&changes));
    let creates = "ensemble_action_hub_create_page";
    assert!(!reader.tools().await.iter().any(|name| name == creates));
    let names = changer.tools().await;
    assert!(names.iter().any(|name| name == creates));
    assert!(
        !names
            .iter()
            .any(|name| name == "ensemble_act" || name == "ensemble_actions")
    );
    let unknown = reader.call(creates, json!({"title": "Page"})).await;
    assert!(
        unknown["error"]["message"]
            .as_str()
            .unwrap()
            .starts_with("Unknown tool")
    );
    let unknown = changer
        .call("ensemble_act", json!({"action": "hub_create_page"}))
        .await;
    assert!(
        unknown["error"]["message"]
            .as_str()
            .unwrap()
            .starts_with("Unknown tool")
    );
    let made = changer.call(creates, json!({"title": "By its name"})).await;
    assert_ne!(made["result"]["isError"], true, "{made}");
    let boards = reader
        .call("ensemble_action_hub_list_boards", json!({}))
        .await;
    assert_ne!(boards["result"]["isError"], true, "{boards}");
    for more in [
        json!({"title": "Page", "action": "hub_delete_board"}),
        json!({"title": 7}),
        json!({}),
    ] {
        let refused = changer.call(creates, more.clone()).await;
        assert_eq!(refused["result"]["isError"], true, "{more}: {refused}");
    }
    let wrong = Asker::new(&hub.mcp())
        .with_key(&reads)
        .with("x-ensemble-tools", "all");
    assert_eq!(wrong.ask("tools/list", json!({})).await.refusal().0, 400);
}
