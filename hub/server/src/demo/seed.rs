//! The shape of demo data: records by a short name, dates relative to the moment of filling.

use ensemble_hub_api::{Kind, TaskStatus};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _, ZonedDateTime, tz::TimeZone};
use serde_json::{Map, Value, json};

use crate::clock::zone_name;

/// The moment from which the demo's dates are counted.
#[derive(Debug, Clone)]
pub struct Moment {
    now: Timestamp,
    zone: TimeZone,
}

impl Moment {
    /// `now`, with days as the person in `zone` counts them.
    pub fn new(now: Timestamp, zone: TimeZone) -> Self {
        Self { now, zone }
    }

    /// The name of the person's zone.
    pub fn zone_name(&self) -> &str {
        zone_name(&self.zone)
    }

    fn local(&self) -> ZonedDateTime {
        self.now.to_zoned_datetime(self.zone.clone())
    }

    /// The calendar day `days` from today.
    pub fn day(&self, days: i64) -> String {
        self.date(days).to_string()
    }

    fn date(&self, days: i64) -> Date {
        let today = self.local().date();
        today.checked_add(days.days()).unwrap_or(today)
    }

    /// `hour` o'clock of the day `days` from today, as an instant.
    pub fn at(&self, days: i64, hour: i8) -> Timestamp {
        let civil = self.date(days).at(hour, 0, 0, 0);
        civil
            .to_zoned_datetime(self.zone.clone())
            .map_or(self.now, |zoned| zoned.timestamp())
    }

    /// `hours` before now, and a second more for each record before: no two of the demo changed
    /// at the same instant, so their order is the same everywhere.
    pub fn ago(&self, hours: i64, place: usize) -> Timestamp {
        let span = hours.hours().seconds(i64::try_from(place).unwrap_or(0));
        self.now.checked_sub(span).unwrap_or(self.now)
    }
}

/// One record of the demo. Others are named by their `name`, which is its own within a space.
#[derive(Debug, Clone)]
pub struct Seed {
    /// How other seeds name it; its id is made from this.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Its title, name or full name.
    pub title: &'static str,
    /// Where it stands, if its kind has that.
    pub status: Option<&'static str>,
    /// Hours since its last change.
    pub age: i64,
    /// Typed fields of its kind.
    pub fields: Map<String, Value>,
    /// Fields whose value is the id of another seed.
    pub refs: Vec<(&'static str, &'static str)>,
    /// Links to other seeds: relation and name.
    pub links: Vec<(&'static str, &'static str)>,
    /// Its text.
    pub body: &'static str,
}

impl Seed {
    /// A record of `kind`, last changed a day ago.
    pub fn new(kind: Kind, name: &'static str, title: &'static str) -> Self {
        Self {
            name,
            kind,
            title,
            status: None,
            age: 24,
            fields: Map::new(),
            refs: Vec::new(),
            links: Vec::new(),
            body: "",
        }
    }

    /// A task in `status`, last changed `age` hours ago.
    pub fn task(name: &'static str, title: &'static str, status: TaskStatus, age: i64) -> Self {
        Self {
            status: Some(status.as_str()),
            age,
            ..Self::new(Kind::Task, name, title)
        }
    }

    /// Sets where it stands.
    #[must_use]
    pub fn status(mut self, status: &'static str) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets the hours since its last change.
    #[must_use]
    pub fn age(mut self, hours: i64) -> Self {
        self.age = hours;
        self
    }

    /// Sets a field.
    #[must_use]
    pub fn with(mut self, field: &'static str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// Sets the field of a list of words.
    #[must_use]
    pub fn list(self, field: &'static str, words: &[&str]) -> Self {
        self.with(field, json!(words))
    }

    /// Links it.
    #[must_use]
    pub fn link(mut self, relation: &'static str, to: &'static str) -> Self {
        self.links.push((relation, to));
        self
    }

    /// Keeps the other's id in a field, without a link.
    #[must_use]
    pub fn holds(mut self, field: &'static str, to: &'static str) -> Self {
        self.refs.push((field, to));
        self
    }

    /// Links it and keeps the other's id in a field of its own.
    #[must_use]
    pub fn refer(mut self, field: &'static str, relation: &'static str, to: &'static str) -> Self {
        self.refs.push((field, to));
        self.link(relation, to)
    }

    /// Sets the text.
    #[must_use]
    pub fn body(mut self, body: &'static str) -> Self {
        self.body = body;
        self
    }
}
