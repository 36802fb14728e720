//! One record in full, in parts and with what its kind shows beside its text.

use ensemble_hub_api::Kind;
use ensemble_hub_server::store::Record;
use serde_json::{Value, json};

use super::probe::Probe;
use super::rows::{Rows, handle, ids};

/// The text of a record as an answer may show it: what only a machine sees is gone, and no frame of an answer is closed.
pub(super) fn shown(text: &str) -> String {
    let hidden =
        |c: &char| matches!(u32::from(*c), 0xe_0000..=0xe_007f | 0x202a..=0x202e | 0x2066..=0x2069);
    let text: String = text.chars().filter(|c| !hidden(c)).collect();
    text.replace("</untrusted>", "‹/untrusted>")
        .replace("\u{200b} ", " ")
}

/// What a person reads first of a record.
pub(super) fn main_text(record: &Record) -> String {
    let notes = record.text("notes");
    let summary = record.text("summary");
    match (record.body.is_empty(), notes) {
        (false, Some(notes)) => format!("## Notes\n\n{notes}\n\n## Transcript\n\n{}", record.body),
        (false, None) => record.body.clone(),
        (true, _) => notes.or(summary).unwrap_or("").to_owned(),
    }
}

pub(super) async fn read(probe: &Probe, home: &Rows, second: &Rows) {
    for rows in [home, second] {
        for name in probe.values("ensemble_read", "kind") {
            let kind = Kind::parse(if name == "meeting_note" {
                "meeting"
            } else {
                &name
            })
            .unwrap();
            for record in rows.all(&[kind]) {
                one(probe, rows, &name, record).await;
            }
        }
    }
    hidden_text(probe, home).await;
    drawings(probe, home).await;
    let foreign = &second.all(&[Kind::Task])[0];
    let refused = probe
        .refused(home, "ensemble_read", json!({"id": handle(foreign)}))
        .await;
    assert!(refused.contains("no task with that id"), "{refused}");
}

async fn one(probe: &Probe, rows: &Rows, kind: &str, record: &Record) {
    let found = probe
        .ask(
            rows,
            "ensemble_read",
            json!({"kind": kind, "id": record.id}),
        )
        .await;
    let by_handle = probe
        .ask(rows, "ensemble_read", json!({"id": handle(record)}))
        .await;
    let by_link = probe
        .ask(rows, "ensemble_read", json!({"id": found["url"]}))
        .await;
    let by_ref = probe
        .ask(rows, "ensemble_read", json!({"ref": handle(record)}))
        .await;
    assert_eq!((&found, &found, &found), (&by_handle, &by_link, &by_ref));
    let text = shown(&main_text(record));
    assert_eq!(found["body"]["text"], text, "{kind} {}", record.title);
    assert_eq!(found["body"]["totalCharacters"], text.chars().count());
    beside(rows, record, &found);
    // in parts that do not fit anything
    let (mut parts, mut at) = (String::new(), json!(0));
    while !at.is_null() {
        let asked = json!({"id": handle(record), "offset": at, "limit": 97});
        let part = probe.ask(rows, "ensemble_read", asked).await;
        let body = &part["body"];
        assert!(body["text"].as_str().unwrap().chars().count() <= 97);
        assert_eq!(body["truncated"], body["nextOffset"].is_number(), "{body}");
        parts.push_str(body["text"].as_str().unwrap());
        at = body["nextOffset"].clone();
    }
    assert_eq!(parts, text, "{kind} {}", record.title);
}

