//! The actions on reminders and watchers.

use jiff::SignedDuration;
use serde_json::json;

use crate::bench::Bench;

#[tokio::test]
async fn a_reminder_is_at_an_instant_or_on_a_day() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let asked = json!({ "title": "Ask Ana", "at": "2026-03-05T09:00", "timeZone": "America/Bogota", "about": task.handle(), "note": "About pools." });
    let made = bench.change("hub_create_reminder", &asked).await["reminder"].clone();
    assert_eq!(
        (
            &made["at"],
            &made["local"],
            &made["due"],
            &made["about"]["id"]
        ),
        (
            &json!("2026-03-05T14:00:00.000Z"),
            &json!("2026-03-05T09:00"),
            &json!(false),
            &json!(task.id)
        )
    );
    let id = made["id"].as_str().unwrap();
    let changed = json!({ "reminder": id, "day": "2026-03-04", "about": null, "note": null });
    let card = bench.change("hub_update_reminder", &changed).await["reminder"].clone();
    assert_eq!(card["day"], "2026-03-04");
    for gone in ["at", "local", "timeZone", "about", "note"] {
        assert!(card.get(gone).is_none(), "{gone} in {card}");
    }
    for (input, words) in [
        (json!({ "title": "x" }), "needs `at` or `day`"),
        (
            json!({ "title": "x", "at": "2026-03-02T08:59" }),
            "has passed",
        ),
        (json!({ "title": "x", "day": "2026-03-01" }), "has passed"),
        (json!({ "title": "", "day": "2026-03-04" }), "title"),
    ] {
        bench.wrong("hub_create_reminder", &input, words).await;
    }
    let both = json!({ "reminder": id, "day": "2026-03-04", "at": "2026-03-04T09:00" });
    bench.wrong("hub_update_reminder", &both, "not both").await;
    let missing = json!({ "title": "x", "day": "2026-03-04", "about": "ensemble://task/none" });
    assert_eq!(bench.act("hub_create_reminder", &missing).await.status, 404);
}

#[tokio::test]
async fn a_dismissed_reminder_is_kept_and_comes_back_with_a_new_time() {
    let bench = Bench::new().await;
    let asked = json!({ "title": "Ask Ana", "day": "2026-03-03" });
    let made = bench.change("hub_create_reminder", &asked).await["reminder"].clone();
    let id = made["id"].as_str().unwrap();
    let one = json!({ "reminder": id });
    let card = bench.change("hub_dismiss_reminder", &one).await["reminder"].clone();
    assert_eq!(card["status"], "dismissed");
    let again = bench.act("hub_dismiss_reminder", &one).await;
    assert_eq!(again.body["undoable"], false, "{:?}", again.body);
    let later = json!({ "reminder": id, "at": "2026-03-06T09:00:00Z" });
    let card = bench.change("hub_update_reminder", &later).await["reminder"].clone();
    assert_eq!(
        (&card["status"], &card["timeZone"]),
        (&json!("pending"), &json!("UTC"))
    );
    bench.change("hub_delete_reminder", &one).await;
    for action in ["hub_dismiss_reminder", "hub_delete_reminder"] {
        bench
            .wrong(action, &json!({ "reminder": "Nothing" }), "Nothing")
            .await;
    }
}

#[tokio::test]
async fn reminders_are_listed_by_their_time_and_say_when_it_has_come() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    for input in [
        json!({ "title": "Third", "at": "2026-03-03T18:00" }),
        json!({ "title": "Second", "at": "2026-03-03T09:00", "about": task.id }),
        json!({ "title": "First", "day": "2026-03-03" }),
    ] {
        Bench::ok(&bench.act("hub_create_reminder", &input).await);
    }
    bench.rig.clock.advance(SignedDuration::from_hours(25));
    let list = bench
        .act_with(&bench.reader, "hub_list_reminders", &json!({}))
        .await;
    let list = Bench::ok(&list)["reminders"].as_array().unwrap().clone();
    let due: Vec<_> = list
        .iter()
        .map(|one| {
            (
                one["title"].as_str().unwrap(),
                one["due"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(due, [("First", true), ("Second", true), ("Third", false)]);
    assert_eq!(list[1]["about"]["title"], json!(task.title));
    let about = bench
        .act("hub_list_reminders", &json!({ "about": task.handle() }))
        .await;
    assert_eq!(Bench::ok(&about)["total"], 1);
    let dismissed = bench
        .act("hub_list_reminders", &json!({ "status": "dismissed" }))
        .await;
    assert_eq!(Bench::ok(&dismissed)["total"], 0);
    bench
        .wrong("hub_list_reminders", &json!({ "status": "late" }), "status")
        .await;
}

#[tokio::test]
async fn there_are_no_watchers_and_the_answer_says_why() {
    let bench = Bench::new().await;
    let none = bench.act("hub_list_watchers", &json!({})).await;
    let none = Bench::ok(&none);
    assert_eq!(none["watchers"], json!([]));
    assert!(
        none["notes"][0].as_str().unwrap().contains("Ensemble"),
        "{none}"
    );
    bench
        .wrong(
            "hub_list_watchers",
            &json!({ "limit": 3 }),
            "hub_list_watchers",
        )
        .await;
}
