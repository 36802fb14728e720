//! The lists: what is in them, in which order, in parts, and what their filters leave.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::Record;
use serde_json::json;

use super::probe::Probe;
use super::rows::{Rows, ids, ids_of};
use crate::support::names;

type Expected = fn(&Rows) -> Vec<&Record>;

/// The list, and what the database has for it in its order.
const LISTS: [(&str, Expected); 9] = [
    ("tasks", |rows| {
        let mut tasks = rows.all(&[Kind::Task]);
        tasks.retain(|task| task.status.as_deref() != Some("dropped"));
        tasks
    }),
    ("projects", |rows| rows.all(&[Kind::Project])),
    ("repos", |rows| by_name(rows.all(&[Kind::Repo]))),
    ("diagrams", |rows| rows.all(&[Kind::Diagram])),
    ("plots", |rows| rows.all(&[Kind::Plot])),
    ("skills", |rows| {
        let mut skills = by_name(rows.all(&[Kind::Skill]));
        skills.retain(|skill| skill.flag("enabled") == Some(true));
        skills
    }),
    ("deliverables", |rows| {
        let mut all = rows.all(&[Kind::Deliverable]);
        all.sort_by_key(|one| one.text("due").unwrap().to_owned());
        all
    }),
    ("people", |rows| by_name(rows.all(&[Kind::Person]))),
    ("files", |rows| {
        let mut all = rows.all(&[Kind::File, Kind::Document]);
        all.sort_by_key(|file| std::cmp::Reverse((file.created_at, file.id.clone())));
        all
    }),
];

fn by_name(mut records: Vec<&Record>) -> Vec<&Record> {
    records.sort_by_key(|record| record.title.to_lowercase());
    records
}

pub(super) async fn every_list(probe: &Probe, home: &Rows, second: &Rows) {
    for (list, expected) in LISTS {
        assert!(expected(home).len() > 1, "the demo has too few {list}");
        for rows in [home, second] {
            let expected = expected(rows);
            whole(probe, rows, list, &expected).await;
            in_parts(probe, rows, list, &expected).await;
            by_words(probe, rows, list, &expected).await;
        }
    }
    task_statuses(probe, home).await;
    counts_of_projects(probe, home).await;
    one_skill(probe, home).await;
    files_on_records(probe, home).await;
}

async fn whole(probe: &Probe, rows: &Rows, list: &str, expected: &[&Record]) {
    let found = probe
        .ask(rows, &format!("ensemble_{list}"), json!({}))
        .await;
    assert_eq!(ids(&found[list]), ids_of(expected), "{list}");
    assert_eq!(found["total"], expected.len(), "{list}");
    assert_eq!(found["hasMore"], false, "{list}");
    assert_eq!(
        found.get("nextOffset").or(found.get("next")),
        None,
        "{list}"
    );
    if list != "files" {
        let cards = found[list].as_array().unwrap();
        assert!(
            cards.iter().all(|card| card["updatedAt"].is_string()),
            "{list}: full cards"
        );
    }
}

/// One at a time: with `offset`, and with `after` where the list has it, each record once and in the order of the whole.
async fn in_parts(probe: &Probe, rows: &Rows, list: &str, expected: &[&Record]) {
    let tool = format!("ensemble_{list}");
    let expected = ids_of(expected);
    for way in ["offset", "after"] {
        let (mut found, mut on) = (Vec::new(), json!({"limit": 1, "offset": 0}));
        loop {
            let part = probe.ask(rows, &tool, on).await;
            assert_eq!(
                (&part["total"], &part["limit"]),
                (&json!(expected.len()), &json!(1))
            );
            found.extend(ids(&part[list]));
            let more = found.len() < expected.len();
            assert_eq!(part["hasMore"], more, "{list}: {part}");
            if !more {
                break;
            }
            assert_eq!(part["nextOffset"], found.len(), "{list}");
            assert!(
                part["notes"].to_string().contains("call again"),
                "{list}: {part}"
            );
            on = match way {
                "offset" => json!({"limit": 1, "offset": part["nextOffset"]}),
                _ => json!({"limit": 1, "after": part["next"]}),
            };
        }
        assert_eq!(found, expected, "{list} by {way}");
    }
}

