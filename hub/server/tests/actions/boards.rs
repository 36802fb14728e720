//! The actions on boards: a card is a place, and what has it stays whatever happens to the board.

use ensemble_hub_api::Kind;
use serde_json::{Value, json};

use crate::bench::Bench;

async fn board(bench: &Bench) -> Value {
    let input = json!({ "name": "Launch", "columns": ["Ideas", "Doing", "Done"] });
    bench.change("hub_create_board", &input).await["board"].clone()
}

/// The titles in a column.
async fn column(bench: &Bench, name: &str) -> Vec<String> {
    let input = json!({ "board": "Launch", "column": name });
    let answer = bench.act("hub_read_board", &input).await;
    let cards = Bench::ok(&answer)["columns"][0]["cards"]
        .as_array()
        .unwrap()
        .clone();
    cards
        .iter()
        .map(|card| card["title"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn boards_are_added_listed_and_read() {
    let bench = Bench::new().await;
    board(&bench).await;
    let list = bench
        .act_with(&bench.reader, "hub_list_boards", &json!({}))
        .await;
    let list = Bench::ok(&list);
    assert_eq!(
        (&list["total"], &list["builtIn"]["title"]),
        (&json!(1), &json!("Ensemble"))
    );
    assert_eq!(
        list["boards"][0]["columns"],
        json!(["Ideas", "Doing", "Done"])
    );
    let plain = bench
        .change(
            "hub_create_board",
            &json!({ "name": "Plain", "description": "For all." }),
        )
        .await;
    assert_eq!(plain["board"]["columns"].as_array().unwrap().len(), 3);

    bench
        .wrong(
            "hub_create_board",
            &json!({ "name": "ENSEMBLE" }),
            "built-in",
        )
        .await;
    bench
        .wrong(
            "hub_create_board",
            &json!({ "name": "x", "columns": ["A", "a"] }),
            "Number 2",
        )
        .await;
    bench.wrong("hub_create_board", &json!({}), "name").await;
    bench
        .wrong(
            "hub_read_board",
            &json!({ "board": "Launch", "column": "Nowhere" }),
            "no column",
        )
        .await;
    bench
        .wrong(
            "hub_read_board",
            &json!({ "board": "Launch", "offset": 1 }),
            "`column`",
        )
        .await;
    bench
        .wrong("hub_list_boards", &json!({ "limit": 0 }), "limit")
        .await;
}

#[tokio::test]
async fn a_task_and_a_page_have_one_place_on_a_board() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let page = bench.rig.add(Kind::Page, "Notes", json!({})).await;
    board(&bench).await;
    bench
        .change(
            "hub_move_to_board",
            &json!({ "board": "Launch", "task": task.title, "column": "Ideas" }),
        )
        .await;
    bench
        .change(
            "hub_move_to_board",
            &json!({ "board": "Launch", "page": "Notes", "column": "ideas", "position": 1 }),
        )
        .await;
    assert_eq!(
        column(&bench, "Ideas").await,
        ["Notes", task.title.as_str()]
    );
    bench
        .change(
            "hub_move_to_board",
            &json!({ "board": "Launch", "task": task.id, "column": "Doing" }),
        )
        .await;
    assert_eq!(column(&bench, "Ideas").await, ["Notes"]);
    assert_eq!(column(&bench, "Doing").await, [task.title.as_str()]);
    let holding = bench
        .act("hub_list_boards", &json!({ "holding": page.handle() }))
        .await;
    assert_eq!(Bench::ok(&holding)["total"], 1);

    // In Trash a card keeps its place, and is not shown.
    bench
        .change("hub_delete_page", &json!({ "page": page.id }))
        .await;
    assert!(column(&bench, "Ideas").await.is_empty());
    bench
        .change(
            "hub_manage_record",
            &json!({ "operation": "restore", "record": page.handle() }),
        )
        .await;
    assert_eq!(column(&bench, "Ideas").await, ["Notes"]);

    bench
        .change(
            "hub_remove_from_board",
            &json!({ "board": "Launch", "page": page.id }),
        )
        .await;
    assert!(column(&bench, "Ideas").await.is_empty());
    let again = bench
        .act(
            "hub_remove_from_board",
            &json!({ "board": "Launch", "page": page.id }),
        )
        .await;
    assert_eq!(again.status, 409);
    let both = json!({ "board": "Launch", "task": task.id, "page": page.id, "column": "Ideas" });
    bench
        .wrong("hub_move_to_board", &both, "one of `task` and `page`")
        .await;
    bench
        .wrong(
            "hub_remove_from_board",
            &json!({ "board": "Launch" }),
            "one of `task` and `page`",
        )
        .await;
}

#[tokio::test]
async fn columns_are_renamed_added_removed_and_reordered() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let made = board(&bench).await;
    bench
        .change(
            "hub_move_to_board",
            &json!({ "board": "Launch", "task": task.id, "column": "Ideas" }),
        )
        .await;
    let refused = bench
        .act(
            "hub_update_board",
            &json!({ "board": "Launch", "removeColumns": [{ "column": "Ideas" }] }),
        )
        .await;
    assert_eq!(refused.status, 409);
    assert!(
        refused.error().contains("moveCardsTo"),
        "{}",
        refused.error()
    );
    let stale = bench
        .act(
            "hub_update_board",
            &json!({ "board": "Launch", "version": 99, "name": "x" }),
        )
        .await;
    assert_eq!(stale.status, 409);
    let input = json!({
        "board": made["id"], "description": "All of it.",
        "addColumns": [{ "name": "Review", "position": 2 }], "removeColumns": [{ "column": "Ideas", "moveCardsTo": "Review" }],
        "order": ["Done", "Doing", "Review"],
    });
    let result = bench.change("hub_update_board", &input).await;
    let names: Vec<&str> = result["board"]["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Done", "Doing", "Review"]);
    assert_eq!(column(&bench, "Review").await, [task.title.as_str()]);
    // A new name keeps the column's id.
    let id = made["columns"][2]["id"].as_str().unwrap();
    let input = json!({ "board": "Launch", "renameColumns": [{ "column": id, "name": "Shipped" }], "description": null });
    let result = bench.change("hub_update_board", &input).await;
    assert_eq!(
        result["board"]["columns"][0],
        json!({ "id": id, "name": "Shipped", "cards": 0 })
    );
    bench
        .wrong(
            "hub_update_board",
            &json!({ "board": "Launch", "order": ["Doing"] }),
            "every column",
        )
        .await;
}

