//! Today, as the person's own calendar has it: the day begins and ends at their midnight, and a
//! due date is a day, whatever the zone.
//!
//! | list | what |
//! |---|---|
//! | focus | started or ready tasks that were kept for today, are `p0`, or are due; hidden ones not |
//! | proposed | tasks that wait for a yes |
//! | review | tasks that wait for approval |
//! | waitingOn | open tasks labelled `waiting-on`: what others owe |
//! | deliverables | due within two weeks, or late |
//! | meetings | events of this day |

use std::collections::BTreeMap;

use ensemble_hub_api::{Kind, TaskStatus};
use jiff::{Timestamp, ToSpan as _, civil::Date, tz::TimeZone};
use serde::Serialize;

use crate::clock::{instant, zone_name};
use crate::decisions;
use crate::error::RouteError;
use crate::store::{EventWindow, Order, Record, RecordQuery};
use crate::view::{self, Card, Reader};

/// Cards of one list; more are counted.
const LIST_MAX: usize = 15;
/// The same as a number of rows to ask for.
const LIST_ROWS: u32 = 15;
/// Bytes of one list.
const LIST_BYTES: usize = 10_000;
/// Records that one list is chosen from.
const POOL: u32 = 200;
/// Days ahead in which a deliverable is shown.
const DELIVERABLE_DAYS: i64 = 14;
/// The label of what others owe.
const WAITING_ON: &str = "waiting-on";
/// Statuses of work that can be done today.
const READY: [TaskStatus; 3] = [
    TaskStatus::Todo,
    TaskStatus::InProgress,
    TaskStatus::Blocked,
];

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Today {
    /// The day, `YYYY-MM-DD`.
    pub date: String,
    /// The person's time zone, by its IANA name.
    pub timezone: String,
    /// What to work on.
    pub focus: Vec<Card>,
    /// What waits for a yes.
    pub proposed: Vec<Card>,
    /// What is ready for review.
    pub review: Vec<Card>,
    /// What others owe.
    pub waiting_on: Vec<Card>,
    /// What is due soon.
    pub deliverables: Vec<Card>,
    /// The events of the day.
    pub meetings: Vec<Card>,
    /// How much needs the person.
    pub needs_me: decisions::Counts,
    /// How many of a list are not shown, by its name; at least so many where a list is long.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_shown: BTreeMap<&'static str, usize>,
    /// What the text is.
    pub notes: Vec<&'static str>,
}

/// The day that contains `now` in `zone`, and the instants at which it begins and ends.
#[derive(Debug, Clone)]
pub struct Day {
    date: Date,
    start: Timestamp,
    end: Timestamp,
}

impl Day {
    /// The day of `now` in `zone`. Days on which clocks change are shorter or longer.
    pub fn of(now: Timestamp, zone: &TimeZone) -> Self {
        let local = now.to_zoned_datetime(zone.clone());
        let date = local.date();
        let start_of = |date: Date| {
            date.to_zoned_datetime(zone.clone())
                .map_or(now, |midnight| midnight.timestamp())
        };
        let tomorrow = date.tomorrow().unwrap_or(date);
        Self {
            date,
            start: start_of(date),
            end: start_of(tomorrow),
        }
    }

    fn after(&self, days: i64) -> String {
        self.date
            .checked_add(days.days())
            .unwrap_or(self.date)
            .to_string()
    }
}

/// The person's day in the space of `reader`; `zone` is their time zone.
pub async fn today(reader: &Reader<'_>, zone: &TimeZone) -> Result<Today, RouteError> {
    let day = Day::of(reader.store.now(), zone);
    let mut not_shown = BTreeMap::new();
    let mut cut = |name, (cards, more): (Vec<Card>, usize)| {
        if more > 0 {
            not_shown.insert(name, more);
        }
        cards
    };
    let (focus, proposed, review, waiting_on, deliverables, meetings, needs_me) = tokio::try_join!(
        focus(reader, &day),
        with_status(reader, TaskStatus::Proposed),
        with_status(reader, TaskStatus::WaitingApproval),
        waiting_on(reader),
        deliverables(reader, &day),
        meetings(reader, &day),
        decisions::counts(reader),
    )?;
    let focus = cut("focus", focus);
    let proposed = cut("proposed", proposed);
    let review = cut("review", review);
    let waiting_on = cut("waitingOn", waiting_on);
    let deliverables = cut("deliverables", deliverables);
    let meetings = cut("meetings", meetings);
    let mut notes = vec![ensemble_hub_api::sentences::REFERENCE_NOTE];
    if !not_shown.is_empty() {
        notes.push("Some lists are longer, as notShown says: ensemble_tasks, ensemble_deliverables and ensemble_meetings give them in full.");
    }
    Ok(Today {
        date: day.date.to_string(),
        timezone: zone_name(zone).to_owned(),
        focus,
        proposed,
        review,
        waiting_on,
        deliverables,
        meetings,
        needs_me,
        not_shown,
        notes,
    })
}

