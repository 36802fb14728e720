//! Meetings: the calendar's events in a window of days, by their start. One row for each event, also where it came in twice; with each the
//! latest earlier meeting of its series.
//!
//! | `from`, `to` | the window |
//! |---|---|
//! | neither | from now on, 14 days |
//! | a day | from its first moment, or to its last, in the person's time zone |
//! | an instant | from it, or to it |

use ensemble_hub_api::{Kind, limits, sentences};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde_json::json;

use crate::clock::{instant, zone_name};
use crate::error::RouteError;
use crate::lists::{self, Part};
use crate::store::{EventWindow, Order, Record, RecordQuery};
use crate::view::{Card, Reader};

/// The name of the list.
pub const NAME: &str = "meetings";

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// A day or an instant.
    pub from: Option<String>,
    /// A day or an instant.
    pub to: Option<String>,
    /// Words that all stand in the title.
    pub words: Option<String>,
    /// Which part.
    pub part: Part,
}

/// The window of a list of meetings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: Timestamp,
    /// The first instant that is not in it.
    pub to: Timestamp,
}

impl Window {
    /// The window that `from` and `to` name for a person in `zone`.
    ///
    /// # Errors
    /// [`RouteError`] if one of them is no day and no instant, or they are the wrong way round.
    pub fn of(
        from: Option<&str>,
        to: Option<&str>,
        now: Timestamp,
        zone: &TimeZone,
    ) -> Result<Self, RouteError> {
        let from = match from {
            Some(text) => moment("from", text, 0, zone)?,
            None => now,
        };
        let to = if let Some(text) = to {
            moment("to", text, 1, zone)?
        } else {
            // Days of the calendar: on two of them a day has another length.
            let days = limits::MEETING_DAYS.days();
            let end = from.to_zoned_datetime(zone.clone()).checked_add(days);
            end.map_or(Timestamp::MAX, |end| end.timestamp())
        };
        if from < to {
            Ok(Self { from, to })
        } else {
            Err(RouteError::BadRequest(sentences::WINDOW_EMPTY.to_owned()))
        }
    }
}

impl Window {
    /// The events that are on in this window for a person in `zone`.
    pub fn events(&self, zone: &TimeZone) -> EventWindow {
        let day = |at: Timestamp| at.to_zoned_datetime(zone.clone()).date().to_string();
        // The window ends before `to`: at a midnight it does not reach into the next day.
        let last = self.to.checked_sub(1.microsecond()).unwrap_or(self.to);
        EventWindow {
            from: instant(self.from),
            to: instant(self.to),
            first_day: day(self.from),
            last_day: day(last),
        }
    }
}

/// An instant, or the beginning of a day `after` days later.
fn moment(name: &str, text: &str, after: i64, zone: &TimeZone) -> Result<Timestamp, RouteError> {
    let bad = || {
        let needs = "a day as YYYY-MM-DD, or an instant such as 2027-03-01T09:00:00Z";
        RouteError::BadRequest(sentences::bad_query(name, needs))
    };
    if ensemble_hub_api::date::is_date(text) {
        let day: Date = text.parse().map_err(|_| bad())?;
        let day = day.checked_add(after.days()).map_err(|_| bad())?;
        let midnight = day.to_zoned_datetime(zone.clone()).map_err(|_| bad())?;
        return Ok(midnight.timestamp());
    }
    text.parse().map_err(|_| bad())
}

/// The meetings of a window.
///
/// # Errors
/// [`RouteError`] if the window cannot be understood, or as [`lists::walk`].
pub async fn meetings(
    reader: &Reader<'_>,
    zone: &TimeZone,
    asked: &Asked,
) -> Result<Card, RouteError> {
    let now = reader.store.now();
    let window = Window::of(asked.from.as_deref(), asked.to.as_deref(), now, zone)?;
    let query = RecordQuery {
        kinds: vec![Kind::Event],
        order: Order::Start,
        title_words: asked.words.clone(),
        events_in: Some(window.events(zone)),
        ..RecordQuery::default()
    };
    let found = lists::walk(reader, query, &asked.part).await?;
    let mut cards = lists::cards(reader, &found.steps).await?;
    let events: Vec<&Record> = found.steps.iter().map(|step| &step.record).collect();
    add_participants(reader, &events, &mut cards).await?;
    add_previous(reader, &events, &mut cards).await?;
    let mut answer = lists::answer(NAME, cards, &found, &asked.part);
    let shown = json!({
        "from": instant(window.from),
        "to": instant(window.to),
        "timezone": zone_name(zone),
    });
    answer.insert("window".to_owned(), shown);
    Ok(answer)
}

