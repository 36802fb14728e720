//! The lists over the demo, meetings, names that look like syntax, and pages with their diagrams.

use ensemble_hub_api::{Handle, Kind, relation};
use ensemble_hub_server::brief::{self, brief};
use ensemble_hub_server::lists::{self, Part, Shelf, list};
use ensemble_hub_server::meetings::{self, meetings};
use ensemble_hub_server::read::{self, read};
use ensemble_hub_server::search::{self, find};
use ensemble_hub_server::store::{NewRecord, RecordQuery};
use ensemble_hub_server::view::{Card, Reader};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::support::Demo;

const SHELVES: [&Shelf; 7] = [
    &lists::PROJECTS,
    &lists::REPOS,
    &lists::SKILLS,
    &lists::PEOPLE,
    &lists::DELIVERABLES,
    &lists::DIAGRAMS,
    &lists::PLOTS,
];

const WHOLE: Part = Part {
    limit: 50,
    offset: 0,
    after: None,
};

fn names(card: &Card, field: &str) -> Vec<String> {
    let cards = card[field].as_array().unwrap();
    let name = |card: &Value| {
        let fields = ["title", "name", "fullName"];
        fields
            .iter()
            .find_map(|field| card[*field].as_str())
            .unwrap()
            .to_owned()
    };
    cards.iter().map(name).collect()
}

async fn calendar(reader: &Reader<'_>, from: Option<&str>, to: Option<&str>) -> Card {
    let asked = meetings::Asked {
        from: from.map(str::to_owned),
        to: to.map(str::to_owned),
        words: None,
        part: WHOLE,
    };
    meetings(reader, &TimeZone::UTC, &asked).await.unwrap()
}

#[tokio::test]
async fn every_list_has_all_records_of_its_kind_and_none_of_another_space() {
    let demo = Demo::new().await;
    for shelf in SHELVES {
        let query = RecordQuery {
            kinds: vec![shelf.kind],
            ..RecordQuery::default()
        };
        let mut all = demo
            .store
            .records(&demo.home.id, &query)
            .await
            .unwrap()
            .items;
        all.retain(|record| record.flag("enabled") != Some(false));
        let answer = list(&demo.reader(), shelf, None, &WHOLE).await.unwrap();
        let cards = answer[shelf.plural].as_array().unwrap();
        assert!(!cards.is_empty(), "{} has nothing to say", shelf.plural);
        assert_eq!(
            (answer["total"].as_u64(), cards.len()),
            (Some(all.len() as u64), all.len())
        );
        for card in cards {
            assert_eq!(card["kind"], shelf.kind.as_str());
            for field in ["ref", "url", "trust", "trustLabel"] {
                assert!(card[field].is_string(), "{field}");
            }
        }
        // Nothing of the second space: no title, no count, whatever is looked for.
        let others = demo
            .store
            .records(&demo.second.id, &query)
            .await
            .unwrap()
            .items;
        for other in others {
            let text = serde_json::to_string(&answer).unwrap();
            assert!(!text.contains(&other.id) && !text.contains(&other.title));
            let found = list(&demo.reader(), shelf, Some(&other.title), &WHOLE)
                .await
                .unwrap();
            let nothing = list(&demo.reader(), shelf, Some("zzz"), &WHOLE)
                .await
                .unwrap();
            assert_eq!(found, nothing);
        }
    }
}

#[tokio::test]
async fn a_project_counts_what_belongs_to_it() {
    let demo = Demo::new().await;
    let answer = list(&demo.reader(), &lists::PROJECTS, None, &WHOLE)
        .await
        .unwrap();
    for card in answer["projects"].as_array().unwrap() {
        let query = RecordQuery {
            kinds: vec![Kind::Task],
            linked_to: Some((
                relation::PROJECT.to_owned(),
                card["id"].as_str().unwrap().to_owned(),
            )),
            ..RecordQuery::default()
        };
        let tasks = demo
            .store
            .records(&demo.home.id, &query)
            .await
            .unwrap()
            .total;
        assert!(tasks > 0);
        assert_eq!(card["taskCount"], tasks);
        assert_eq!(card["deliverableCount"], 1);
    }
}

