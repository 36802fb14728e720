//! What the list of actions says, group by group, against its golden file; and that every schema is one that clients take.

use serde_json::Value;

use crate::bench::Bench;

/// Whether golden files are written anew.
pub(crate) fn blessed() -> bool {
    std::env::var_os("BLESS").is_some()
}

#[tokio::test]
async fn every_group_says_what_its_golden_file_says() {
    let bench = Bench::new().await;
    let all = bench.rig.get(&bench.key, "/api/bridge/actions").await;
    assert_eq!(all.status, 200, "{:?}", all.body);
    for group in all.body["groups"].as_array().unwrap() {
        let name = group["group"].as_str().unwrap();
        let path = format!("/api/bridge/actions?groups={name}&schema=true");
        let answer = bench.rig.get(&bench.key, &path).await;
        let text = serde_json::to_string_pretty(&answer.body["groups"][0]).unwrap() + "\n";
        let file = format!(
            "{}/tests/golden/actions/{name}.json",
            env!("CARGO_MANIFEST_DIR")
        );
        if blessed() {
            std::fs::create_dir_all(std::path::Path::new(&file).parent().unwrap()).unwrap();
            std::fs::write(&file, &text).unwrap();
        }
        let golden = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(golden, text, "{name}: BLESS=1 writes the golden file anew");
    }
}

#[tokio::test]
async fn every_schema_is_an_object_with_described_properties_and_nothing_that_clients_refuse() {
    let bench = Bench::new().await;
    let all = bench.rig.get(&bench.key, "/api/bridge/actions").await;
    for group in all.body["groups"].as_array().unwrap() {
        let path = format!(
            "/api/bridge/actions?groups={}&schema=true",
            group["group"].as_str().unwrap()
        );
        let answer = bench.rig.get(&bench.key, &path).await;
        for action in answer.body["groups"][0]["actions"].as_array().unwrap() {
            let (name, schema) = (action["name"].as_str().unwrap(), &action["inputSchema"]);
            assert_eq!(schema["type"], "object", "{name}");
            assert_eq!(schema["additionalProperties"], false, "{name}");
            assert!(action["description"].as_str().unwrap().len() > 20, "{name}");
            walk(name, schema);
        }
    }
}

fn walk(name: &str, schema: &Value) {
    for word in ["$ref", "$defs", "anyOf", "oneOf", "allOf", "$schema"] {
        assert!(schema.get(word).is_none(), "{name} has {word}: {schema}");
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (property, schema) in properties {
            assert!(
                schema.get("description").is_some(),
                "{name}.{property} says nothing"
            );
            assert!(
                schema.get("type").is_some(),
                "{name}.{property} has no type"
            );
            walk(name, schema);
        }
    }
    if schema["type"] == "array" {
        walk(
            name,
            schema.get("items").expect("a list says what its items are"),
        );
    }
}

#[tokio::test]
async fn what_is_not_offered_says_why_and_an_unknown_name_says_where_to_look() {
    let bench = Bench::new().await;
    let kept = bench.act("hub_update_settings", &Value::Null).await;
    assert_eq!(kept.status, 404);
    assert_eq!(
        kept.error(),
        "hub_update_settings is not offered to editors and agents: settings are changed in Ensemble."
    );
    let unknown = bench.act("hub_make_coffee", &Value::Null).await;
    assert_eq!(unknown.status, 404);
    assert!(
        unknown.error().contains("ensemble_actions"),
        "{}",
        unknown.error()
    );
}

#[tokio::test]
async fn a_reader_sees_the_changes_and_why_it_may_not_run_them() {
    let bench = Bench::new().await;
    let path = "/api/bridge/actions?names=hub_create_tasks,hub_list_tasks";
    let answer = bench.rig.get(&bench.reader, path).await;
    let actions = answer.body["groups"][0]["actions"].as_array().unwrap();
    let of = |name: &str| {
        actions
            .iter()
            .find(|action| action["name"] == name)
            .unwrap()
    };
    assert_eq!(of("hub_list_tasks")["allowed"], true);
    assert_eq!(of("hub_create_tasks")["allowed"], false);
    assert!(
        of("hub_create_tasks")["refusal"]
            .as_str()
            .unwrap()
            .contains("--changes")
    );
}
