//! The actions that read what is there: context, search, screens; and the deleting and restoring of projects, repositories and skills.

use ensemble_hub_api::{Kind, relation};
use serde_json::{Value, json};

use crate::bench::Bench;

async fn read(bench: &Bench, action: &str, input: Value) -> Value {
    let answer = bench.act_with(&bench.reader, action, &input).await;
    Bench::ok(&answer).clone()
}

#[tokio::test]
async fn a_record_is_read_with_what_it_links_to() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let task = furniture.task.handle();
    let all = read(&bench, "hub_item_context", json!({ "item": task })).await;
    assert_eq!(all["item"]["id"], json!(furniture.task.id));
    assert!(all["relations"].as_array().unwrap().len() >= 3, "{all}");
    let one = json!({ "item": task, "rel": "project", "limit": 1 });
    let one = read(&bench, "hub_item_context", one).await;
    assert_eq!(one["records"][0]["id"], json!(furniture.project.id));
    let packet = json!({ "item": task, "packet": true });
    let packet = read(&bench, "hub_item_context", packet).await;
    assert!(packet.to_string().contains("HTTP client"), "{packet}");
    let whole = read(&bench, "hub_read_context", json!({ "item": task })).await;
    assert_eq!(
        whole["body"]["text"],
        "Say what happens after five seconds."
    );

    let both = json!({ "item": task, "rel": "project", "packet": true });
    bench.wrong("hub_item_context", &both, "not both").await;
    let pages = json!({ "item": task, "offset": 3 });
    bench.wrong("hub_item_context", &pages, "`rel`").await;
    bench
        .wrong(
            "hub_read_context",
            &json!({ "item": "no handle" }),
            "handle",
        )
        .await;
}

#[tokio::test]
async fn search_finds_by_words_and_kind() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let work = read(&bench, "hub_search_work", json!({ "query": "timeout" })).await;
    assert_eq!(work["results"][0]["id"], json!(furniture.task.id));
    let people = json!({ "query": "Ana timeout", "kinds": ["person"] });
    let people = read(&bench, "hub_search_context", people).await;
    let ids: Vec<&Value> = people["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| &hit["id"])
        .collect();
    assert_eq!(ids, [&json!(furniture.ana.id)]);
    bench
        .wrong(
            "hub_search_context",
            &json!({ "query": "x", "kinds": ["approval"] }),
            "kinds",
        )
        .await;
    bench
        .wrong("hub_search_work", &json!({ "query": "" }), "query")
        .await;
}

#[tokio::test]
async fn every_screen_is_read() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let of =
        async |surface: &str| read(&bench, "hub_read_surface", json!({ "surface": surface })).await;
    assert_eq!(of("today").await["date"], "2026-03-02");
    let board = of("board").await;
    let column = board["columns"]
        .as_array()
        .unwrap()
        .iter()
        .find(|column| column["status"] == "in_progress")
        .unwrap();
    assert_eq!(
        (&column["total"], &column["tasks"][0]["id"]),
        (&json!(1), &json!(furniture.task.id))
    );
    let kinds = of("context").await;
    assert!(
        kinds["kinds"]
            .as_array()
            .unwrap()
            .iter()
            .any(|kind| kind["kind"] == "person" && kind["total"] == 1),
        "{kinds}"
    );
    assert_eq!(
        of("needs_me").await["needsMe"]["total"]["pendingApprovals"],
        0
    );
    for (surface, list, total) in [
        ("projects", "projects", 1),
        ("people", "people", 1),
        ("repositories", "repos", 1),
        ("deliverables", "deliverables", 0),
        ("meetings", "meetings", 0),
        ("files", "files", 0),
        ("skills", "skills", 0),
        ("diagrams", "diagrams", 0),
        ("plots", "plots", 0),
    ] {
        let shown = of(surface).await;
        assert_eq!(shown["total"], total, "{surface}: {shown}");
        assert!(shown[list].is_array(), "{surface}");
    }
    bench
        .wrong("hub_read_surface", &json!({ "surface": "moon" }), "surface")
        .await;
    bench.rig.add(Kind::Approval, "Send it?", json!({})).await;
    let approvals = read(&bench, "hub_list_approvals", json!({})).await;
    assert!(approvals["needsMe"]["approvals"].is_array());
    bench
        .wrong(
            "hub_list_approvals",
            &json!({ "x": 1 }),
            "hub_list_approvals",
        )
        .await;
}

#[tokio::test]
async fn a_project_a_repository_and_a_skill_go_to_trash_and_come_back_with_their_links() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let skill = bench.rig.add(Kind::Skill, "Write plainly", json!({})).await;
    bench
        .rig
        .link(&furniture.task, relation::SKILL, &skill)
        .await;
    for (kind, name) in [
        ("project", "HTTP client"),
        ("repository", "httpx"),
        ("skill", "Write plainly"),
    ] {
        let before = bench.picture().await;
        let asked = json!({ "kind": kind, "entity": name });
        let deleted = bench.change("hub_delete_entity", &asked).await;
        let gone = bench
            .act(
                "hub_delete_entity",
                &json!({ "kind": kind, "entity": deleted["deleted"][0] }),
            )
            .await;
        assert_eq!(gone.status, 404, "{:?}", gone.body);
        let back = json!({ "entity": deleted["deleted"][0] });
        bench.change("hub_restore_entity", &back).await;
        let after = bench.picture().await;
        assert_eq!(
            before.matches("\"links\"").count(),
            after.matches("\"links\"").count()
        );
        let links = |text: &str| {
            text.matches(&skill.id).count() + text.matches(&furniture.project.id).count()
        };
        assert_eq!(links(&before), links(&after));
        let again = bench.act("hub_restore_entity", &back).await;
        assert_eq!(again.status, 409);
    }
    let nobody = bench
        .act(
            "hub_restore_entity",
            &json!({ "entity": furniture.task.handle() }),
        )
        .await;
    assert_eq!(nobody.status, 400);
    let sentence = nobody.body["error"].as_str().unwrap_or_default();
    assert!(sentence.contains("hub_manage_record"), "{sentence}");
    bench
        .wrong(
            "hub_delete_entity",
            &json!({ "kind": "task", "entity": "x" }),
            "kind",
        )
        .await;
    bench
        .wrong("hub_restore_entity", &json!({}), "entity")
        .await;
}

#[tokio::test]
async fn a_file_is_not_deleted_whatever_it_is_called() {
    let bench = Bench::new().await;
    let file = bench.rig.add(Kind::File, "a.txt", json!({})).await;
    let before = bench.picture().await;
    for (kind, entity) in [("document", "a.txt".to_owned()), ("project", file.handle())] {
        let refused = bench
            .act(
                "hub_delete_entity",
                &json!({ "kind": kind, "entity": entity }),
            )
            .await;
        assert_eq!(refused.status, 403);
        assert_eq!(
            refused.error(),
            "Files cannot be deleted from editors and agents; delete it in Ensemble."
        );
    }
    assert_eq!(bench.picture().await, before);
}
