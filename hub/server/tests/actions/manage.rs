//! `hub_manage_record` but for comments: Trash, pages into tasks, tags, plots and diagrams.

use ensemble_hub_api::{Kind, relation};
use ensemble_hub_server::store::{Actor, Change};
use serde_json::json;

use crate::bench::Bench;
use crate::comments::{MANAGE, details};

/// A change that the person makes.
async fn by_person(bench: &Bench) -> Change {
    let store = bench.rig.store();
    store.change(Actor::person("You")).await.unwrap()
}

#[tokio::test]
async fn records_come_back_from_trash_with_their_links() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let before = bench.picture().await;
    for record in [&furniture.task, &furniture.project, &furniture.ana] {
        let mut change = by_person(&bench).await;
        change.trash("test.trash", record).await.unwrap();
        change.commit().await.unwrap();
        bench
            .change(
                MANAGE,
                &json!({ "operation": "restore", "record": record.handle() }),
            )
            .await;
    }
    let links = bench
        .rig
        .store()
        .links_from(&bench.rig.home, &furniture.task.id)
        .await
        .unwrap();
    assert_eq!(links.len(), 3, "{before}");
    let here = bench
        .act(
            MANAGE,
            &json!({ "operation": "restore", "record": furniture.task.id }),
        )
        .await;
    assert_eq!(here.status, 409);
}

#[tokio::test]
async fn a_page_comes_back_with_the_pages_below_it() {
    let bench = Bench::new().await;
    bench
        .change("hub_create_page", &json!({ "title": "Top" }))
        .await;
    bench
        .change(
            "hub_create_page",
            &json!({ "title": "Below", "parent": "Top" }),
        )
        .await;
    bench
        .change(
            "hub_create_page",
            &json!({ "title": "Deep", "parent": "Below" }),
        )
        .await;
    let gone = bench
        .act(
            "hub_delete_page",
            &json!({ "page": "Top", "withChildren": true }),
        )
        .await;
    let top = Bench::ok(&gone)["deleted"][0].clone();
    let alone = bench
        .act(MANAGE, &json!({ "operation": "restore", "record": top }))
        .await;
    assert!(
        alone.body["message"]
            .as_str()
            .unwrap()
            .contains("2 pages below it"),
        "{:?}",
        alone.body
    );
    bench.undo(alone.body["changeId"].as_str().unwrap()).await;
    let all = bench
        .change(
            MANAGE,
            &json!({ "operation": "restore", "record": top, "withChildren": true }),
        )
        .await;
    assert_eq!(all["restored"].as_array().unwrap().len(), 3);
    let list = bench
        .act("hub_list_pages", &json!({ "parent": "Top" }))
        .await;
    assert_eq!(Bench::ok(&list)["total"], 1);
}

#[tokio::test]
async fn a_page_becomes_a_task_with_its_links() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let text = format!("See [@Ana]({}).", furniture.ana.handle());
    let made = bench
        .change(
            "hub_create_page",
            &json!({ "title": "Plan", "content": text, "project": "HTTP client", "labels": ["x"] }),
        )
        .await;
    let page = made["page"]["ref"].as_str().unwrap();
    let mention = json!({ "title": "Other", "content": format!("[Plan]({page})") });
    let other = bench.change("hub_create_page", &mention).await;
    bench
        .change(
            MANAGE,
            &json!({ "operation": "comment_add", "record": page, "text": "Good." }),
        )
        .await;
    bench
        .change(
            "hub_create_board",
            &json!({ "name": "Launch", "columns": ["Ideas"] }),
        )
        .await;
    bench
        .change(
            "hub_move_to_board",
            &json!({ "board": "Launch", "page": page, "column": "Ideas" }),
        )
        .await;

    let result = bench
        .change(
            MANAGE,
            &json!({ "operation": "convert_page", "record": page }),
        )
        .await;
    let task = &result["task"];
    assert_eq!(
        (&task["status"], &task["labels"], &task["project"]),
        (&json!("proposed"), &json!(["x"]), &json!("HTTP client"))
    );
    let (store, home) = (bench.rig.store(), bench.rig.home.as_str());
    let id = task["id"].as_str().unwrap();
    let from = store.links_from(home, id).await.unwrap();
    assert!(from.iter().any(|link| link.record.id == furniture.ana.id));
    let to = store.links_to(home, id).await.unwrap();
    let by: Vec<&str> = to.iter().map(|link| link.relation.as_str()).collect();
    assert_eq!(by, ["card", "comment", "related"]);
    assert_eq!(json!(to[2].record.id), other["page"]["id"]);
    let board = bench
        .act("hub_read_board", &json!({ "board": "Launch" }))
        .await;
    assert_eq!(Bench::ok(&board)["columns"][0]["cards"][0]["id"], json!(id));
    assert_eq!(details(&bench, id).await["commentsTotal"], 1);

    bench
        .change(
            "hub_create_page",
            &json!({ "title": "Below", "parent": "Other" }),
        )
        .await;
    let refused = bench
        .act(
            MANAGE,
            &json!({ "operation": "convert_page", "record": "Other" }),
        )
        .await;
    assert_eq!(refused.status, 409);
}

