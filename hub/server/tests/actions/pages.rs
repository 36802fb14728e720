//! The actions on pages: their fields, and the pages below them.

use ensemble_hub_api::Kind;
use serde_json::json;

use crate::bench::Bench;
use crate::blocks::page;

#[tokio::test]
async fn pages_are_added_below_a_page_and_what_they_name_is_linked() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let top = page(&bench, "Top", "").await;
    let input = json!({
        "title": "Notes", "parent": "Top", "project": "HTTP client", "labels": ["x"],
        "content": format!("Ask [@Ana]({}) about {}.", furniture.ana.handle(), furniture.task.handle()),
    });
    let result = bench.change("hub_create_page", &input).await;
    let id = result["page"]["id"].as_str().unwrap();
    assert_eq!(result["page"]["parent"], "Top");
    assert_eq!(result["page"]["parentId"], json!(top));
    let links = bench
        .rig
        .store()
        .links_from(&bench.rig.home, id)
        .await
        .unwrap();
    let related: Vec<&str> = links
        .iter()
        .filter(|link| link.relation == "related")
        .map(|link| link.record.id.as_str())
        .collect();
    assert_eq!(related.len(), 2, "{related:?}");
    assert!(related.contains(&furniture.ana.id.as_str()));

    let read = bench
        .act_with(&bench.reader, "hub_read_page", &json!({ "page": "Top" }))
        .await;
    assert_eq!(Bench::ok(&read)["pages"][0]["title"], "Notes");
    let list = bench.act("hub_list_pages", &json!({ "parent": top })).await;
    assert_eq!(Bench::ok(&list)["pages"][0]["title"], "Notes");
    let list = bench
        .act(
            "hub_list_pages",
            &json!({ "query": "not", "project": "HTTP client" }),
        )
        .await;
    assert_eq!(Bench::ok(&list)["total"], 1);

    bench
        .wrong(
            "hub_create_page",
            &json!({ "title": "x", "content": "[@Bo](ensemble://person/nobody)" }),
            "no such record",
        )
        .await;
    bench
        .wrong("hub_create_page", &json!({ "content": "x" }), "title")
        .await;
    bench
        .wrong(
            "hub_read_page",
            &json!({ "page": "Nothing" }),
            "No page is called",
        )
        .await;
    bench
        .wrong("hub_list_pages", &json!({ "limit": 51 }), "limit")
        .await;
}

#[tokio::test]
async fn a_page_is_changed_by_its_fields_and_null_empties() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let id = page(&bench, "Notes", "Old.").await;
    let input = json!({ "page": id, "version": 1, "title": "New notes", "labels": ["a"], "project": "HTTP client", "content": "New." });
    let result = bench
        .change("hub_update_page", &json!({ "page": id, "title": "Once" }))
        .await;
    assert_eq!(result["page"]["title"], "Once");
    let stale = bench.act("hub_update_page", &input).await;
    assert_eq!(stale.status, 409, "{:?}", stale.body);
    assert!(stale.error().contains("version"), "{}", stale.error());
    let input = json!({ "page": id, "labels": ["a"], "project": "HTTP client", "content": "New." });
    let result = bench.rewrite(&id, "hub_update_page", &input).await;
    assert_eq!(result["page"]["project"], "HTTP client");
    let result = bench
        .change("hub_update_page", &json!({ "page": id, "project": null }))
        .await;
    assert!(result["page"].get("projectId").is_none(), "{result}");
    bench
        .wrong(
            "hub_update_page",
            &json!({ "page": id, "titel": "x" }),
            "hub_update_page",
        )
        .await;
    bench
        .wrong(
            "hub_update_page",
            &json!({ "page": id }),
            "Nothing to change",
        )
        .await;
}

