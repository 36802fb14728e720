//! Calendars as programs write them: series, zones, whole days, and what is wrong in them.

use jiff::tz::TimeZone;
use serde_json::Value;

use super::*;

fn options(zone: &str) -> Options {
    Options {
        name: None,
        columns: Vec::new(),
        dates: None,
        zone: TimeZone::get(zone).unwrap(),
        now: "2026-03-20T12:00:00Z".parse().unwrap(),
    }
}

fn calendar(events: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{}END:VCALENDAR\r\n",
        events.replace('\n', "\r\n")
    )
}

fn of(events: &str) -> Parsed {
    read(calendar(events).as_bytes(), &options("Europe/Berlin")).unwrap()
}

fn starts(parsed: &Parsed) -> Vec<&str> {
    let kept = parsed.items.iter().filter(|item| !item.gone);
    kept.map(|item| item.fields["start"].as_str().unwrap())
        .collect()
}

fn event(uid: &str, lines: &str) -> String {
    format!("BEGIN:VEVENT\nUID:{uid}\nSUMMARY:{uid}\n{lines}\nEND:VEVENT\n")
}

#[test]
fn nine_o_clock_stays_nine_o_clock_when_clocks_change() {
    let lines =
        "DTSTART;TZID=Europe/Berlin:20260323T090000\nDURATION:PT30M\nRRULE:FREQ=WEEKLY;COUNT=3";
    let parsed = of(&event("weekly", lines));
    let wanted = [
        "2026-03-23T08:00:00.000Z",
        "2026-03-30T07:00:00.000Z",
        "2026-04-06T07:00:00.000Z",
    ];
    assert_eq!(starts(&parsed), wanted);
    assert_eq!(parsed.items[1].fields["end"], "2026-03-30T07:30:00.000Z");
    assert_eq!(parsed.items[0].links, []);
    let before = Target::Item(parsed.items[1].key.clone());
    assert_eq!(
        (
            parsed.items[2].links[0].relation,
            &parsed.items[2].links[0].to
        ),
        (relation::SERIES, &before)
    );
}

#[test]
fn an_all_day_event_is_the_same_day_in_every_zone() {
    for zone in [
        "America/Bogota",
        "Asia/Makassar",
        "UTC",
        "Pacific/Kiritimati",
    ] {
        let text = calendar(
            &(event(
                "one",
                "DTSTART;VALUE=DATE:20260808\nDTEND;VALUE=DATE:20260809",
            ) + &event(
                "three",
                "DTSTART;VALUE=DATE:20260808\nDTEND;VALUE=DATE:20260811",
            )),
        );
        let parsed = read(text.as_bytes(), &options(zone)).unwrap();
        let [one, three] = parsed.items.as_slice() else {
            panic!("{parsed:?}")
        };
        assert_eq!(
            (&one.fields["start"], one.fields.get("end")),
            (&Value::from("2026-08-08"), None)
        );
        assert_eq!(three.fields["end"], "2026-08-10");
        assert_eq!(one.fields["allDay"], true);
    }
}

#[test]
fn times_are_read_in_the_zone_that_is_named() {
    for (line, start) in [
        ("DTSTART:20260320T090000Z", "2026-03-20T09:00:00.000Z"),
        ("DTSTART:20260320T090000", "2026-03-20T08:00:00.000Z"),
        (
            "DTSTART;TZID=\"W. Europe Standard Time\":20260320T090000",
            "2026-03-20T08:00:00.000Z",
        ),
        (
            "DTSTART;TZID=/example.org/America/New_York:20260320T090000",
            "2026-03-20T13:00:00.000Z",
        ),
        (
            "DTSTART;TZID=Office:20260320T090000",
            "2026-03-20T03:30:00.000Z",
        ),
    ] {
        let zone = "BEGIN:VTIMEZONE\nTZID:Office\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0530\nEND:STANDARD\nEND:VTIMEZONE\n";
        let parsed = of(&(zone.to_owned() + &event("x", line)));
        assert_eq!(starts(&parsed), [start], "{line}");
    }
    let parsed = of(&(event("bad", "DTSTART;TZID=Nowhere:20260320T090000")
        + &event("good", "DTSTART:20260320T090000Z")));
    assert_eq!(parsed.bad[0].reason, "The time zone “Nowhere” is unknown.");
    assert_eq!(parsed.items.len(), 1);
}