/// People of one event.
const PARTICIPANTS_MAX: usize = 20;

/// Adds the names of the people of each event; how many more there are is counted.
async fn add_participants(
    reader: &Reader<'_>,
    events: &[&Record],
    cards: &mut [Card],
) -> Result<(), RouteError> {
    let ids: Vec<String> = events.iter().map(|event| event.id.clone()).collect();
    let mut people = reader.store.participants(reader.space, &ids).await?;
    for (card, event) in cards.iter_mut().zip(events) {
        let mut names = people.remove(&event.id).unwrap_or_default();
        let more = names.len().saturating_sub(PARTICIPANTS_MAX);
        names.truncate(PARTICIPANTS_MAX);
        if !names.is_empty() {
            card.insert("participants".to_owned(), json!(names));
        }
        if more > 0 {
            card.insert("participantsNotShown".to_owned(), more.into());
        }
    }
    Ok(())
}

async fn add_previous(
    reader: &Reader<'_>,
    events: &[&Record],
    cards: &mut [Card],
) -> Result<(), RouteError> {
    let ids: Vec<String> = events.iter().map(|event| event.id.clone()).collect();
    let previous = reader.store.previous_of_series(reader.space, &ids).await?;
    let wanted: Vec<String> = previous.values().cloned().collect();
    let records = reader.store.by_ids(reader.space, &wanted).await?;
    for (card, event) in cards.iter_mut().zip(events) {
        let Some(id) = previous.get(&event.id) else {
            continue;
        };
        if let Some(record) = records.iter().find(|record| &record.id == id) {
            let mut label = reader.label(record);
            for field in ["start", "end"] {
                if let Some(at) = record.text(field) {
                    label.insert(field.to_owned(), at.into());
                }
            }
            card.insert("previous".to_owned(), json!(label));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(from: Option<&str>, to: Option<&str>, zone: &str) -> Option<(String, String)> {
        let now: Timestamp = "2026-03-20T13:30:00Z".parse().unwrap();
        let zone = TimeZone::get(zone).unwrap();
        let window = Window::of(from, to, now, &zone).ok()?;
        Some((window.from.to_string(), window.to.to_string()))
    }

    #[track_caller]
    fn check(from: Option<&str>, to: Option<&str>, zone: &str, wanted: (&str, &str)) {
        let wanted = (wanted.0.to_owned(), wanted.1.to_owned());
        assert_eq!(window(from, to, zone), Some(wanted));
    }

    #[test]
    fn the_window_is_fourteen_days_of_the_persons_calendar() {
        let now = "2026-03-20T13:30:00Z";
        check(None, None, "UTC", (now, "2026-04-03T13:30:00Z"));
        // Clocks go forward in between.
        check(None, None, "Europe/Berlin", (now, "2026-04-03T12:30:00Z"));
        check(
            None,
            Some("2026-03-20"),
            "America/Bogota",
            (now, "2026-03-21T05:00:00Z"),
        );
        check(
            Some("2026-03-29"),
            Some("2026-03-29"),
            "Europe/Berlin",
            ("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        );
        check(
            Some("2026-03-01T09:00:00+05:30"),
            Some("2026-03-01T10:00:00Z"),
            "UTC",
            ("2026-03-01T03:30:00Z", "2026-03-01T10:00:00Z"),
        );
    }

    #[test]
    fn what_is_no_window_is_refused() {
        for (from, to) in [
            (Some("2026-02-30"), None),
            (Some("tomorrow"), None),
            (None, Some("2026-03-19")),
            (Some("2026-03-21"), Some("2026-03-20")),
            (Some("2026-03-21T10:00"), None),
            (None, Some("9999-12-31")),
        ] {
            assert_eq!(window(from, to, "UTC"), None, "{from:?} {to:?}");
        }
    }
}
