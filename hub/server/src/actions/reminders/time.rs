//! When a reminder is, out of an input: an instant with its offset, what a clock in a time zone shows, or a day.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::actions::shared::zone_named;
use crate::actions::with::limited;
use crate::clock::{instant, zone_name};
use crate::error::RouteError;

/// What an input says.
pub(super) struct Given<'a> {
    pub(super) at: Option<&'a str>,
    pub(super) day: Option<&'a str>,
    pub(super) zone: Option<&'a str>,
}

/// A time as the record keeps it, and the zone that goes with an instant.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct When {
    pub(super) start: String,
    pub(super) zone: Option<String>,
}

impl Given<'_> {
    /// The time that is given; `None` where none is.
    pub(super) fn when(
        &self,
        now: Timestamp,
        persons: TimeZone,
    ) -> Result<Option<When>, RouteError> {
        match (self.at, self.day) {
            (None, None) if self.zone.is_some() => {
                Err(limited("`timeZone` goes with `at`: give both."))
            }
            (None, None) => Ok(None),
            (Some(_), Some(_)) => Err(limited("Give `at` or `day`, not both.")),
            (Some(at), None) => {
                let zone = zone_named(self.zone, persons)?;
                let at = moment(at, &zone)?;
                if at <= now {
                    return Err(limited("`at` has passed: give a time that is to come."));
                }
                Ok(Some(When {
                    start: instant(at),
                    zone: Some(zone_name(&zone).to_owned()),
                }))
            }
            (None, Some(_)) if self.zone.is_some() => Err(limited(
                "A day is the same in every time zone: leave `timeZone` out, or give `at`.",
            )),
            (None, Some(day)) => {
                let date: Date = day
                    .parse()
                    .map_err(|_| limited("`day` has to be a calendar date such as 2027-03-01."))?;
                if date < now.to_zoned_datetime(persons).date() {
                    return Err(limited("`day` has passed: give one that is to come."));
                }
                Ok(Some(When {
                    start: date.to_string(),
                    zone: None,
                }))
            }
        }
    }
}

/// An instant with its offset, or what the clock shows.
fn moment(text: &str, zone: &TimeZone) -> Result<Timestamp, RouteError> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let zoned = text
        .parse::<DateTime>()
        .and_then(|civil| civil.to_zoned_datetime(zone.clone()));
    zoned.map(|zoned| zoned.timestamp()).map_err(|_| {
        limited("`at` has to be a day and a time such as 2027-03-01T09:00, with an offset or on the clock of `timeZone`.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn when(at: Option<&str>, day: Option<&str>, zone: Option<&str>) -> Result<When, String> {
        let now = "2026-03-02T23:30:00Z".parse().unwrap();
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let given = Given { at, day, zone };
        let when = given.when(now, berlin).map_err(|error| error.sentence())?;
        when.ok_or_else(|| "nothing".to_owned())
    }

    fn is(start: &str, zone: Option<&str>) -> When {
        let zone = zone.map(str::to_owned);
        let start = start.to_owned();
        When { start, zone }
    }

    #[test]
    fn a_clock_is_read_in_its_zone_and_an_offset_as_it_is() {
        let (berlin, tokyo) = (Some("Europe/Berlin"), Some("Asia/Tokyo"));
        let nine = "2026-03-30T09:00";
        assert_eq!(
            when(Some(nine), None, None),
            Ok(is("2026-03-30T07:00:00.000Z", berlin))
        );
        assert_eq!(
            when(Some(nine), None, tokyo),
            Ok(is("2026-03-30T00:00:00.000Z", tokyo))
        );
        let offset = Some("2026-03-30T09:00:00-05:00");
        assert_eq!(
            when(offset, None, None),
            Ok(is("2026-03-30T14:00:00.000Z", berlin))
        );
    }

    #[test]
    fn a_day_has_no_zone_and_today_is_the_persons() {
        // In Berlin it is the third already.
        assert_eq!(
            when(None, Some("2026-03-03"), None),
            Ok(is("2026-03-03", None))
        );
        for (at, day, zone, words) in [
            (None, Some("2026-03-02"), None, "has passed"),
            (Some("2026-03-02T23:00:00Z"), None, None, "has passed"),
            (None, Some("2026-02-30"), None, "calendar date"),
            (Some("2026-02-30T09:00"), None, None, "such as"),
            (Some("2026-04-01T09:00"), None, Some("Mars/Base"), "unknown"),
            (None, Some("2026-04-01"), Some("UTC"), "same in every"),
            (
                Some("2026-04-01T09:00"),
                Some("2026-04-01"),
                None,
                "not both",
            ),
            (None, None, Some("UTC"), "goes with"),
            (None, None, None, "nothing"),
        ] {
            let refused = when(at, day, zone).unwrap_err();
            assert!(refused.contains(words), "{refused}");
        }
    }
}
