//! What clients and model services demand of a list of tools: one tool that breaks a rule takes all others with it,
//! and one tool too many as well.

use std::path::Path;

use ensemble_test_harness::{Bridge, Grants, LATEST};
use serde_json::{Value, json};

use crate::support::{CHANGING, World, all_tools, end, names, tools};

/// The server's name in the configuration that our documents show.
const SERVER: &str = "ensemble";

async fn listed() -> Vec<Value> {
    let world = World::new(Grants::CHANGES).await;
    let mut bridge = world.bridge().await;
    let first = bridge.request("tools/list", json!({})).await;
    let second = bridge.request("tools/list", json!({})).await;
    assert_eq!(first["result"], second["result"], "the order is not stable");
    let modern = bridge.stateless("tools/list", json!({})).await;
    assert_eq!(modern["result"]["tools"], first["result"]["tools"]);
    end(bridge).await;
    world.hub.stop().await;
    first["result"]["tools"].as_array().unwrap().clone()
}

/// Every schema inside `schema`, itself included, with where it stands.
fn walk<'a>(schema: &'a Value, at: String, found: &mut Vec<(String, &'a Value)>) {
    for (name, part) in schema["properties"].as_object().into_iter().flatten() {
        walk(part, format!("{at}.{name}"), found);
    }
    for keyword in ["items", "additionalProperties"] {
        if schema[keyword].is_object() {
            walk(&schema[keyword], format!("{at}[{keyword}]"), found);
        }
    }
    found.push((at, schema));
}

#[tokio::test]
async fn every_schema_is_one_that_all_clients_take() {
    let tools = listed().await;
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        let root = &tool["inputSchema"];
        assert_eq!(root["type"], "object", "{name}");
        assert!(root["properties"].is_object(), "{name}");
        for keyword in ["anyOf", "oneOf", "allOf", "not", "if", "enum", "const"] {
            assert_eq!(root.get(keyword), None, "{name} has {keyword} at the root");
        }
        for word in ["$ref", "$defs", "definitions", "$dynamicRef"] {
            assert!(
                !tool.to_string().contains(&format!("\"{word}\"")),
                "{name} has {word}"
            );
        }
        let mut parts = Vec::new();
        walk(root, name.to_owned(), &mut parts);
        for (at, part) in parts {
            assert!(part["type"].is_string(), "{at} has no type of its own");
            if part["type"] == "array" {
                assert!(part["items"]["type"].is_string(), "{at} has no items");
            }
            if at != name && !at.ends_with(']') {
                let described = part["description"].as_str().unwrap_or_default();
                assert!(!described.is_empty(), "{at} is not described");
            }
        }
        for required in root["required"].as_array().into_iter().flatten() {
            let known = root["properties"].get(required.as_str().unwrap());
            assert!(known.is_some(), "{name} requires {required}");
        }
        let takes_space = root["properties"].get("space").is_some();
        assert_eq!(takes_space, name != "ensemble_spaces", "{name}");
        assert_eq!(
            tool.get("outputSchema"),
            None,
            "{name}: then every answer has to be valid under it"
        );
    }
}

#[tokio::test]
async fn names_fit_where_clients_put_the_servers_name_before_them() {
    let tools = Value::from(listed().await);
    let names = names(&tools, "name");
    assert!(names.len() <= 40);
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len(), "two tools of one name");
    for name in names {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        assert!(name.chars().all(plain), "{name}");
        assert!(SERVER.len() + name.len() <= 60, "{name}");
        assert!(format!("mcp__{SERVER}__{name}").len() <= 64, "{name}");
    }
}

#[tokio::test]
async fn every_hint_says_what_the_tool_does() {
    for tool in listed().await {
        let hints = &tool["annotations"];
        let name = tool["name"].as_str().unwrap();
        let changes = CHANGING.contains(&name);
        // it can write a file where the editor works, and over another one
        let saves = tool["inputSchema"]["properties"].get("saveTo").is_some();
        // it runs whatever the hub lets the key run
        let acts = name == "ensemble_act";
        assert_eq!(hints["readOnlyHint"], !changes && !saves && !acts, "{tool}");
        assert_eq!(hints["destructiveHint"], saves || acts, "{tool}");
        assert_eq!(hints["openWorldHint"], false, "{tool}");
        assert_eq!(hints["idempotentHint"], !changes && !acts, "{tool}");
    }
}

/// The tools of every plugin, by its id, as its approved surface has them.
fn groups() -> Vec<(String, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins");
    let mut groups = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        if let Ok(text) = std::fs::read_to_string(folder.join("surface.json")) {
            let surface: Value = serde_json::from_str(&text).unwrap();
            let tools = names(&surface["tools"], "name");
            let id = folder.file_name().unwrap().to_str().unwrap().to_owned();
            groups.push((id, tools.into_iter().map(str::to_owned).collect()));
        }
    }
    groups
}

/// A client that takes only so many tools is given fewer: a group that is switched off is as one that does not exist.
#[tokio::test]
async fn any_group_of_tools_can_be_left_out() {
    let world = World::new(Grants::CHANGES).await;
    let off = |ids: &str| {
        let mut command = world.command();
        command.env("ENSEMBLE_PLUGINS_OFF", ids);
        command
    };
    let groups = groups();
    let mut cases = vec![groups.clone()];
    cases.extend(groups.iter().map(|group| vec![group.clone()]));
    for left_out in cases {
        let ids: Vec<&str> = left_out.iter().map(|(id, _)| id.as_str()).collect();
        let gone: Vec<&String> = left_out.iter().flat_map(|(_, tools)| tools).collect();
        let mut expected = all_tools();
        expected.retain(|tool| gone.iter().all(|gone| gone != tool));
        let mut bridge = Bridge::start(off(&ids.join(",")));
        bridge.initialize(LATEST).await;
        assert_eq!(tools(&mut bridge).await, expected, "without {ids:?}");
        let params = json!({"name": gone[0], "arguments": {}});
        let called = bridge.request("tools/call", params).await;
        assert_eq!(called["error"]["code"], -32602, "{called}");
        end(bridge).await;
        let shown = off(&ids.join(","))
            .args(["status", "--json"])
            .output()
            .await
            .unwrap();
        let status: Value = serde_json::from_slice(&shown.stdout).unwrap();
        assert_eq!(status["tools"], expected.len());
    }
    let shown = off("docs,doc").arg("status").output().await.unwrap();
    let said = String::from_utf8(shown.stderr).unwrap();
    assert_eq!(shown.status.code(), Some(1), "{said}");
    assert!(
        said.contains("names “doc”") && said.contains("task-changes"),
        "{said}"
    );
    world.hub.stop().await;
}
