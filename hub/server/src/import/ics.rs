//! iCalendar: events. A series becomes one event for each of its times from a year ago to a year ahead, each linked to the one before;
//! a time that was moved or cancelled is moved or goes to Trash. Instants are kept in UTC, as every event of the hub; an all-day event
//! is a day and has no time in any zone: `start` is its first day, `end` its last one where it has several.
//!
//! Guests are linked where they are among the person's people (by e-mail address); a calendar makes no new people.

use std::collections::{BTreeMap, BTreeSet};

use ensemble_hub_api::{Kind, limits, relation};
use jiff::{SignedDuration, Span, Timestamp, ToSpan as _, civil::Date};

use super::item::{Item, Named, Parsed, Target};
use super::lines::{Component, Line, components};
use super::{Options, text::decode};
use crate::clock::instant;
use series::Series;
use time::{Time, Zones};

mod series;
mod time;

/// Guests of one event.
const GUESTS_MAX: usize = 200;
/// Characters of a description.
const DESCRIPTION_MAX: usize = limits::PAGE_MAX;
/// Days around now in which a series has its times.
const WINDOW_DAYS: i64 = 366;

/// The events of a file.
pub fn read(bytes: &[u8], options: &Options) -> Result<Parsed, String> {
    let text = decode(bytes)?;
    let (found, broken) = components(&text);
    if found.is_empty() && !text.trim().is_empty() {
        return Err("it has no calendar: one begins with BEGIN:VCALENDAR.".to_owned());
    }
    let mut parsed = Parsed::default();
    for (number, reason) in broken {
        parsed.bad(format!("line {number}"), reason);
    }
    let zones = Zones::of(&found, &options.zone);
    let inside = found.iter().flat_map(|calendar| &calendar.inside);
    // A calendar without an end still gave its events.
    let events = found
        .iter()
        .chain(inside)
        .filter(|one| one.name == "VEVENT");
    let mut by_uid: BTreeMap<String, Vec<&Component>> = BTreeMap::new();
    for event in events {
        match event.text("UID") {
            Some(uid) => by_uid.entry(uid).or_default().push(event),
            None => parsed.bad(format!("line {}", event.number), "This event has no UID."),
        }
    }
    let mut groups: Vec<_> = by_uid.into_iter().collect();
    groups.sort_by_key(|(_, events)| events.first().map(|event| event.number));
    let (from, to) = window(options.now);
    let mut cut = 0_usize;
    for (uid, events) in groups {
        let group = Group {
            uid: &uid,
            zones: &zones,
            from,
            to,
        };
        cut += usize::from(group.read(&events, &mut parsed));
    }
    if cut > 0 {
        parsed.notes.push(format!(
            "Series with more than {} times in the two years around now were cut: {cut}.",
            series::TIMES_MAX
        ));
    }
    Ok(parsed)
}

fn window(now: Timestamp) -> (Timestamp, Timestamp) {
    let days = SignedDuration::from_hours(WINDOW_DAYS * 24);
    let from = now.checked_sub(days).unwrap_or(Timestamp::MIN);
    (from, now.checked_add(days).unwrap_or(Timestamp::MAX))
}

/// The events of one UID: one with a rule or without, and those that replace one of its times.
struct Group<'a> {
    uid: &'a str,
    zones: &'a Zones,
    from: Timestamp,
    to: Timestamp,
}

