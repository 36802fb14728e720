//! The day, what waits for an answer, and what is not about records: gaps, spaces, documentation.

use std::path::Path;

use ensemble_hub_api::Kind;
use ensemble_hub_server::Hub;
use ensemble_hub_server::store::Record;
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::probe::Probe;
use super::rows::{Rows, ids};

pub(super) async fn today(probe: &Probe, hub: &Hub, home: &Rows, second: &Rows) {
    for rows in [home, second] {
        let day = |hub: &Hub| hub.store().now().to_string().split_at(10).0.to_owned();
        let (before, found, after) = (
            day(hub),
            probe.ask(rows, "ensemble_today", json!({})).await,
            day(hub),
        );
        let date = found["date"].as_str().unwrap();
        assert!(date == before || date == after, "{date}");
        assert_eq!(found["timezone"], "UTC");
        for (list, expected) in lists_of(rows, date.parse().unwrap()) {
            let (mut said, mut expected) = (ids(&found[list]), expected);
            assert!(
                rows.name.is_some() || !expected.is_empty() || list == "meetings",
                "nothing {list}"
            );
            said.sort();
            expected.sort();
            assert_eq!(said, expected, "{list} of {date}");
        }
        let counts = &found["needsMe"];
        assert_eq!(
            counts["pendingApprovals"],
            pending(rows, Kind::Approval).len()
        );
        assert_eq!(
            counts["pendingEditorDecisions"],
            pending(rows, Kind::Decision).len()
        );
    }
}

/// What belongs to a day, from the rows alone.
fn lists_of(rows: &Rows, day: Date) -> Vec<(&'static str, Vec<String>)> {
    let on = |text: &str| text.get(..10).unwrap().parse::<Date>().unwrap();
    let due = |record: &Record, days: i64| {
        record
            .text("due")
            .is_some_and(|due| on(due) <= day.checked_add(days.days()).unwrap())
    };
    let waits = |task: &Record| task.texts("labels").contains(&"waiting-on");
    let is = |record: &Record, of: &[&str]| of.contains(&record.status.as_deref().unwrap_or(""));
    let tasks = |keep: &dyn Fn(&Record) -> bool| {
        let tasks = rows
            .all(&[Kind::Task])
            .into_iter()
            .filter(|task| keep(task));
        tasks.map(|task| task.id.clone()).collect::<Vec<_>>()
    };
    let ready = ["todo", "in_progress", "blocked"];
    let chosen = |task: &Record| {
        task.text("todayFocus") == Some("keep")
            || task.text("priority") == Some("p0")
            || due(task, 0)
    };
    let mut deliverables = rows.all(&[Kind::Deliverable]);
    deliverables.retain(|one| due(one, 14) && !is(one, &["done", "dropped"]));
    let mut meetings = rows.all(&[Kind::Event]);
    meetings.retain(|event| {
        on(event.text("start").unwrap()) <= day && on(event.text("end").unwrap()) >= day
    });
    vec![
        (
            "focus",
            tasks(&|task| is(task, &ready) && chosen(task) && !waits(task)),
        ),
        ("proposed", tasks(&|task| is(task, &["proposed"]))),
        ("review", tasks(&|task| is(task, &["waiting_approval"]))),
        (
            "waitingOn",
            tasks(&|task| waits(task) && !is(task, &["done", "dropped"])),
        ),
        ("deliverables", super::rows::ids_of(&deliverables)),
        ("meetings", super::rows::ids_of(&meetings)),
    ]
}

fn pending(rows: &Rows, kind: Kind) -> Vec<&Record> {
    let mut all = rows.all(&[kind]);
    all.retain(|record| record.status.as_deref() == Some("pending"));
    all
}

