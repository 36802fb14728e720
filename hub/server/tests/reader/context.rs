//! The context graph over the demo: every record, from both ends, in parts and as a packet.

use ensemble_hub_api::relation::{SIDES, Side};
use ensemble_hub_api::{Handle, Kind, relation};
use ensemble_hub_server::context::{Asked, Wanted, context};
use ensemble_hub_server::error::RouteError;
use ensemble_hub_server::lists::Part;
use ensemble_hub_server::store::RecordQuery;
use ensemble_hub_server::view::{Card, handle};
use serde_json::{Value, json};

use crate::support::Demo;

fn asked(item: &str, wanted: Wanted) -> Asked {
    Asked {
        item: item.to_owned(),
        kind: None,
        wanted,
    }
}

async fn all(demo: &Demo, item: &str) -> Card {
    context(&demo.reader(), &asked(item, Wanted::All))
        .await
        .unwrap()
}

/// `rel: name, name` for each relation of an answer.
fn shown(card: &Card) -> Vec<String> {
    let relations = card["relations"].as_array().unwrap();
    let name = |card: &Value| {
        let fields = ["title", "name", "fullName"];
        fields
            .iter()
            .find_map(|field| card[*field].as_str())
            .unwrap()
            .to_owned()
    };
    relations
        .iter()
        .map(|relation| {
            let records = relation["records"].as_array().unwrap();
            let names: Vec<String> = records.iter().map(name).collect();
            format!(
                "{}: {}",
                relation["rel"].as_str().unwrap(),
                names.join(", ")
            )
        })
        .collect()
}

#[tokio::test]
async fn a_task_is_shown_with_what_it_links_to_from_both_ends() {
    let demo = Demo::new().await;
    let id = demo
        .handle(Kind::Task, "Document the default timeout")
        .await;
    assert_eq!(
        shown(&all(&demo, &id).await),
        [
            "from_meeting: Client reliability weekly",
            "requested_by: Sofía Núñez",
            "project: HTTP client reliability",
            "repo: encode/httpx",
            "deliverable: Timeout chapter of the guide",
            "owner: Robin Vale",
            "depends_on: Agree on the default timeout values",
            "attached: latency-readout.md, Timeout survey of partners",
            "skill: Write documentation for client libraries",
            "related: Default timeout surprises new users, Where a request can wait, Move the timeout tests to the new fixtures",
        ]
    );
    let other = demo
        .handle(Kind::Task, "Agree on the default timeout values")
        .await;
    assert!(
        shown(&all(&demo, &other).await)
            .contains(&"needed_by: Document the default timeout".to_owned())
    );
}

#[tokio::test]
async fn every_record_has_a_context_and_each_of_its_refs_can_be_called_again() {
    let demo = Demo::new().await;
    let records = demo
        .store
        .records(&demo.home.id, &RecordQuery::default())
        .await
        .unwrap();
    let mut linked = 0;
    for record in records.items {
        let card = all(&demo, &handle(&record)).await;
        assert_eq!(card["item"]["id"], record.id);
        for relation in card["relations"].as_array().unwrap() {
            let side = Side::named(relation["rel"].as_str().unwrap()).unwrap();
            assert_eq!(relation["says"], side.says);
            for other in relation["records"].as_array().unwrap() {
                linked += 1;
                let back = all(&demo, other["ref"].as_str().unwrap()).await;
                assert_eq!(back["item"]["id"], other["id"]);
            }
            // What is skipped here is the beginning of what is shown in full.
            let part = Part {
                limit: 50,
                offset: 0,
                after: None,
            };
            let one = asked(&handle(&record), Wanted::One(side, part));
            let full = context(&demo.reader(), &one).await.unwrap();
            let few = relation["records"].as_array().unwrap();
            let many = full["records"].as_array().unwrap();
            assert_eq!(few.len(), many.len().min(6));
            assert!(
                few.iter().zip(many).all(|(a, b)| a["id"] == b["id"]),
                "{}",
                record.title
            );
        }
        let packet = context(&demo.reader(), &asked(&handle(&record), Wanted::Packet))
            .await
            .unwrap();
        let text = packet["packet"].as_str().unwrap();
        assert!(
            text.starts_with("# ") && text.contains(&handle(&record)),
            "{text}"
        );
        assert!(text.chars().count() <= 8_000);
    }
    assert!(linked > 100, "{linked}");
}

#[tokio::test]
async fn a_relation_with_many_records_is_begun_and_paged() {
    let demo = Demo::new().await;
    let project = demo.record(Kind::Project, "HTTP client reliability").await;
    let mut change = demo.change().await;
    for n in 0..500 {
        let title = format!("{n} {}", "長い題 ".repeat(60));
        let new = demo.new_record(Kind::Task, &title, &"→🎉".repeat(500));
        let made = change.create("test.add", new).await.unwrap();
        let link = (made.id.as_str(), relation::PROJECT, project.id.as_str());
        change.link("test.link", &demo.home.id, link).await.unwrap();
    }
    change.commit().await.unwrap();
    let card = all(&demo, &handle(&project)).await;
    assert!(serde_json::to_vec(&card).unwrap().len() < 80_000);
    let contains = card["relations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["rel"] == "contains")
        .unwrap();
    assert!(contains["total"].as_u64().unwrap() > 500);
    assert_eq!(contains["hasMore"], true);
    let side = Side::named("contains").unwrap();
    let part = Part {
        limit: 50,
        offset: 0,
        after: None,
    };
    let full = context(
        &demo.reader(),
        &asked(&handle(&project), Wanted::One(side, part)),
    )
    .await
    .unwrap();
    assert!(serde_json::to_vec(&full).unwrap().len() < 80_000);
    let shown = full["records"].as_array().unwrap().len();
    assert!(shown > 6 && full["nextOffset"] == shown, "{shown}");
    let packet = context(&demo.reader(), &asked(&handle(&project), Wanted::Packet))
        .await
        .unwrap();
    let text = packet["packet"].as_str().unwrap();
    assert!(text.chars().count() <= 8_000 && text.contains("Left out for length"));
}

#[tokio::test]
async fn what_names_nothing_here_is_refused_alike() {
    let demo = Demo::new().await;
    let other = demo
        .store
        .find_by_title(&demo.second.id, Kind::Page, "Sowing calendar")
        .await
        .unwrap();
    let nobody = "00000000-0000-7000-8000-000000000000";
    let mut sentences = Vec::new();
    for id in [other[0].id.as_str(), nobody] {
        let item = Handle::new(Kind::Page, id).to_string();
        for wanted in [Wanted::All, Wanted::Packet] {
            let refused = context(&demo.reader(), &asked(&item, wanted))
                .await
                .unwrap_err();
            assert!(matches!(refused, RouteError::NotFound(_)));
            sentences.push(refused.to_string());
        }
    }
    sentences.dedup();
    assert_eq!(sentences.len(), 1);
    let refused = context(&demo.reader(), &asked(nobody, Wanted::All))
        .await
        .unwrap_err();
    assert!(
        matches!(refused, RouteError::BadRequest(_)),
        "an id without its kind"
    );
}

#[test]
fn the_tool_offers_the_relations_that_there_are() {
    let surface: Value =
        serde_json::from_str(include_str!("../../../../plugins/context/surface.json")).unwrap();
    let tools = surface["tools"].as_array().unwrap();
    let tool = tools
        .iter()
        .find(|tool| tool["name"] == "ensemble_context")
        .unwrap();
    let names: Vec<&str> = SIDES.iter().map(|side| side.rel).collect();
    assert_eq!(
        tool["inputSchema"]["properties"]["rel"]["enum"],
        json!(names)
    );
}