#[tokio::test]
async fn pages_are_moved_and_never_below_themselves() {
    let bench = Bench::new().await;
    let top = page(&bench, "Top", "").await;
    for title in ["One", "Two", "Three"] {
        bench
            .change("hub_create_page", &json!({ "title": title, "parent": top }))
            .await;
    }
    let order = async || {
        let list = bench.act("hub_list_pages", &json!({ "parent": top })).await;
        let pages = Bench::ok(&list)["pages"].as_array().unwrap().clone();
        pages
            .iter()
            .map(|page| page["title"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(order().await, ["One", "Two", "Three"]);
    bench
        .change(
            "hub_move_page",
            &json!({ "page": "Three", "before": "One" }),
        )
        .await;
    assert_eq!(order().await, ["Three", "One", "Two"]);
    bench
        .change("hub_move_page", &json!({ "page": "Three", "after": "One" }))
        .await;
    assert_eq!(order().await, ["One", "Three", "Two"]);
    bench
        .change("hub_move_page", &json!({ "page": "Two", "parent": "One" }))
        .await;
    assert_eq!(order().await, ["One", "Three"]);
    let refused = bench
        .act("hub_move_page", &json!({ "page": "Top", "parent": "Two" }))
        .await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    bench
        .change("hub_move_page", &json!({ "page": "Two", "parent": null }))
        .await;
    let refused = bench
        .act("hub_move_page", &json!({ "page": "One", "after": "Two" }))
        .await;
    assert_eq!(refused.status, 400);
    bench
        .wrong("hub_move_page", &json!({ "page": "One" }), "Say where to")
        .await;
}

#[tokio::test]
async fn a_page_with_pages_below_is_deleted_with_them_or_not_at_all() {
    let bench = Bench::new().await;
    let top = page(&bench, "Top", "").await;
    bench
        .change(
            "hub_create_page",
            &json!({ "title": "Below", "parent": top }),
        )
        .await;
    bench
        .change(
            "hub_create_page",
            &json!({ "title": "Deep", "parent": "Below" }),
        )
        .await;
    let refused = bench.act("hub_delete_page", &json!({ "page": top })).await;
    assert_eq!(refused.status, 409);
    assert!(
        refused.error().contains("2 pages are below"),
        "{}",
        refused.error()
    );
    let all = bench
        .change(
            "hub_delete_page",
            &json!({ "page": top, "withChildren": true }),
        )
        .await;
    assert_eq!(all["deleted"].as_array().unwrap().len(), 3);

    let other = page(&bench, "Other", "").await;
    let under = bench
        .change(
            "hub_create_page",
            &json!({ "title": "Under", "parent": other }),
        )
        .await;
    let both = json!({ "pages": [under["page"]["id"], other] });
    assert_eq!(
        bench.change("hub_delete_pages", &both).await["deleted"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    bench
        .wrong(
            "hub_delete_pages",
            &json!({ "pages": ["Nothing"] }),
            "Number 1",
        )
        .await;
    bench.wrong("hub_delete_page", &json!({}), "page").await;
}

#[tokio::test]
async fn places_do_not_run_out() {
    let bench = Bench::new().await;
    let top = bench.rig.add(Kind::Page, "Top", json!({})).await;
    // As pages that came from elsewhere: below the page, without a number.
    for title in ["First", "A", "B"] {
        let page = bench
            .rig
            .add(Kind::Page, title, json!({ "parentId": top.id }))
            .await;
        bench.rig.link(&page, "parent", &top).await;
    }
    // Each move halves the room behind the first page.
    for turn in 0..30 {
        let (moved, before) = if turn % 2 == 0 {
            ("B", "A")
        } else {
            ("A", "B")
        };
        let input = json!({ "page": moved, "before": before });
        let answer = bench.act("hub_move_page", &input).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        let list = bench
            .act("hub_list_pages", &json!({ "parent": top.id }))
            .await;
        let pages = Bench::ok(&list)["pages"].as_array().unwrap();
        let titles: Vec<&str> = pages
            .iter()
            .map(|page| page["title"].as_str().unwrap())
            .collect();
        assert_eq!(titles, ["First", moved, before], "turn {turn}");
    }
}
