//! The actions on diagrams.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::NewRecord;
use serde_json::{Value, json};

use crate::bench::Bench;

const SOURCE: &str = "flowchart LR\r\n  call --> pool[wait]\r\n  pool --> done\r\n";

async fn saved(bench: &Bench) -> Value {
    let new = json!({ "title": "Waits", "source": SOURCE });
    bench.change("hub_create_diagram", &new).await
}

async fn body_of(bench: &Bench, id: &str) -> String {
    let store = bench.rig.store();
    store
        .record(&bench.rig.home, id)
        .await
        .unwrap()
        .unwrap()
        .body
}

#[tokio::test]
async fn a_diagram_is_saved_as_given_and_a_wrong_source_is_refused_with_its_place() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let new = json!({ "title": "Waits", "source": SOURCE, "project": "HTTP client" });
    let made = bench.change("hub_create_diagram", &new).await;
    let id = made["diagram"]["id"].as_str().unwrap();
    assert_eq!(body_of(&bench, id).await, SOURCE);
    assert_eq!(made["says"], "A flowchart with 3 nodes and 2 edges.");
    assert_eq!(made["embed"], format!("![Waits](ensemble://diagram/{id})"));

    let wrong = json!({ "title": "X", "source": "flowchart LR\n  a --> b\n  a[x --> b" });
    bench
        .wrong("hub_create_diagram", &wrong, "line 3, column 5")
        .await;
    let other = json!({ "title": "X", "source": "digraph { a -> b }" });
    bench
        .wrong("hub_create_diagram", &other, "no kind of diagram")
        .await;
    bench
        .wrong("hub_create_diagram", &json!({ "title": "X" }), "source")
        .await;
}

#[tokio::test]
async fn a_diagram_is_changed_as_a_whole_or_in_one_place_and_the_rest_stays() {
    let bench = Bench::new().await;
    let made = saved(&bench).await;
    let id = made["diagram"]["id"].as_str().unwrap();
    let update = json!({ "diagram": id, "title": "Where it waits", "project": null });
    let changed = bench.change("hub_update_diagram", &update).await;
    assert_eq!(changed["diagram"]["title"], "Where it waits");
    let wrong = json!({ "diagram": id, "source": "flowchart LR\n  a[" });
    bench.wrong("hub_update_diagram", &wrong, "line 2").await;

    let edit =
        json!({ "diagram": id, "oldText": "pool[wait]", "newText": "pool[wait for a connection]" });
    bench.change("hub_edit_diagram", &edit).await;
    assert_eq!(
        body_of(&bench, id).await,
        SOURCE.replace("pool[wait]", "pool[wait for a connection]")
    );
    for (passage, words) in [("pool", "2 times"), ("pump", "does not stand")] {
        let before = bench.picture().await;
        let edit = json!({ "diagram": id, "oldText": passage, "newText": "x" });
        let refused = bench.act("hub_edit_diagram", &edit).await;
        assert_eq!(refused.status, 409, "{:?}", refused.body);
        assert!(refused.error().contains(words), "{}", refused.error());
        assert_eq!(bench.picture().await, before);
    }
    let broken = json!({ "diagram": id, "oldText": "pool --> done", "newText": "pool[ --> done" });
    bench.wrong("hub_edit_diagram", &broken, "line 3").await;
    let stale = json!({ "diagram": id, "version": 1, "title": "Mine" });
    assert_eq!(bench.act("hub_update_diagram", &stale).await.status, 409);
}

