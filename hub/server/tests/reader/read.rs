//! Every kind of record, by id, handle and link, in parts.

use ensemble_hub_api::{Handle, Kind};
use ensemble_hub_server::error::RouteError;
use ensemble_hub_server::read::{Asked, read};
use ensemble_hub_server::store::RecordQuery;
use ensemble_hub_server::view::Card;
use serde_json::{Value, json};

use crate::support::Demo;

fn whole(kind: Option<&str>, id: &str) -> Asked {
    Asked {
        kind: kind.map(str::to_owned),
        id: id.to_owned(),
        offset: 0,
        limit: 8_000,
    }
}

async fn get(demo: &Demo, asked: Asked) -> Card {
    read(&demo.reader(), &asked).await.unwrap()
}

fn names(card: &Card, field: &str) -> Vec<String> {
    let cards = card
        .get(field)
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let name = |card: &Value| {
        ["title", "name"]
            .iter()
            .find_map(|f| card[*f].as_str().map(str::to_owned))
    };
    cards.iter().filter_map(name).collect()
}

#[tokio::test]
async fn every_record_of_every_kind_is_read_by_id_handle_and_link() {
    let demo = Demo::new().await;
    let all = demo
        .store
        .records(&demo.home.id, &RecordQuery::default())
        .await
        .unwrap();
    for record in all.items {
        let handle = Handle::new(record.kind, record.id.as_str());
        let by_id = get(&demo, whole(Some(record.kind.as_str()), &record.id)).await;
        assert_eq!(by_id["ref"], handle.to_string());
        for text in ["trust", "trustLabel", "url", "updatedAt"] {
            assert!(by_id[text].is_string(), "{text} of {}", record.title);
        }
        assert_eq!(by_id["body"]["truncated"], false);
        assert_eq!(get(&demo, whole(None, &handle.to_string())).await, by_id);
        assert_eq!(
            get(
                &demo,
                whole(None, &handle.link("https://hub.example.com/x"))
            )
            .await,
            by_id
        );
    }
}

#[tokio::test]
async fn a_task_shows_its_meeting_dependencies_people_files_and_deliverable() {
    let demo = Demo::new().await;
    let id = demo
        .handle(Kind::Task, "Document the default timeout")
        .await;
    let task = get(&demo, whole(None, &id)).await;
    assert_eq!(names(&task, "meeting"), ["Client reliability weekly"]);
    assert_eq!(
        names(&task, "dependsOn"),
        ["Agree on the default timeout values"]
    );
    assert_eq!(
        names(&task, "deliverable"),
        ["Timeout chapter of the guide"]
    );
    assert_eq!(names(&task, "files").len(), 2);
    assert_eq!(task["labels"], json!(["docs", "timeouts"]));
    assert_eq!(
        (&task["owner"], &task["repo"]),
        (&json!("Robin Vale"), &json!("encode/httpx"))
    );
    assert!(task["body"]["text"].as_str().unwrap().contains("## Open"));
}

#[tokio::test]
async fn a_meeting_shows_transcript_people_and_tasks_and_has_an_older_name() {
    let demo = Demo::new().await;
    let meeting = demo
        .record(Kind::Meeting, "Client reliability weekly")
        .await;
    let card = get(&demo, whole(Some("meeting_note"), &meeting.id)).await;
    let text = card["body"]["text"].as_str().unwrap();
    assert!(text.contains("## Notes") && text.contains("Three partners asked me this month."));
    assert_eq!(names(&card, "participants").len(), 4);
    assert_eq!(names(&card, "tasks").len(), 3);
}

#[tokio::test]
async fn parts_of_a_text_fit_together_at_character_boundaries() {
    let demo = Demo::new().await;
    let id = demo.handle(Kind::Page, "サンドボックス環境の手順").await;
    let text = get(&demo, whole(None, &id)).await["body"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    for limit in [1, 3, 7] {
        let (mut joined, mut next) = (String::new(), Some(0));
        while let Some(offset) = next {
            let asked = Asked {
                offset,
                limit,
                ..whole(None, &id)
            };
            let body = get(&demo, asked).await["body"].clone();
            assert_eq!(body["totalCharacters"], text.chars().count());
            joined.push_str(body["text"].as_str().unwrap());
            next = body["nextOffset"]
                .as_u64()
                .map(|at| u32::try_from(at).unwrap());
            assert_eq!(body["truncated"], next.is_some());
        }
        assert_eq!(joined, text);
    }
}

#[tokio::test]
async fn files_are_read_as_documents_and_say_what_is_not_given() {
    let demo = Demo::new().await;
    let file = demo.record(Kind::File, "latency-readout.md").await;
    let card = get(&demo, whole(Some("document"), &file.id)).await;
    assert_eq!(card["mediaType"], "text/markdown");
    assert!(
        card["body"]["text"]
            .as_str()
            .unwrap()
            .starts_with("Latency of 1,200 requests")
    );
    assert_eq!(card["notes"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn wrong_questions_get_a_sentence() {
    let demo = Demo::new().await;
    let task = demo.record(Kind::Task, "Support HTTP/3").await;
    let other = demo
        .store
        .find_by_title(&demo.second.id, Kind::Page, "Sowing calendar")
        .await
        .unwrap();
    let other = other[0].id.clone();
    for (kind, id, missing) in [
        (Some("task"), "00000000-0000-7000-8000-000000000000", true),
        (Some("page"), other.as_str(), true),
        (Some("project"), task.id.as_str(), false),
        (Some("nonsense"), task.id.as_str(), false),
        (None, task.id.as_str(), false),
        (Some("task"), "../secrets", false),
        (
            Some("project"),
            &format!("ensemble://task/{}", task.id),
            false,
        ),
    ] {
        let refused = read(&demo.reader(), &whole(kind, id)).await.unwrap_err();
        assert_eq!(
            matches!(refused, RouteError::NotFound(_)),
            missing,
            "{kind:?} {id}: {refused}"
        );
        assert_eq!(
            matches!(refused, RouteError::BadRequest(_)),
            !missing,
            "{kind:?} {id}: {refused}"
        );
    }
    let refused = read(&demo.reader(), &whole(Some("project"), &task.id))
        .await
        .unwrap_err();
    assert_eq!(refused.to_string(), "That id is a task, not a project.");
}

#[tokio::test]
async fn a_page_of_many_diagrams_names_those_that_it_does_not_show() {
    let demo = Demo::new().await;
    let mut shown = Vec::new();
    for at in 0..13 {
        let one = demo.new_record(Kind::Diagram, &format!("Part {at}"), "a->b");
        shown.push(format!(
            "![x](ensemble://diagram/{})",
            demo.add(one).await.id
        ));
    }
    let text = shown.join("\n");
    let page = demo.add(demo.new_record(Kind::Page, "Parts", &text)).await;
    let card = get(&demo, whole(Some("page"), &page.id)).await;
    assert_eq!(names(&card, "diagrams").len(), 10);
    assert_eq!(card["diagramsNotShown"].as_array().unwrap().len(), 3);
}
