//! The actions on projects and deliverables.

use ensemble_hub_api::{Kind, relation};
use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn a_project_is_added_and_changed_with_its_people_and_repositories() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let (store, home) = (bench.rig.store(), bench.rig.home.as_str());
    let asked = json!({
        "name": "Guide", "summary": "Say how long things take.", "notes": "# Plan\r\nFirst the timeouts.",
        "people": ["Ana Souza", furniture.ana.handle()], "repositories": ["httpx"],
    });
    let result = bench.change("hub_create_project", &asked).await;
    let project = result["project"].clone();
    assert_eq!(
        (&project["name"], &project["status"], &result["version"]),
        (&json!("Guide"), &json!("active"), &json!(1))
    );
    let id = project["id"].as_str().unwrap();
    let links = store.links_from(home, id).await.unwrap();
    let relations: Vec<&str> = links.iter().map(|link| link.relation.as_str()).collect();
    assert_eq!(relations, [relation::MEMBER, relation::REPO]);
    let kept = store.record(home, id).await.unwrap().unwrap();
    assert_eq!(kept.body, "# Plan\r\nFirst the timeouts.");

    let changed = json!({ "project": id, "name": "The guide", "status": "paused", "summary": null, "people": [] });
    let result = bench.change("hub_update_project", &changed).await;
    assert_eq!(
        (&result["project"]["name"], &result["project"]["status"]),
        (&json!("The guide"), &json!("paused"))
    );
    assert!(result["project"].get("summary").is_none(), "{result}");
    let links = store.links_from(home, id).await.unwrap();
    assert_eq!(links.len(), 1, "the repository stays: {links:?}");

    let stale = json!({ "project": id, "version": 1, "name": "Mine" });
    let stale = bench.act("hub_update_project", &stale).await;
    assert_eq!(stale.status, 409, "{:?}", stale.body);
    bench
        .wrong(
            "hub_create_project",
            &json!({ "name": "x", "people": ["Nobody"] }),
            "Nobody",
        )
        .await;
    bench
        .wrong(
            "hub_update_project",
            &json!({ "project": id, "status": "started" }),
            "status",
        )
        .await;
}

#[tokio::test]
async fn a_second_project_of_one_name_is_said() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let answer = bench
        .act("hub_create_project", &json!({ "name": "HTTP client" }))
        .await;
    Bench::ok(&answer);
    assert_eq!(
        answer.body["message"],
        "The project was added; another one has the same name."
    );
}

#[tokio::test]
async fn a_deliverable_is_added_and_changed() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let asked = json!({ "title": "Chapter on timeouts", "project": "HTTP client", "due": "2026-03-20", "owner": "Ana Souza", "notes": "Two pages." });
    let result = bench.change("hub_create_deliverable", &asked).await;
    let card = &result["deliverable"];
    assert_eq!(
        (
            &card["project"],
            &card["owner"],
            &card["due"],
            &card["status"]
        ),
        (
            &json!("HTTP client"),
            &json!("Ana Souza"),
            &json!("2026-03-20"),
            &json!("planned")
        )
    );
    assert_eq!(result["version"], 1);
    let id = card["id"].as_str().unwrap();
    let changed = json!({ "deliverable": id, "title": "Chapter", "due": "2026-03-21", "owner": null, "project": null, "notes": null, "status": "in_progress" });
    let card = &bench.rewrite(id, "hub_update_deliverable", &changed).await["deliverable"];
    assert_eq!(
        (&card["title"], &card["due"]),
        (&json!("Chapter"), &json!("2026-03-21"))
    );
    for gone in ["owner", "project", "notesExcerpt"] {
        assert!(card.get(gone).is_none(), "{gone} in {card}");
    }
    let due = json!({ "deliverable": id, "due": "2026-02-30" });
    bench
        .wrong("hub_update_deliverable", &due, "YYYY-MM-DD")
        .await;
    let due = json!({ "title": "x", "due": "2026-02-30" });
    bench
        .wrong("hub_create_deliverable", &due, "YYYY-MM-DD")
        .await;
}

#[tokio::test]
async fn a_deliverable_that_is_done_counts_what_is_open_and_one_in_trash_is_gone() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let fields = json!({ "due": "2026-03-20" });
    let chapter = bench.rig.add(Kind::Deliverable, "Chapter", fields).await;
    let id = chapter.id.as_str();
    bench
        .act(
            "hub_update_task",
            &json!({ "task": furniture.task.id, "deliverable": id }),
        )
        .await;
    let result = bench
        .change("hub_complete_deliverable", &json!({ "deliverable": id }))
        .await;
    assert_eq!(
        (&result["deliverable"]["status"], &result["openTasks"]),
        (&json!("done"), &json!(1))
    );
    let again = bench
        .act("hub_complete_deliverable", &json!({ "deliverable": id }))
        .await;
    assert_eq!(again.body["undoable"], false, "{:?}", again.body);
    bench
        .wrong("hub_complete_deliverable", &json!({}), "deliverable")
        .await;

    let result = bench
        .change("hub_delete_deliverable", &json!({ "deliverable": id }))
        .await;
    assert_eq!(result["deleted"][0], format!("ensemble://deliverable/{id}"));
    let gone = bench
        .act(
            "hub_delete_deliverable",
            &json!({ "deliverable": format!("ensemble://deliverable/{id}") }),
        )
        .await;
    assert_eq!(gone.status, 404, "{:?}", gone.body);
    bench
        .wrong(
            "hub_delete_deliverable",
            &json!({ "id": id }),
            "hub_delete_deliverable",
        )
        .await;
}

#[tokio::test]
async fn projects_and_deliverables_are_listed() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let list = bench
        .act_with(
            &bench.reader,
            "hub_list_projects",
            &json!({ "query": "http" }),
        )
        .await;
    let list = Bench::ok(&list);
    assert_eq!(list["total"], 1);
    assert_eq!(list["projects"][0]["taskCount"], 1);
    let none = bench
        .act("hub_list_projects", &json!({ "status": "done" }))
        .await;
    assert_eq!(Bench::ok(&none)["total"], 0);
    bench
        .wrong("hub_list_projects", &json!({ "limit": 51 }), "limit")
        .await;

    for (title, due) in [("Later", "2026-04-01"), ("Sooner", "2026-03-10")] {
        let made = bench
            .rig
            .add(Kind::Deliverable, title, json!({ "due": due }))
            .await;
        bench
            .rig
            .link(&made, relation::PROJECT, &furniture.project)
            .await;
    }
    let first = bench
        .act(
            "hub_list_deliverables",
            &json!({ "project": "HTTP client", "limit": 1 }),
        )
        .await;
    let first = Bench::ok(&first);
    assert_eq!(
        (&first["deliverables"][0]["title"], &first["total"]),
        (&json!("Sooner"), &json!(2))
    );
    let next = json!({ "project": "HTTP client", "after": first["next"] });
    let rest = bench.act("hub_list_deliverables", &next).await;
    assert_eq!(Bench::ok(&rest)["deliverables"][0]["title"], "Later");
    bench
        .wrong(
            "hub_list_deliverables",
            &json!({ "project": "Nothing" }),
            "Nothing",
        )
        .await;
}