impl Group<'_> {
    /// Adds the events; whether the series was cut.
    fn read(&self, events: &[&Component], parsed: &mut Parsed) -> bool {
        let mut replaced = BTreeSet::new();
        let mut cut = false;
        for event in events {
            let Some(line) = event.line("RECURRENCE-ID") else {
                continue;
            };
            match self.zones.time(line) {
                Ok(at) => {
                    replaced.insert(at.key());
                    self.add(event, Some(&at), None, parsed);
                }
                Err(reason) => parsed.bad(format!("line {}", line.number), reason),
            }
        }
        for event in events {
            if event.line("RECURRENCE-ID").is_some() {
                continue;
            }
            if event.line("RRULE").is_none() && event.line("RDATE").is_none() {
                self.add(event, None, None, parsed);
                continue;
            }
            match Series::of(event, self.zones, (self.from, self.to)) {
                Ok(series) => {
                    cut |= series.cut;
                    self.add_series(event, &series, &replaced, parsed);
                }
                Err(reason) => parsed.bad(format!("line {}", event.number), reason),
            }
        }
        cut
    }

    fn add_series(
        &self,
        event: &Component,
        series: &Series,
        replaced: &BTreeSet<String>,
        parsed: &mut Parsed,
    ) {
        let mut before = series.before.as_ref().map(|time| self.key(Some(time)));
        for time in &series.times {
            if !replaced.contains(&time.key()) {
                let at = parsed.items.len();
                self.add(event, Some(time), Some(time), parsed);
                if let (Some(item), Some(before)) = (parsed.items.get_mut(at), before) {
                    item.link(relation::SERIES, None, Target::Item(before));
                }
            }
            before = Some(self.key(Some(time)));
        }
        for time in &series.excluded {
            let mut gone = Item::new(self.key(Some(time)), Kind::Event, "");
            gone.gone = true;
            if !replaced.contains(&time.key()) {
                parsed.items.push(gone);
            }
        }
    }

    /// Adds one event. `of` is the time of the series that it is, `at` when it begins where its own line does not say.
    fn add(&self, event: &Component, of: Option<&Time>, at: Option<&Time>, parsed: &mut Parsed) {
        match self.event(event, of, at) {
            Ok(item) => parsed.items.push(item),
            Err(reason) => parsed.bad(format!("line {}", event.number), reason),
        }
    }

    fn event(
        &self,
        event: &Component,
        of: Option<&Time>,
        at: Option<&Time>,
    ) -> Result<Item, String> {
        let line = event.line("DTSTART").ok_or("This event has no DTSTART.")?;
        let first = self.zones.time(line)?;
        let length = self.length(event, &first)?;
        let start = at.cloned().unwrap_or(first);
        let title = crate::store::one_line(&event.text("SUMMARY").unwrap_or_default());
        let title = if title.is_empty() {
            "(no title)".to_owned()
        } else {
            title
        };
        if title.chars().count() > limits::TITLE_MAX {
            return Err(format!(
                "This title is longer than {} characters.",
                limits::TITLE_MAX
            ));
        }
        let mut item = Item::new(self.key(of), Kind::Event, title);
        item.place = format!("line {}", event.number);
        item.gone = event
            .text("STATUS")
            .is_some_and(|status| status.eq_ignore_ascii_case("CANCELLED"));
        item.set("start", start.shown());
        item.set("end", start.end(length));
        item.set("uid", self.uid);
        item.set("timeZone", start.zone_name().unwrap_or_default());
        if start.is_day() {
            item.set("allDay", true);
        }
        item.set("location", event.text("LOCATION").unwrap_or_default());
        item.set("joinUrl", join_url(event).unwrap_or_default());
        item.set("sourceUrl", event.text("URL").unwrap_or_default());
        item.set("source", "calendar");
        let description = event.text("DESCRIPTION").unwrap_or_default();
        crate::text::cut::head(&description, DESCRIPTION_MAX).clone_into(&mut item.body);
        Self::guests(event, &mut item);
        Ok(item)
    }

    fn length(&self, event: &Component, start: &Time) -> Result<Length, String> {
        if let Some(line) = event.line("DTEND") {
            return start.until(&self.zones.time(line)?);
        }
        match event.text("DURATION") {
            Some(text) => {
                let span: Span = text.parse().map_err(|_| "Its DURATION cannot be read.")?;
                let days = span.get_weeks() * 7 + span.get_days();
                let time = span.days(0).weeks(0);
                let time =
                    SignedDuration::try_from(time).map_err(|_| "Its DURATION cannot be read.")?;
                Ok(Length {
                    days: i64::from(days),
                    time,
                })
            }
            None => Ok(Length::default()),
        }
    }

    fn guests(event: &Component, item: &mut Item) {
        let mut names = Vec::new();
        let lines = event
            .lines("ORGANIZER")
            .chain(event.lines("ATTENDEE"))
            .take(GUESTS_MAX);
        for line in lines {
            let kind = line.param("CUTYPE").unwrap_or("INDIVIDUAL");
            let Some(email) = email(line) else { continue };
            if matches!(kind, "ROOM" | "RESOURCE") {
                continue;
            }
            let name = line.param("CN").unwrap_or(&email).to_owned();
            if !names.contains(&name) {
                names.push(name);
            }
            let person = Named {
                email: Some(email.clone()),
                known_only: true,
                ..Named::new(Kind::Person, email)
            };
            item.link(relation::PARTICIPANT, None, Target::Named(person));
        }
        item.set("guests", names);
    }

    fn key(&self, of: Option<&Time>) -> String {
        match of {
            Some(time) => format!("{}\n{}", self.uid, time.key()),
            None => self.uid.to_owned(),
        }
    }
}

