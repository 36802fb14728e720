//! The actions on meeting notes.

use ensemble_hub_api::{Kind, relation};
use ensemble_hub_server::CreateKey;
use serde_json::json;

use crate::bench::Bench;

async fn links(bench: &Bench, id: &str) -> Vec<(String, String)> {
    let found = bench.rig.store().links_from(&bench.rig.home, id).await;
    let one = |link: ensemble_hub_server::store::Linked| (link.relation, link.record.title);
    found.unwrap().into_iter().map(one).collect()
}

fn pair(relation: &str, title: &str) -> (String, String) {
    (relation.to_owned(), title.to_owned())
}

#[tokio::test]
async fn notes_have_people_a_project_and_the_times_of_their_event() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let event = |title, day: &str| {
        bench.rig.add(
            Kind::Event,
            title,
            json!({ "start": format!("{day}T10:00:00.000Z"), "end": format!("{day}T11:00:00.000Z") }),
        )
    };
    let (first, second) = (
        event("Weekly 1", "2026-02-23").await,
        event("Weekly 2", "2026-03-02").await,
    );
    bench.rig.link(&second, relation::SERIES, &first).await;
    let asked = json!({
        "title": "Weekly", "notes": "- timeouts\r\n- retries", "transcript": "Ana: Who writes it down?",
        "participants": ["Ana Souza"], "project": "HTTP client", "event": "Weekly 2",
    });
    let result = bench.change("hub_create_meeting_note", &asked).await;
    let meeting = &result["meeting"];
    assert_eq!(
        (&meeting["start"], &meeting["project"]),
        (&json!("2026-03-02T10:00:00.000Z"), &json!("HTTP client"))
    );
    let id = meeting["id"].as_str().unwrap();
    let wanted = [
        pair(relation::PARTICIPANT, "Ana Souza"),
        pair(relation::PROJECT, "HTTP client"),
        pair(relation::RELATED, "Weekly 2"),
        pair(relation::SERIES, "Weekly 1"),
    ];
    assert_eq!(links(&bench, id).await, wanted);

    let read = bench
        .act_with(
            &bench.reader,
            "hub_read_meeting_note",
            &json!({ "meeting": id }),
        )
        .await;
    let read = Bench::ok(&read);
    let text = read["body"]["text"].as_str().unwrap();
    assert!(
        text.contains("- timeouts") && text.contains("Who writes it down?"),
        "{text}"
    );
    assert_eq!(read["participants"][0]["name"], "Ana Souza");
    let stale = json!({ "meeting": id, "version": 9, "notes": "x" });
    let stale = bench.act("hub_update_meeting_note", &stale).await;
    assert_eq!(
        (stale.status.as_u16(), read["version"].is_i64()),
        (409, true)
    );

    let changed = json!({ "meeting": id, "event": null, "notes": "Short.", "participants": [], "project": null, "end": null });
    let result = bench.rewrite(id, "hub_update_meeting_note", &changed).await;
    assert_eq!(links(&bench, id).await, []);
    assert_eq!(result["meeting"]["start"], "2026-03-02T10:00:00.000Z");
    let back = json!({ "meeting": id, "event": first.handle() });
    let result = bench.change("hub_update_meeting_note", &back).await;
    assert_eq!(result["meeting"]["end"], "2026-02-23T11:00:00.000Z");
}

#[tokio::test]
async fn notes_are_deleted_and_times_that_cannot_be_are_refused() {
    let bench = Bench::new().await;
    let fields = json!({ "notes": "n", "start": "2026-03-02T10:00:00.000Z" });
    let meeting = bench.rig.add(Kind::Meeting, "Weekly", fields).await;
    let id = meeting.id.as_str();
    let wrong = json!({ "meeting": id, "end": "2026-02-01T10:00:00Z" });
    bench
        .wrong("hub_update_meeting_note", &wrong, "after it began")
        .await;
    let wrong = json!({ "title": "x", "notes": "y", "start": "tomorrow" });
    bench
        .wrong("hub_create_meeting_note", &wrong, "instant")
        .await;

    bench
        .change("hub_delete_meeting_note", &json!({ "meeting": id }))
        .await;
    bench
        .wrong(
            "hub_delete_meeting_note",
            &json!({ "meeting": "Weekly" }),
            "Weekly",
        )
        .await;
}

