//! When a routine runs.

use ensemble_hub_api::sentences;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ZonedDateTime};
use serde_json::{Value, json};

use crate::actions::with::limited;
use crate::clock::zone_name;
use crate::error::RouteError;
use crate::recurrence::{Rule, later_start};
use crate::store::Record;

/// The field that keeps it.
const FIELD: &str = "schedule";
/// How near two runs may be.
const APART: SignedDuration = SignedDuration::from_hours(1);
/// Runs of a new rule that are looked at for that.
const LOOKED_AT: usize = 1_000;
/// Runs of a rule that counts them: they are counted from the first one each time.
const COUNT_MAX: u32 = 1_000;
/// The form of the first moment: what a clock shows.
const START: &str = "%Y-%m-%dT%H:%M";

/// A rule on a clock in a time zone.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub(super) rule: String,
    /// What the clock shows at the earliest possible run.
    pub(super) start: DateTime,
    pub(super) zone: TimeZone,
}

impl Schedule {
    /// A schedule out of an input; refused when its rule cannot be read, runs too often, or never again.
    pub(super) fn new(
        rule: &str,
        start: &str,
        zone: TimeZone,
        now: Timestamp,
    ) -> Result<Self, RouteError> {
        let rule = rule.trim();
        let rule = rule.strip_prefix("RRULE:").unwrap_or(rule).to_owned();
        let start = start.parse().map_err(|_| {
            limited("`start` has to be a day and a time of it such as 2027-03-01T09:00.")
        })?;
        let schedule = Self { rule, start, zone };
        let Some(read) = schedule.read() else {
            return Err(limited(&format!(
                "{} is not a recurrence rule of RFC 5545: give one such as FREQ=WEEKLY;BYDAY=MO,TH.",
                sentences::quoted(&schedule.rule)
            )));
        };
        if read.counted().is_some_and(|count| count > COUNT_MAX) {
            return Err(limited(
                "A rule that counts its runs counts at most 1,000: leave COUNT out, or give UNTIL.",
            ));
        }
        let times: Vec<DateTime> = read.times().take(LOOKED_AT).collect();
        let near = times.windows(2).any(|two| match two {
            [one, next] => next.duration_since(*one) < APART,
            _ => false,
        });
        if near {
            return Err(limited(
                "A routine runs at most once an hour: change `rule`.",
            ));
        }
        if schedule.next(now).is_none() {
            return Err(limited("This rule has no run that is still to come."));
        }
        Ok(schedule)
    }

    /// The schedule of a routine; `None` where what is kept is none.
    pub(super) fn of(routine: &Record) -> Option<Self> {
        let kept = routine.fields.get(FIELD)?;
        let text = |name: &str| kept.get(name).and_then(Value::as_str);
        Some(Self {
            rule: text("rule")?.to_owned(),
            start: text("start")?.parse().ok()?,
            zone: TimeZone::get(text("timeZone")?).ok()?,
        })
    }

    /// Writes it into a routine's fields.
    pub(super) fn keep(&self, fields: &mut serde_json::Map<String, Value>) {
        fields.insert(FIELD.to_owned(), self.shown());
    }

    /// As answers and records have it.
    pub(super) fn shown(&self) -> Value {
        json!({
            "rule": self.rule,
            "start": self.start_text(),
            "timeZone": zone_name(&self.zone),
        })
    }

    /// The first moment as an input gives it.
    pub(super) fn start_text(&self) -> String {
        self.start.strftime(START).to_string()
    }

    /// The first run after `now`.
    pub(super) fn next(&self, now: Timestamp) -> Option<ZonedDateTime> {
        let placed = |at: DateTime| at.to_zoned_datetime(self.zone.clone()).ok();
        let clock = now.to_zoned_datetime(self.zone.clone()).datetime();
        // An hour that clocks are put back counts twice.
        let from = clock.checked_sub(APART.saturating_mul(3)).unwrap_or(clock);
        let start = later_start(&self.rule, self.start, from);
        Rule::parse(&self.rule, start, Some(&self.zone))
            .ok()?
            .times()
            .filter_map(placed)
            .find(|at| at.timestamp() > now)
    }

    fn read(&self) -> Option<Rule> {
        Rule::parse(&self.rule, self.start, Some(&self.zone)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(rule: &str, start: &str, zone: &str, now: &str) -> Result<String, String> {
        let now = now.parse().unwrap();
        let zone = TimeZone::get(zone).unwrap();
        let schedule = Schedule::new(rule, start, zone, now).map_err(|error| error.sentence())?;
        Ok(schedule.next(now).unwrap().timestamp().to_string())
    }

    #[test]
    fn nine_o_clock_stays_nine_o_clock_when_clocks_change() {
        let monday = "FREQ=WEEKLY;BYDAY=MO";
        let at = |now| next(monday, "2026-03-02T09:00", "Europe/Berlin", now).unwrap();
        assert_eq!(at("2026-03-20T00:00:00Z"), "2026-03-23T08:00:00Z");
        assert_eq!(at("2026-03-29T12:00:00Z"), "2026-03-30T07:00:00Z");
        // The run of this very moment has begun.
        assert_eq!(at("2026-03-23T08:00:00Z"), "2026-03-30T07:00:00Z");
    }

    #[test]
    fn what_cannot_run_is_refused() {
        let refused =
            |rule| next(rule, "2026-03-02T09:00", "UTC", "2026-03-20T00:00:00Z").unwrap_err();
        assert!(refused("every monday").contains("RFC 5545"));
        assert!(refused("FREQ=MINUTELY").contains("once an hour"));
        assert!(refused("FREQ=DAILY;BYHOUR=9;BYMINUTE=0,30").contains("once an hour"));
        assert!(refused("FREQ=DAILY;COUNT=3").contains("still to come"));
        assert!(refused("FREQ=DAILY;COUNT=1001").contains("at most 1,000"));
        let hourly = next(
            "RRULE:FREQ=HOURLY",
            "2026-03-02T09:00",
            "UTC",
            "2026-03-02T09:30:00Z",
        );
        assert_eq!(hourly.unwrap(), "2026-03-02T10:00:00Z");
    }
}
