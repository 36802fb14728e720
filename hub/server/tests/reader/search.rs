//! Search finds what a person means by the words they typed.

use ensemble_hub_api::{Handle, Kind, relation};
use ensemble_hub_server::error::RouteError;
use ensemble_hub_server::search::{Asked, Found, find};
use ensemble_hub_server::view::Reader;

use crate::support::Demo;

fn words(query: &str) -> Asked {
    Asked {
        query: query.to_owned(),
        hits: 24,
        ..Asked::default()
    }
}

async fn search(reader: &Reader<'_>, query: &str) -> Found {
    find(reader, &words(query)).await.unwrap()
}

fn labels(found: &Found) -> Vec<&str> {
    found.results.iter().map(|hit| hit.label.as_str()).collect()
}

#[tokio::test]
async fn texts_of_every_script_are_found_by_what_was_typed() {
    let demo = Demo::new().await;
    for (query, label) in [
        ("POL-358", "POL-358: keep audit logs for 400 days"),
        ("358", "POL-358: keep audit logs for 400 days"),
        ("cafe a zurich", "Notes from the Café à Zürich"),
        ("CAFE\u{301}", "Notes from the Café à Zürich"),
        ("サンドボックス", "サンドボックス環境の手順"),
        ("悬空", "サンドボックス環境の手順"),
        ("itgc", "サンドボックス環境の手順"),
        ("문서", "サンドボックス環境の手順"),
        ("ทดสอบ", "サンドボックス環境の手順"),
        ("המחדל", "ملاحظات الاجتماع"),
        ("المهلة", "ملاحظات الاجتماع"),
        ("🎂", "🎉 Launch party plan 👩‍👩‍👧‍👦"),
        ("retryWithJitter", "Add a retry helper with jitter"),
        ("max_attempts", "Add a retry helper with jitter"),
        ("C++", "Test the retry helper against slow servers"),
        ("50%", "Test the retry helper against slow servers"),
        ("docs/default-timeout", "Document the default timeout"),
        ("Sofía Núñez", "Sofía Núñez"),
        ("sofia nunez", "Sofía Núñez"),
        ("由紀", "田中 由紀"),
        ("release checklist", "Release checklist"),
    ] {
        let found = search(&demo.reader(), query).await;
        assert_eq!(
            labels(&found).first(),
            Some(&label),
            "{query}: {:?}",
            labels(&found)
        );
        assert!(!found.empty && !found.results[0].why.is_empty());
    }
}

#[tokio::test]
async fn no_question_is_an_error_and_a_miss_says_so() {
    let demo = Demo::new().await;
    let long = "timeout \" OR NEAR( * ".repeat(500);
    for query in [
        "",
        "   ",
        "*",
        "\"a b",
        "(x",
        "NEAR",
        "AND",
        "OR",
        "NOT",
        "^x",
        "-",
        "a:b",
        "title:x",
        "x\0y",
        "'; DROP TABLE records; --",
        "zzzzzz",
        &long,
    ] {
        let found = search(&demo.reader(), query).await;
        assert_eq!(found.empty, found.results.is_empty(), "{query:?}");
        assert!(!found.empty || found.message.is_some(), "{query:?}");
        assert!(found.query.chars().count() <= 200);
    }
    assert!(search(&demo.reader(), "").await.empty);
    assert!(
        search(&demo.reader(), "zzzzzz")
            .await
            .message
            .unwrap()
            .contains("zzzzzz")
    );
}

#[tokio::test]
async fn an_exact_title_is_first_and_an_extra_word_or_a_typo_does_not_empty_the_answer() {
    let demo = Demo::new().await;
    let mut change = demo.change().await;
    for n in 0..200 {
        let page = demo.new_record(
            Kind::Page,
            &format!("Minutes {n}"),
            &"release checklist ".repeat(400),
        );
        change.create("test.add", page).await.unwrap();
    }
    change.commit().await.unwrap();
    for query in [
        "Release checklist",
        "RELEASE CHECKLIST",
        "release checklist draft",
        "Release checklst",
    ] {
        let found = search(&demo.reader(), query).await;
        assert_eq!(labels(&found)[0], "Release checklist", "{query}");
        assert!(found.has_more && found.results.len() <= 24);
        assert!(
            found
                .results
                .windows(2)
                .all(|pair| pair[0].score >= pair[1].score),
            "{query}"
        );
    }
    let exact = search(&demo.reader(), "release  checklist").await;
    assert!((exact.results[0].score - 1.0).abs() < f64::EPSILON);
    assert!(exact.results[1].score < 1.0);
}