pub(super) async fn decisions(probe: &Probe, home: &Rows, second: &Rows) {
    for rows in [home, second] {
        let found = probe.ask(rows, "ensemble_decisions", json!({})).await;
        let waiting = &found["needsMe"];
        for (list, kind) in [
            ("approvals", Kind::Approval),
            ("editorDecisions", Kind::Decision),
        ] {
            let expected = pending(rows, kind);
            assert!(
                rows.name.is_some() || !expected.is_empty(),
                "nothing in {list}"
            );
            assert_eq!(ids(&waiting[list]), super::rows::ids_of(&expected));
            for (card, row) in waiting[list].as_array().unwrap().iter().zip(&expected) {
                assert_eq!(
                    (&card["preview"], &card["trust"]),
                    (&json!(row.body), &json!("untrusted"))
                );
            }
        }
    }
}

/// What is missing is named with why, and what is said to be readable is.
pub(super) async fn gaps(probe: &Probe, home: &Rows, second: &Rows) {
    let found = probe.ask(home, "ensemble_gaps", json!({})).await;
    assert_eq!(found, probe.ask(second, "ensemble_gaps", json!({})).await);
    let gaps = found["gaps"].as_array().unwrap();
    for part in [
        "search by meaning",
        "redaction",
        "transcripts",
        "layouts",
        "reminders",
        "older skill bodies",
        "files",
        "spaces",
        "app",
    ] {
        let named = |gap: &&Value| gap.to_string().to_lowercase().contains(part);
        let gap = gaps
            .iter()
            .find(named)
            .unwrap_or_else(|| panic!("no gap names {part}"));
        assert!(
            ["missing", "excluded"].contains(&gap["status"].as_str().unwrap()),
            "{gap}"
        );
        assert!(gap["detail"].as_str().unwrap().ends_with('.'), "{gap}");
    }
}

pub(super) async fn spaces(probe: &Probe, hub: &Hub, home: &Rows) {
    let found = probe.ask(home, "ensemble_spaces", json!({})).await;
    let store = hub.store();
    let owner = store.owner().await.unwrap().unwrap();
    let rows = store.spaces_of(&owner.id).await.unwrap();
    let said = found["spaces"].as_array().unwrap();
    assert_eq!(said.len(), rows.len());
    for (space, row) in said.iter().zip(rows) {
        let own = row.id == home.space;
        let expected = json!({
            "id": row.id, "name": row.name, "access": "own", "role": "owner",
            "default": own, "current": own, "usable": true,
        });
        assert_eq!(space, &expected);
    }
}

/// A match is a heading of the published pages, with words that stand below it.
pub(super) async fn docs(probe: &Probe, home: &Rows, second: &Rows) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (query, limit) in [("make a key", 8), ("space", 3), ("saveTo", 20)] {
        let asked = json!({"query": query, "limit": limit});
        let found = probe.ask(home, "ensemble_docs", asked.clone()).await;
        assert_eq!(found, probe.ask(second, "ensemble_docs", asked).await);
        assert_eq!(found["found"], true, "{query}");
        let hits = found["results"].as_array().unwrap();
        assert!(!hits.is_empty() && hits.len() <= limit);
        for hit in hits {
            let text = |field: &str| hit[field].as_str().unwrap();
            let path = text("url")
                .strip_prefix("https://docs.ensemblework.com/")
                .unwrap();
            let slug = path.split('#').next().unwrap();
            let page = std::fs::read_to_string(folder.join(format!("{slug}.md"))).unwrap();
            assert!(page.starts_with(&format!("# {}", text("title"))), "{hit}");
            assert!(page.contains(&format!("# {}", text("heading"))), "{hit}");
            let words = text("excerpt").trim_matches('…').split_whitespace();
            let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(&words.collect::<Vec<_>>().join(" ")), "{hit}");
        }
    }
    let miss = probe
        .ask(home, "ensemble_docs", json!({"query": "zzzqqq"}))
        .await;
    assert_eq!(
        (&miss["found"], &miss["results"]),
        (&json!(false), &json!([]))
    );
}
