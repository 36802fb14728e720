//! The actions on routines.

use serde_json::{Value, json};

use crate::bench::Bench;

async fn made(bench: &Bench) -> Value {
    let asked = json!({
        "name": "Week", "instructions": "Sum up\r\nthe week.", "rule": "FREQ=WEEKLY;BYDAY=FR", "start": "2026-03-02T16:30",
        "timeZone": "europe/berlin",
    });
    bench.change("hub_create_routine", &asked).await["routine"].clone()
}

#[tokio::test]
async fn a_routine_says_when_it_is_next_on_its_own_clock() {
    let bench = Bench::new().await;
    let routine = made(&bench).await;
    assert_eq!(
        routine["nextRun"],
        json!({ "at": "2026-03-06T15:30:00.000Z", "local": "2026-03-06T16:30" })
    );
    assert_eq!(
        routine["schedule"],
        json!({ "rule": "FREQ=WEEKLY;BYDAY=FR", "start": "2026-03-02T16:30", "timeZone": "Europe/Berlin" })
    );
    for (rule, words) in [
        ("every friday", "RFC 5545"),
        ("FREQ=SECONDLY", "once an hour"),
        ("FREQ=DAILY;UNTIL=20260228", "still to come"),
    ] {
        let input =
            json!({ "name": "x", "instructions": "y", "rule": rule, "start": "2026-02-02T16:30" });
        bench.wrong("hub_create_routine", &input, words).await;
    }
    let input = json!({ "name": "x", "instructions": "y", "rule": "FREQ=DAILY", "start": "2026-03-02T16:30", "timeZone": "Mars" });
    bench.wrong("hub_create_routine", &input, "Mars").await;
}

#[tokio::test]
async fn a_routine_is_edited_paused_and_resumed_and_never_deleted() {
    let bench = Bench::new().await;
    let routine = made(&bench).await;
    let (id, update) = (routine["id"].as_str().unwrap(), "hub_update_routine");
    let edit = json!({ "routine": id, "operation": "edit", "rule": "FREQ=MONTHLY;BYMONTHDAY=-1", "name": "Month" });
    let edited = bench.change(update, &edit).await["routine"].clone();
    assert_eq!(edited["title"], "Month");
    // Clocks went forward: half past four is an hour earlier in UTC.
    assert_eq!(edited["nextRun"]["at"], "2026-03-31T14:30:00.000Z");

    let pause = json!({ "routine": "Month", "operation": "pause" });
    let paused = bench.change(update, &pause).await["routine"].clone();
    assert_eq!(paused["status"], "paused");
    assert!(paused.get("nextRun").is_none(), "{paused}");
    assert_eq!(bench.act(update, &pause).await.body["undoable"], false);
    let resume = json!({ "routine": id, "operation": "resume" });
    assert_eq!(
        bench.change(update, &resume).await["routine"]["status"],
        "active"
    );

    let before = bench.picture().await;
    let delete = json!({ "routine": id, "operation": "delete" });
    let refused = bench.act(update, &delete).await;
    assert_eq!(refused.status, 403, "{:?}", refused.body);
    assert_eq!(
        refused.error(),
        "Routines cannot be deleted from editors and agents; delete it in Ensemble."
    );
    assert_eq!(bench.picture().await, before);
    for (input, words) in [
        (
            json!({ "routine": id, "operation": "edit" }),
            "Nothing to change",
        ),
        (
            json!({ "routine": id, "operation": "pause", "name": "x" }),
            "operation edit",
        ),
        (json!({ "routine": id }), "operation"),
    ] {
        bench.wrong(update, &input, words).await;
    }
}

#[tokio::test]
async fn routines_are_listed_and_one_is_read_in_full() {
    let bench = Bench::new().await;
    made(&bench).await;
    let list = bench
        .act_with(
            &bench.reader,
            "hub_list_routines",
            &json!({ "status": "active" }),
        )
        .await;
    let list = Bench::ok(&list);
    assert_eq!(
        (&list["total"], &list["routines"][0]["instructionsExcerpt"]),
        (&json!(1), &json!("Sum up the week."))
    );
    let one = bench
        .act(
            "hub_list_routines",
            &json!({ "routine": "Week", "offset": 8 }),
        )
        .await;
    assert_eq!(
        Bench::ok(&one)["routine"]["instructions"]["text"],
        "the week."
    );
    let paused = bench
        .act("hub_list_routines", &json!({ "status": "paused" }))
        .await;
    assert_eq!(Bench::ok(&paused)["total"], 0);
    bench
        .wrong(
            "hub_list_routines",
            &json!({ "routine": "Week", "limit": 3 }),
            "only `offset`",
        )
        .await;
}
