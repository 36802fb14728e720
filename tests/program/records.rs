//! The lists and the context graph as an editor gets them, against what the hub's database holds.

use std::collections::BTreeSet;

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::{Record, RecordQuery};
use ensemble_test_harness::{Bridge, Grants, LATEST, TestHub};
use serde_json::{Value, json};

use crate::support::{home, program, refusal, text};

/// Each list with its kind and whether its records are resources; the tool is `ensemble_<list>`.
const LISTS: [(&str, Kind, bool); 8] = [
    ("projects", Kind::Project, true),
    ("repos", Kind::Repo, true),
    ("skills", Kind::Skill, true),
    ("people", Kind::Person, true),
    ("deliverables", Kind::Deliverable, false),
    ("meetings", Kind::Event, false),
    ("diagrams", Kind::Diagram, false),
    ("plots", Kind::Plot, false),
];

async fn stored(hub: &TestHub, kind: Kind) -> Vec<Record> {
    let space = hub.hub().admin().spaces().await.unwrap();
    let home = space
        .iter()
        .find(|space| space.name != "Side projects")
        .unwrap();
    let query = RecordQuery {
        kinds: vec![kind],
        ..RecordQuery::default()
    };
    let mut records = hub
        .hub()
        .store()
        .records(&home.id, &query)
        .await
        .unwrap()
        .items;
    records.retain(|record| record.flag("enabled") != Some(false));
    records
}

fn ids(cards: &Value) -> BTreeSet<&str> {
    let cards = cards.as_array().unwrap().iter();
    cards.map(|card| card["id"].as_str().unwrap()).collect()
}

async fn resource(bridge: &mut Bridge, uri: &str) -> Value {
    let answer = bridge
        .request("resources/read", json!({ "uri": uri }))
        .await;
    let text = answer["result"]["contents"][0]["text"].as_str();
    serde_json::from_str(text.unwrap_or_else(|| panic!("{uri}: {answer}"))).unwrap()
}

async fn start(hub: &TestHub) -> (ensemble_test_harness::Home, Bridge) {
    let home = home();
    let mut command = home.command(program());
    command.env("HUB_API_URL", hub.base()).env(
        "ENSEMBLE_BRIDGE_TOKEN",
        hub.key("editor", Grants::READ).await,
    );
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    (home, bridge)
}

#[tokio::test]
async fn every_list_is_what_the_database_holds() {
    let hub = TestHub::start().await;
    let (_home, mut bridge) = start(&hub).await;
    for (list, kind, records) in LISTS {
        let kept = stored(&hub, kind).await;
        let wanted: BTreeSet<&str> = kept.iter().map(|record| record.id.as_str()).collect();
        // Far enough for every meeting of the demo, past ones too.
        let arguments = match kind {
            Kind::Event => json!({ "from": "2020-01-01", "to": "2100-01-01", "limit": 50 }),
            _ => json!({ "limit": 50, "query": "", "after": null }),
        };
        let answer = bridge.call(&format!("ensemble_{list}"), arguments).await;
        let found = &answer["structuredContent"];
        assert_eq!(ids(&found[list]), wanted, "{list}: {answer}");
        assert_eq!(found["total"], wanted.len(), "{list}");
        assert_eq!(
            serde_json::from_str::<Value>(text(&answer)).unwrap(),
            *found
        );
        let tool = format!("ensemble_{list}");
        if ["diagrams", "plots"].contains(&list) {
            continue;
        }
        let shown = resource(&mut bridge, &format!("ensemble://{list}")).await;
        let same = bridge.call(&tool, json!({})).await;
        assert_eq!(
            ids(&shown[list]),
            ids(&same["structuredContent"][list]),
            "{list}"
        );
        if records {
            for record in &kept {
                let one = resource(&mut bridge, &format!("ensemble://{list}/{}", record.id)).await;
                assert_eq!(
                    (&one["id"], &one["kind"]),
                    (&json!(record.id), &json!(kind.as_str()))
                );
                assert!(one["body"]["text"].is_string() && one["trustLabel"].is_string());
            }
        }
    }
    bridge.close().await;
    hub.stop().await;
}

