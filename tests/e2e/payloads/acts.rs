//! Actions and uploads: the list says what the hub's own list says, what an action reads is what the database has, and what comes in is there
//! byte by byte. Each action by itself is in `acts`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_hub_api::Kind;
use serde_json::json;

use super::probe::Probe;
use super::rows::{Rows, handle};
use crate::files::sha256;
use crate::support::{World, answer};

pub(super) async fn actions(probe: &Probe, home: &Rows, second: &Rows) {
    let listed = probe.ask(home, "ensemble_actions", json!({})).await;
    let groups = listed["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 24);
    for group in groups {
        for action in group["actions"].as_array().unwrap() {
            assert_eq!(action["allowed"], true, "{action}");
        }
    }
    for rows in [home, second] {
        for schema in [false, true] {
            let asked = json!({"groups": ["tasks"], "schema": schema});
            let tasks = probe.ask(rows, "ensemble_actions", asked).await;
            let actions = tasks["groups"][0]["actions"].as_array().unwrap();
            assert_eq!(actions.len(), 8, "{tasks}");
            assert_eq!(actions[0]["inputSchema"].is_object(), schema, "{tasks}");
        }
        let asked = json!({"names": ["hub_list_tasks"]});
        let one = probe.ask(rows, "ensemble_actions", asked).await;
        assert_eq!(one["groups"][0]["actions"][0]["name"], "hub_list_tasks");

        let asked = json!({"action": "hub_list_projects", "input": {"limit": 50}});
        let found = probe.ask(rows, "ensemble_act", asked).await;
        let projects = rows.all(&[Kind::Project]);
        assert_eq!(found["result"]["total"], projects.len(), "{found}");
    }
}

pub(super) async fn uploads(probe: &Probe, world: &World, home: &Rows, second: &Rows) {
    let bytes = b"Sand: 4 kg.\n";
    let path = "sand.txt";
    std::fs::write(world.home.work().join(path), bytes).unwrap();
    let task = home.one(Kind::Task, "Document the default timeout");
    let by_path = json!({"path": path, "attachTo": handle(task), "summarize": false});
    let by_data = json!({
        "filename": "sand.md", "dataBase64": STANDARD.encode(bytes), "mediaType": "text/markdown", "summarize": true,
    });
    for (rows, asked) in [(home, by_path), (second, by_data)] {
        let result = probe.write(rows, "ensemble_upload_file", asked).await;
        let saved = answer(&result);
        assert_eq!(saved["sha256"], sha256(bytes), "{saved}");
        assert_eq!(saved["size"], bytes.len(), "{saved}");
        let now = Rows::of(world.hub.hub(), rows.name.as_deref()).await;
        now.vouch("ensemble_upload_file", &saved["file"]);
        let id = saved["file"]["id"].as_str().unwrap();
        let file = now.get(id).unwrap();
        assert_eq!(file.text("sha256"), Some(sha256(bytes).as_str()));
        let text = world.hub.hub().store().file_text(&now.space, id).await;
        assert_eq!(text.unwrap().as_deref(), Some("Sand: 4 kg."));
        if rows.name.is_none() {
            let on = now.linked(&task.id, "attached", &[Kind::File]);
            assert!(on.contains(id), "{on:?}");
        }
    }
}
