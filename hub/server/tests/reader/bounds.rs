//! Answers keep their bounds in a large workspace.

use ensemble_hub_api::{Kind, relation};
use ensemble_hub_server::brief::{Asked, brief};
use ensemble_hub_server::decisions::decisions;
use ensemble_hub_server::read::{self, read};
use ensemble_hub_server::search::{self, find};
use ensemble_hub_server::today::today;
use ensemble_hub_server::view::handle;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::support::Demo;

/// About 25,000 tokens.
const ANSWER_MAX: usize = 80_000;

/// A demo with 5,000 more tasks of long titles and pages in the timeout task's project and repository.
async fn crowded() -> Demo {
    let demo = Demo::new().await;
    let project = demo.record(Kind::Project, "HTTP client reliability").await;
    let repo = demo.record(Kind::Repo, "encode/httpx").await;
    let task = demo
        .record(Kind::Task, "Document the default timeout")
        .await;
    let mut change = demo.change().await;
    for n in 0..5_000 {
        let title = format!("{n} {}", "長い題 timeout ".repeat(40));
        let mut new = demo.new_record(Kind::Task, &title, &"→ timeout 🎉 ".repeat(30));
        new.status = Some(["todo", "proposed", "waiting_approval", "done"][n % 4].to_owned());
        new.fields.insert("due".into(), "2026-01-01".into());
        new.fields
            .insert("projectId".into(), project.id.as_str().into());
        if n % 3 == 0 {
            new.fields
                .insert("labels".into(), serde_json::json!(["waiting-on"]));
        }
        if n % 2 == 0 {
            new.fields.insert("branch".into(), "crowded".into());
        }
        let made = change.create("test.add", new).await.unwrap();
        for (name, to) in [(relation::PROJECT, &project.id), (relation::REPO, &repo.id)] {
            if n < 400 {
                change
                    .link("test.link", &demo.home.id, (&made.id, name, to))
                    .await
                    .unwrap();
            }
        }
        if n < 60 {
            let link = (task.id.as_str(), relation::DEPENDS_ON, made.id.as_str());
            change.link("test.link", &demo.home.id, link).await.unwrap();
        }
    }
    for n in 0..60 {
        let title = format!("{n} {}", "Approve ".repeat(60));
        let mut new = demo.new_record(Kind::Approval, &title, &"漢字".repeat(5_000));
        new.status = Some("pending".to_owned());
        change.create("test.add", new).await.unwrap();
    }
    change.commit().await.unwrap();
    demo
}

fn size(answer: &impl Serialize) -> usize {
    serde_json::to_vec(answer).unwrap().len()
}

#[tokio::test]
async fn answers_stay_bounded_with_thousands_of_records_and_name_what_is_missing() {
    let demo = crowded().await;
    let reader = demo.reader();
    let task = demo
        .record(Kind::Task, "Document the default timeout")
        .await;

    let day = today(&reader, &TimeZone::UTC).await.unwrap();
    assert!(size(&day) < ANSWER_MAX, "today {}", size(&day));
    assert!(day.not_shown["proposed"] > 1_000 && day.not_shown.contains_key("focus"));

    let asked = search::Asked {
        query: "timeout".into(),
        hits: 40,
        ..search::Asked::default()
    };
    let found = find(&reader, &asked).await.unwrap();
    assert!(
        size(&found) < ANSWER_MAX && found.has_more,
        "search {}",
        size(&found)
    );

    let found = decisions(&reader).await.unwrap();
    assert!(size(&found) < ANSWER_MAX, "decisions {}", size(&found));
    assert_eq!(found.needs_me.total.pending_approvals, 61);

    let asked = read::Asked {
        id: handle(&task),
        limit: 8_000,
        ..read::Asked::default()
    };
    let found = read(&reader, &asked).await.unwrap();
    assert!(size(&found) < ANSWER_MAX, "read {}", size(&found));
    assert!(found["notShown"]["dependsOn"].as_u64().unwrap() > 40);

    for (task, branch) in [
        (Some(handle(&task)), None),
        (None, Some("crowded".to_owned())),
    ] {
        let asked = Asked {
            task,
            repo: Some("encode/httpx".into()),
            branch,
            query: Some("timeout 題".into()),
            limit: 20,
        };
        let found = brief(&reader, &asked).await.unwrap();
        assert!(size(&found) < ANSWER_MAX, "brief {}", size(&found));
        if let Some(packet) = &found.work_context {
            assert!(packet.chars().count() <= 7_000);
        }
    }
}
