//! Finding records: by name, in filtered lists, over links, and through the index.

use ensemble_hub_api::{Kind, relation};
use ensemble_hub_server::store::{Actor, Direction, LinkQuery, Order, RecordQuery};
use jiff::SignedDuration;
use serde_json::json;

use crate::support::{Rig, found};

#[tokio::test]
async fn a_name_means_its_exact_spelling_first_and_never_a_part() {
    let rig = Rig::new().await;
    for name in ["reviewer", "Reviewer", "peer-reviewer", "cafe\u{301}"] {
        rig.add(Kind::Person, name, json!({})).await;
    }
    rig.add(Kind::Project, "reviewer", json!({})).await;
    let cases = [
        ("reviewer", vec!["reviewer"]),
        (" Reviewer ", vec!["Reviewer"]),
        ("REVIEWER", vec!["reviewer", "Reviewer"]),
        ("review", vec![]),
        ("caf\u{e9}", vec!["cafe\u{301}"]),
        ("cafe", vec![]),
        ("", vec![]),
    ];
    for (asked, expected) in cases {
        let found = rig
            .store()
            .find_by_title(&rig.home, Kind::Person, asked)
            .await
            .unwrap();
        let names: Vec<&str> = found.iter().map(|record| record.title.as_str()).collect();
        assert_eq!(names, expected, "{asked:?}");
    }
}

#[tokio::test]
async fn lists_keep_their_order_over_pages() {
    let rig = Rig::new().await;
    let tasks = fill(&rig).await;
    // All have the same time: the id decides, and pages do not overlap.
    let mut seen = Vec::new();
    for offset in [0, 10, 20] {
        let page = RecordQuery {
            limit: 10,
            offset,
            ..tasks.clone()
        };
        let page = rig.store().records(&rig.home, &page).await.unwrap();
        assert_eq!(page.total, 25);
        seen.extend(page.items.into_iter().map(|record| record.title));
    }
    let newest_first: Vec<String> = (0..25)
        .rev()
        .map(|number| format!("Tâsk {number:02}"))
        .collect();
    assert_eq!(seen, newest_first);

    let by_title = RecordQuery {
        order: Order::Title,
        limit: 1,
        ..tasks
    };
    let first = rig.store().records(&rig.home, &by_title).await.unwrap();
    assert_eq!(first.items[0].title, "Tâsk 00");
}

#[tokio::test]
async fn lists_filter_before_they_count() {
    let rig = Rig::new().await;
    let tasks = fill(&rig).await;
    let cases = [
        (
            RecordQuery {
                statuses: vec!["done".to_owned()],
                ..tasks.clone()
            },
            5,
        ),
        (
            RecordQuery {
                title_words: Some("07 task".to_owned()),
                ..tasks.clone()
            },
            1,
        ),
        (
            RecordQuery {
                title_words: Some("task %".to_owned()),
                ..tasks.clone()
            },
            0,
        ),
        (
            RecordQuery {
                field_equals: vec![("branch".to_owned(), "b1".to_owned())],
                ..tasks.clone()
            },
            8,
        ),
        (
            RecordQuery {
                field_equals: vec![("x\" OR 1=1 --".to_owned(), "b1".to_owned())],
                ..tasks.clone()
            },
            0,
        ),
        (
            RecordQuery {
                field_between: Some((
                    "start".to_owned(),
                    "2026-03-03".to_owned(),
                    "2026-03-06".to_owned(),
                )),
                ..tasks.clone()
            },
            3,
        ),
        (
            RecordQuery {
                title_words: Some("task".to_owned()),
                ..RecordQuery::default()
            },
            26,
        ),
    ];
    for (asked, expected) in cases {
        let page = rig.store().records(&rig.home, &asked).await.unwrap();
        assert_eq!(page.total, expected, "{asked:?}");
        assert_eq!(page.items.len() as u64, expected, "{asked:?}");
    }
}

/// 25 tasks and a page; the query for the tasks.
async fn fill(rig: &Rig) -> RecordQuery {
    for number in 0..25 {
        let status = if number % 5 == 0 { "done" } else { "todo" };
        let fields = json!({ "status": status, "branch": format!("b{}", number % 3), "start": format!("2026-03-{:02}", number + 1) });
        rig.add(Kind::Task, &format!("Tâsk {number:02}"), fields)
            .await;
    }
    rig.add(Kind::Page, "Task page", json!({})).await;
    RecordQuery {
        kinds: vec![Kind::Task],
        ..RecordQuery::default()
    }
}

#[tokio::test]
async fn links_are_read_from_both_ends_with_filters() {
    let rig = Rig::new().await;
    let project = rig.add(Kind::Project, "P", json!({})).await;
    let mut tasks = Vec::new();
    for status in ["todo", "done", "in_progress"] {
        rig.clock.advance(SignedDuration::from_secs(1));
        let task = rig
            .add(Kind::Task, status, json!({ "status": status }))
            .await;
        rig.link(&task, relation::PROJECT, &project).await;
        rig.link(&task, relation::PROJECT, &project).await;
        tasks.push(task);
    }
    let store = rig.store();
    let to = store.links_to(&rig.home, &project.id).await.unwrap();
    let titles: Vec<&str> = to
        .iter()
        .map(|linked| linked.record.title.as_str())
        .collect();
    assert_eq!(
        titles,
        ["in_progress", "done", "todo"],
        "newest change first, no link twice"
    );
    let open = LinkQuery {
        statuses: vec!["todo".to_owned(), "in_progress".to_owned()],
        relations: vec![relation::PROJECT.to_owned()],
        kinds: vec![Kind::Task],
        limit: 1,
        ..LinkQuery::new(&project.id, Direction::To)
    };
    let page = store.links(&rig.home, &open).await.unwrap();
    assert_eq!((page.total, page.items.len()), (2, 1));
    let linked = RecordQuery {
        linked_to: Some((relation::PROJECT.to_owned(), project.id.clone())),
        ..RecordQuery::default()
    };
    assert_eq!(store.records(&rig.home, &linked).await.unwrap().total, 3);
    assert_eq!(
        store.neighbours(&rig.home, &tasks[0].id).await.unwrap(),
        [project.id]
    );
}

#[tokio::test]
async fn the_index_follows_every_change_and_no_search_text_is_an_error() {
    let rig = Rig::new().await;
    let page = rig
        .add(
            Kind::Page,
            "Timeouts",
            json!({ "body": "Five seconds of naïveté" }),
        )
        .await;
    rig.add(
        Kind::Meeting,
        "Weekly",
        json!({ "transcript": [{ "speaker": "Ana", "text": "the zebra timeout" }] }),
    )
    .await;
    assert_eq!(found(&rig, &rig.home, "timeouts").await, ["Timeouts"]);
    assert_eq!(found(&rig, &rig.home, "zebra").await, ["Weekly"]);
    assert_eq!(found(&rig, &rig.home, "naivete").await, ["Timeouts"]);
    let mut edited = page.clone();
    edited.body = "Ten".to_owned();
    let mut change = rig.store().change(Actor::system("test")).await.unwrap();
    change.update("test.edit", &page, edited).await.unwrap();
    change.commit().await.unwrap();
    assert_eq!(
        found(&rig, &rig.home, "naivete").await,
        Vec::<String>::new()
    );
    for odd in [
        "",
        "  ",
        "a\"b",
        "NEAR(a b)",
        "AND",
        "a:b",
        "^x*",
        "-y",
        "\0",
        "{title}: z",
        "'",
        "%",
        &"w ".repeat(5_000),
    ] {
        found(&rig, &rig.home, odd).await;
    }
}
