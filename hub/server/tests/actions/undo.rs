//! Undo and Trash: exactly the state before, or the reason why not.

use ensemble_hub_server::store::{Actor, UndoError};
use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn a_change_is_undone_once_and_undoing_that_does_it_again() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let (store, home) = (bench.rig.store(), bench.rig.home.as_str());
    let answer = bench
        .act(
            "hub_update_task",
            &json!({ "task": task.id, "title": "Mine" }),
        )
        .await;
    let after = bench.picture().await;
    let change = answer.body["changeId"].as_str().unwrap();
    let undone = store
        .undo(home, change, Actor::person("You"))
        .await
        .unwrap();
    assert_eq!(undone.records, std::slice::from_ref(&task.id));
    let twice = store.undo(home, change, Actor::person("You")).await;
    assert!(matches!(twice, Err(UndoError::Done)), "{twice:?}");
    store
        .undo(home, &undone.change_id, Actor::person("You"))
        .await
        .unwrap();
    assert_eq!(bench.picture().await, after);
}

#[tokio::test]
async fn what_was_changed_again_since_is_not_undone_and_says_by_whom() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let (store, home) = (bench.rig.store(), bench.rig.home.as_str());
    let first = bench
        .act(
            "hub_update_task",
            &json!({ "task": task.id, "title": "One" }),
        )
        .await;
    bench
        .act(
            "hub_update_task",
            &json!({ "task": task.id, "title": "Two" }),
        )
        .await;
    let before = bench.picture().await;
    let refused = store
        .undo(
            home,
            first.body["changeId"].as_str().unwrap(),
            Actor::person("You"),
        )
        .await
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "“Two” was changed again since, by “Zed”: undo that change first."
    );
    assert_eq!(bench.picture().await, before);
    let unknown = store.undo(home, "nothing", Actor::person("You")).await;
    assert!(matches!(unknown, Err(UndoError::Unknown)), "{unknown:?}");
}

#[tokio::test]
async fn the_changes_of_a_space_say_who_and_what_and_whether_undone() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let answer = bench
        .act("hub_delete_task", &json!({ "task": task.id }))
        .await;
    let change = answer.body["changeId"].as_str().unwrap();
    let rows = bench
        .rig
        .store()
        .changes(&bench.rig.home, None, 10)
        .await
        .unwrap();
    let row = &rows.items[0];
    assert_eq!(
        (row.id.as_deref(), row.action.as_str()),
        (Some(change), "bridge.hub_delete_task")
    );
    assert_eq!(
        (row.actor_name.as_str(), row.records, row.undone),
        ("Zed", 1, false)
    );
    bench.undo(change).await;
    let rows = bench
        .rig
        .store()
        .changes(&bench.rig.home, None, 10)
        .await
        .unwrap();
    assert_eq!(rows.items[0].undoes.as_deref(), Some(change));
    assert!(rows.items[1].undone);
}

#[tokio::test]
async fn a_repeated_action_is_done_once() {
    let bench = Bench::new().await;
    let authorization = crate::support::bearer(&bench.key);
    let headers = [
        ("authorization", authorization.as_str()),
        ("content-type", "application/json"),
        ("idempotency-key", "one"),
    ];
    let body = json!({ "input": { "tasks": [{ "title": "Once" }] } }).to_string();
    let path = "/api/bridge/act/hub_create_tasks";
    let first = bench.rig.send("POST", path, &headers, body.clone()).await;
    let again = bench.rig.send("POST", path, &headers, body).await;
    assert_eq!(first.status, 200, "{:?}", first.body);
    assert_eq!(first.body, again.body);
    let list = bench.act("hub_list_tasks", &json!({})).await;
    assert_eq!(Bench::ok(&list)["total"], 1);
}