#[test]
fn times_are_left_out_moved_and_cancelled() {
    let series = event(
        "s",
        "DTSTART:20260323T090000Z\nDTEND:20260323T100000Z\nRRULE:FREQ=DAILY;UNTIL=20260327T090000Z\nEXDATE:20260324T090000Z",
    );
    let moved = event(
        "s",
        "RECURRENCE-ID:20260325T090000Z\nDTSTART:20260325T150000Z\nDTEND:20260325T160000Z",
    );
    let cancelled = event(
        "s",
        "RECURRENCE-ID:20260326T090000Z\nDTSTART:20260326T090000Z\nSTATUS:CANCELLED",
    );
    let parsed = of(&(series + &moved + &cancelled));
    let mut all = starts(&parsed);
    all.sort_unstable();
    assert_eq!(
        all,
        [
            "2026-03-23T09:00:00.000Z",
            "2026-03-25T15:00:00.000Z",
            "2026-03-27T09:00:00.000Z"
        ]
    );
    let gone = parsed.items.iter().filter(|item| item.gone).count();
    assert_eq!(gone, 2, "the excluded and the cancelled one");
    let keys: BTreeSet<&str> = parsed.items.iter().map(|item| item.key.as_str()).collect();
    assert_eq!(keys.len(), parsed.items.len());
}

#[test]
fn a_series_without_an_end_has_the_times_of_a_window() {
    let parsed = of(&event(
        "daily",
        "DTSTART:20100101T090000Z\nRRULE:FREQ=DAILY",
    ));
    let all = starts(&parsed);
    assert_eq!(
        all.first(),
        Some(&"2025-03-20T09:00:00.000Z").filter(|_| all.len() > 700)
    );
    assert_eq!(all.last(), Some(&"2027-03-21T09:00:00.000Z"));
    assert_eq!(
        parsed.items[0].links.len(),
        1,
        "the one before the window is named"
    );
    let hourly = of(&event(
        "often",
        "DTSTART:20260320T000000Z\nRRULE:FREQ=MINUTELY",
    ));
    assert_eq!(hourly.items.len(), series::TIMES_MAX);
    assert!(hourly.notes[0].contains("were cut: 1"));
    let last = of(&event(
        "last",
        "DTSTART:20260130T090000Z\nRRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3",
    ));
    assert_eq!(
        starts(&last),
        [
            "2026-01-30T09:00:00.000Z",
            "2026-02-27T09:00:00.000Z",
            "2026-03-27T09:00:00.000Z"
        ]
    );
}

#[test]
fn guests_and_places_are_kept_and_bad_events_named() {
    let lines = "DTSTART:20260320T090000Z\nORGANIZER;CN=Ada:mailto:Ada@Example.com\nATTENDEE;CUTYPE=ROOM:mailto:room@example.com\n\
                 LOCATION:Room 1\nDESCRIPTION:Join https://meet.google.com/abc\\n<b>now</b>\nSUMMARY:Second";
    let parsed = of(&(event("x", lines)
        + "BEGIN:VEVENT\nUID:y\nSUMMARY:No time\nEND:VEVENT\nBEGIN:VEVENT\nDTSTART:20260320T090000Z\nEND:VEVENT\n"
        + &event("z", "DTSTART:20260320T090000Z\nRRULE:FREQ=SOMETIMES")));
    let item = &parsed.items[0];
    assert_eq!(item.fields["joinUrl"], "https://meet.google.com/abc");
    assert_eq!(item.fields["guests"], serde_json::json!(["Ada"]));
    assert_eq!(item.links.len(), 1);
    let reasons: Vec<&str> = parsed.bad.iter().map(|bad| bad.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "This event has no UID.",
            "This event has no DTSTART.",
            "Its rule (RRULE) cannot be read."
        ]
    );
    assert!(read(b"hello", &options("UTC")).is_err());
}
