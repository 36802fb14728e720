//! Lists in parts: each record that was there when a list was begun comes once, whatever happens between two parts.

use std::collections::BTreeSet;

use ensemble_hub_api::{Kind, relation};
use ensemble_hub_server::store::{Actor, Begin, Mark, Order, Record, RecordQuery};
use jiff::SignedDuration;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::Rig;

const ORDERS: [Order; 5] = [
    Order::Updated,
    Order::Created,
    Order::Title,
    Order::Due,
    Order::Start,
];

/// What happens between two parts; the number chooses the record.
#[derive(Clone, Debug)]
enum Event {
    Delete(usize),
    Rename(usize, String),
    Move(usize, String),
    Add(String),
    Pass,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        any::<usize>().prop_map(Event::Delete),
        (any::<usize>(), "[a-zé漢 ]{0,6}").prop_map(|(n, title)| Event::Rename(n, title)),
        (any::<usize>(), "202[0-9]-0[1-9]-1[0-9]").prop_map(|(n, day)| Event::Move(n, day)),
        "[a-z]{0,4}".prop_map(Event::Add),
        Just(Event::Pass),
    ]
}

async fn edit(rig: &Rig, id: &str, change_it: impl FnOnce(&mut Record)) {
    let mut change = rig.store().change(Actor::system("test")).await.unwrap();
    if let Some(before) = change.record(&rig.home, id).await.unwrap() {
        let mut edited = before.clone();
        change_it(&mut edited);
        change.update("test.edit", &before, edited).await.unwrap();
    }
    change.commit().await.unwrap();
}

async fn happen(rig: &Rig, ids: &[String], event: Event) -> Option<String> {
    let id = |n: usize| ids[n % ids.len()].clone();
    match event {
        Event::Delete(n) => {
            let id = id(n);
            let now = rig.store().now();
            edit(rig, &id, |record| record.deleted_at = Some(now)).await;
            return Some(id);
        }
        Event::Rename(n, title) => edit(rig, &id(n), |record| record.title = title).await,
        Event::Move(n, day) => {
            edit(rig, &id(n), |record| {
                record.fields.insert("due".into(), day.as_str().into());
                record.fields.insert("start".into(), day.as_str().into());
            })
            .await;
        }
        Event::Add(title) => {
            rig.add(
                Kind::Task,
                &title,
                json!({ "due": "2021-01-01", "start": "2021" }),
            )
            .await;
        }
        Event::Pass => rig.clock.advance(SignedDuration::from_secs(1)),
    }
    None
}

/// Walks 12 records in parts of `limit`, with an event before each part but the first.
async fn walk(order: Order, limit: u32, events: Vec<Event>) {
    let rig = Rig::new().await;
    let mut ids = Vec::new();
    for n in 0..12 {
        let fields = match n % 3 {
            0 => json!({}),
            _ => json!({ "due": format!("2024-0{}-11", n % 4 + 1), "start": "2024" }),
        };
        ids.push(rig.add(Kind::Task, ["b", "a", "É"][n % 3], fields).await.id);
    }
    let query = RecordQuery {
        kinds: vec![Kind::Task],
        order,
        limit,
        ..RecordQuery::default()
    };
    let mut events = events.into_iter();
    let (mut seen, mut deleted) = (Vec::new(), BTreeSet::new());
    let mut after: Option<Mark> = None;
    loop {
        let part = rig
            .store()
            .walk(&rig.home, &query, after.as_ref())
            .await
            .unwrap()
            .unwrap();
        assert!(part.steps.len() <= limit as usize);
        seen.extend(part.steps.iter().map(|step| step.record.id.clone()));
        if !part.more {
            break;
        }
        after = part.steps.last().map(|step| step.mark.clone());
        if let Some(event) = events.next() {
            deleted.extend(happen(&rig, &ids, event).await);
        }
    }
    let once: BTreeSet<&String> = seen.iter().collect();
    assert_eq!(once.len(), seen.len(), "twice: {seen:?}");
    for id in &ids {
        assert!(deleted.contains(id) || once.contains(id), "{id} was missed");
    }
    let added = seen.iter().filter(|id| !ids.contains(id)).count();
    assert_eq!(added, 0, "what was added since is left to the next walk");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_old_record_comes_once(
        order in prop::sample::select(&ORDERS[..]), limit in 1_u32..6, events in prop::collection::vec(event(), 0..14)
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(walk(order, limit, events));
    }
}