#[tokio::test]
async fn files_are_tagged_with_words_and_records() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let file = bench.rig.add(Kind::File, "notes.txt", json!({})).await;
    let tagged = bench
        .change(
            MANAGE,
            &json!({ "operation": "tag_file", "file": "notes.txt", "tag": "Release" }),
        )
        .await;
    assert_eq!(tagged["file"]["tags"], json!(["Release"]));
    let same = bench
        .act(
            MANAGE,
            &json!({ "operation": "tag_file", "file": file.id, "tag": "release" }),
        )
        .await;
    assert_eq!(same.body["undoable"], false);
    let on = |operation: &str| json!({ "operation": operation, "file": file.id, "record": furniture.project.handle() });
    bench.change(MANAGE, &on("tag_file")).await;
    assert_eq!(
        details(&bench, &file.id).await["attachedTo"][0]["id"],
        json!(furniture.project.id)
    );
    bench.change(MANAGE, &on("untag_file")).await;
    bench
        .change(
            MANAGE,
            &json!({ "operation": "untag_file", "file": file.id, "tag": "RELEASE" }),
        )
        .await;
    bench
        .wrong(
            MANAGE,
            &json!({ "operation": "tag_file", "file": file.id }),
            "one of `record` and `tag`",
        )
        .await;
}

#[tokio::test]
async fn plots_and_diagrams_are_copied_deleted_and_set_back() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let diagram = bench
        .rig
        .add(
            Kind::Diagram,
            "Flow",
            json!({ "body": "a --> b", "format": "mermaid" }),
        )
        .await;
    bench
        .rig
        .link(&diagram, relation::PROJECT, &furniture.project)
        .await;
    let mut change = by_person(&bench).await;
    let mut edited = diagram.clone();
    edited.body = "a --> c".to_owned();
    edited
        .fields
        .insert("projectId".to_owned(), json!(furniture.project.id));
    change
        .update("test.update", &diagram, edited)
        .await
        .unwrap();
    change.commit().await.unwrap();

    let shown = details(&bench, &diagram.id).await;
    assert_eq!(shown["earlierVersions"][0]["version"], 1);
    let source = bench
        .act(
            "hub_read_record_details",
            &json!({ "record": diagram.id, "diagramVersion": 1 }),
        )
        .await;
    assert_eq!(Bench::ok(&source)["source"]["text"], "a --> b");
    let back =
        json!({ "operation": "restore_diagram_version", "record": "Flow", "diagramVersion": 1 });
    bench.change(MANAGE, &back).await;
    let now = bench
        .rig
        .store()
        .record(&bench.rig.home, &diagram.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(now.body, "a --> b");
    // The link to the project stayed, and so did its field.
    assert_eq!(now.fields["projectId"], json!(furniture.project.id));
    let never = bench.act(MANAGE, &json!({ "operation": "restore_diagram_version", "record": "Flow", "diagramVersion": 99 })).await;
    assert_eq!(never.status, 404);

    let copy = bench
        .change(
            MANAGE,
            &json!({ "operation": "copy", "record": diagram.handle() }),
        )
        .await;
    assert_eq!(copy["record"]["title"], "Copy of Flow");
    let links = bench
        .rig
        .store()
        .links_from(&bench.rig.home, copy["record"]["id"].as_str().unwrap())
        .await
        .unwrap();
    assert_eq!(links.len(), 1);
    bench
        .change(
            MANAGE,
            &json!({ "operation": "delete", "record": diagram.handle() }),
        )
        .await;
}

#[tokio::test]
async fn files_and_routines_are_not_deleted_and_datasets_not_from_under_a_plot() {
    let bench = Bench::new().await;
    for (kind, words) in [
        (Kind::File, "Files cannot be deleted"),
        (Kind::Routine, "Routines cannot be deleted"),
    ] {
        let record = bench.rig.add(kind, "Kept", json!({})).await;
        let refused = bench
            .act(
                MANAGE,
                &json!({ "operation": "delete", "record": record.handle() }),
            )
            .await;
        assert_eq!(refused.status, 403);
        assert!(refused.error().contains(words), "{}", refused.error());
    }
    let task = bench.rig.furnish().await.task;
    let other = bench
        .act(
            MANAGE,
            &json!({ "operation": "delete", "record": task.handle() }),
        )
        .await;
    assert_eq!(other.status, 404);

    let dataset = bench.rig.add(Kind::Dataset, "Numbers", json!({})).await;
    let plot = bench.rig.add(Kind::Plot, "Line", json!({})).await;
    bench.rig.link(&plot, relation::RELATED, &dataset).await;
    bench
        .change(
            MANAGE,
            &json!({ "operation": "rename_dataset", "record": "Numbers", "name": "Figures" }),
        )
        .await;
    let used = bench
        .act(
            MANAGE,
            &json!({ "operation": "delete_dataset", "record": "Figures" }),
        )
        .await;
    assert_eq!(used.status, 409);
    bench
        .change(
            MANAGE,
            &json!({ "operation": "delete", "record": plot.handle() }),
        )
        .await;
    bench
        .change(
            MANAGE,
            &json!({ "operation": "delete_dataset", "record": dataset.id }),
        )
        .await;
}

#[tokio::test]
async fn what_is_in_the_trash_of_another_space_is_nothing_here() {
    let bench = Bench::new().await;
    let store = bench.rig.store();
    let owner = store.owner().await.unwrap().unwrap();
    let other = store.create_space(&owner.id, "Other").await.unwrap();
    let page = bench
        .rig
        .add_to(&other.id, Kind::Page, "Theirs", json!({}))
        .await;
    let mut change = by_person(&bench).await;
    change.trash("test.trash", &page).await.unwrap();
    change.commit().await.unwrap();
    let restore = json!({ "operation": "restore", "record": page.handle() });
    assert_eq!(bench.act(MANAGE, &restore).await.status, 404);
    let details = json!({ "record": page.id });
    let details = bench.act("hub_read_record_details", &details).await;
    assert_eq!(details.status, 404, "{:?}", details.body);
}
