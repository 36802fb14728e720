//! What a record links to, from both ends, and the packet: the graph as the rows of the links have it.

use std::collections::{BTreeMap, BTreeSet};

use ensemble_hub_api::Kind;
use ensemble_hub_api::relation::{SIDES, Side};
use ensemble_hub_server::store::Record;
use serde_json::{Value, json};

use super::probe::Probe;
use super::rows::{Rows, handle, ids};
use crate::support::names;

pub(super) async fn context(probe: &Probe, home: &Rows, second: &Rows) {
    for rows in [home, second] {
        for kind in probe.values("ensemble_context", "kind") {
            let kind = Kind::parse(&kind).unwrap();
            assert!(
                rows.name.is_some() || !rows.all(&[kind]).is_empty(),
                "no {kind} in the demo"
            );
            for record in rows.all(&[kind]) {
                beginning(probe, rows, record).await;
            }
        }
    }
    for rel in probe.values("ensemble_context", "rel") {
        one_relation(probe, home, Side::named(&rel).unwrap()).await;
    }
    packets(probe, home).await;
    // what another space has is not there
    let foreign = &second.all(&[Kind::Task])[0];
    let refused = probe
        .refused(home, "ensemble_context", json!({"item": handle(foreign)}))
        .await;
    assert!(refused.contains("no task with that id"), "{refused}");
}

/// Every relation that the database has of a record, with its count and at most six of its records.
async fn beginning(probe: &Probe, rows: &Rows, record: &Record) {
    let by_id = json!({"item": record.id, "kind": record.kind.as_str(), "format": "json"});
    let found = probe.ask(rows, "ensemble_context", by_id).await;
    let by_handle = probe
        .ask(rows, "ensemble_context", json!({"item": handle(record)}))
        .await;
    assert_eq!(found, by_handle);
    assert_eq!(found["item"]["id"], record.id);
    let expected: BTreeMap<&str, BTreeSet<String>> = SIDES
        .iter()
        .map(|side| (side.rel, rows.ends(&record.id, side)))
        .filter(|(_, ends)| !ends.is_empty())
        .collect();
    let relations = found["relations"].as_array().unwrap();
    let said: BTreeSet<&str> = names(&found["relations"], "rel").into_iter().collect();
    assert_eq!(said, expected.keys().copied().collect(), "{}", record.title);
    for relation in relations {
        let all = &expected[relation["rel"].as_str().unwrap()];
        let shown: BTreeSet<String> = ids(&relation["records"]).into_iter().collect();
        assert_eq!(relation["total"], all.len(), "{relation}");
        assert_eq!(shown.len(), all.len().min(6), "{relation}");
        assert!(shown.is_subset(all), "{relation}");
        assert_eq!(relation["hasMore"], all.len() > 6, "{relation}");
        assert_eq!(
            relation.get("nextOffset"),
            (all.len() > 6).then_some(&json!(6))
        );
    }
}

/// One relation in full, of the record that has the most of it.
async fn one_relation(probe: &Probe, rows: &Rows, side: &Side) {
    // `kind` names some, a handle any
    let most = rows
        .every()
        .into_iter()
        .max_by_key(|record| rows.ends(&record.id, side).len())
        .unwrap();
    let expected = rows.ends(&most.id, side);
    assert!(!expected.is_empty(), "nothing in the demo {}", side.says);
    let asked = |more: Value| {
        let mut asked = json!({"item": handle(most), "rel": side.rel, "limit": 50});
        asked
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        asked
    };
    let whole = probe.ask(rows, "ensemble_context", asked(json!({}))).await;
    let order = ids(&whole["records"]);
    assert_eq!(order.len(), expected.len(), "{}: each once", side.rel);
    assert_eq!(
        order.iter().cloned().collect::<BTreeSet<_>>(),
        expected,
        "{}",
        side.rel
    );
    assert_eq!(
        (&whole["total"], &whole["hasMore"]),
        (&json!(expected.len()), &json!(false))
    );
    for way in ["offset", "after"] {
        let (mut parts, mut on) = (Vec::new(), json!({"limit": 1}));
        while parts.len() < order.len() {
            let part = probe.ask(rows, "ensemble_context", asked(on)).await;
            parts.extend(ids(&part["records"]));
            assert_eq!(
                part["hasMore"],
                parts.len() < order.len(),
                "{}: {part}",
                side.rel
            );
            on = match way {
                "offset" => json!({"limit": 1, "offset": part["nextOffset"]}),
                _ => json!({"limit": 1, "after": part["next"]}),
            };
        }
        assert_eq!(parts, order, "{} by {way}", side.rel);
    }
}