/// Every id of a list of the wire, part by part, with something happening in between.
async fn over_the_wire(rig: &Rig, key: &str, path: &str, field: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut next: Option<String> = None;
    loop {
        let after = next.map_or_else(String::new, |next| format!("&after={next}"));
        let answer = rig.get(key, &format!("{path}limit=10{after}")).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        let records = answer.body[field].as_array().unwrap().clone();
        ids.extend(
            records
                .iter()
                .map(|card| card["id"].as_str().unwrap().to_owned()),
        );
        assert_eq!(answer.body["hasMore"], answer.body["next"].is_string());
        next = answer.body["next"].as_str().map(str::to_owned);
        if next.is_none() {
            return ids;
        }
        assert_eq!(answer.body["nextOffset"], ids.len());
        // One that was shown goes, one that was not yet shown changes, and one is added.
        let shown = ids[0].clone();
        let now = rig.store().now();
        edit(rig, &shown, |record| record.deleted_at = Some(now)).await;
        rig.add(Kind::Task, "Added in between", json!({})).await;
    }
}

#[tokio::test]
async fn fifty_tasks_of_the_same_instant_come_once_each() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("reader", false).await;
    let mut made = BTreeSet::new();
    for n in 0..50 {
        made.insert(
            rig.add(Kind::Task, &format!("Task {n}"), json!({}))
                .await
                .id,
        );
    }
    let ids = over_the_wire(&rig, &key, "/api/bridge/tasks?", "tasks").await;
    assert_eq!(ids.len(), 50);
    assert_eq!(ids.into_iter().collect::<BTreeSet<_>>(), made);
}

#[tokio::test]
async fn a_relation_in_parts_holds_each_record_once() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("reader", false).await;
    let project = rig.add(Kind::Project, "P", json!({})).await;
    for n in 0..25 {
        let task = rig.add(Kind::Task, &format!("Task {n}"), json!({})).await;
        rig.link(&task, relation::PROJECT, &project).await;
    }
    let path = format!(
        "/api/bridge/context?item=ensemble://project/{}&rel=contains&",
        project.id
    );
    let ids = over_the_wire(&rig, &key, &path, "records").await;
    assert_eq!(ids.len(), 25);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 25);
}

#[tokio::test]
async fn a_list_says_how_much_there_is_and_how_to_go_on() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("reader", false).await;
    for n in 0..101 {
        rig.add(Kind::Person, &format!("Person {n:03}"), json!({}))
            .await;
    }
    let list = "/api/bridge/people";
    let first = rig.get(&key, list).await.body;
    assert_eq!(first["people"].as_array().unwrap().len(), 20);
    assert_eq!(
        (&first["total"], &first["hasMore"], &first["nextOffset"]),
        (&json!(101), &json!(true), &json!(20))
    );
    assert!(
        first["notes"][1]
            .as_str()
            .unwrap()
            .starts_with("20 of 101 people")
    );
    let last = rig
        .get(&key, &format!("{list}?offset=100&limit=50"))
        .await
        .body;
    assert_eq!(last["people"][0]["name"], "Person 100");
    assert_eq!(
        (&last["hasMore"], &last["next"]),
        (&json!(false), &Value::Null)
    );
    let past = rig.get(&key, &format!("{list}?offset=500")).await.body;
    assert_eq!((&past["people"], &past["total"]), (&json!([]), &json!(101)));
    for bad in [
        "limit=0",
        "limit=51",
        "limit=1000",
        "limit=-1",
        "offset=-1",
        "after=abc",
        "limit=x",
    ] {
        let refused = rig.get(&key, &format!("{list}?{bad}")).await;
        assert_eq!(refused.status, 400, "{bad}");
        let name = bad.split('=').next().unwrap();
        assert!(refused.error().contains(name), "{bad}: {}", refused.error());
    }
    let next = first["next"].as_str().unwrap();
    let other = rig
        .get(&key, &format!("/api/bridge/repos?after={next}"))
        .await;
    assert_eq!(other.status, 400, "a cursor is of one list");
    let both = rig
        .get(&key, &format!("{list}?after={next}&offset=20"))
        .await;
    assert_eq!(both.error(), "Give `after` or `offset`, not both.");
}

