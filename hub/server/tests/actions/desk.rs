//! The actions on the desk.

use serde_json::{Value, json};

use crate::bench::Bench;

async fn desk(bench: &Bench) -> Vec<Value> {
    let list = bench
        .act_with(&bench.reader, "hub_list_desk_items", &json!({}))
        .await;
    Bench::ok(&list)["deskItems"].as_array().unwrap().clone()
}

async fn titles(bench: &Bench) -> Vec<String> {
    let title = |entry: Value| entry["title"].as_str().unwrap().to_owned();
    desk(bench).await.into_iter().map(title).collect()
}

#[tokio::test]
async fn records_and_notes_lie_on_the_desk_in_their_order() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    bench
        .change("hub_add_desk_item", &json!({ "text": "Buy\ntea" }))
        .await;
    let asked = json!({ "record": task.handle(), "text": "today", "place": 1 });
    let entry = bench.change("hub_add_desk_item", &asked).await["deskItem"].clone();
    assert_eq!(
        (&entry["place"], &entry["record"]["id"], &entry["text"]),
        (&json!(1), &json!(task.id), &json!("today"))
    );
    bench
        .change("hub_add_desk_item", &json!({ "text": "Rest", "place": 9 }))
        .await;
    assert_eq!(
        titles(&bench).await,
        [task.title.as_str(), "Buy tea", "Rest"]
    );

    let id = entry["id"].as_str().unwrap();
    let moved = json!({ "deskItem": id, "place": 2, "text": null });
    let entry = bench.change("hub_update_desk_item", &moved).await["deskItem"].clone();
    assert_eq!(entry["place"], 2);
    assert!(entry.get("text").is_none(), "{entry}");
    assert_eq!(
        titles(&bench).await,
        ["Buy tea", task.title.as_str(), "Rest"]
    );
    let same = bench
        .act(
            "hub_update_desk_item",
            &json!({ "deskItem": id, "place": 2 }),
        )
        .await;
    assert_eq!(same.body["undoable"], false, "{:?}", same.body);

    let twice = bench
        .act("hub_add_desk_item", &json!({ "record": task.id }))
        .await;
    assert_eq!(twice.status, 409, "{:?}", twice.body);
    bench
        .act("hub_delete_task", &json!({ "task": task.id }))
        .await;
    assert_eq!(desk(&bench).await[1]["recordInTrash"], true);
    bench
        .change("hub_remove_desk_item", &json!({ "deskItem": id }))
        .await;
    assert_eq!(titles(&bench).await, ["Buy tea", "Rest"]);
}

#[tokio::test]
async fn what_is_no_entry_is_refused() {
    let bench = Bench::new().await;
    let note = bench
        .change("hub_add_desk_item", &json!({ "text": "Tea" }))
        .await;
    let id = note["deskItem"]["id"].as_str().unwrap();
    for (action, input, words) in [
        ("hub_add_desk_item", json!({}), "Give `record`"),
        (
            "hub_add_desk_item",
            json!({ "text": " \n" }),
            "says something",
        ),
        (
            "hub_update_desk_item",
            json!({ "deskItem": id }),
            "Nothing to change",
        ),
        (
            "hub_update_desk_item",
            json!({ "deskItem": id, "text": null }),
            "needs its text",
        ),
        (
            "hub_update_desk_item",
            json!({ "deskItem": id, "place": 0 }),
            "place",
        ),
        (
            "hub_remove_desk_item",
            json!({ "deskItem": "none" }),
            "none",
        ),
        ("hub_list_desk_items", json!({ "limit": 0 }), "limit"),
    ] {
        bench.wrong(action, &input, words).await;
    }
    let renamed = json!({ "deskItem": id, "text": "Green tea" });
    bench.change("hub_update_desk_item", &renamed).await;
    assert_eq!(titles(&bench).await, ["Green tea"]);
}

#[tokio::test]
async fn an_entry_that_is_moved_often_is_numbered_anew_with_the_others() {
    let bench = Bench::new().await;
    for text in ["a", "b", "c"] {
        Bench::ok(
            &bench
                .act("hub_add_desk_item", &json!({ "text": text }))
                .await,
        );
    }
    // The last one becomes the second, again and again: the numbers between its neighbours end.
    let mut wanted = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    for _ in 0..60 {
        let last = desk(&bench).await[2]["id"].clone();
        let moved = bench
            .act(
                "hub_update_desk_item",
                &json!({ "deskItem": last, "place": 2 }),
            )
            .await;
        Bench::ok(&moved);
        wanted.swap(1, 2);
        assert_eq!(titles(&bench).await, wanted);
    }
}

#[tokio::test]
async fn a_full_desk_says_so_and_comes_in_parts() {
    let bench = Bench::new().await;
    for number in 0..100 {
        let input = json!({ "text": format!("Note {number}") });
        Bench::ok(&bench.act("hub_add_desk_item", &input).await);
    }
    let full = bench
        .act("hub_add_desk_item", &json!({ "text": "More" }))
        .await;
    assert_eq!(full.status, 409, "{:?}", full.body);
    let first = bench.act("hub_list_desk_items", &json!({})).await;
    let first = Bench::ok(&first);
    assert_eq!(
        (&first["total"], &first["hasMore"], &first["nextOffset"]),
        (&json!(100), &json!(true), &json!(50))
    );
    let rest = bench
        .act("hub_list_desk_items", &json!({ "offset": 50 }))
        .await;
    let rest = Bench::ok(&rest);
    assert_eq!(rest["deskItems"][49]["title"], "Note 99");
    assert_eq!(rest["hasMore"], false);
}
