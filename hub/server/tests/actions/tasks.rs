//! The actions on tasks.

use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn tasks_are_added_all_of_them_or_none() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let two = json!({ "tasks": [
        { "title": "One", "project": "http client", "owner": "Ana Souza", "priority": "p0", "labels": ["x"], "due": "2026-03-31" },
        { "title": "One", "status": "todo" },
    ] });
    let result = bench.change("hub_create_tasks", &two).await;
    let tasks = result["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 2);
    assert_eq!(tasks[0]["projectId"], json!(furniture.project.id));
    assert_eq!(
        (&tasks[0]["due"], &tasks[0]["priority"]),
        (&json!("2026-03-31"), &json!("p0"))
    );
    // Two intended equal titles are two tasks.
    assert_ne!(tasks[0]["id"], tasks[1]["id"]);

    let bad = json!({ "tasks": [{ "title": "Good" }, { "title": "Bad", "owner": "Nobody" }] });
    bench
        .wrong("hub_create_tasks", &bad, "Number 2 of the list")
        .await;
    bench
        .wrong(
            "hub_create_tasks",
            &json!({ "tasks": [] }),
            "hub_create_tasks",
        )
        .await;
    bench
        .wrong(
            "hub_create_tasks",
            &json!({ "tasks": [{ "titel": "x" }] }),
            "tasks.0",
        )
        .await;
}

#[tokio::test]
async fn a_task_is_changed_field_by_field_and_null_empties() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let task = furniture.task.id.as_str();
    let asked = json!({
        "task": task, "title": "Say the timeout", "status": "waiting_approval", "due": null, "owner": null, "priority": "p3",
        "labels": [], "people": ["Ana Souza"], "project": null, "page": "New.",
    });
    let card = &bench.rewrite(task, "hub_update_task", &asked).await["task"];
    assert_eq!(
        (&card["title"], &card["status"]),
        (&json!("Say the timeout"), &json!("waiting_approval"))
    );
    assert!(
        card.get("due").is_none() && card.get("projectId").is_none(),
        "{card}"
    );

    bench
        .wrong(
            "hub_update_task",
            &json!({ "task": task, "due": "2026-02-30" }),
            "YYYY-MM-DD",
        )
        .await;
    bench
        .wrong(
            "hub_update_task",
            &json!({ "task": task, "status": "dropped" }),
            "status",
        )
        .await;
}

#[tokio::test]
async fn a_change_from_an_older_state_and_a_refused_move_are_conflicts_with_nothing_written() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let stale = json!({ "task": task.id, "version": task.version + 1, "title": "Mine" });
    let before = bench.picture().await;
    assert_eq!(bench.act("hub_update_task", &stale).await.status, 409);
    let other = json!({ "task": task.id, "matchTitle": "Another", "title": "Mine" });
    assert_eq!(bench.act("hub_update_task", &other).await.status, 409);
    assert_eq!(bench.picture().await, before);
    bench
        .act(
            "hub_update_task",
            &json!({ "task": task.id, "status": "done" }),
        )
        .await;
    let refused = bench
        .act(
            "hub_update_task",
            &json!({ "task": task.id, "status": "blocked" }),
        )
        .await;
    assert_eq!(refused.status, 409);
    assert!(
        refused.error().contains("it can become"),
        "{}",
        refused.error()
    );
}

#[tokio::test]
async fn deleted_tasks_are_in_trash_with_their_links() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let task = furniture.task.handle();
    let result = bench
        .change("hub_delete_task", &json!({ "task": task }))
        .await;
    assert_eq!(result["deleted"], json!([task]));
    let trash = bench
        .rig
        .store()
        .in_trash(&bench.rig.home, &[], 10, 0)
        .await
        .unwrap();
    assert!(
        trash
            .items
            .iter()
            .any(|record| record.id == furniture.task.id)
    );
    let gone = bench
        .act("hub_delete_tasks", &json!({ "tasks": [task] }))
        .await;
    assert_eq!(gone.status, 404, "{:?}", gone.body);
}

#[tokio::test]
async fn lists_and_pages_of_tasks_are_read() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let list = bench
        .act_with(
            &bench.reader,
            "hub_list_tasks",
            &json!({ "status": "open", "project": "HTTP client" }),
        )
        .await;
    assert_eq!(Bench::ok(&list)["total"], 1);
    let due = bench
        .act("hub_list_due", &json!({ "to": "2026-03-06" }))
        .await;
    assert_eq!(Bench::ok(&due)["tasks"][0]["id"], json!(task.id));
    let due = bench
        .act(
            "hub_list_due",
            &json!({ "from": "2026-03-06", "to": "2026-03-20" }),
        )
        .await;
    assert_eq!(Bench::ok(&due)["total"], 0);
    let one = bench
        .act("hub_get_task", &json!({ "task": task.title }))
        .await;
    assert_eq!(
        (&Bench::ok(&one)["id"], &Bench::ok(&one)["version"]),
        (&json!(task.id), &json!(1))
    );
    let page = bench
        .act("hub_read_task_page", &json!({ "task": task.id }))
        .await;
    assert_eq!(
        Bench::ok(&page)["page"]["text"],
        "Say what happens after five seconds."
    );
    bench
        .wrong("hub_get_task", &json!({ "id": task.id }), "hub_get_task")
        .await;
}