#[tokio::test]
async fn a_list_of_wide_texts_is_cut_to_its_bytes_and_loses_nothing() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("reader", false).await;
    for n in 0..60 {
        let wide = "漢字かな🎉".repeat(100);
        let fields = json!({ "summary": wide, "body": wide });
        rig.add(Kind::Project, &format!("{n} {wide}"), fields).await;
    }
    let (mut seen, mut after) = (BTreeSet::new(), String::new());
    loop {
        let answer = rig
            .get(&key, &format!("/api/bridge/projects?limit=50{after}"))
            .await
            .body;
        assert!(
            answer.to_string().len() < 80_000,
            "{}",
            answer.to_string().len()
        );
        for card in answer["projects"].as_array().unwrap() {
            assert!(seen.insert(card["id"].as_str().unwrap().to_owned()));
        }
        let Some(next) = answer["next"].as_str() else {
            break;
        };
        after = format!("&after={next}");
    }
    assert_eq!(seen.len(), 60);
}

#[tokio::test]
async fn a_walk_ends_in_a_sentence_where_too_much_changed() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("reader", false).await;
    for n in 0..3 {
        rig.add(Kind::Task, &n.to_string(), json!({})).await;
    }
    let first = rig.get(&key, "/api/bridge/tasks?limit=1").await.body;
    let mut change = rig.store().change(Actor::system("test")).await.unwrap();
    for n in 0..5_001 {
        let new = ensemble_hub_server::store::NewRecord::new(
            rig.home.as_str(),
            Kind::Page,
            n.to_string(),
        );
        change.create("test.add", new).await.unwrap();
    }
    change.commit().await.unwrap();
    let next = first["next"].as_str().unwrap();
    let refused = rig
        .get(&key, &format!("/api/bridge/tasks?limit=1&after={next}"))
        .await;
    assert_eq!(refused.status, 409);
    assert!(refused.error().contains("begin it again"));
}

#[tokio::test]
async fn relations_are_counted_from_both_ends_and_each_record_once() {
    let rig = Rig::new().await;
    let a = rig.add(Kind::Page, "A", json!({})).await;
    let b = rig.add(Kind::Page, "B", json!({})).await;
    let off = rig
        .add(Kind::Skill, "Off", json!({ "enabled": false }))
        .await;
    for (from, name, to) in [
        (&a, relation::RELATED, &b),
        (&b, relation::RELATED, &a),
        (&a, relation::RELATED, &a),
        (&a, relation::SKILL, &off),
        (&a, relation::DEPENDS_ON, &b),
    ] {
        rig.link(from, name, to).await;
    }
    let store = rig.store();
    let shown = |relations: Vec<(&'static relation::Side, u64)>| -> Vec<(&str, u64)> {
        relations
            .into_iter()
            .map(|(side, count)| (side.rel, count))
            .collect()
    };
    let of_a = store.relations(&rig.home, &a.id).await.unwrap();
    assert_eq!(shown(of_a), [("depends_on", 1), ("related", 1)]);
    let of_b = store.relations(&rig.home, &b.id).await.unwrap();
    assert_eq!(shown(of_b), [("needed_by", 1), ("related", 1)]);
    let side = relation::Side::named("related").unwrap();
    let found = store
        .related(&rig.home, &a.id, side, 10, Begin::Offset(0))
        .await
        .unwrap();
    assert_eq!(
        (found.total, found.records.len(), found.more),
        (1, 1, false)
    );
}
