//! Times of a calendar: a day, or an instant in a zone. A zone is known by its IANA name, by the name that Windows gives it, or by what
//! the file says of it where that is one fixed offset; anything else is an error, because a guess moves meetings.

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ZonedDateTime};

use crate::clock::instant;
use crate::import::lines::{Component, Line};
use crate::recurrence::{date, date_time};

/// When something is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Time {
    /// A whole day, in no zone.
    Day(Date),
    At(ZonedDateTime),
}

impl Time {
    /// As the records of events have it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Day(day) => day.to_string(),
            Self::At(at) => instant(at.timestamp()),
        }
    }

    /// The same for the same time in every zone.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Day(day) => day.to_string(),
            Self::At(at) => at.timestamp().to_string(),
        }
    }

    pub(super) const fn is_day(&self) -> bool {
        matches!(self, Self::Day(_))
    }

    /// The instant; a day begins at midnight in UTC, which is near enough for a window of years.
    pub(super) fn timestamp(&self) -> Timestamp {
        match self {
            Self::Day(day) => day
                .to_zoned_datetime(TimeZone::UTC)
                .map_or(Timestamp::MIN, |zoned| zoned.timestamp()),
            Self::At(at) => at.timestamp(),
        }
    }

    /// What a clock on the wall shows; a day begins at midnight.
    pub(super) fn civil(&self) -> DateTime {
        match self {
            Self::Day(day) => day.at(0, 0, 0, 0),
            Self::At(at) => at.datetime(),
        }
    }

    /// The time that a clock on the same wall shows as `civil`.
    pub(super) fn at_civil(&self, civil: DateTime) -> Option<Self> {
        match self {
            Self::Day(_) => Some(Self::Day(civil.date())),
            Self::At(at) => civil
                .to_zoned_datetime(at.time_zone().clone())
                .ok()
                .map(Self::At),
        }
    }

    pub(super) fn zone_name(&self) -> Option<&str> {
        match self {
            Self::Day(_) => None,
            Self::At(at) => at.time_zone().iana_name(),
        }
    }
}

/// The zones of one file.
#[derive(Debug)]
pub(super) struct Zones {
    /// For times without a zone: the person's.
    own: TimeZone,
    fixed: BTreeMap<String, TimeZone>,
}

impl Zones {
    pub(super) fn of(calendars: &[Component], own: &TimeZone) -> Self {
        let inside = calendars.iter().flat_map(|calendar| &calendar.inside);
        let zones = inside.filter(|one| one.name == "VTIMEZONE");
        let mut fixed = BTreeMap::new();
        for zone in zones {
            if let Some((name, offset)) = zone.text("TZID").zip(one_offset(zone)) {
                fixed.insert(name, offset);
            }
        }
        Self {
            own: own.clone(),
            fixed,
        }
    }

    /// The time of a line.
    pub(super) fn time(&self, line: &Line) -> Result<Time, String> {
        self.value(line, line.value.trim())
    }

    /// The times of a line that has several.
    pub(super) fn times(&self, line: &Line) -> Result<Vec<Time>, String> {
        let values = line.value.split(',').map(str::trim);
        // A period begins with its time.
        let values = values.map(|value| value.split('/').next().unwrap_or(value));
        values.map(|value| self.value(line, value)).collect()
    }

    fn value(&self, line: &Line, value: &str) -> Result<Time, String> {
        let wrong = || format!("{} is not a time that can be read.", line.name);
        if let Some(date) = date(value) {
            return Ok(Time::Day(date));
        }
        let (local, utc) = match value.strip_suffix(['Z', 'z']) {
            Some(local) => (local, true),
            None => (value, false),
        };
        let civil = date_time(local).ok_or_else(wrong)?;
        let zone = match line.param("TZID") {
            _ if utc => TimeZone::UTC,
            Some(name) => self.zone(name)?,
            None => self.own.clone(),
        };
        civil
            .to_zoned_datetime(zone)
            .map(Time::At)
            .map_err(|_| wrong())
    }

