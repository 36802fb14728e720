//! Two agents at one record: who changes it from an older state, or puts a whole text in the place of one that they do not say to have read,
//! is refused with the version that there is, and nothing of the other's is lost.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::UndoError;
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::support::Answer;

/// Who reads the same as [`Bench::key`] and comes second.
async fn second(bench: &Bench) -> String {
    bench.rig.key("Cursor", true).await.0
}

/// A refusal that names the version, with nothing changed.
async fn stale(bench: &Bench, key: &str, action: &str, input: &Value, version: i64) {
    let before = bench.picture().await;
    let refused: Answer = bench.act_with(key, action, input).await;
    assert_eq!(refused.status, 409, "{action}: {:?}", refused.body);
    let names = format!("at version {version}");
    assert!(refused.error().contains(&names), "{}", refused.error());
    assert_eq!(bench.picture().await, before, "{action}");
}

/// Every action that replaces a whole text: the record, the property that names it, that of the text, and what such a text is.
fn texts() -> [(Kind, &'static str, &'static str, &'static str, &'static str); 7] {
    [
        (Kind::Page, "hub_update_page", "page", "content", "Text"),
        (Kind::Task, "hub_update_task", "task", "page", "Text"),
        (
            Kind::Meeting,
            "hub_update_meeting_note",
            "meeting",
            "notes",
            "Text",
        ),
        (
            Kind::Project,
            "hub_update_project",
            "project",
            "notes",
            "Text",
        ),
        (
            Kind::Deliverable,
            "hub_update_deliverable",
            "deliverable",
            "notes",
            "Text",
        ),
        (Kind::Skill, "hub_manage_skill", "skill", "body", "Text"),
        (
            Kind::Diagram,
            "hub_update_diagram",
            "diagram",
            "source",
            "flowchart LR\n a --> b",
        ),
    ]
}

#[tokio::test]
async fn the_second_to_replace_a_text_is_refused_and_the_first_ones_stays() {
    let bench = Bench::new().await;
    let other = second(&bench).await;
    for (kind, action, name, field, text) in texts() {
        let before = format!("{text}0");
        let record = json!({ "body": before, "notes": before, "enabled": true });
        let id = bench.rig.add(kind, "Shared", record).await.id;
        let with = |text: String, version: Option<i64>| {
            let mut input = json!({ name: id, field: text });
            if let Some(version) = version {
                input["version"] = version.into();
            }
            if kind == Kind::Skill {
                input["operation"] = "update".into();
            }
            input
        };
        let first = bench.act(action, &with(format!("{text}1"), Some(1))).await;
        assert_eq!(first.status, 200, "{action}: {:?}", first.body);
        let late = format!("{text}2");
        for version in [Some(1), None] {
            stale(&bench, &other, action, &with(late.clone(), version), 2).await;
        }
        // the same text again replaces nothing, and who read the first one's may go on from it
        let same = with(format!("{text}1"), None);
        let same = bench.act_with(&other, action, &same).await;
        assert_eq!(same.body["undoable"], false, "{action}: {:?}", same.body);
        let next = bench.act_with(&other, action, &with(late, Some(2))).await;
        assert_eq!(next.status, 200, "{action}: {:?}", next.body);
        let ledger = bench.rig.store().ledger_of(&bench.rig.home, &id).await;
        let ledger = ledger.unwrap();
        let by: Vec<&str> = ledger.iter().map(|row| row.actor_name.as_str()).collect();
        assert_eq!(by[by.len() - 2..], ["Zed", "Cursor"], "{action}");
    }
}

#[tokio::test]
async fn the_people_of_a_record_count_as_part_of_it() {
    let bench = Bench::new().await;
    let other = second(&bench).await;
    let ana = bench.rig.furnish().await.ana.id;
    let sam = bench.rig.add(Kind::Person, "Sam", json!({})).await.id;
    for (kind, action, name, field) in [
        (Kind::Task, "hub_update_task", "task", "people"),
        (Kind::Project, "hub_update_project", "project", "people"),
        (
            Kind::Meeting,
            "hub_update_meeting_note",
            "meeting",
            "participants",
        ),
    ] {
        let id = bench.rig.add(kind, "Shared", json!({})).await.id;
        let with = |people: &[&String], version: i64| json!({ name: id, field: people, "version": version });
        let first = bench.act(action, &with(&[&ana], 1)).await;
        assert_eq!(Bench::ok(&first)["version"], 2, "{action}");
        stale(&bench, &other, action, &with(&[&sam], 1), 2).await;
        let same = bench.act_with(&other, action, &with(&[&ana], 2)).await;
        assert_eq!(same.body["undoable"], false, "{action}: {:?}", same.body);
        let next = bench.act_with(&other, action, &with(&[&sam], 2)).await;
        assert_eq!(Bench::ok(&next)["version"], 3, "{action}");
        // undoing the first would take away what the second one set
        let before = bench.picture().await;
        let change = first.body["changeId"].as_str().unwrap();
        let person = ensemble_hub_server::store::Actor::person("You");
        let undone = bench
            .rig
            .store()
            .undo(&bench.rig.home, change, person)
            .await;
        assert!(
            matches!(undone, Err(UndoError::Changed { .. })),
            "{undone:?}"
        );
        assert_eq!(bench.picture().await, before, "{action}");
        bench.undo(next.body["changeId"].as_str().unwrap()).await;
    }
}
