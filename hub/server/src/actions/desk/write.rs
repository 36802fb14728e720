//! Changing the desk.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::list::{holding, shown};
use super::order::{POSITION, between, position};
use super::{ENTRIES_MAX, HOLDS, entries};
use crate::actions::input::Patch;
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record, one_line};
use crate::text::cut;

/// Characters of a note that name it.
const NAME: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Add {
    /// The record, by handle or id. This, `text`, or both.
    #[schemars(length(min = 1, max = 2000))]
    record: Option<String>,
    /// A note of its own, or what stands beside the record.
    #[schemars(length(min = 1, max = 1000))]
    text: Option<String>,
    /// The place it gets, counted from 1; the last when it is left out.
    #[schemars(range(min = 1, max = 100))]
    place: Option<u32>,
}

pub(super) async fn add(on: &mut Changing, asked: Add) -> Result<Done, RouteError> {
    let record = match &asked.record {
        Some(record) => Some(on.thing(record).await?),
        None => None,
    };
    let text = asked.text.unwrap_or_default();
    let title = match &record {
        Some(record) => record.title.clone(),
        None => name(&text)?,
    };
    let all = entries(on.hub.store(), on.space()).await?;
    if all.len() >= ENTRIES_MAX {
        return Err(RouteError::Conflict(format!(
            "The desk is full: it holds {ENTRIES_MAX} entries. Take something off first."
        )));
    }
    if let Some(record) = &record
        && let Some(has) = all
            .iter()
            .find(|entry| entry.text(HOLDS) == Some(&record.id))
    {
        return Err(RouteError::Conflict(format!(
            "That record is on the desk already ({}): move it with hub_update_desk_item.",
            has.handle()
        )));
    }
    let (position, at) = position_at(on, &all, asked.place).await?;
    let mut new = NewRecord {
        body: text,
        ..NewRecord::new(on.space(), Kind::DeskItem, title)
    };
    new.fields.insert(POSITION.to_owned(), position.into());
    if let Some(record) = &record {
        new.fields
            .insert(HOLDS.to_owned(), Value::from(record.id.clone()));
    }
    let entry = on.create(new).await?;
    answer(on, &entry, at, "It is on the desk.").await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The entry: the id or handle that `hub_list_desk_items` gives.
    #[schemars(length(min = 1, max = 2000))]
    desk_item: String,
    /// The version you read; if the entry has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The place it gets, counted from 1.
    #[schemars(range(min = 1, max = 100))]
    place: Option<u32>,
    /// The text, in place of the one it has; null for none beside a record.
    #[serde(default)]
    #[schemars(length(min = 1, max = 1000))]
    text: Patch<String>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    if asked.place.is_none() && asked.text.keeps() {
        return Err(limited("Nothing to change: give `place` or `text`."));
    }
    let before = on.record(Kind::DeskItem, &asked.desk_item).await?;
    Changing::fresh(&before, asked.version)?;
    let mut entry = before.clone();
    let is_note = before.text(HOLDS).is_none();
    match &asked.text {
        Patch::Keep => {}
        Patch::Clear if is_note => {
            return Err(limited(
                "A note needs its text: take it off the desk with hub_remove_desk_item.",
            ));
        }
        Patch::Clear => entry.body.clear(),
        Patch::Set(text) => {
            if is_note {
                entry.title = name(text)?;
            }
            entry.body.clone_from(text);
        }
    }
    let all = entries(on.hub.store(), on.space()).await?;
    let was = all.iter().position(|one| one.id == before.id).unwrap_or(0);
    let mut at = was;
    if let Some(place) = asked.place {
        let others: Vec<Record> = all.into_iter().filter(|one| one.id != before.id).collect();
        let wanted = (place as usize - 1).min(others.len());
        if wanted != was {
            let (position, placed) = position_at(on, &others, Some(place)).await?;
            entry.fields.insert(POSITION.to_owned(), position.into());
            at = placed;
        }
    }
    let entry = on.update(&before, entry).await?;
    let message = on.says_changed("entry");
    answer(on, &entry, at, &message).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Remove {
    /// The entry: the id or handle that `hub_list_desk_items` gives.
    #[schemars(length(min = 1, max = 2000))]
    desk_item: String,
    /// The version you read; if the entry has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(super) async fn remove(on: &mut Changing, asked: Remove) -> Result<Done, RouteError> {
    let entry = on.record(Kind::DeskItem, &asked.desk_item).await?;
    Changing::fresh(&entry, asked.version)?;
    on.trash(&entry).await?;
    Ok(Done::new(
        json!({ "removed": entry.handle() }),
        "It is off the desk.",
    ))
}

/// What names a note: its beginning.
fn name(text: &str) -> Result<String, RouteError> {
    let line = one_line(text);
    if line.is_empty() {
        return Err(limited("Give `record`, or a `text` that says something."));
    }
    Ok(cut::excerpt(&line, NAME).0)
}

/// The position at this place among the others (the last one without), and the place from 0. The others are numbered anew where there is no
/// number between two of them.
async fn position_at(
    on: &mut Changing,
    others: &[Record],
    place: Option<u32>,
) -> Result<(f64, usize), RouteError> {
    let last = others.len();
    let at = place.map_or(last, |place| (place as usize).saturating_sub(1).min(last));
    let positions: Vec<f64> = others.iter().map(position).collect();
    if let Some(position) = between(&positions, at) {
        return Ok((position, at));
    }
    let mut number = 0.0;
    let mut own = 0.0;
    for (index, other) in others.iter().enumerate() {
        number += 1.0;
        if index == at {
            own = number;
            number += 1.0;
        }
        let mut edited = other.clone();
        edited.fields.insert(POSITION.to_owned(), number.into());
        on.update(other, edited).await?;
    }
    Ok((own, at))
}

async fn answer(
    on: &mut Changing,
    entry: &Record,
    at: usize,
    message: &str,
) -> Result<Done, RouteError> {
    let card = shown(on.label(entry), entry, at);
    let record = match entry.text(HOLDS) {
        Some(id) => {
            let space = on.space().to_owned();
            on.change().record(&space, id).await?
        }
        None => None,
    };
    let card = holding(card, entry, record.map(|record| on.label(&record)));
    Ok(Done::new(json!({ "deskItem": card }), message))
}
