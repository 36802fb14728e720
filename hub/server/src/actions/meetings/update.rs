//! Changing and deleting notes of a meeting.

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::write::{EVENT, event_times, in_order, link_event, moment};
use crate::actions::input::Patch;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::Record;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The meeting, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    meeting: String,
    /// The version you read, needed with `notes`; if the notes have another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The new title.
    #[schemars(length(min = 1, max = 500))]
    title: Option<String>,
    /// The notes in Markdown, in place of those it has; null for none.
    #[serde(default)]
    #[schemars(length(max = 100_000))]
    notes: Patch<String>,
    /// When it began, such as 2027-03-01T09:00:00Z.
    #[schemars(length(max = 50))]
    start: Option<String>,
    /// When it ended; null for unsaid.
    #[serde(default)]
    #[schemars(length(max = 50))]
    end: Patch<String>,
    /// Who was there, in place of those it names, by id, handle or name.
    #[schemars(length(max = 50), inner(length(min = 1, max = 2000)))]
    participants: Option<Vec<String>>,
    /// The project, by id, handle or name; null for none.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    project: Patch<String>,
    /// The event of the calendar, by id, handle or exact title; null for none. Its times become those of the notes.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    event: Patch<String>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Meeting, &asked.meeting).await?;
    Changing::fresh(&before, asked.version)?;
    let mut meeting = before.clone();
    if let Some(title) = &asked.title {
        meeting.title.clone_from(title);
    }
    meeting.patch("notes", &asked.notes);
    Changing::replaces(&before, &meeting, asked.version)?;
    event(on, &before, &mut meeting, &asked.event).await?;
    times(&mut meeting, &asked)?;
    let (relation, kind) = (relation::PROJECT, Kind::Project);
    on.refer(&mut meeting, "projectId", relation, kind, &asked.project)
        .await?;
    on.relink_named(
        &before,
        relation::PARTICIPANT,
        Kind::Person,
        asked.participants.as_deref(),
    )
    .await?;
    let meeting = on.update(&before, meeting).await?;
    let card = on.card(&meeting).await?;
    let message = if on.write.change.wrote() {
        "The meeting notes were changed."
    } else {
        "The meeting notes already were like that."
    };
    Ok(Done::new(
        json!({ "meeting": card, "version": meeting.version }),
        message,
    ))
}

/// The event of the notes, with its times.
async fn event(
    on: &mut Changing,
    before: &Record,
    meeting: &mut Record,
    asked: &Patch<String>,
) -> Result<(), RouteError> {
    let event = match asked {
        Patch::Keep => return Ok(()),
        Patch::Clear => None,
        Patch::Set(given) => Some(on.record(Kind::Event, given).await?),
    };
    link_event(on, before, before.text(EVENT), event.as_ref()).await?;
    let Some(event) = event else {
        meeting.fields.remove(EVENT);
        return Ok(());
    };
    for field in ["start", "end"] {
        meeting.fields.remove(field);
    }
    for (field, at) in event_times(&event) {
        meeting.fields.insert(field.to_owned(), at.into());
    }
    meeting
        .fields
        .insert(EVENT.to_owned(), Value::from(event.id));
    Ok(())
}

fn times(meeting: &mut Record, asked: &Update) -> Result<(), RouteError> {
    if let Some(start) = &asked.start {
        let start = moment("start", start)?;
        meeting.fields.insert("start".to_owned(), start.into());
    }
    match &asked.end {
        Patch::Keep => {}
        Patch::Clear => drop(meeting.fields.remove("end")),
        Patch::Set(end) => {
            let end = moment("end", end)?;
            meeting.fields.insert("end".to_owned(), end.into());
        }
    }
    in_order(meeting.fields.get("start"), meeting.fields.get("end"))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The meeting, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    meeting: String,
    /// The version you read; if the notes have another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn delete(on: &mut Changing, asked: One) -> Result<Done, RouteError> {
    let meeting = on.record(Kind::Meeting, &asked.meeting).await?;
    Changing::fresh(&meeting, asked.version)?;
    on.trash(&meeting).await?;
    Ok(Done::new(
        json!({ "deleted": [meeting.handle()] }),
        "The meeting notes are in Trash.",
    ))
}