#[tokio::test]
async fn a_deleted_board_leaves_its_tasks() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    board(&bench).await;
    bench
        .change(
            "hub_move_to_board",
            &json!({ "board": "Launch", "task": task.id, "column": "Ideas" }),
        )
        .await;
    bench
        .change("hub_delete_board", &json!({ "board": "Launch" }))
        .await;
    let left = bench.act("hub_get_task", &json!({ "task": task.id })).await;
    assert_eq!(left.status, 200);
    bench
        .wrong(
            "hub_delete_board",
            &json!({ "board": "Launch" }),
            "No board",
        )
        .await;
}

#[tokio::test]
async fn the_built_in_board_shows_tasks_by_status_and_is_moved_by_status() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let read = bench
        .act(
            "hub_read_board",
            &json!({ "board": "Ensemble", "column": "in_progress" }),
        )
        .await;
    let column = &Bench::ok(&read)["columns"][0];
    assert_eq!(
        (&column["total"], &column["cards"][0]["id"]),
        (&json!(1), &json!(task.id))
    );
    let all = bench
        .act(
            "hub_read_board",
            &json!({ "board": "ensemble://board/ensemble" }),
        )
        .await;
    assert_eq!(Bench::ok(&all)["columns"].as_array().unwrap().len(), 7);
    let moved = json!({ "board": "Ensemble", "task": task.id, "column": "done" });
    let refused = bench.act("hub_move_to_board", &moved).await;
    assert_eq!(refused.status, 409);
    assert!(
        refused.error().contains("hub_update_task"),
        "{}",
        refused.error()
    );
    for (action, input) in [
        ("hub_delete_board", json!({ "board": "Ensemble" })),
        (
            "hub_update_board",
            json!({ "board": "Ensemble", "name": "x" }),
        ),
        (
            "hub_remove_from_board",
            json!({ "board": "Ensemble", "task": task.id }),
        ),
    ] {
        assert_eq!(bench.act(action, &input).await.status, 409, "{action}");
    }
}
