//! The two changes: what they do, and every way they are refused.

use ensemble_hub_api::{Kind, TaskStatus, relation, sentences};
use ensemble_hub_server::store::RecordQuery;
use serde_json::{Value, json};

use crate::support::{CREATE, Rig, bearer, task_path};

#[tokio::test]
async fn a_key_that_only_reads_changes_nothing_whatever_it_sends() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("reader", false).await;
    let task = rig.furnish().await.task;
    for (method, path) in [
        ("POST", CREATE.to_owned()),
        ("PATCH", task_path(&task.id)),
        ("PATCH", task_path("nothing")),
    ] {
        let answer = rig
            .write(
                method,
                &key,
                &path,
                &json!({ "title": "x", "status": "done" }),
            )
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.error()),
            (403, sentences::KEY_READS_ONLY)
        );
    }
    assert_eq!(
        rig.store().record(&rig.home, &task.id).await.unwrap(),
        Some(task)
    );
}

#[tokio::test]
async fn a_task_is_added_with_its_project_people_source_and_ledger_row() {
    let rig = Rig::new().await;
    let (key, key_id) = rig.key("Zed", true).await;
    let furniture = rig.furnish().await;
    let meeting = rig.add(Kind::Meeting, "Weekly [sync]", json!({})).await;
    let body = json!({
        "title": "  Write the\nchangelog ", "page": "First line.", "projectName": "http CLIENT", "due": "2026-03-31",
        "people": ["ana souza", furniture.ana.id], "status": "todo", "from": format!("ensemble://meeting/{}", meeting.id),
    });
    let answer = rig.write("POST", &key, CREATE, &body).await;
    assert_eq!(answer.status, 201, "{:?}", answer.body);
    let card = &answer.body["task"];
    assert_eq!(
        (&card["title"], &card["status"], &card["due"]),
        (
            &json!("Write the changelog"),
            &json!("todo"),
            &json!("2026-03-31")
        )
    );
    assert_eq!(card["project"], "HTTP client");
    let id = card["id"].as_str().unwrap();

    let links = rig.store().links_from(&rig.home, id).await.unwrap();
    let links: Vec<_> = links
        .iter()
        .map(|link| (link.relation.as_str(), link.record.id.as_str()))
        .collect();
    assert_eq!(
        links,
        [
            (relation::ASSIGNEE, furniture.ana.id.as_str()),
            (relation::PROJECT, furniture.project.id.as_str()),
            (relation::RELATED, meeting.id.as_str()),
        ]
    );
    let record = rig.store().record(&rig.home, id).await.unwrap().unwrap();
    assert_eq!(
        record.body,
        format!(
            "First line.\n\nRelated: [Weekly  sync](ensemble://meeting/{})",
            meeting.id
        )
    );
    assert_eq!(record.actor, "agent");
    let ledger = rig.store().ledger_of(&rig.home, id).await.unwrap();
    assert_eq!(ledger.len(), 4, "the record and three links");
    assert!(ledger.iter().all(|row| row.action == "bridge.create_task"
        && row.actor_name == "Zed"
        && row.key_id.as_deref() == Some(&key_id)));
}

/// Every case is refused with 400 and these words, and adds no task.
async fn refused(rig: &Rig, cases: Vec<(Value, &str)>) {
    let (key, _) = rig.key("k", true).await;
    let count = async || {
        let tasks = RecordQuery {
            kinds: vec![Kind::Task],
            ..RecordQuery::default()
        };
        rig.store().records(&rig.home, &tasks).await.unwrap().total
    };
    let before = count().await;
    for (body, words) in cases {
        let answer = rig.write("POST", &key, CREATE, &body).await;
        assert_eq!(answer.status, 400, "{words}");
        assert!(
            answer.error().contains(words),
            "{words}: {}",
            answer.error()
        );
        assert!(answer.error().chars().count() <= 600);
    }
    assert_eq!(count().await, before);
}