/// The packet of every record that has one: what is linked stands in it with its handle, and the words asked with who asked.
async fn packets(probe: &Probe, rows: &Rows) {
    for kind in probe.values("ensemble_context", "kind") {
        for record in rows.all(&[Kind::parse(&kind).unwrap()]) {
            let asked = json!({"item": handle(record), "format": "packet"});
            let found = probe.ask(rows, "ensemble_context", asked).await;
            let packet = found["packet"].as_str().unwrap();
            assert!(packet.chars().count() <= 8_000);
            assert!(
                packet.contains(&record.title) && packet.contains(&handle(record)),
                "{packet}"
            );
            for side in &SIDES {
                // of a task, what follows from others' links is not a part of its own story
                let own = [
                    "from_meeting",
                    "requested_by",
                    "project",
                    "owner",
                    "assignee",
                    "depends_on",
                ];
                let told = kind != "task" || own.contains(&side.rel) || side.rel == "needed_by";
                if !told {
                    continue;
                }
                let ends = rows.ends(&record.id, side);
                let named = |id: &&String| packet.contains(&handle(rows.get(id).unwrap()));
                let named = ends.iter().filter(named).count();
                // as many as a relation shows, and then it says how many more there are
                let shown = ends.len().min(12);
                assert!(
                    named >= shown,
                    "{named} of {}: {}: {packet}",
                    ends.len(),
                    side.rel
                );
                let more = format!("{} of {} under", ends.len() - shown, ends.len());
                assert!(shown == ends.len() || packet.contains(&more), "{packet}");
            }
        }
    }
    let task = rows.one(Kind::Task, "Document the default timeout");
    let found = probe
        .ask(
            rows,
            "ensemble_context",
            json!({"item": handle(task), "format": "packet"}),
        )
        .await;
    whole_story(rows, task, found["packet"].as_str().unwrap());
}

/// Every part that a packet can have, from the rows.
#[track_caller]
pub(super) fn whole_story(rows: &Rows, task: &Record, packet: &str) {
    let ends = |rel: &str| -> Vec<&Record> {
        let ends = rows.ends(&task.id, Side::named(rel).unwrap());
        ends.iter().map(|id| rows.get(id).unwrap()).collect()
    };
    let asked = task.text("asked").unwrap();
    assert!(
        packet.contains(&format!("> {asked}")),
        "the words asked: {packet}"
    );
    for rel in [
        "from_meeting",
        "requested_by",
        "project",
        "owner",
        "depends_on",
        "deliverable",
        "attached",
    ] {
        assert!(
            !ends(rel).is_empty(),
            "the demo's task has nothing that it {rel}"
        );
        for end in ends(rel) {
            let line = packet.lines().find(|line| line.contains(&handle(end)));
            let line = line.unwrap_or_else(|| panic!("{rel}: {}: {packet}", end.title));
            assert!(line.contains(&end.title), "{line}");
            if let Some(relationship) = end.text("relationship") {
                assert!(line.contains(relationship), "{line}");
            }
        }
    }
    let project = &ends("project")[0].id;
    for (heading, statuses) in [
        ("## Done before", &["done"][..]),
        (
            "## Related open work",
            &[
                "proposed",
                "todo",
                "in_progress",
                "blocked",
                "waiting_approval",
            ][..],
        ),
    ] {
        let (_, part) = packet
            .split_once(heading)
            .unwrap_or_else(|| panic!("no {heading}: {packet}"));
        let part = part.split("\n## ").next().unwrap();
        let of_project = rows.linked(project, "contains", &[Kind::Task]);
        let told: Vec<&Record> = part
            .lines()
            .filter_map(|line| rows.get(line.rsplit('/').next()?))
            .collect();
        assert!(!told.is_empty(), "{part}");
        for task in told {
            assert!(of_project.contains(&task.id), "{}", task.title);
            assert!(
                statuses.contains(&task.status.as_deref().unwrap()),
                "{}",
                task.title
            );
        }
    }
}
