//! Adding, changing and putting away reminders.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::time::{Given, When};
use super::{ABOUT, DISMISSED, PENDING, WHEN, shown};
use crate::actions::input::Patch;
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// What the person is to be told, in one line.
    #[schemars(length(min = 1, max = 500))]
    title: String,
    /// The time: 2027-03-01T09:00 on the clock of `timeZone`, or with an offset such as 2027-03-01T09:00:00Z. This or `day`.
    #[schemars(length(max = 50))]
    at: Option<String>,
    /// The day, as YYYY-MM-DD. This or `at`.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    day: Option<String>,
    /// The time zone of `at`, such as Europe/Berlin; the person's when it is left out.
    #[schemars(length(min = 1, max = 100))]
    time_zone: Option<String>,
    /// The handle or id of the record that it is about.
    #[schemars(length(max = 2000))]
    about: Option<String>,
    /// More about it.
    #[schemars(length(max = 2000))]
    note: Option<String>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let given = Given {
        at: asked.at.as_deref(),
        day: asked.day.as_deref(),
        zone: asked.time_zone.as_deref(),
    };
    let (now, zone) = (on.change().now(), on.zone().await?);
    let Some(when) = given.when(now, zone)? else {
        return Err(limited("A reminder needs `at` or `day`."));
    };
    let about = match &asked.about {
        Some(about) => Some(on.thing(about).await?),
        None => None,
    };
    let mut new = NewRecord {
        status: Some(PENDING.to_owned()),
        body: asked.note.unwrap_or_default(),
        ..NewRecord::new(on.space(), Kind::Reminder, asked.title)
    };
    keep(&mut new.fields, when);
    if let Some(about) = &about {
        new.fields
            .insert(ABOUT.to_owned(), Value::from(about.id.clone()));
    }
    let reminder = on.create(new).await?;
    answer(on, &reminder, "The reminder was added.").await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The reminder, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    reminder: String,
    /// The version you read; if the reminder has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// What the person is to be told.
    #[schemars(length(min = 1, max = 500))]
    title: Option<String>,
    /// The new time: on the clock of `timeZone`, or with an offset. In place of a day too.
    #[schemars(length(max = 50))]
    at: Option<String>,
    /// The new day, as YYYY-MM-DD. In place of a time too.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    day: Option<String>,
    /// The time zone of `at`; the person's when it is left out.
    #[schemars(length(min = 1, max = 100))]
    time_zone: Option<String>,
    /// The handle or id of the record that it is about; null for none.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    about: Patch<String>,
    /// More about it; null for nothing.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    note: Patch<String>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Reminder, &asked.reminder).await?;
    Changing::fresh(&before, asked.version)?;
    let given = Given {
        at: asked.at.as_deref(),
        day: asked.day.as_deref(),
        zone: asked.time_zone.as_deref(),
    };
    let (now, zone) = (on.change().now(), on.zone().await?);
    let mut reminder = before.clone();
    if let Some(when) = given.when(now, zone)? {
        keep(&mut reminder.fields, when);
        reminder.status = Some(PENDING.to_owned());
    }
    if let Some(title) = asked.title {
        reminder.title = title;
    }
    reminder.patch_notes(&asked.note);
    about(on, &mut reminder, &asked.about).await?;
    let reminder = on.update(&before, reminder).await?;
    let message = on.says_changed("reminder");
    answer(on, &reminder, &message).await
}

/// The record that a reminder is about, of any kind.
async fn about(
    on: &mut Changing,
    reminder: &mut Record,
    to: &Patch<String>,
) -> Result<(), RouteError> {
    let to = match to {
        Patch::Keep => return Ok(()),
        Patch::Clear => None,
        Patch::Set(given) => Some(on.thing(given).await?.id),
    };
    match to {
        Some(id) => reminder.fields.insert(ABOUT.to_owned(), id.into()),
        None => reminder.fields.remove(ABOUT),
    };
    Ok(())
}

fn keep(fields: &mut serde_json::Map<String, Value>, when: When) {
    fields.insert(WHEN.to_owned(), when.start.into());
    match when.zone {
        Some(zone) => fields.insert("timeZone".to_owned(), zone.into()),
        None => fields.remove("timeZone"),
    };
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The reminder, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    reminder: String,
    /// The version you read; if the reminder has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn dismiss(on: &mut Changing, asked: One) -> Result<Done, RouteError> {
    let before = on.record(Kind::Reminder, &asked.reminder).await?;
    Changing::fresh(&before, asked.version)?;
    let mut reminder = before.clone();
    reminder.status = Some(DISMISSED.to_owned());
    let reminder = on.update(&before, reminder).await?;
    let message = if on.write.change.wrote() {
        "The reminder was dismissed."
    } else {
        "The reminder already was dismissed."
    };
    answer(on, &reminder, message).await
}

pub(super) async fn delete(on: &mut Changing, asked: One) -> Result<Done, RouteError> {
    let reminder = on.record(Kind::Reminder, &asked.reminder).await?;
    Changing::fresh(&reminder, asked.version)?;
    on.trash(&reminder).await?;
    Ok(Done::new(
        json!({ "deleted": [reminder.handle()] }),
        "The reminder is in Trash.",
    ))
}

async fn answer(on: &mut Changing, reminder: &Record, message: &str) -> Result<Done, RouteError> {
    let (now, zone) = (on.change().now(), on.zone().await?);
    let mut card = shown(on.label(reminder), reminder, now, &zone);
    if let Some(id) = reminder.text(ABOUT) {
        let space = on.space().to_owned();
        if let Some(about) = on.change().record(&space, id).await? {
            card.insert("about".to_owned(), json!(on.label(&about)));
        }
    }
    Ok(Done::new(json!({ "reminder": card }), message))
}
