//! The times of a series within a window: those that its rules give (see [`crate::recurrence`]), each placed in the series' zone, and those
//! that are listed, without those that are left out.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::time::{Time, Zones};
use crate::import::lines::Component;
use crate::recurrence::Rule;

/// Times of one series that become events.
pub(super) const TIMES_MAX: usize = 1_000;

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
            let (inside, earlier) = expand(&line.value, &start, window)?;
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

/// The times of a rule up to the end of the window, one more than are kept in it, and the last one before it.
fn expand(
    rule: &str,
    start: &Time,
    (from, to): (Timestamp, Timestamp),
) -> Result<(Vec<Time>, Option<Time>), String> {
    let zone = match start {
        Time::Day(_) => None,
        Time::At(at) => Some(at.time_zone()),
    };
    let rule = Rule::parse(rule, start.civil(), zone)
        .map_err(|_| "Its rule (RRULE) cannot be read.".to_owned())?;
    let (mut times, mut before) = (Vec::new(), None);
    for civil in rule.times() {
        let Some(time) = start.at_civil(civil) else {
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