#[tokio::test]
async fn fields_that_do_not_fit_are_refused_and_nothing_is_added() {
    let rig = Rig::new().await;
    let with = |field: &str, value: Value| {
        let mut body = json!({ "title": "x" });
        body[field] = value;
        body
    };
    let cases = vec![
        (with("title", json!("")), "1 to 500 characters"),
        (with("title", json!(" \n ")), "1 to 500 characters"),
        (with("title", json!("é".repeat(501))), "1 to 500 characters"),
        (with("title", json!(5)), "invalid type"),
        (with("title", json!(null)), "invalid type"),
        (with("status", json!("done")), "use proposed, todo"),
        (with("due", json!("2026-02-30")), "YYYY-MM-DD"),
        (with("due", json!("tomorrow")), "YYYY-MM-DD"),
        (with("due", json!("2026-02-03T00:00:00Z")), "YYYY-MM-DD"),
        (
            with("page", json!("p".repeat(100_001))),
            "100,000 characters",
        ),
        (with("titel", json!("x")), "unknown field `titel`"),
        (json!({}), "missing field `title`"),
        (json!(["x"]), "an object is needed"),
    ];
    refused(&rig, cases).await;
}

#[tokio::test]
async fn names_that_mean_nothing_or_several_are_refused_and_nothing_is_added() {
    let rig = Rig::new().await;
    let furniture = rig.furnish().await;
    let (task, project) = (&furniture.task.id, &furniture.project.id);
    let email = json!({ "email": "a@example.com" });
    let twin = rig.add(Kind::Person, "Sam", email).await;
    rig.add(Kind::Person, "Sam", json!({})).await;
    let several = format!("“Sam”: give the id of one of {} (a@example.com), ", twin.id);
    let other_kind = format!("ensemble://page/{task}");
    let with = |field: &str, value: Value| json!({ "title": "x", field: value });
    let cases = vec![
        (with("projectId", json!(task)), "no project with that id"),
        (
            with("projectName", json!("HTTP")),
            "No project is called exactly “HTTP”",
        ),
        (
            json!({ "title": "x", "projectId": "p", "projectName": "q" }),
            "not both",
        ),
        (
            with("people", json!(["Ana"])),
            "No person is called exactly “Ana”",
        ),
        (with("people", json!([project])), "No person is called"),
        (with("people", json!(["Sam"])), several.as_str()),
        (
            with("people", json!(vec!["Ana Souza"; 21])),
            "at most 20 people",
        ),
        (with("from", json!("the meeting")), "not a handle"),
        (
            with("from", json!("ensemble://meeting/none")),
            "no meeting with that id",
        ),
        (with("from", json!(other_kind)), "no page with that id"),
    ];
    refused(&rig, cases).await;
}

#[tokio::test]
async fn bodies_that_are_no_json_name_the_place_and_large_ones_are_413() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", true).await;
    let authorization = bearer(&key);
    let json_headers = [
        ("authorization", authorization.as_str()),
        ("content-type", "application/json; charset=utf-8"),
    ];
    let deep = "[".repeat(100_000);
    let inside = format!("{{\"title\":{deep}");
    let large = format!("{{\"title\":\"{}\"}}", "x".repeat(1024 * 1024));
    let cases: [(&str, u16, &str); 7] = [
        ("", 400, "“line 1, column 0”: the JSON ends too early."),
        (
            "{\"title\":\n oops}",
            400,
            "“line 2, column 2”: this is not JSON.",
        ),
        ("{\"title\":\"a\"", 400, "the JSON ends too early."),
        ("\u{feff}{}", 400, "this is not JSON."),
        (&deep, 400, "an object is needed, not a list."),
        (&inside, 400, "invalid type: sequence"),
        (&large, 413, "1 MiB"),
    ];
    for (body, status, words) in cases {
        let answer = rig
            .send("POST", CREATE, &json_headers, body.to_owned())
            .await;
        assert_eq!(answer.status.as_u16(), status, "{words}");
        assert!(
            answer.error().contains(words),
            "{words}: {}",
            answer.error()
        );
    }
    let form = [
        ("authorization", authorization.as_str()),
        ("content-type", "application/x-www-form-urlencoded"),
    ];
    assert_eq!(rig.send("POST", CREATE, &form, "title=x").await.status, 415);
    let bare = [("authorization", authorization.as_str())];
    assert_eq!(
        rig.send("POST", CREATE, &bare, "{\"title\":\"x\"}")
            .await
            .status,
        201
    );
}

