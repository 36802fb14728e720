//! Today in the person's zone, and what needs them.

use ensemble_hub_api::Kind;
use ensemble_hub_server::decisions::decisions;
use ensemble_hub_server::today::{Today, today};
use ensemble_hub_server::view::Card;
use jiff::tz::TimeZone;
use serde_json::json;

use crate::support::Demo;

async fn of(demo: &Demo, zone: &str) -> Today {
    today(&demo.reader(), &TimeZone::get(zone).unwrap())
        .await
        .unwrap()
}

fn titles(cards: &[Card]) -> Vec<&str> {
    cards
        .iter()
        .filter_map(|card| card.get("title")?.as_str())
        .collect()
}

#[tokio::test]
async fn the_lists_of_the_day_are_the_demos() {
    let demo = Demo::new().await;
    let day = of(&demo, "UTC").await;
    assert_eq!(
        (day.date.as_str(), day.timezone.as_str()),
        ("2026-03-02", "UTC")
    );
    assert_eq!(
        titles(&day.focus),
        [
            "Document the default timeout",
            "POL-358: keep audit logs for 400 days",
            "Send the usage numbers to Sofía",
        ]
    );
    assert_eq!(day.proposed.len(), 2);
    assert_eq!(titles(&day.review), ["Agree on the default timeout values"]);
    assert_eq!(
        titles(&day.waiting_on),
        [
            "Rotate the staging certificates",
            "Review the sample client for partners"
        ]
    );
    assert_eq!(
        titles(&day.deliverables),
        ["Timeout chapter of the guide", "Partner onboarding kit"]
    );
    assert_eq!(titles(&day.meetings), ["Client libraries stand-up"]);
    let needs = &day.needs_me;
    assert_eq!(
        (needs.pending_approvals, needs.pending_editor_decisions),
        (1, 1)
    );
    assert!(day.not_shown.is_empty());
}

#[tokio::test]
async fn the_day_is_the_persons_own_and_a_due_date_does_not_shift() {
    for (zone, date) in [
        ("America/Bogota", "2026-03-02"),
        ("Asia/Makassar", "2026-03-02"),
        ("Pacific/Kiritimati", "2026-03-03"),
        ("Pacific/Pago_Pago", "2026-03-02"),
    ] {
        let demo = Demo::in_zone(Some(zone)).await;
        let day = of(&demo, zone).await;
        assert_eq!((day.date.as_str(), day.timezone.as_str()), (date, zone));
        assert_eq!(
            titles(&day.meetings),
            ["Client libraries stand-up"],
            "{zone}"
        );
        let usage = day
            .focus
            .iter()
            .find(|card| card["title"] == "Send the usage numbers to Sofía");
        assert_eq!(usage.unwrap()["due"], date, "{zone}");
    }
}

#[tokio::test]
async fn hidden_tasks_and_half_labels_stay_out() {
    let demo = Demo::new().await;
    let mut hidden = demo.new_record(Kind::Task, "Hidden although late", "");
    hidden.fields.insert("todayFocus".into(), "hidden".into());
    hidden.fields.insert("due".into(), "2026-01-01".into());
    demo.add(hidden).await;
    let mut label = demo.new_record(Kind::Task, "Nearly the label", "");
    label
        .fields
        .insert("labels".into(), json!(["waiting-on-me", "on", "waiting"]));
    demo.add(label).await;
    let day = of(&demo, "UTC").await;
    assert!(!titles(&day.focus).contains(&"Hidden although late"));
    assert!(!titles(&day.waiting_on).contains(&"Nearly the label"));
}

/// A due date is a day of the person's: at its last second nothing of the next one is due, and nothing of it has gone by; also where the
/// clocks change in that night.
#[tokio::test]
async fn a_task_is_due_for_the_whole_of_its_day() {
    for (zone, day, next, last_second) in [
        (
            "America/Bogota",
            "2026-08-08",
            "2026-08-09",
            "2026-08-09T04:59:59Z",
        ),
        (
            "Asia/Makassar",
            "2026-08-08",
            "2026-08-09",
            "2026-08-08T15:59:59Z",
        ),
        ("UTC", "2026-08-08", "2026-08-09", "2026-08-08T23:59:59Z"),
        (
            "Pacific/Kiritimati",
            "2026-08-08",
            "2026-08-09",
            "2026-08-08T09:59:59Z",
        ),
        (
            "Europe/Berlin",
            "2026-10-25",
            "2026-10-26",
            "2026-10-25T22:59:59Z",
        ),
        (
            "Europe/Berlin",
            "2026-03-28",
            "2026-03-29",
            "2026-03-28T22:59:59Z",
        ),
    ] {
        let demo = Demo::at(last_second, Some(zone)).await;
        for (title, due) in [("This day", day), ("The next day", next)] {
            let mut new = demo.new_record(Kind::Task, title, "");
            new.fields.insert("due".into(), json!(due));
            demo.add(new).await;
        }
        for (date, is_next_due) in [(day, false), (next, true)] {
            let today = of(&demo, zone).await;
            assert_eq!(today.date, date, "{zone}");
            let focus = titles(&today.focus);
            assert!(focus.contains(&"This day"), "{zone}: {focus:?}");
            assert_eq!(
                focus.contains(&"The next day"),
                is_next_due,
                "{zone}: {focus:?}"
            );
            for card in &today.focus {
                if card["title"] == "This day" {
                    assert_eq!(card["due"], day, "{zone}");
                }
            }
            demo.clock.advance(jiff::SignedDuration::from_secs(1));
        }
    }
}

#[tokio::test]
async fn what_needs_the_person_is_pending_and_untrusted() {
    let demo = Demo::new().await;
    let found = decisions(&demo.reader()).await.unwrap().needs_me;
    assert_eq!(
        titles(&found.approvals),
        ["Post the weekly update to the partner channel"]
    );
    assert_eq!(
        titles(&found.editor_decisions),
        ["May the editor run the release script?"]
    );
    for card in found.approvals.iter().chain(&found.editor_decisions) {
        assert_eq!(
            (&card["trust"], &card["status"]),
            (&json!("untrusted"), &json!("pending"))
        );
        assert!(!card["preview"].as_str().unwrap().is_empty());
    }
    let second = decisions(&demo.second()).await.unwrap().needs_me;
    assert!(second.approvals.is_empty() && second.editor_decisions.is_empty());
}

/// What does not fit is counted, and a note says where it is.
#[tokio::test]
async fn a_list_that_is_cut_says_so() {
    let demo = Demo::new().await;
    let short = of(&demo, "UTC").await;
    assert_eq!(short.notes.len(), 1);
    for at in 0..25 {
        let title = format!("Waits {at}");
        let mut task = demo.new_record(Kind::Task, &title, "");
        task.status = Some("proposed".to_owned());
        demo.add(task).await;
        let mut approval = demo.new_record(Kind::Approval, &title, "Post it?");
        approval.status = Some("pending".to_owned());
        demo.add(approval).await;
    }
    let day = of(&demo, "UTC").await;
    assert_eq!(day.proposed.len() + day.not_shown["proposed"], 27);
    assert!(day.notes[1].contains("ensemble_tasks"), "{:?}", day.notes);
    let found = decisions(&demo.reader()).await.unwrap();
    let shown = found.needs_me.approvals.len() as u64;
    assert!(found.needs_me.has_more && shown < found.needs_me.total.pending_approvals);
    assert!(found.notes.iter().any(|note| note.contains("`url`")));
}
