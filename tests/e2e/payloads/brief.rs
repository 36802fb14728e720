//! The brief: by task, by branch, where two tasks are on one branch, with words, and in the other space.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::Record;
use serde_json::{Value, json};

use super::linked::whole_story;
use super::probe::Probe;
use super::reads::{FILES, main_text, shown};
use super::rows::{Rows, handle, ids, trust_of};
use crate::support::names;

pub(super) async fn brief(probe: &Probe, home: &Rows, second: &Rows) {
    let task = home.one(Kind::Task, "Document the default timeout");
    let place = json!({"repo": "encode/httpx", "branch": task.text("branch")});
    for asked in [
        place.clone(),
        json!({"task": handle(task)}),
        json!({"task": task.title}),
    ] {
        let brief = probe.ask(home, "ensemble_brief", asked).await;
        assert_eq!(brief["resolution"], "task");
        assert_eq!(brief["resolved"]["task"]["id"], task.id);
        assert_eq!(brief["contextRef"], handle(task));
        let packet = brief["workContext"].as_str().unwrap();
        assert!(packet.chars().count() <= 7_000);
        whole_story(home, task, packet);
        for (field, rel, kinds) in [
            ("deliverables", "deliverable", &[Kind::Deliverable][..]),
            ("files", "attached", FILES),
        ] {
            let mut said = ids(&brief[field]);
            said.sort();
            assert_eq!(
                said,
                Vec::from_iter(home.linked(&task.id, rel, kinds)),
                "{field}"
            );
        }
        let people = ids(&brief["resolved"]["people"]);
        for rel in ["requested_by", "owner"] {
            let ends = home.linked(&task.id, rel, &[Kind::Person]);
            assert!(
                ends.iter().all(|id| people.contains(id)),
                "{rel}: {people:?}"
            );
        }
        skills_and_excerpts(home, task, &brief);
    }
    let two = probe
        .ask(
            home,
            "ensemble_brief",
            json!({"repo": "encode/httpx", "branch": "retry-helper"}),
        )
        .await;
    let mut on_branch = home.all(&[Kind::Task]);
    on_branch.retain(|task| task.text("branch") == Some("retry-helper"));
    assert!(on_branch.len() == 2, "the demo has no pair on one branch");
    let mut said = ids(&two["candidates"]);
    said.sort();
    let mut expected: Vec<String> = on_branch.iter().map(|task| task.id.clone()).collect();
    expected.sort();
    assert_eq!((&two["resolution"], said), (&json!("ambiguous"), expected));
    let mut words = place;
    words["query"] = json!("latency");
    words["limit"] = json!(2);
    let brief = probe.ask(home, "ensemble_brief", words).await;
    let hits = ids(&brief["search"]["results"]);
    assert!(
        !hits.is_empty() && hits.len() <= 2 && ids(&brief["context"]).len() <= 2,
        "{brief}"
    );
    let other = second.one(Kind::Task, "Timeout for the pump");
    let place = json!({"repo": "robin/watering", "branch": other.text("branch")});
    let brief = probe.ask(second, "ensemble_brief", place).await;
    assert_eq!(brief["resolved"]["task"]["id"], other.id);
}

#[track_caller]
fn skills_and_excerpts(rows: &Rows, task: &Record, brief: &Value) {
    let linked = rows.linked(&task.id, "skill", &[Kind::Skill]);
    let skill = &brief["howIWork"][0];
    let row = rows.one(Kind::Skill, skill["skill"].as_str().unwrap());
    assert!(linked.contains(&row.id), "{skill}");
    assert_eq!(
        (&skill["body"], &skill["trust"]),
        (&json!(row.body), &json!("trusted"))
    );
    let cited = brief["context"].as_array().unwrap();
    assert!(
        names(&brief["context"], "why").contains(&"linked to the task"),
        "{brief}"
    );
    for piece in cited {
        let row = rows.get(piece["id"].as_str().unwrap()).unwrap();
        assert_eq!(piece["trust"], json!(trust_of(row)));
        // a piece of the record's own text, whatever was cut at its ends
        let text = piece["excerpt"].as_str().unwrap().trim_matches('…').trim();
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let whole = [
            shown(&main_text(row)),
            shown(row.text("notes").unwrap_or_default()),
        ]
        .concat();
        assert!(flat(&whole).contains(&flat(text)), "{text}\n\n{whole}");
    }
}