#[tokio::test]
async fn meetings_are_the_events_of_the_window_by_their_start() {
    let demo = Demo::new().await;
    let reader = demo.reader();
    let answer = calendar(&reader, None, None).await;
    assert_eq!(answer["window"]["from"], "2026-03-02T13:30:00.000Z");
    assert_eq!(answer["window"]["to"], "2026-03-16T13:30:00.000Z");
    assert_eq!(
        names(&answer, "meetings"),
        [
            "Client libraries stand-up",
            "Client reliability weekly",
            "Partner onboarding call",
            "Release rehearsal",
            "Quarterly planning"
        ]
    );
    let weekly = &answer["meetings"][1];
    assert_eq!(weekly["previous"]["title"], "Client reliability weekly");
    assert_eq!(weekly["previous"]["kind"], "meeting");
    assert_eq!(
        weekly["participants"],
        json!(["Dev Okafor", "Mara Lindqvist", "Robin Vale", "Sofía Núñez"])
    );
    assert!(answer["meetings"][0].get("previous").is_none());
    // One that has begun is still upcoming; one that is over is not.
    let during = calendar(&reader, Some("2026-03-03T10:30:00Z"), Some("2026-03-03")).await;
    assert_eq!(names(&during, "meetings"), ["Client reliability weekly"]);
    let over = calendar(&reader, Some("2026-03-03T11:00:00Z"), Some("2026-03-03")).await;
    assert_eq!(
        (names(&over, "meetings").len(), &over["total"]),
        (0, &json!(0))
    );
}

#[tokio::test]
async fn an_event_that_came_in_twice_is_one_row_and_has_the_latest_of_its_series_before_it() {
    let demo = Demo::new().await;
    let event = |uid: &str, start: &str| {
        let mut new = NewRecord::new(demo.home.id.as_str(), Kind::Event, "Series");
        new.fields.insert("uid".into(), uid.into());
        new.fields.insert("start".into(), start.into());
        new.fields.insert("end".into(), start.into());
        new
    };
    let first = demo.add(event("s", "2027-01-04T09:00:00.000Z")).await;
    let second = demo.add(event("s", "2027-01-11T09:00:00.000Z")).await;
    let third = demo.add(event("s", "2027-01-18T09:00:00.000Z")).await;
    let copy = demo.add(event("s", "2027-01-18T09:00:00.000Z")).await;
    let mut change = demo.change().await;
    // Some calendars link each event to the one before, some all to the first.
    for (from, to) in [(&second, &first), (&third, &first), (&copy, &first)] {
        let link = (from.id.as_str(), relation::SERIES, to.id.as_str());
        change.link("test.link", &demo.home.id, link).await.unwrap();
    }
    change.commit().await.unwrap();
    let answer = calendar(&demo.reader(), Some("2027-01-01"), Some("2027-02-01")).await;
    let rows = answer["meetings"].as_array().unwrap();
    assert_eq!((rows.len(), &answer["total"]), (3, &json!(3)));
    assert!(rows[0].get("previous").is_none());
    assert_eq!(rows[1]["previous"]["id"], first.id);
    assert_eq!(rows[2]["previous"]["id"], second.id);
}

#[tokio::test]
async fn an_event_of_whole_days_is_on_for_the_whole_of_each_of_them() {
    let demo = Demo::new().await;
    let mut new = NewRecord::new(demo.home.id.as_str(), Kind::Event, "Conference");
    new.fields.insert("start".into(), "2027-03-02".into());
    new.fields.insert("end".into(), "2027-03-04".into());
    demo.add(new).await;
    for (from, to, on) in [
        ("2027-03-01", "2027-03-01", false),
        ("2027-03-02", "2027-03-02", true),
        ("2027-03-02T18:00:00Z", "2027-03-02T19:00:00Z", true),
        ("2027-03-04T23:00:00Z", "2027-03-04", true),
        ("2027-03-05", "2027-03-05", false),
    ] {
        let answer = calendar(&demo.reader(), Some(from), Some(to)).await;
        assert_eq!(answer["total"], u64::from(on), "{from} {to}");
    }
}