#[tokio::test]
async fn every_move_of_the_state_machine_is_allowed_or_lists_the_allowed_ones() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", true).await;
    for from in TaskStatus::ALL {
        for to in TaskStatus::ASKABLE {
            let task = rig
                .add(Kind::Task, "T", json!({ "status": from.as_str() }))
                .await;
            let answer = rig
                .write(
                    "PATCH",
                    &key,
                    &task_path(&task.id),
                    &json!({ "status": to.as_str() }),
                )
                .await;
            if from.may_become(to) {
                assert_eq!(
                    (answer.status.as_u16(), &answer.body["task"]["status"]),
                    (200, &json!(to.as_str())),
                    "{from} {to}"
                );
            } else {
                assert_eq!(
                    (answer.status.as_u16(), answer.error()),
                    (409, sentences::refused_move(from, to).as_str())
                );
            }
        }
    }
    let task = rig.add(Kind::Task, "T", json!({})).await;
    for bad in ["proposed", "dropped", "DONE", ""] {
        let answer = rig
            .write(
                "PATCH",
                &key,
                &task_path(&task.id),
                &json!({ "status": bad }),
            )
            .await;
        assert_eq!(answer.status, 400, "{bad}");
        assert!(
            answer
                .error()
                .contains("use in_progress, waiting_approval, done, blocked, todo"),
            "{}",
            answer.error()
        );
    }
}

#[tokio::test]
async fn a_note_is_added_to_the_page_and_a_wrong_title_changes_nothing() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("Claude Code", true).await;
    let task = rig
        .add(Kind::Task, "Fix it", json!({ "body": "Mine.  \n" }))
        .await;
    let path = task_path(&task.id);
    let wrong = json!({ "status": "in_progress", "note": "n", "matchTitle": "Fix that" });
    let answer = rig.write("PATCH", &key, &path, &wrong).await;
    assert_eq!(
        (answer.status.as_u16(), answer.error()),
        (409, "That task is called “Fix it”: nothing was changed.")
    );
    assert_eq!(
        rig.store()
            .record(&rig.home, &task.id)
            .await
            .unwrap()
            .as_ref(),
        Some(&task)
    );

    let right = json!({ "status": "in_progress", "note": " One\ntwo ", "matchTitle": " fix IT " });
    let answer = rig.write("PATCH", &key, &path, &right).await;
    assert_eq!(
        answer.body["message"],
        "The task went from todo to in_progress, and the note was added to its page."
    );
    let now = rig
        .store()
        .record(&rig.home, &task.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        now.body,
        "Mine.  \n\n\n> [!AGENT] Update from Claude Code\n> One\n> two"
    );
    let ledger = rig.store().ledger_of(&rig.home, &task.id).await.unwrap();
    assert_eq!(ledger.last().unwrap().action, "bridge.update_task");

    let same = rig
        .write("PATCH", &key, &path, &json!({ "status": "in_progress" }))
        .await;
    assert_eq!(same.body["message"], "The task already was in_progress.");
    assert_eq!(
        rig.store()
            .record(&rig.home, &task.id)
            .await
            .unwrap()
            .unwrap()
            .version,
        2,
        "no change, no version"
    );
    for bad in [
        json!({}),
        json!({ "note": " " }),
        json!({ "note": "x".repeat(20_001) }),
        json!({ "title": "New" }),
        json!({ "matchTitle": "Fix it" }),
    ] {
        assert_eq!(
            rig.write("PATCH", &key, &path, &bad).await.status,
            400,
            "{bad:.60}"
        );
    }
}