/// Words of a title, in any order and case; and words that nothing has.
async fn by_words(probe: &Probe, rows: &Rows, list: &str, expected: &[&Record]) {
    let tool = format!("ensemble_{list}");
    for wanted in expected {
        let mut words: Vec<String> = wanted
            .title
            .split_whitespace()
            .map(str::to_uppercase)
            .collect();
        words.reverse();
        let found = probe
            .ask(rows, &tool, json!({"query": words.join(" ")}))
            .await;
        let has_all = |record: &&&Record| {
            let title = record.title.to_lowercase();
            words
                .iter()
                .all(|word| title.contains(&word.to_lowercase()))
        };
        let same: Vec<String> = expected
            .iter()
            .filter(has_all)
            .map(|r| r.id.clone())
            .collect();
        assert_eq!(ids(&found[list]), same, "{list}: {words:?}");
        assert_eq!(found["total"], same.len());
    }
    let none = probe.ask(rows, &tool, json!({"query": "zzzqqq"})).await;
    assert_eq!(
        (&none[list], &none["total"]),
        (&json!([]), &json!(0)),
        "{list}"
    );
    assert!(
        none["notes"].as_array().unwrap().len() > 1,
        "{list} says nothing of a miss"
    );
}

async fn task_statuses(probe: &Probe, rows: &Rows) {
    for status in probe.values("ensemble_tasks", "status") {
        let mut tasks = rows.all(&[Kind::Task]);
        tasks.retain(|task| {
            let is = task.status.as_deref().unwrap();
            is == status || (status == "open" && !["done", "dropped"].contains(&is))
        });
        assert!(!tasks.is_empty(), "the demo has no {status} task");
        let found = probe
            .ask(rows, "ensemble_tasks", json!({"status": status}))
            .await;
        assert_eq!(ids(&found["tasks"]), ids_of(&tasks), "{status}");
        assert_eq!(found["total"], tasks.len(), "{status}");
    }
}

async fn counts_of_projects(probe: &Probe, rows: &Rows) {
    let found = probe.ask(rows, "ensemble_projects", json!({})).await;
    for card in found["projects"].as_array().unwrap() {
        let of = |kind| {
            rows.linked(card["id"].as_str().unwrap(), "contains", &[kind])
                .len()
        };
        assert_eq!(card["taskCount"], of(Kind::Task), "{card}");
        assert_eq!(card["deliverableCount"], of(Kind::Deliverable), "{card}");
    }
}

async fn one_skill(probe: &Probe, rows: &Rows) {
    for skill in rows.all(&[Kind::Skill]) {
        for id in [skill.id.clone(), super::rows::handle(skill)] {
            let asked = json!({"id": id});
            if skill.flag("enabled") == Some(true) {
                let found = probe.ask(rows, "ensemble_skills", asked).await;
                assert_eq!(found["id"], skill.id);
                assert_eq!(found["body"]["text"], skill.body);
            } else {
                let refused = probe.refused(rows, "ensemble_skills", asked).await;
                assert!(refused.contains("no skill with that id"), "{refused}");
            }
        }
    }
}

/// `on` a record of each kind that can have files, and words that stand only in a file's text.
async fn files_on_records(probe: &Probe, rows: &Rows) {
    let files = [Kind::File, Kind::Document];
    for kind in [
        Kind::Task,
        Kind::Page,
        Kind::Project,
        Kind::Person,
        Kind::Repo,
    ] {
        let linked = |record: &Record| -> Vec<String> {
            let near = rows.neighbours(&record.id);
            let mut found = rows.all(&files);
            found.retain(|file| near.contains(file.id.as_str()));
            found.sort_by_key(|file| std::cmp::Reverse((file.created_at, file.id.clone())));
            ids_of(&found)
        };
        let mut some = 0;
        for record in rows.all(&[kind]) {
            let on = json!({"on": super::rows::handle(record)});
            let found = probe.ask(rows, "ensemble_files", on).await;
            assert_eq!(ids(&found["files"]), linked(record), "on {}", record.title);
            some += found["files"].as_array().unwrap().len();
        }
        assert!(some > 0, "the demo has no file on a {kind}");
    }
    let found = probe
        .ask(rows, "ensemble_files", json!({"query": "sandbox"}))
        .await;
    assert_eq!(names(&found["files"], "name"), ["onboarding-brief.docx"]);
}
