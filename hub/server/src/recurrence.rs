//! Recurrence rules (RFC 5545, `RRULE`). Rules are about clocks on a wall: a rule is expanded in wall time, and whoever uses a time places it
//! in its zone, so that nine o'clock stays nine o'clock when clocks change.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rrule::RRuleSet;

/// Times of one rule that are looked at: a daily one of two hundred years.
const STEPS_MAX: usize = 80_000;

/// A rule that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// A rule with its first moment.
#[derive(Clone, Debug)]
pub(crate) struct Rule(RRuleSet);

impl Rule {
    /// The rule `value`, as a calendar has it behind `RRULE:`. `start` is what the clock shows at the first time, `zone` where that clock
    /// hangs; whole days have none. The end of a rule (`UNTIL`) is an instant, a wall time or a day at the source.
    pub(crate) fn parse(
        value: &str,
        start: DateTime,
        zone: Option<&TimeZone>,
    ) -> Result<Self, Unreadable> {
        // A line break would begin another property.
        if value.trim().chars().any(char::is_control) {
            return Err(Unreadable);
        }
        let mut parts = Vec::new();
        for part in value.trim().split(';').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or(Unreadable)?;
            if name.eq_ignore_ascii_case("UNTIL") {
                parts.push(format!("UNTIL={}", stamp(until(value, zone)?)));
            } else {
                parts.push(part.to_owned());
            }
        }
        let text = format!("DTSTART:{}\nRRULE:{}", stamp(start), parts.join(";"));
        text.parse().map(Self).map_err(|_| Unreadable)
    }

    /// How many times it gives, where it counts them.
    pub(crate) fn counted(&self) -> Option<u32> {
        self.0.get_rrule().iter().find_map(rrule::RRule::get_count)
    }

    /// Its times on the clock, in order, as many as are looked at.
    pub(crate) fn times(self) -> impl Iterator<Item = DateTime> {
        self.0
            .limit()
            .into_iter()
            .take(STEPS_MAX)
            .filter_map(|at| wall(at.timestamp()))
    }
}

/// A start of this rule at or after `start`, and before `from` where there is one, from which the rule gives the same times behind `from`:
/// whole periods later. A rule that counts its times has to be counted from its beginning; months and years are few.
pub(crate) fn later_start(rule: &str, start: DateTime, from: DateTime) -> DateTime {
    let part = |wanted: &str| {
        let parts = rule.split(';').filter_map(|part| part.split_once('='));
        parts
            .filter(|(name, _)| name.trim().eq_ignore_ascii_case(wanted))
            .map(|(_, value)| value.trim().to_ascii_uppercase())
            .next()
    };
    let hours = match part("FREQ").as_deref() {
        Some("HOURLY") => 1,
        Some("DAILY") => 24,
        Some("WEEKLY") => 24 * 7,
        _ => return start,
    };
    let interval = part("INTERVAL").map_or(Some(1), |text| text.parse::<i64>().ok());
    let period = interval.and_then(|interval| interval.checked_mul(hours));
    let Some(period) = period.filter(|period| *period > 0 && part("COUNT").is_none()) else {
        return start;
    };
    // One period is left before `from`: the times of the period in which it lies may begin before it.
    let periods = start.duration_until(from).as_hours() / period - 1;
    let later = SignedDuration::from_hours(periods.max(0).saturating_mul(period));
    start.checked_add(later).unwrap_or(start)
}

fn until(value: &str, zone: Option<&TimeZone>) -> Result<DateTime, Unreadable> {
    match (date(value), value.strip_suffix(['Z', 'z'])) {
        (Some(day), _) => Ok(day.at(23, 59, 59, 0)),
        (None, Some(utc)) => {
            let utc = date_time(utc).ok_or(Unreadable)?;
            let Some(zone) = zone else { return Ok(utc) };
            let at = utc
                .to_zoned_datetime(TimeZone::UTC)
                .map_err(|_| Unreadable)?;
            Ok(at.with_time_zone(zone.clone()).datetime())
        }
        (None, None) => date_time(value).ok_or(Unreadable),
    }
}