#[tokio::test]
async fn near_puts_what_is_linked_first() {
    let demo = Demo::new().await;
    let meeting = demo
        .handle(Kind::Meeting, "Client reliability weekly")
        .await;
    let plain = search(&demo.reader(), "timeout").await;
    let near = find(
        &demo.reader(),
        &Asked {
            near: Some(meeting),
            ..words("timeout")
        },
    )
    .await
    .unwrap();
    assert_ne!(labels(&plain), labels(&near));
    let linked = near
        .results
        .iter()
        .take_while(|hit| hit.why.starts_with("linked"))
        .count();
    assert!(linked >= 2, "{:?}", labels(&near));
    assert!(
        near.results[linked..]
            .iter()
            .all(|hit| !hit.why.starts_with("linked"))
    );
    let refused = find(
        &demo.reader(),
        &Asked {
            near: Some("x".into()),
            ..words("timeout")
        },
    )
    .await;
    assert!(matches!(refused, Err(RouteError::BadRequest(_))));
    let gone = Handle::new(Kind::Task, "00000000-0000-7000-8000-000000000000").to_string();
    let refused = find(
        &demo.reader(),
        &Asked {
            near: Some(gone),
            ..words("timeout")
        },
    )
    .await;
    assert!(matches!(refused, Err(RouteError::NotFound(_))));
}

#[tokio::test]
async fn near_finds_a_linked_record_among_thousands() {
    let demo = Demo::new().await;
    let mut change = demo.change().await;
    let mut last = None;
    for n in 0..600 {
        let page = demo.new_record(Kind::Page, &format!("Common words {n}"), "common words");
        last = Some(change.create("test.add", page).await.unwrap());
    }
    let task = demo.record(Kind::Task, "Support HTTP/3").await;
    let last = last.unwrap();
    change
        .link(
            "test.link",
            &demo.home.id,
            (&task.id, relation::RELATED, &last.id),
        )
        .await
        .unwrap();
    change.commit().await.unwrap();
    let near = Some(Handle::new(Kind::Task, task.id).to_string());
    let found = find(
        &demo.reader(),
        &Asked {
            near,
            hits: 3,
            ..words("common words")
        },
    )
    .await
    .unwrap();
    assert_eq!(labels(&found)[0], "Common words 599");
}

#[tokio::test]
async fn kinds_filter_and_spaces_separate() {
    let demo = Demo::new().await;
    let kinds = vec![Kind::Person];
    let found = find(
        &demo.reader(),
        &Asked {
            kinds,
            ..words("engineer timeout")
        },
    )
    .await
    .unwrap();
    assert!(found.results.len() >= 3 && found.results.iter().all(|hit| hit.kind == Kind::Person));
    let first = search(&demo.reader(), "pump timeout shed").await;
    assert!(
        !labels(&first)
            .iter()
            .any(|label| label.contains("pump") || label.contains("shed"))
    );
    let second = search(&demo.second(), "timeout").await;
    assert_eq!(labels(&second), ["Timeout for the pump"]);
}

#[tokio::test]
async fn files_are_documents_disabled_skills_are_absent_and_outside_words_are_labelled() {
    let demo = Demo::new().await;
    let found = search(&demo.reader(), "latency-readout.md").await;
    assert_eq!(
        (found.results[0].kind, found.results[0].label.as_str()),
        (Kind::Document, "latency-readout.md")
    );
    assert!(found.results[0].handle.starts_with("ensemble://file/"));
    assert!(!labels(&search(&demo.reader(), "Release by hand").await).contains(&"Release by hand"));
    let found = search(&demo.reader(), "surprises new users").await;
    assert_eq!(serde_json::json!(found.results[0].trust), "untrusted");
    assert!(!found.results[0].excerpt.contains("</untrusted>"));
}

/// Whatever is typed is words, never a statement for the index: it is answered, within its bounds, and the same each time.
#[test]
fn any_question_is_answered() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let demo = runtime.block_on(Demo::new());
    let typed =
        "([\"'*()^:+\\-{}%_\\\\;]|AND|OR|NOT|NEAR|title|timeout|[ ]|漢|\u{200c}|🎂|\\PC){0,30}";
    let mut runner = TestRunner::new(Config::with_cases(96));
    let held = runner.run(&typed, |query| {
        let reader = demo.reader();
        let ask = || runtime.block_on(find(&reader, &words(&query)));
        match (ask(), ask()) {
            (Ok(found), Ok(again)) => {
                prop_assert!(found.results.len() <= 24);
                prop_assert_eq!(found.empty, found.results.is_empty());
                prop_assert_eq!(labels(&found), labels(&again));
                for hit in &found.results {
                    prop_assert!(hit.score > 0.0 && hit.excerpt.chars().count() <= 320);
                }
            }
            // Nothing but blanks and what a person does not see is no question.
            (Err(RouteError::BadRequest(_)), _) => {
                prop_assert!(!query.chars().any(char::is_alphanumeric));
            }
            (first, _) => prop_assert!(false, "{:?}", first),
        }
        Ok(())
    });
    held.unwrap();
}
