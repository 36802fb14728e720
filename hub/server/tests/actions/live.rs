//! `GET changes`: a change is told to whoever waits, at once, and only in its own space.

use std::time::{Duration, Instant};

use ensemble_hub_api::Kind;
use serde_json::json;

use crate::bench::Bench;

async fn cursor(bench: &Bench) -> String {
    let answer = bench.rig.get(&bench.key, "/api/bridge/changes").await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    answer.body["cursor"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_change_is_told_at_once_to_whoever_waits() {
    let bench = Bench::new().await;
    let cursor = cursor(&bench).await;
    let path = format!("/api/bridge/changes?after={cursor}&wait=20");
    let began = Instant::now();
    let create = json!({ "tasks": [{ "title": "One" }] });
    let asked = bench.rig.get(&bench.reader, &path);
    tokio::pin!(asked);
    let early = tokio::time::timeout(Duration::from_millis(200), &mut asked).await;
    assert!(early.is_err(), "nothing changed, so it waits");
    let made = bench.act("hub_create_tasks", &create).await;
    let told = asked.await;
    let task = Bench::ok(&made)["tasks"][0]["ref"].clone();
    assert_eq!(told.body["changed"], json!([task]));
    let id = task.as_str().unwrap().rsplit('/').next().unwrap();
    assert_eq!(
        told.body["resources"],
        json!([
            format!("ensemble://items/task/{id}"),
            "ensemble://tasks",
            format!("ensemble://tasks/{id}"),
            "ensemble://today"
        ])
    );
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "it waited for its whole time"
    );
    // The same cursor tells it again, the new one does not.
    let next = told.body["cursor"].as_str().unwrap();
    let path = format!("/api/bridge/changes?after={next}");
    assert_eq!(
        bench.rig.get(&bench.key, &path).await.body["changed"],
        json!([])
    );
}

#[tokio::test]
async fn another_space_hears_nothing() {
    let bench = Bench::new().await;
    let side = bench.rig.hub.admin().create_space("Side").await.unwrap();
    let cursor = cursor(&bench).await;
    bench
        .rig
        .add_to(&side.id, Kind::Task, "Theirs", json!({}))
        .await;
    let path = format!("/api/bridge/changes?after={cursor}");
    let answer = bench.rig.get(&bench.key, &path).await;
    assert_eq!(
        (&answer.body["changed"], &answer.body["cursor"]),
        (&json!([]), &json!(cursor))
    );
}

#[tokio::test]
async fn a_cursor_that_is_none_is_refused() {
    let bench = Bench::new().await;
    let answer = bench
        .rig
        .get(&bench.key, "/api/bridge/changes?after=yesterday")
        .await;
    assert_eq!(answer.status, 400);
    assert!(answer.error().contains("cursor"), "{}", answer.error());
}