    fn zone(&self, name: &str) -> Result<TimeZone, String> {
        let name = name.trim();
        let known = |name: &str| TimeZone::get(name).ok();
        // Some programs put a path in front: /example.org/Europe/Berlin.
        let tail = || {
            let parts: Vec<&str> = name.split('/').collect();
            let two = parts
                .get(parts.len().saturating_sub(2)..)
                .map(|two| two.join("/"));
            two.filter(|_| parts.len() > 2).and_then(|two| known(&two))
        };
        known(name)
            .or_else(|| windows(name).and_then(known))
            .or_else(tail)
            .or_else(|| self.fixed.get(name).cloned())
            .ok_or_else(|| {
                let name = ensemble_hub_api::sentences::quoted(name);
                format!("The time zone {name} is unknown.")
            })
    }
}

/// The offset of a zone whose clocks never change.
fn one_offset(zone: &Component) -> Option<TimeZone> {
    let mut offsets: Vec<&str> = zone
        .inside
        .iter()
        .filter_map(|part| part.line("TZOFFSETTO"))
        .map(|line| line.value.trim())
        .collect();
    offsets.dedup();
    let [one] = offsets.as_slice() else {
        return None;
    };
    let (sign, digits) = match one.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let hours: i32 = digits.get(..2)?.parse().ok()?;
    let minutes: i32 = digits.get(2..4)?.parse().ok()?;
    let offset = Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()?;
    Some(TimeZone::fixed(offset))
}

/// The IANA name of a zone by its Windows name, where the two mean the same clocks.
fn windows(name: &str) -> Option<&'static str> {
    Some(match name {
        "Pacific Standard Time" => "America/Los_Angeles",
        "Mountain Standard Time" => "America/Denver",
        "US Mountain Standard Time" => "America/Phoenix",
        "Central Standard Time" => "America/Chicago",
        "Eastern Standard Time" => "America/New_York",
        "Atlantic Standard Time" => "America/Halifax",
        "Newfoundland Standard Time" => "America/St_Johns",
        "SA Pacific Standard Time" => "America/Bogota",
        "E. South America Standard Time" => "America/Sao_Paulo",
        "Argentina Standard Time" => "America/Buenos_Aires",
        "GMT Standard Time" => "Europe/London",
        "Greenwich Standard Time" => "Atlantic/Reykjavik",
        "W. Europe Standard Time" => "Europe/Berlin",
        "Central Europe Standard Time" => "Europe/Budapest",
        "Central European Standard Time" => "Europe/Warsaw",
        "Romance Standard Time" => "Europe/Paris",
        "E. Europe Standard Time" => "Europe/Chisinau",
        "FLE Standard Time" => "Europe/Kiev",
        "GTB Standard Time" => "Europe/Bucharest",
        "Turkey Standard Time" => "Europe/Istanbul",
        "Israel Standard Time" => "Asia/Jerusalem",
        "South Africa Standard Time" => "Africa/Johannesburg",
        "Egypt Standard Time" => "Africa/Cairo",
        "Russian Standard Time" => "Europe/Moscow",
        "Arab Standard Time" => "Asia/Riyadh",
        "Arabian Standard Time" => "Asia/Dubai",
        "Iran Standard Time" => "Asia/Tehran",
        "Pakistan Standard Time" => "Asia/Karachi",
        "India Standard Time" => "Asia/Calcutta",
        "SE Asia Standard Time" => "Asia/Bangkok",
        "China Standard Time" => "Asia/Shanghai",
        "Singapore Standard Time" => "Asia/Singapore",
        "Tokyo Standard Time" => "Asia/Tokyo",
        "Korea Standard Time" => "Asia/Seoul",
        "AUS Eastern Standard Time" => "Australia/Sydney",
        "E. Australia Standard Time" => "Australia/Brisbane",
        "W. Australia Standard Time" => "Australia/Perth",
        "New Zealand Standard Time" => "Pacific/Auckland",
        "Hawaiian Standard Time" => "Pacific/Honolulu",
        "UTC" | "Coordinated Universal Time" | "tzone://Microsoft/Utc" => "UTC",
        _ => return None,
    })
}
