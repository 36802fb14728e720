//! Changes that come twice, at the same time, or too often.

use ensemble_hub_api::{Kind, sentences};
use serde_json::{Value, json};

use crate::support::{CREATE, Rig, task_path};

#[tokio::test]
async fn a_repeated_write_is_done_once_and_answers_the_same() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("a", true).await;
    let (other, _) = rig.key("b", true).await;
    let body = json!({ "title": "Once" });
    let first = rig.write_once(&key, "k-1", CREATE, &body).await;
    rig.clock.advance(jiff::SignedDuration::from_hours(1));
    let again = rig.write_once(&key, "k-1", CREATE, &body).await;
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (201, 201));
    assert_eq!(first.body, again.body);
    let count = async || {
        rig.store()
            .find_by_title(&rig.home, Kind::Task, "Once")
            .await
            .unwrap()
            .len()
    };
    assert_eq!(count().await, 1);

    let changed = rig
        .write_once(&key, "k-1", CREATE, &json!({ "title": "Other" }))
        .await;
    assert_eq!(
        (changed.status.as_u16(), changed.error()),
        (409, sentences::IDEMPOTENCY_OTHER)
    );
    let path = task_path(first.body["task"]["id"].as_str().unwrap());
    assert_eq!(
        rig.write_once(&key, "k-1", &path, &body).await.status,
        400,
        "a body of another write does not fit"
    );
    let moved = json!({ "status": "todo" });
    assert_eq!(
        rig.write_once(&key, "k-1", &path, &moved).await.status,
        409,
        "another route is another change"
    );
    assert_eq!(
        rig.write_once(&other, "k-1", CREATE, &body).await.status,
        201,
        "callers do not share answers"
    );
    assert_eq!(count().await, 2);

    let refused = json!({ "title": "Late", "due": "never" });
    assert_eq!(
        rig.write_once(&key, "k-2", CREATE, &refused).await.status,
        400
    );
    assert_eq!(
        rig.write_once(&key, "k-2", CREATE, &json!({ "title": "Late" }))
            .await
            .status,
        201,
        "a refusal is not kept"
    );
    rig.clock.advance(jiff::SignedDuration::from_hours(25));
    assert_eq!(rig.write_once(&key, "k-1", CREATE, &body).await.status, 201);
    assert_eq!(count().await, 3, "a day later it is a new change");
    let odd = "x".repeat(201);
    for bad in ["", "a b", odd.as_str()] {
        let answer = rig.write_once(&key, bad, CREATE, &body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.error()),
            (400, sentences::IDEMPOTENCY_BAD),
            "{bad:?}"
        );
    }
}

#[tokio::test]
async fn equal_writes_at_the_same_time_are_one_and_notes_at_the_same_time_are_all_kept() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", true).await;
    let body = json!({ "title": "Together" });
    let (a, b, c) = tokio::join!(
        rig.write_once(&key, "same", CREATE, &body),
        rig.write_once(&key, "same", CREATE, &body),
        rig.write_once(&key, "same", CREATE, &body),
    );
    assert_eq!((&a.body, &b.body), (&b.body, &c.body));
    let id = a.body["task"]["id"].as_str().unwrap().to_owned();
    let path = task_path(&id);
    let notes: Vec<Value> = (0..4)
        .map(|number| json!({ "note": format!("note {number}") }))
        .collect();
    let done = tokio::join!(
        rig.write("PATCH", &key, &path, &notes[0]),
        rig.write("PATCH", &key, &path, &notes[1]),
        rig.write("PATCH", &key, &path, &notes[2]),
        rig.write("PATCH", &key, &path, &notes[3]),
    );
    assert!(
        [done.0.status, done.1.status, done.2.status, done.3.status]
            .iter()
            .all(|status| *status == 200)
    );
    let page = rig
        .store()
        .record(&rig.home, &id)
        .await
        .unwrap()
        .unwrap()
        .body;
    assert!(
        (0..4).all(|number| page.contains(&format!("> note {number}"))),
        "{page}"
    );
}

#[tokio::test]
async fn too_many_changes_in_one_space_are_429_with_the_time_to_wait() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", true).await;
    let (reader, _) = rig.key("r", false).await;
    for _ in 0..240 {
        // A change of nothing counts too, and is quick.
        assert_eq!(
            rig.write(
                "PATCH",
                &key,
                &task_path("none"),
                &json!({ "status": "todo" })
            )
            .await
            .status,
            404
        );
    }
    let refused = rig
        .write("POST", &key, CREATE, &json!({ "title": "x" }))
        .await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.headers["retry-after"], "1");
    assert_eq!(
        refused.error(),
        "More than 240 actions and changes a minute in this space: try again in 1 s."
    );
    assert_eq!(
        rig.write("POST", &reader, CREATE, &json!({})).await.status,
        403,
        "what may not write is not counted"
    );
    rig.clock.advance(jiff::SignedDuration::from_secs(1));
    assert_eq!(
        rig.write("POST", &key, CREATE, &json!({ "title": "x" }))
            .await
            .status,
        201
    );
}