/// What stands beside the text: the field, the relations that it shows, and the kinds at their other end.
type Beside = (&'static str, &'static [&'static str], &'static [Kind]);

pub(super) const FILES: &[Kind] = &[Kind::File, Kind::Document];
const OF_TASK: &[Beside] = &[
    ("meeting", &["from_meeting"], &[Kind::Meeting]),
    ("dependsOn", &["depends_on"], &[Kind::Task]),
    ("neededBy", &["needed_by"], &[Kind::Task]),
    ("deliverable", &["deliverable"], &[Kind::Deliverable]),
    (
        "people",
        &["owner", "assignee", "requested_by"],
        &[Kind::Person],
    ),
    ("files", &["attached"], FILES),
];
const OF_PROJECT: &[Beside] = &[
    ("people", &["owner", "member"], &[Kind::Person]),
    ("repos", &["repo"], &[Kind::Repo]),
    ("tasks", &["contains"], &[Kind::Task]),
    ("deliverables", &["contains"], &[Kind::Deliverable]),
];
const OF_REPO: &[Beside] = &[
    ("projects", &["repo_of"], &[Kind::Project]),
    ("tasks", &["repo_of"], &[Kind::Task]),
];
const OF_PERSON: &[Beside] = &[
    ("asked", &["asked_for"], &[Kind::Task]),
    ("owns", &["owns", "works_on"], &[Kind::Task]),
    ("projects", &["owns", "member_of"], &[Kind::Project]),
];
const OF_MEETING: &[Beside] = &[
    ("participants", &["participant"], &[Kind::Person]),
    ("tasks", &["led_to"], &[Kind::Task]),
];
const OF_DELIVERABLE: &[Beside] = &[
    ("people", &["owner"], &[Kind::Person]),
    ("tasks", &["delivered_by"], &[Kind::Task]),
];

#[track_caller]
fn beside(rows: &Rows, record: &Record, found: &Value) {
    let lists = match record.kind {
        Kind::Task => OF_TASK,
        Kind::Project => OF_PROJECT,
        Kind::Repo => OF_REPO,
        Kind::Person => OF_PERSON,
        Kind::Meeting => OF_MEETING,
        Kind::Deliverable => OF_DELIVERABLE,
        _ => &[],
    };
    for (field, relations, kinds) in lists {
        // a record that is linked twice is named with each relation
        let ends = relations
            .iter()
            .map(|rel| rows.linked(&record.id, rel, kinds));
        let mut expected: Vec<String> = ends.flatten().collect();
        let mut said = found.get(*field).map(ids).unwrap_or_default();
        let not_shown = found["notShown"][*field].as_u64().unwrap_or(0);
        assert_eq!(
            said.len() as u64 + not_shown,
            expected.len() as u64,
            "{field}: {found}"
        );
        if not_shown == 0 {
            expected.sort();
            said.sort();
            assert_eq!(said, expected, "{field}: {}", record.title);
        }
    }
}

/// What a person does not see of a mail is not in any answer about it, and the mail is nobody's instruction.
async fn hidden_text(probe: &Probe, rows: &Rows) {
    let mail = rows.one(Kind::Artifact, "Five seconds: what happens then?");
    for hidden in ['\u{202e}', '\u{200b}', '\u{e0061}'] {
        assert!(
            mail.body.contains(hidden),
            "the demo's mail has no {hidden:?}"
        );
    }
    let read = probe
        .ask(rows, "ensemble_read", json!({"id": handle(mail)}))
        .await;
    let found = probe
        .ask(
            rows,
            "ensemble_search",
            json!({"query": "report job needs eight"}),
        )
        .await;
    assert_eq!(found["results"][0]["id"], mail.id, "{found}");
    let around = probe.ask(rows, "ensemble_context", json!({"item": handle(rows.one(Kind::Task, "Answer the partner's questions about limits"))})).await;
    for answer in [read, found, around] {
        let answer = answer.to_string();
        assert!(
            answer.contains(&mail.id) && answer.contains("\"untrusted\""),
            "{answer}"
        );
        let seen =
            |c: char| !matches!(u32::from(c), 0xe_0000..=0xe_007f | 0x202a..=0x202e | 0x200b);
        assert!(answer.chars().all(seen), "{answer}");
    }
}

/// A page gives the source of the diagrams in it.
async fn drawings(probe: &Probe, rows: &Rows) {
    let page = rows.one(Kind::Page, "How a request waits, in pictures");
    let read = probe
        .ask(rows, "ensemble_read", json!({"id": handle(page)}))
        .await;
    let mut diagrams = rows.all(&[Kind::Diagram]);
    diagrams.retain(|diagram| page.body.contains(&handle(diagram)));
    assert_eq!(diagrams.len(), 2, "{}", page.body);
    assert_eq!(read["diagrams"].as_array().unwrap().len(), 2, "{read}");
    for drawn in read["diagrams"].as_array().unwrap() {
        let diagram = rows.get(drawn["id"].as_str().unwrap()).unwrap();
        assert_eq!(drawn["source"]["text"], diagram.body);
        assert_eq!(drawn["source"]["truncated"], false);
    }
    let later = probe
        .ask(
            rows,
            "ensemble_read",
            json!({"id": handle(page), "offset": 10}),
        )
        .await;
    assert_eq!(later.get("diagrams"), None, "with the first part only");
}