#[tokio::test]
async fn diagrams_are_listed_read_drawn_checked_and_explained() {
    let bench = Bench::new().await;
    let made = saved(&bench).await;
    let handle = made["diagram"]["ref"].as_str().unwrap();
    let list = bench
        .act_with(
            &bench.reader,
            "hub_list_diagrams",
            &json!({ "query": "wait" }),
        )
        .await;
    assert_eq!(Bench::ok(&list)["diagrams"][0]["format"], "mermaid");
    bench
        .wrong("hub_list_diagrams", &json!({ "limit": 0 }), "limit")
        .await;

    let get = json!({ "diagram": handle, "svg": true });
    let got = bench.act("hub_get_diagram", &get).await;
    let got = Bench::ok(&got);
    assert!(
        got["body"]["text"]
            .as_str()
            .unwrap()
            .contains("call --> pool[wait]")
    );
    assert!(got["svg"].as_str().unwrap().contains("<svg"));
    assert_eq!(got["version"], 1);
    let missing = json!({ "diagram": "Nothing" });
    assert_eq!(bench.act("hub_get_diagram", &missing).await.status, 400);
    bench
        .wrong("hub_get_diagram", &json!({ "svg": 1 }), "svg")
        .await;

    let valid = bench
        .act("hub_validate_diagram", &json!({ "diagram": "Waits" }))
        .await;
    assert_eq!(Bench::ok(&valid)["valid"], true);
    let source = json!({ "source": "pie\n  \"a\" : 1\n  \"b\" : x\n" });
    let valid = bench.act("hub_validate_diagram", &source).await;
    let error = &Bench::ok(&valid)["error"];
    assert_eq!(
        (&error["line"], &error["text"]),
        (&json!(3), &json!("\"b\" : x"))
    );
    bench
        .wrong("hub_validate_diagram", &json!({}), "one of the two")
        .await;

    let explained = bench
        .act("hub_explain_diagram", &json!({ "diagram": handle }))
        .await;
    let explained = Bench::ok(&explained);
    assert_eq!(
        explained["nodes"][1],
        json!({ "id": "pool", "text": "wait" })
    );
    assert_eq!(
        explained["edges"][0],
        json!({ "from": "call", "to": "pool" })
    );
    bench
        .wrong(
            "hub_explain_diagram",
            &json!({ "source": "nothing" }),
            "line 1",
        )
        .await;
}

#[tokio::test]
async fn the_context_of_a_diagram_names_the_pages_that_show_it_and_its_links() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let new = json!({ "title": "Waits", "source": SOURCE, "project": "HTTP client" });
    let made = bench.act("hub_create_diagram", &new).await;
    let embed = Bench::ok(&made)["embed"].as_str().unwrap();
    let page = NewRecord {
        body: format!("See:\n\n{embed}\n"),
        ..NewRecord::new(bench.rig.home.as_str(), Kind::Page, "About waits")
    };
    let mut change = bench
        .rig
        .store()
        .change(ensemble_hub_server::store::Actor::person("You"))
        .await
        .unwrap();
    change.create("test", page).await.unwrap();
    change.commit().await.unwrap();
    let context = bench
        .act("hub_diagram_context", &json!({ "diagram": "Waits" }))
        .await;
    let context = Bench::ok(&context);
    assert_eq!(context["shownIn"][0]["title"], "About waits");
    assert_eq!(context["linkedWith"][0]["relation"], "project");
    assert_eq!(context["explained"]["kind"], "flowchart");
    bench
        .wrong("hub_diagram_context", &json!({ "diagram": "" }), "diagram")
        .await;
}

#[tokio::test]
async fn a_diagram_in_another_language_is_neither_drawn_nor_edited() {
    let bench = Bench::new().await;
    let mut other = NewRecord::new(bench.rig.home.as_str(), Kind::Diagram, "Old");
    other.fields.insert("format".to_owned(), json!("dot"));
    let actor = ensemble_hub_server::store::Actor::person("You");
    let mut change = bench.rig.store().change(actor).await.unwrap();
    change.create("test", other).await.unwrap();
    change.commit().await.unwrap();
    let get = json!({ "diagram": "Old", "svg": true });
    let refused = bench.act("hub_get_diagram", &get).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    assert!(
        refused.error().contains("not Mermaid"),
        "{}",
        refused.error()
    );
    let update = json!({ "diagram": "Old", "source": "pie\n  \"a\" : 1" });
    bench.change("hub_update_diagram", &update).await;
}