#[tokio::test]
async fn a_trail_is_followed_from_ref_to_ref() {
    let hub = TestHub::start().await;
    let (_home, mut bridge) = start(&hub).await;
    let tasks = stored(&hub, Kind::Task).await;
    let task = tasks
        .iter()
        .find(|task| task.title == "Document the default timeout")
        .unwrap();
    let asked = json!({ "item": task.id, "kind": "task", "offset": 0 });
    let answer = bridge.call("ensemble_context", asked).await;
    let context = &answer["structuredContent"];
    assert_eq!(context["item"]["id"], task.id, "{answer}");
    let relations = context["relations"].as_array().unwrap();
    let meeting = relations
        .iter()
        .find(|r| r["rel"] == "from_meeting")
        .unwrap();
    let meeting = meeting["records"][0]["ref"].as_str().unwrap();
    let led = json!({ "item": meeting, "rel": "led_to", "limit": 2 });
    let led = bridge.call("ensemble_context", led).await["structuredContent"].clone();
    assert_eq!((&led["total"], &led["hasMore"]), (&json!(3), &json!(true)));
    let rest = json!({ "item": meeting, "rel": "led_to", "limit": 2, "after": led["next"] });
    let rest = bridge.call("ensemble_context", rest).await["structuredContent"].clone();
    assert_eq!(
        (rest["records"].as_array().unwrap().len(), &rest["hasMore"]),
        (1, &json!(false))
    );
    assert!(ids(&led["records"]).is_disjoint(&ids(&rest["records"])));

    let packet = json!({ "item": meeting, "format": "packet" });
    let packet = bridge.call("ensemble_context", packet).await;
    assert!(
        text(&packet).starts_with("# Client reliability weekly\n"),
        "{packet}"
    );
    assert!(text(&packet).contains("## Led to\n") && text(&packet).chars().count() <= 8_000);

    let skill = stored(&hub, Kind::Skill).await.remove(0);
    let one = bridge
        .call(
            "ensemble_skills",
            json!({ "id": format!("ensemble://skill/{}", skill.id) }),
        )
        .await;
    assert_eq!(one["structuredContent"]["body"]["text"], skill.body);
    bridge.close().await;
    hub.stop().await;
}

#[tokio::test]
async fn what_is_wrong_is_one_sentence() {
    let hub = TestHub::start().await;
    let (_home, mut bridge) = start(&hub).await;
    for (tool, arguments, words) in [
        ("ensemble_people", json!({ "limit": 51 }), "limit"),
        (
            "ensemble_people",
            json!({ "after": "x" }),
            "`after` has to be the `next`",
        ),
        (
            "ensemble_meetings",
            json!({ "from": "tomorrow" }),
            "`from` has to be a day",
        ),
        (
            "ensemble_context",
            json!({ "item": "nothing" }),
            "`kind` has to be",
        ),
        (
            "ensemble_context",
            json!({ "item": "ensemble://task/x" }),
            "There is no task with that id",
        ),
        (
            "ensemble_context",
            json!({ "item": "ensemble://task/x", "rel": "x" }),
            "rel",
        ),
        (
            "ensemble_skills",
            json!({ "id": "../keys" }),
            "is not an id",
        ),
        ("ensemble_projects", json!({ "name": "x" }), "name"),
        ("ensemble_projects", json!({ "space": "Nowhere" }), "space"),
    ] {
        let answer = bridge.call(tool, arguments.clone()).await;
        let sentence = refusal(&answer);
        assert!(sentence.contains(words), "{tool} {arguments}: {sentence}");
    }
    let other = bridge
        .call("ensemble_projects", json!({ "space": "Side projects" }))
        .await;
    assert_eq!(
        other["structuredContent"]["projects"][0]["name"],
        "Allotment"
    );
    bridge.close().await;
    hub.stop().await;
}