/// How long an event is: whole days by the calendar, then time by the clock.
#[derive(Clone, Copy, Debug, Default)]
struct Length {
    days: i64,
    time: SignedDuration,
}

fn email(line: &Line) -> Option<String> {
    let value = line.value.trim();
    let scheme = value
        .get(..7)
        .filter(|start| start.eq_ignore_ascii_case("mailto:"));
    let address = scheme.and(value.get(7..)).or(line.param("EMAIL"))?;
    address.contains('@').then(|| address.trim().to_lowercase())
}

/// Where to join: what the calendar says, else the first address of a known meeting service.
fn join_url(event: &Component) -> Option<String> {
    for name in [
        "X-GOOGLE-CONFERENCE",
        "X-MICROSOFT-SKYPETEAMSMEETINGURL",
        "CONFERENCE",
    ] {
        if let Some(url) = event.text(name).filter(|url| url.starts_with("https://")) {
            return Some(url);
        }
    }
    let text = ["LOCATION", "DESCRIPTION", "URL"].map(|name| event.text(name).unwrap_or_default());
    let text = text.join(" ");
    let services = [
        "meet.google.com/",
        "zoom.us/",
        "teams.microsoft.com/",
        "webex.com/",
        "meet.jit.si/",
    ];
    text.split(|c: char| c.is_whitespace() || "<>\"()".contains(c))
        .find(|word| word.starts_with("https://") && services.iter().any(|one| word.contains(one)))
        .map(str::to_owned)
}

impl Time {
    /// When an event of this length that begins now ends; `None` where it has no length.
    fn end(&self, length: Length) -> String {
        match self {
            Self::Day(day) => {
                // The calendar names the day after the last one.
                let last = day.checked_add((length.days - 1).days()).unwrap_or(*day);
                if last > *day {
                    last.to_string()
                } else {
                    String::new()
                }
            }
            Self::At(at) => {
                let days = at.checked_add(length.days.days());
                let end = days.and_then(|end| end.checked_add(length.time));
                end.map_or_else(|_| String::new(), |end| instant(end.timestamp()))
            }
        }
    }

    /// The length of an event from here to `end`.
    fn until(&self, end: &Self) -> Result<Length, String> {
        match (self, end) {
            (Self::Day(start), Self::Day(end)) => Ok(Length {
                days: days_between(*start, *end),
                time: SignedDuration::ZERO,
            }),
            (Self::At(start), Self::At(end)) => Ok(Length {
                days: 0,
                time: end
                    .timestamp()
                    .duration_since(start.timestamp())
                    .max(SignedDuration::ZERO),
            }),
            _ => {
                Err("It begins with a day and ends with a time, or the other way round.".to_owned())
            }
        }
    }
}

fn days_between(start: Date, end: Date) -> i64 {
    start
        .until(end)
        .map_or(0, |span| i64::from(span.get_days()))
        .max(0)
}

#[cfg(test)]
mod tests;