fn stamp(at: DateTime) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn wall(second: i64) -> Option<DateTime> {
    let at = Timestamp::from_second(second).ok()?;
    Some(at.to_zoned_datetime(TimeZone::UTC).datetime())
}

/// `20260302`.
pub(crate) fn date(text: &str) -> Option<Date> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (year, month, day) = (text.get(..4)?, text.get(4..6)?, text.get(6..)?);
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

/// `20260302T090000`.
pub(crate) fn date_time(text: &str) -> Option<DateTime> {
    let (day, time) = text.split_once(['T', 't'])?;
    if time.len() != 6 || !time.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize| time.get(from..from + 2)?.parse::<i8>().ok();
    // A second that is inserted is the one before it.
    let second = part(4)?.min(59);
    let date = date(day)?;
    let time = jiff::civil::Time::new(part(0)?, part(2)?, second, 0).ok()?;
    Some(DateTime::from_parts(date, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(rule: &str, zone: Option<&str>) -> Vec<String> {
        let zone = zone.map(|name| TimeZone::get(name).unwrap());
        let start = "2026-03-02T09:00".parse().unwrap();
        let rule = Rule::parse(rule, start, zone.as_ref()).unwrap();
        rule.times().take(9).map(|at| at.to_string()).collect()
    }

    #[test]
    fn the_clock_shows_the_same_hour_at_each_time() {
        let wanted = ["2026-03-02T09:00:00", "2026-03-30T09:00:00"];
        assert_eq!(times("FREQ=WEEKLY;INTERVAL=4;COUNT=2", None), wanted);
    }

    #[test]
    fn the_end_of_a_rule_is_an_instant_a_wall_time_or_a_day() {
        let daily = |until: &str, zone| times(&format!("FREQ=DAILY;UNTIL={until}"), zone).len();
        assert_eq!(daily("20260304", None), 3);
        assert_eq!(daily("20260304T085959", None), 2);
        // Nine o'clock in Bogotá is two in the afternoon in UTC.
        assert_eq!(daily("20260304T135959Z", Some("America/Bogota")), 2);
        assert_eq!(daily("20260304T140000Z", Some("America/Bogota")), 3);
    }

    #[test]
    fn a_rule_from_a_later_start_gives_the_same_times() {
        let (start, from): (DateTime, DateTime) = (
            "2026-03-02T09:00".parse().unwrap(),
            "2027-05-06T10:11".parse().unwrap(),
        );
        let next = |rule: &str, start| {
            let times = Rule::parse(rule, start, None).unwrap().times();
            let behind = times.filter(|at| *at > from);
            behind.take(5).collect::<Vec<_>>()
        };
        for (rule, moves) in [
            ("FREQ=HOURLY;INTERVAL=5", true),
            ("FREQ=DAILY;INTERVAL=3;BYHOUR=7,19", true),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", true),
            ("INTERVAL=3;FREQ=weekly;BYDAY=TU,SA", true),
            ("FREQ=DAILY;COUNT=500", false),
            ("FREQ=MONTHLY;BYDAY=-1FR", false),
        ] {
            let later = later_start(rule, start, from);
            assert_eq!(later > start, moves, "{rule}: {later}");
            assert_eq!(next(rule, later), next(rule, start), "{rule}");
            assert_eq!(later_start(rule, from, start), from, "{rule}");
        }
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        let start = "2026-03-02T09:00".parse().unwrap();
        for bad in [
            "",
            "DAILY",
            "FREQ=FORTNIGHTLY",
            "FREQ=DAILY;UNTIL=soon",
            "FREQ=DAILY\nEXDATE:20260303T090000Z",
        ] {
            assert_eq!(
                Rule::parse(bad, start, None).err(),
                Some(Unreadable),
                "{bad:?}"
            );
        }
    }
}