#[tokio::test]
async fn tasks_of_a_meeting_are_proposals_with_the_words_that_asked_for_them() {
    let bench = Bench::new().await;
    let project = bench.rig.furnish().await.project;
    let fields = json!({ "notes": "Ana asks: could you write\ndown the Default timeout?", "projectId": project.id });
    let meeting = bench.rig.add(Kind::Meeting, "Weekly", fields).await;
    let asked = json!({ "meeting": "Weekly", "tasks": [
        { "title": "Write the timeout down", "words": "Could you write down the default timeout?", "askedBy": "Ana Souza", "due": "2026-03-09", "priority": "p1" },
    ] });
    let result = bench.change("hub_suggest_meeting_tasks", &asked).await;
    let task = &result["tasks"][0];
    assert_eq!(
        (&task["status"], &task["project"], &task["due"]),
        (
            &json!("proposed"),
            &json!("HTTP client"),
            &json!("2026-03-09")
        )
    );
    let id = task["id"].as_str().unwrap();
    let wanted = [
        pair(relation::FROM_MEETING, "Weekly"),
        pair(relation::PROJECT, "HTTP client"),
        pair(relation::REQUESTED_BY, "Ana Souza"),
    ];
    assert_eq!(links(&bench, id).await, wanted);
    let kept = bench.rig.store().record(&bench.rig.home, id).await.unwrap();
    assert_eq!(
        kept.unwrap().text("asked"),
        Some("Could you write down the default timeout?")
    );

    let invented = json!({ "meeting": meeting.id, "tasks": [
        { "title": "One", "words": "write down" },
        { "title": "Two", "words": "Could you delete everything?" },
    ] });
    bench
        .wrong(
            "hub_suggest_meeting_tasks",
            &invented,
            "Number 2 of the list: `words` do not stand",
        )
        .await;
    let status = json!({ "meeting": meeting.id, "tasks": [{ "title": "One", "words": "write down", "status": "todo" }] });
    bench
        .wrong("hub_suggest_meeting_tasks", &status, "tasks.0")
        .await;
}

#[tokio::test]
async fn notes_are_listed_by_project_or_person() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let meeting = bench
        .rig
        .add(Kind::Meeting, "Weekly", json!({ "notes": "n" }))
        .await;
    bench.rig.add(Kind::Meeting, "Other", json!({})).await;
    bench
        .rig
        .link(&meeting, relation::PARTICIPANT, &furniture.ana)
        .await;
    let list = bench
        .act("hub_list_meeting_notes", &json!({ "person": "Ana Souza" }))
        .await;
    let list = Bench::ok(&list);
    assert_eq!(
        (&list["total"], &list["meetingNotes"][0]["title"]),
        (&json!(1), &json!("Weekly"))
    );
    let all = bench.act("hub_list_meeting_notes", &json!({})).await;
    assert_eq!(Bench::ok(&all)["total"], 2);
    let both = json!({ "person": "Ana Souza", "project": "HTTP client" });
    bench
        .wrong("hub_list_meeting_notes", &both, "not both")
        .await;
    bench
        .wrong(
            "hub_read_meeting_note",
            &json!({ "meeting": "Weekly", "limit": 9000 }),
            "limit",
        )
        .await;
}

#[tokio::test]
async fn notes_out_of_an_app_need_the_grant_and_the_app() {
    let bench = Bench::new().await;
    let input = json!({ "app": "zoom", "item": "123" });
    let refused = bench.act("hub_import_meeting_notes", &input).await;
    assert_eq!(refused.status, 403, "{:?}", refused.body);
    let asked = CreateKey {
        name: "apps".to_owned(),
        changes: true,
        apps: true,
        ..CreateKey::default()
    };
    let made = bench.rig.hub.admin().create_key(asked).await.unwrap();
    let key = made.value.expose();
    let refused = bench
        .act_with(key, "hub_import_meeting_notes", &input)
        .await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    assert!(
        refused.error().starts_with("Zoom is not connected"),
        "{}",
        refused.error()
    );
    let wrong = bench
        .act_with(key, "hub_import_meeting_notes", &json!({ "app": "fax" }))
        .await;
    assert_eq!(wrong.status, 400, "{:?}", wrong.body);
}
