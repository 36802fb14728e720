//! The times of a series within a window. Rules are about clocks on a wall: the rule is expanded in wall time and each time is then
//! placed in the series' zone, so that nine o'clock stays nine o'clock when clocks change.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::DateTime;
use rrule::RRuleSet;

use super::time::{Time, Zones, date, date_time};
use crate::import::lines::Component;

/// Times of one series that become events.
pub(super) const TIMES_MAX: usize = 1_000;
/// Times of one rule that are looked at: a daily one of two hundred years.
const STEPS_MAX: usize = 80_000;

/// The times of a series.
#[derive(Debug)]
pub(super) struct Series {
    /// In order.
    pub(super) times: Vec<Time>,
    /// Times that the series leaves out.
    pub(super) excluded: Vec<Time>,
    /// The last time before the window.
    pub(super) before: Option<Time>,
    /// There are more times in the window than [`TIMES_MAX`].
    pub(super) cut: bool,
}

impl Series {
    /// The times of an event with rules.
    pub(super) fn of(
        event: &Component,
        zones: &Zones,
        window: (Timestamp, Timestamp),
    ) -> Result<Self, String> {
        let line = event.line("DTSTART").ok_or("This series has no DTSTART.")?;
        let start = zones.time(line)?;
        let mut times: Vec<Time> = Vec::new();
        let mut before: Option<Time> = None;
        for line in event.lines("RRULE") {
            let rule = rule(&line.value, &start)?;
            let (inside, earlier) = expand(&rule, &start, window)?;
            times.extend(inside);
            before = before
                .into_iter()
                .chain(earlier)
                .max_by_key(Time::timestamp);
        }
        // The first time counts even where the rule would not give it.
        times.push(start);
        for line in event.lines("RDATE") {
            times.extend(zones.times(line)?);
        }
        let mut excluded = Vec::new();
        for line in event.lines("EXDATE") {
            excluded.extend(zones.times(line)?);
        }
        let inside = |time: &Time| (window.0..=window.1).contains(&time.timestamp());
        let out: BTreeSet<String> = excluded.iter().map(Time::key).collect();
        times.retain(|time| inside(time) && !out.contains(&time.key()));
        times.sort_by_cached_key(|time| (time.timestamp(), time.key()));
        times.dedup();
        excluded.retain(inside);
        excluded.truncate(TIMES_MAX);
        let cut = times.len() > TIMES_MAX;
        times.truncate(TIMES_MAX);
        Ok(Self {
            times,
            excluded,
            before,
            cut,
        })
    }
}

/// The rule in wall time: its end is an instant or a day at the source.
fn rule(value: &str, start: &Time) -> Result<String, String> {
    let mut parts = Vec::new();
    for part in value.trim().split(';').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(unreadable)?;
        if !name.eq_ignore_ascii_case("UNTIL") {
            parts.push(part.to_owned());
            continue;
        }
        let until = match (date(value), value.strip_suffix(['Z', 'z'])) {
            (Some(day), _) => day.at(23, 59, 59, 0),
            (None, Some(utc)) => {
                let utc = date_time(utc).ok_or_else(unreadable)?;
                let at = utc
                    .to_zoned_datetime(jiff::tz::TimeZone::UTC)
                    .map_err(|_| unreadable())?;
                match start {
                    Time::Day(_) => utc,
                    Time::At(start) => at.with_time_zone(start.time_zone().clone()).datetime(),
                }
            }
            (None, None) => date_time(value).ok_or_else(unreadable)?,
        };
        parts.push(format!("UNTIL={}", stamp(until)));
    }
    Ok(parts.join(";"))
}

fn unreadable() -> String {
    "Its rule (RRULE) cannot be read.".to_owned()
}

fn stamp(at: DateTime) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// The times of a rule up to the end of the window, one more than are kept in it, and the last one before it.
fn expand(
    rule: &str,
    start: &Time,
    (from, to): (Timestamp, Timestamp),
) -> Result<(Vec<Time>, Option<Time>), String> {
    let text = format!("DTSTART:{}\nRRULE:{rule}", stamp(start.civil()));
    let set: RRuleSet = text.parse().map_err(|_| unreadable())?;
    let (mut times, mut before) = (Vec::new(), None);
    for at in set.limit().into_iter().take(STEPS_MAX) {
        let Some(time) = placed(at.timestamp(), start) else {
            continue;
        };
        if time.timestamp() < from {
            before = Some(time);
        } else if time.timestamp() > to || times.len() > TIMES_MAX {
            break;
        } else {
            times.push(time);
        }
    }
    Ok((times, before))
}

fn placed(second: i64, start: &Time) -> Option<Time> {
    let at = Timestamp::from_second(second).ok()?;
    start.at_civil(at.to_zoned_datetime(jiff::tz::TimeZone::UTC).datetime())
}
