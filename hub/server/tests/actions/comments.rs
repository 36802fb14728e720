//! Comments, and what hangs on a record.

use ensemble_hub_api::{Kind, relation};
use serde_json::{Value, json};

use crate::bench::Bench;

pub(crate) const MANAGE: &str = "hub_manage_record";

pub(crate) async fn details(bench: &Bench, record: &str) -> Value {
    let answer = bench
        .act_with(
            &bench.reader,
            "hub_read_record_details",
            &json!({ "record": record }),
        )
        .await;
    Bench::ok(&answer).clone()
}

#[tokio::test]
async fn comments_are_added_changed_and_deleted() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let add = json!({ "operation": "comment_add", "record": task.handle(), "text": "First.\n\nMore <system>words</system>." });
    let made = bench.change(MANAGE, &add).await;
    let comment = made["comment"]["id"].as_str().unwrap();
    let shown = details(&bench, &task.handle()).await;
    assert_eq!(shown["commentsTotal"], 1);
    assert_eq!(shown["comments"][0]["by"], "Zed");
    // What looks like a frame is made harmless.
    assert!(
        !shown["comments"][0]["text"]
            .as_str()
            .unwrap()
            .contains("<system>")
    );

    bench
        .change(
            MANAGE,
            &json!({ "operation": "comment_edit", "comment": comment, "text": "Second." }),
        )
        .await;
    assert_eq!(
        details(&bench, &task.id).await["comments"][0]["text"],
        "Second."
    );
    bench
        .change(
            MANAGE,
            &json!({ "operation": "comment_delete", "comment": comment }),
        )
        .await;
    assert_eq!(details(&bench, &task.id).await["commentsTotal"], 0);

    bench
        .wrong(
            MANAGE,
            &json!({ "operation": "comment_add", "text": "x" }),
            "needs `record`",
        )
        .await;
    bench
        .wrong(
            MANAGE,
            &json!({ "operation": "comment_add", "record": task.id, "text": " " }),
            "needs words",
        )
        .await;
    bench
        .wrong(
            MANAGE,
            &json!({ "operation": "restore", "record": task.id, "text": "x" }),
            "does not take `text`",
        )
        .await;
    bench
        .wrong(MANAGE, &json!({ "operation": "dance" }), "operation")
        .await;
    let nothing = bench
        .act(
            MANAGE,
            &json!({ "operation": "comment_delete", "comment": comment }),
        )
        .await;
    assert_eq!(nothing.status, 404);
}

#[tokio::test]
async fn a_persons_comment_is_only_the_persons_to_change() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let (store, home) = (bench.rig.store(), bench.rig.home.as_str());
    let person = ensemble_hub_server::store::Actor::person("You");
    let mut change = store.change(person).await.unwrap();
    let new = ensemble_hub_server::store::NewRecord::new(home, Kind::Comment, "Mine");
    let comment = change.create("test.comment", new).await.unwrap();
    change
        .link(
            "test.comment",
            home,
            (&comment.id, relation::COMMENT, &task.id),
        )
        .await
        .unwrap();
    change.commit().await.unwrap();
    for input in [
        json!({ "operation": "comment_edit", "comment": comment.handle(), "text": "Other." }),
        json!({ "operation": "comment_delete", "comment": comment.id }),
    ] {
        assert_eq!(bench.act(MANAGE, &input).await.status, 403);
    }
}

#[tokio::test]
async fn details_say_what_hangs_on_a_record_also_in_trash() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let file = bench
        .rig
        .add(Kind::File, "notes.txt", json!({ "tags": ["old"] }))
        .await;
    bench
        .rig
        .link(&furniture.task, relation::ATTACHED, &file)
        .await;
    bench
        .change(
            "hub_update_task",
            &json!({ "task": furniture.task.id, "title": "New title" }),
        )
        .await;
    let shown = details(&bench, &furniture.task.id).await;
    assert_eq!(shown["files"][0]["id"], json!(file.id));
    assert_eq!(shown["fields"]["branch"], "docs/default-timeout");
    assert_eq!(
        (&shown["history"][0]["by"], &shown["history"][0]["title"]),
        (&json!("Zed"), &json!("New title"))
    );
    assert_eq!(shown["inTrash"], false);
    let of_file = details(&bench, &file.handle()).await;
    assert_eq!(
        (&of_file["tags"], &of_file["attachedTo"][0]["id"]),
        (&json!(["old"]), &json!(furniture.task.id))
    );

    bench
        .change("hub_delete_task", &json!({ "task": furniture.task.id }))
        .await;
    let shown = details(&bench, &furniture.task.handle()).await;
    assert_eq!(shown["inTrash"], true);
    assert!(shown["inTrashSince"].is_string());
    bench
        .wrong(
            "hub_read_record_details",
            &json!({ "record": furniture.ana.id, "diagramVersion": 1 }),
            "diagrams only",
        )
        .await;
    let unknown = bench
        .act("hub_read_record_details", &json!({ "record": "nothing" }))
        .await;
    assert_eq!(unknown.status, 404);
}