/// Titles that look like syntax of one kind or another.
const ODD: [&str; 14] = [
    "A | B",
    "x]",
    "[y]",
    "C++",
    "a + b",
    "not -x",
    "#hash",
    "\"q\"",
    "type:X",
    "[[ [[ ]]",
    "50% of NEAR(a b)",
    "don't",
    "ensemble://task",
    "/tasks/1 2",
];

#[tokio::test]
async fn a_title_is_a_title_whatever_it_looks_like() {
    let demo = Demo::new().await;
    let mut odd = Vec::new();
    for title in ODD {
        odd.push(demo.add(demo.new_record(Kind::Task, title, "")).await);
    }
    for (task, title) in odd.iter().zip(ODD) {
        for asked in [title.to_owned(), format!("  {title} ")] {
            let place = brief::Asked {
                task: Some(asked),
                limit: 1,
                ..brief::Asked::default()
            };
            let found = brief(&demo.reader(), &place).await.unwrap();
            assert_eq!(found.resolved.task.unwrap()["id"], task.id, "{title}");
        }
        let look = search::Asked {
            query: title.to_owned(),
            hits: 5,
            ..search::Asked::default()
        };
        let found = find(&demo.reader(), &look).await.unwrap();
        assert!(found.results.iter().any(|hit| hit.id == task.id), "{title}");
    }
    // Of two with the same name none is chosen: both are named.
    let twin = demo.add(demo.new_record(Kind::Task, "a | b", "")).await;
    demo.add(demo.new_record(Kind::Task, "a | b", "")).await;
    let place = brief::Asked {
        task: Some("a | b".into()),
        limit: 1,
        ..brief::Asked::default()
    };
    let found = brief(&demo.reader(), &place).await.unwrap();
    assert!(found.resolved.task.is_none());
    assert_eq!(found.candidates.len(), 2);
    assert!(found.candidates.iter().any(|card| card["id"] == twin.id));
}

#[tokio::test]
async fn pages_come_whole_and_bring_the_source_of_their_diagrams() {
    let demo = Demo::new().await;
    let diagram = demo.record(Kind::Diagram, "Where a request can wait").await;
    let foreign = NewRecord {
        body: "flowchart secret".to_owned(),
        ..NewRecord::new(demo.second.id.as_str(), Kind::Diagram, "Secret diagram")
    };
    let foreign = demo.add(foreign).await;
    let text = format!(
        "{}\n![a](ensemble://diagram/{}) ![b](ensemble://diagram/{})",
        "漢".repeat(14_000),
        diagram.id,
        foreign.id
    );
    let page = demo.add(demo.new_record(Kind::Page, "Long", &text)).await;
    let asked = |limit| read::Asked {
        id: Handle::new(Kind::Page, page.id.as_str()).to_string(),
        limit,
        ..read::Asked::default()
    };
    let card = read(&demo.reader(), &asked(0)).await.unwrap();
    assert_eq!(card["body"]["truncated"], false);
    let diagrams = card["diagrams"].as_array().unwrap();
    assert_eq!(diagrams.len(), 1);
    assert_eq!(diagrams[0]["source"]["text"], diagram.body);
    assert!(!serde_json::to_string(&diagrams).unwrap().contains("secret"));
    assert!(card.get("diagramsNotShown").is_none());
    let refused = read(&demo.reader(), &asked(15_001)).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`limit` has to be a whole number from 1 to 15000 for a page."
    );

    let long = demo
        .add(demo.new_record(Kind::Page, "Longer", &"é".repeat(15_001)))
        .await;
    let asked = read::Asked {
        id: Handle::new(Kind::Page, long.id.as_str()).to_string(),
        ..read::Asked::default()
    };
    let card = read(&demo.reader(), &asked).await.unwrap();
    assert_eq!(
        (&card["body"]["nextOffset"], &card["body"]["limit"]),
        (&json!(15_000), &json!(15_000))
    );
    let source = demo
        .add(demo.new_record(Kind::Diagram, "Big", &"a->b\n".repeat(5_000)))
        .await;
    let asked = read::Asked {
        id: Handle::new(Kind::Diagram, source.id.as_str()).to_string(),
        ..read::Asked::default()
    };
    let card = read(&demo.reader(), &asked).await.unwrap();
    assert_eq!(card["body"]["nextOffset"], 20_000);
}
