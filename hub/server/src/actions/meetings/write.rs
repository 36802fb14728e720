//! Adding notes of a meeting, and what belongs to them: when it was, its event, its people.

use ensemble_hub_api::{Kind, relation};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::clock::instant;
use crate::error::RouteError;
use crate::store::{NewRecord, Record};

/// The field that names the event of a meeting.
pub(super) const EVENT: &str = "eventId";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// What the meeting was.
    #[schemars(length(min = 1, max = 500))]
    title: String,
    /// The notes, in Markdown.
    #[schemars(length(min = 1, max = 100_000))]
    notes: String,
    /// What was said, word for word, where there is a transcript.
    #[schemars(length(max = 200_000))]
    transcript: Option<String>,
    /// When it began, such as 2027-03-01T09:00:00Z; without it, when its event begins.
    #[schemars(length(max = 50))]
    start: Option<String>,
    /// When it ended.
    #[schemars(length(max = 50))]
    end: Option<String>,
    /// Who was there, by id, handle or name.
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1, max = 2000)))]
    participants: Vec<String>,
    /// The project, by id, handle or name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
    /// The event of the calendar, by id, handle or exact title.
    #[schemars(length(max = 2000))]
    event: Option<String>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let mut new = NewRecord {
        body: asked.transcript.unwrap_or_default(),
        ..NewRecord::new(on.space(), Kind::Meeting, asked.title)
    };
    new.fields.insert("notes".to_owned(), asked.notes.into());
    let event = match &asked.event {
        Some(event) => Some(on.record(Kind::Event, event).await?),
        None => None,
    };
    let mut when = match &event {
        Some(event) => event_times(event),
        None => Vec::new(),
    };
    if let Some(start) = &asked.start {
        when = vec![("start", moment("start", start)?)];
    }
    if let Some(end) = &asked.end {
        when.retain(|(field, _)| *field != "end");
        when.push(("end", moment("end", end)?));
    }
    for (field, at) in when {
        new.fields.insert(field.to_owned(), at.into());
    }
    in_order(new.fields.get("start"), new.fields.get("end"))?;
    if let Some(event) = &event {
        new.fields
            .insert(EVENT.to_owned(), Value::from(event.id.clone()));
    }
    let project = asked.project.as_deref();
    let to = [("projectId", relation::PROJECT, Kind::Project, project)];
    let meeting = on.create_referring(new, &to).await?;
    let people = on.ids(Kind::Person, &asked.participants).await?;
    on.relink(&meeting.id, relation::PARTICIPANT, &people)
        .await?;
    link_event(on, &meeting, None, event.as_ref()).await?;
    let card = on.card(&meeting).await?;
    Ok(Done::new(
        json!({ "meeting": card, "version": meeting.version }),
        "The meeting notes were added.",
    ))
}

/// When an event is, in the fields of its notes.
pub(super) fn event_times(event: &Record) -> Vec<(&'static str, String)> {
    ["start", "end"]
        .into_iter()
        .filter_map(|field| Some((field, event.text(field)?.to_owned())))
        .collect()
}

/// An instant as events and meetings keep it.
pub(super) fn moment(field: &str, text: &str) -> Result<String, RouteError> {
    let at: Timestamp = text.trim().parse().map_err(|_| {
        limited(&format!(
            "`{field}` has to be an instant with its offset, such as 2027-03-01T09:00:00Z."
        ))
    })?;
    Ok(instant(at))
}

/// Refuses a meeting that ends before it begins.
pub(super) fn in_order(start: Option<&Value>, end: Option<&Value>) -> Result<(), RouteError> {
    match (start.and_then(Value::as_str), end.and_then(Value::as_str)) {
        (Some(start), Some(end)) if end < start => Err(limited(
            "A meeting ends after it began: check `start` and `end`.",
        )),
        _ => Ok(()),
    }
}

/// Links notes with their event, and puts them behind what came before it in its series, so that the next event of the series finds them.
pub(super) async fn link_event(
    on: &mut Changing,
    meeting: &Record,
    before: Option<&str>,
    event: Option<&Record>,
) -> Result<(), RouteError> {
    let is = event.map(|event| event.id.as_str());
    if let Some(before) = before.filter(|before| Some(*before) != is) {
        on.unlink(&meeting.id, relation::RELATED, before).await?;
    }
    let mut series = Vec::new();
    if let Some(event) = event {
        on.link(&meeting.id, relation::RELATED, &event.id).await?;
        let links = on.change().links_of(&event.id).await?;
        let earlier = links.into_iter().filter(|(is, _)| is == relation::SERIES);
        series.extend(earlier.map(|(_, id)| id));
    }
    if before.is_some() || event.is_some() {
        on.relink(&meeting.id, relation::SERIES, &series).await?;
    }
    Ok(())
}
