//! The calendar: a row for each event of the window, by its start, with the people and the meeting before it.

use ensemble_hub_api::Kind;
use ensemble_hub_api::relation::Side;
use ensemble_hub_server::store::Record;
use serde_json::{Value, json};

use super::probe::Probe;
use super::rows::{Rows, ids, ids_of};
use crate::support::names;

pub(super) async fn meetings(probe: &Probe, home: &Rows, second: &Rows) {
    let all = home.all(&[Kind::Event]);
    let day = |at: Option<&str>| at.unwrap().split_at(10).0.to_owned();
    let (first, last) = (
        all.iter()
            .map(|event| day(event.text("start")))
            .min()
            .unwrap(),
        all.iter()
            .map(|event| day(event.text("end")))
            .max()
            .unwrap(),
    );
    let wide = json!({"from": first, "to": last});
    for asked in [
        json!({}),
        wide.clone(),
        json!({"from": first}),
        json!({"to": last}),
    ] {
        let found = probe.ask(home, "ensemble_meetings", asked.clone()).await;
        let expected = in_window(&all, &found["window"]);
        assert_eq!(ids(&found["meetings"]), ids_of(&expected), "{asked}");
        assert_eq!(found["total"], expected.len());
        let cards = found["meetings"].as_array().unwrap();
        assert!(cards.len() > 2, "the demo has too few meetings: {found}");
        for (card, event) in cards.iter().zip(expected) {
            one_meeting(home, card, event);
        }
    }
    let found = probe.ask(home, "ensemble_meetings", wide.clone()).await;
    assert_eq!(found["total"], all.len(), "all of the demo's");
    let with = |more: Value| {
        let mut asked = wide.clone();
        asked
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        asked
    };
    let two = probe
        .ask(home, "ensemble_meetings", with(json!({"limit": 2})))
        .await;
    for on in [
        json!({"offset": two["nextOffset"]}),
        json!({"after": two["next"]}),
    ] {
        let rest = probe.ask(home, "ensemble_meetings", with(on)).await;
        let parts = [ids(&two["meetings"]), ids(&rest["meetings"])].concat();
        assert_eq!(parts, ids(&found["meetings"]));
    }
    let weekly = probe
        .ask(
            home,
            "ensemble_meetings",
            with(json!({"query": "weekly RELIABILITY"})),
        )
        .await;
    assert_eq!(
        names(&weekly["meetings"], "title"),
        ["Client reliability weekly"]
    );
    let none = probe.ask(second, "ensemble_meetings", json!({})).await;
    assert_eq!(none["total"], second.all(&[Kind::Event]).len());
}

/// The events that are on in the window that the answer names, by their start.
fn in_window<'a>(all: &[&'a Record], window: &Value) -> Vec<&'a Record> {
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let bound = |name: &str| at(window[name].as_str().unwrap());
    let mut found = all.to_vec();
    found.retain(|event| {
        let of = |field: &str| at(event.text(field).unwrap());
        of("start") < bound("to") && of("end") > bound("from")
    });
    found.sort_by_key(|event| (event.text("start").unwrap().to_owned(), event.id.clone()));
    found
}

#[track_caller]
fn one_meeting(rows: &Rows, card: &Value, event: &Record) {
    let people = rows.linked(&event.id, "participant", &[Kind::Person]);
    let mut people: Vec<&str> = people
        .iter()
        .map(|id| rows.get(id).unwrap().title.as_str())
        .collect();
    people.sort_unstable();
    assert_eq!(card["participants"], json!(people), "{card}");
    // a series of the demo is a meeting and the event that follows it
    let before = rows.ends(&event.id, Side::named("series").unwrap());
    let previous = card.get("previous").map(|previous| previous["id"].clone());
    assert_eq!(previous, before.first().map(|id| json!(id)), "{card}");
    if let Some(id) = before.first() {
        let meeting = rows.get(id).unwrap();
        assert_eq!(card["previous"]["start"].as_str(), meeting.text("start"));
        assert_eq!(card["previous"]["kind"], "meeting");
    }
}
