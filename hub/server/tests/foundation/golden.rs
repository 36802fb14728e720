//! The wire of the foundation's routes, word for word. Ids and times are numbered as they first appear, so that a file changes only when the
//! wire does. `BLESS=1 cargo test -p ensemble-hub-server golden` rewrites the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Answer, Rig};

#[tokio::test]
async fn the_wire_of_every_foundation_route_is_as_written_down() {
    let rig = Rig::new().await;
    rig.hub.set_base_url("http://hub.test/");
    rig.hub.admin().create_space("Open source").await.unwrap();
    let furniture = rig.furnish().await;
    let (key, _) = rig.key("Claude Code", true).await;
    let (reader, _) = rig.key("Reader", false).await;
    check("whoami", &rig.get(&key, "/api/bridge/whoami").await);
    check("spaces", &rig.get(&key, "/api/bridge/spaces").await);
    check("tasks", &rig.get(&key, "/api/bridge/tasks").await);
    check(
        "task",
        &rig.get(&key, &format!("/api/bridge/tasks/{}", furniture.task.id))
            .await,
    );
    let body = json!({ "title": "Write it down", "page": "Soon.", "projectId": furniture.project.id, "due": "2026-03-31" });
    let created = rig
        .write("POST", &key, "/api/bridge/write/tasks", &body)
        .await;
    check("create-task", &created);
    let path = format!(
        "/api/bridge/write/tasks/{}",
        created.body["task"]["id"].as_str().unwrap()
    );
    let body = json!({ "status": "todo", "note": "Started." });
    check("update-task", &rig.write("PATCH", &key, &path, &body).await);
    check(
        "refused-move",
        &rig.write(
            "PATCH",
            &key,
            &path,
            &json!({ "status": "waiting_approval" }),
        )
        .await,
    );
    check(
        "refused-write",
        &rig.write("PATCH", &reader, &path, &body).await,
    );
    check("unknown-route", &rig.get(&key, "/api/bridge/nothing").await);
}

fn check(name: &str, answer: &Answer) {
    let value = json!({ "status": answer.status.as_u16(), "body": normal(&answer.body) });
    let text = format!("{value:#}\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.json"));
    #[expect(
        clippy::disallowed_methods,
        reason = "a switch of the test run, not of the program"
    )]
    if std::env::var("BLESS").is_ok() {
        fs::write(&path, &text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        text, written,
        "{name}: run with BLESS=1 when the change of the wire is meant"
    );
}

/// The value with ids and times numbered in the order of their appearance.
fn normal(value: &Value) -> Value {
    let mut known = BTreeMap::new();
    walk(value, &mut known)
}

fn walk(value: &Value, known: &mut BTreeMap<String, String>) -> Value {
    match value {
        Value::String(text) => Value::String(replace(text, known)),
        Value::Array(items) => items.iter().map(|item| walk(item, known)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| match name.as_str() {
                // short and random, and so not told from a word by its form
                "keyId" => (name.clone(), Value::from("<key id>")),
                _ => (name.clone(), walk(field, known)),
            })
            .collect(),
        other => other.clone(),
    }
}

/// Ids stand alone or at the end of a link or handle.
fn replace(text: &str, known: &mut BTreeMap<String, String>) -> String {
    let (head, id) = text
        .rsplit_once('/')
        .map_or(("", text), |(head, id)| (head, id));
    if uuid::Uuid::try_parse(id).is_err() {
        return text.to_owned();
    }
    let next = format!("<id {}>", known.len() + 1);
    let name = known.entry(id.to_owned()).or_insert(next);
    if head.is_empty() {
        name.clone()
    } else {
        format!("{head}/{name}")
    }
}