async fn focus(reader: &Reader<'_>, day: &Day) -> Result<(Vec<Card>, usize), RouteError> {
    let ready = |query: RecordQuery| RecordQuery {
        kinds: vec![Kind::Task],
        statuses: READY
            .iter()
            .map(|status| status.as_str().to_owned())
            .collect(),
        limit: POOL,
        ..query
    };
    let equals = |field: &str, value: &str| RecordQuery {
        field_equals: vec![(field.to_owned(), value.to_owned())],
        ..RecordQuery::default()
    };
    let due = RecordQuery {
        field_between: Some(("due".to_owned(), "0001-01-01".to_owned(), day.after(1))),
        ..RecordQuery::default()
    };
    let mut found = BTreeMap::new();
    for query in [equals("todayFocus", "keep"), equals("priority", "p0"), due] {
        for record in reader
            .store
            .records(reader.space, &ready(query))
            .await?
            .items
        {
            found.insert(record.id.clone(), record);
        }
    }
    let mut tasks: Vec<Record> = found
        .into_values()
        .filter(|task| task.text("todayFocus") != Some("hidden") && !is_waiting_on(task))
        .collect();
    let order = |task: &Record| {
        (
            task.text("todayFocus") != Some("keep"),
            task.text("priority").unwrap_or("p9").to_owned(),
            task.text("due").unwrap_or("9999").to_owned(),
            std::cmp::Reverse(task.updated_at),
            task.id.clone(),
        )
    };
    tasks.sort_by_cached_key(order);
    shown(reader, tasks, None).await
}

async fn with_status(
    reader: &Reader<'_>,
    status: TaskStatus,
) -> Result<(Vec<Card>, usize), RouteError> {
    let query = RecordQuery {
        kinds: vec![Kind::Task],
        statuses: vec![status.as_str().to_owned()],
        limit: LIST_ROWS,
        ..RecordQuery::default()
    };
    let page = reader.store.records(reader.space, &query).await?;
    shown(reader, page.items, Some(page.total)).await
}

async fn waiting_on(reader: &Reader<'_>) -> Result<(Vec<Card>, usize), RouteError> {
    let (store, space) = (reader.store, reader.space);
    let page = store
        .open_tasks_labelled(space, WAITING_ON, LIST_ROWS)
        .await?;
    shown(reader, page.items, Some(page.total)).await
}

fn is_waiting_on(task: &Record) -> bool {
    task.texts("labels").contains(&WAITING_ON)
}

async fn deliverables(reader: &Reader<'_>, day: &Day) -> Result<(Vec<Card>, usize), RouteError> {
    let query = RecordQuery {
        kinds: vec![Kind::Deliverable],
        field_between: Some((
            "due".to_owned(),
            "0001-01-01".to_owned(),
            day.after(DELIVERABLE_DAYS + 1),
        )),
        except_statuses: ["done", "dropped"].map(str::to_owned).to_vec(),
        order: Order::Due,
        limit: LIST_ROWS,
        ..RecordQuery::default()
    };
    let page = reader.store.records(reader.space, &query).await?;
    shown(reader, page.items, Some(page.total)).await
}

async fn meetings(reader: &Reader<'_>, day: &Day) -> Result<(Vec<Card>, usize), RouteError> {
    let query = RecordQuery {
        kinds: vec![Kind::Event],
        events_in: Some(EventWindow {
            from: instant(day.start),
            to: instant(day.end),
            first_day: day.date.to_string(),
            last_day: day.date.to_string(),
        }),
        order: Order::Start,
        limit: POOL,
        ..RecordQuery::default()
    };
    let mut events = reader.store.records(reader.space, &query).await?.items;
    events.sort_by_cached_key(|event| {
        (
            event.text("start").unwrap_or("").to_owned(),
            event.id.clone(),
        )
    });
    shown(reader, events, None).await
}

/// The cards of the first of `records`, and how many of `total` are left out.
async fn shown(
    reader: &Reader<'_>,
    mut records: Vec<Record>,
    total: Option<u64>,
) -> Result<(Vec<Card>, usize), RouteError> {
    let total = total.map_or(records.len(), |total| {
        usize::try_from(total).unwrap_or(usize::MAX)
    });
    records.truncate(LIST_MAX);
    let (cards, _) = view::fit(reader.cards(&records).await?, LIST_BYTES);
    let more = total.saturating_sub(cards.len());
    Ok((cards, more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_and_ends_at_the_persons_midnight() {
        let now: Timestamp = "2026-03-29T00:30:00Z".parse().unwrap();
        for (zone, date, start, hours) in [
            ("UTC", "2026-03-29", "2026-03-29T00:00:00Z", 24),
            ("America/Bogota", "2026-03-28", "2026-03-28T05:00:00Z", 24),
            (
                "Pacific/Kiritimati",
                "2026-03-29",
                "2026-03-28T10:00:00Z",
                24,
            ),
            // Clocks go forward in this night.
            ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", 23),
        ] {
            let day = Day::of(now, &TimeZone::get(zone).unwrap());
            assert_eq!(day.date.to_string(), date, "{zone}");
            assert_eq!(day.start.to_string(), start, "{zone}");
            assert_eq!(
                day.end.duration_since(day.start).as_hours(),
                hours,
                "{zone}"
            );
        }
    }
}
