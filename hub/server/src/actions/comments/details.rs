//! What hangs on a record, also on one in Trash. Texts of others come neutralised and bounded, as everywhere.

use ensemble_hub_api::{Handle, Kind, limits, relation, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::actions::Reading;
use crate::actions::with::limited;
use crate::clock::instant;
use crate::error::RouteError;
use crate::read;
use crate::store::{Direction, LinkQuery, Record, Version};
use crate::target::same_kind;
use crate::text::cut;
use crate::text::trust::{neutral, one_line};
use crate::view::{self, Card};

/// Comments of one answer.
const COMMENTS: u32 = 20;
/// Bytes of them.
const COMMENTS_BYTES: usize = 32_000;
/// Files and boards of one answer, and their bytes.
const AROUND: u32 = 20;
const AROUND_BYTES: usize = 9_000;
/// Entries of the history, and versions of a diagram.
const HISTORY: usize = 10;
const VERSIONS: usize = 50;
/// Fields, and characters of one.
const FIELDS: usize = 40;
const FIELD: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Asked {
    /// The record, by handle or id; also one that is in Trash.
    #[schemars(length(min = 1, max = 2000))]
    record: String,
    /// Comments to skip, the newest first.
    comments_offset: Option<u32>,
    /// Of a diagram: gives the source of this version.
    #[schemars(range(min = 1))]
    diagram_version: Option<i64>,
    /// With `diagramVersion`: where the part of the source begins, in characters.
    offset: Option<u32>,
}

pub(super) async fn read(on: &Reading, asked: Asked) -> Result<Value, RouteError> {
    let record = named(on, &asked.record).await?;
    let versions = on.store().versions(&record).await?;
    if let Some(number) = asked.diagram_version {
        return source(&record, &versions, number, asked.offset.unwrap_or(0));
    }
    let mut card = on.reader().card_of(&record).await?;
    card.insert("version".to_owned(), record.version.into());
    card.insert("createdAt".to_owned(), instant(record.created_at).into());
    card.insert("fields".to_owned(), Value::Object(fields(&record)));
    let trashed = record.deleted_at.map(instant);
    card.insert("inTrash".to_owned(), trashed.is_some().into());
    if let Some(since) = trashed {
        card.insert("inTrashSince".to_owned(), since.into());
    }
    comments(on, &record, asked.comments_offset.unwrap_or(0), &mut card).await?;
    around(on, &record, &mut card).await?;
    let history: Vec<Value> = versions.iter().take(HISTORY).map(entry).collect();
    card.insert("history".to_owned(), json!(history));
    if record.kind == Kind::Diagram {
        let earlier: Vec<Value> = versions
            .iter()
            .filter(|version| version.record.version < record.version)
            .take(VERSIONS)
            .map(|version| {
                let mut entry = entry(version);
                let characters = version.record.body.chars().count();
                if let Some(object) = entry.as_object_mut() {
                    object.insert("characters".to_owned(), characters.into());
                }
                entry
            })
            .collect();
        card.insert("earlierVersions".to_owned(), json!(earlier));
    }
    card.insert("notes".to_owned(), json!([sentences::REFERENCE_NOTE]));
    Ok(Value::Object(card))
}

async fn named(on: &Reading, given: &str) -> Result<Record, RouteError> {
    let given = given.trim();
    let handle = Handle::parse(given);
    let id = handle.as_ref().map_or(given, |handle| handle.id.as_str());
    let found = on.store().record_in_trash_too(on.space(), id).await?;
    found
        .filter(|record| handle.is_none_or(|handle| same_kind(handle.kind, record.kind)))
        .ok_or_else(|| RouteError::NotFound(sentences::no_such(&["record"])))
}

/// The source of one version of a diagram.
fn source(
    record: &Record,
    versions: &[Version],
    number: i64,
    offset: u32,
) -> Result<Value, RouteError> {
    if record.kind != Kind::Diagram {
        return Err(limited("`diagramVersion` is for diagrams only."));
    }
    let version = versions
        .iter()
        .find(|version| version.record.version == number)
        .ok_or_else(|| RouteError::NotFound(format!("The diagram has no version {number}.")))?;
    let text = neutral(&version.record.body);
    let mut entry = entry(version);
    if let Some(object) = entry.as_object_mut() {
        let part = read::body(&text, offset, limits::DIAGRAM_BODY_MAX);
        object.insert("ref".to_owned(), record.handle().into());
        object.insert("source".to_owned(), json!(part));
        object.insert("notes".to_owned(), json!([sentences::REFERENCE_NOTE]));
    }
    Ok(entry)
}

fn entry(version: &Version) -> Value {
    json!({
        "version": version.record.version, "at": instant(version.at), "by": one_line(&version.actor_name),
        "action": version.action, "title": view::title(&version.record),
    })
}

/// The fields that are texts, numbers, yes or no, or lists of such.
fn fields(record: &Record) -> Map<String, Value> {
    let text = |text: &str| Value::from(cut::excerpt(&neutral(text), FIELD).0);
    let plain = |value: &Value| match value {
        Value::String(value) => Some(text(value)),
        Value::Bool(_) | Value::Number(_) => Some(value.clone()),
        _ => None,
    };
    let shown = record.fields.iter().filter_map(|(name, value)| {
        let value = match value {
            Value::Array(items) => {
                let items: Vec<Value> = items.iter().filter_map(plain).take(FIELDS).collect();
                (!items.is_empty()).then(|| items.into())
            }
            other => plain(other),
        };
        Some((one_line(name), value?))
    });
    shown.take(FIELDS).collect()
}

async fn comments(
    on: &Reading,
    record: &Record,
    offset: u32,
    card: &mut Card,
) -> Result<(), RouteError> {
    let query = LinkQuery {
        relations: vec![relation::COMMENT.to_owned()],
        limit: COMMENTS,
        offset,
        ..LinkQuery::new(&record.id, Direction::To)
    };
    let found = on.store().links(on.space(), &query).await?;
    let all: Vec<Value> = found
        .items
        .iter()
        .map(|link| {
            let comment = &link.record;
            let by = one_line(comment.text("author").unwrap_or("somebody"));
            json!({
                "id": comment.id, "ref": comment.handle(), "by": by, "at": instant(comment.created_at),
                "changedAt": instant(comment.updated_at), "version": comment.version, "text": neutral(&comment.body),
            })
        })
        .collect();
    let (all, _) = view::fit(all, COMMENTS_BYTES);
    let next = u64::from(offset) + all.len() as u64;
    card.insert("commentsTotal".to_owned(), found.total.into());
    card.insert("comments".to_owned(), json!(all));
    if next < found.total && !all.is_empty() {
        card.insert("nextCommentsOffset".to_owned(), next.into());
    }
    Ok(())
}

/// The files that hang on it, what a file hangs on, and the boards with a place for it.
async fn around(on: &Reading, record: &Record, card: &mut Card) -> Result<(), RouteError> {
    let lists = [
        ("files", relation::ATTACHED, Direction::From),
        ("attachedTo", relation::ATTACHED, Direction::To),
        ("boards", relation::CARD, Direction::To),
    ];
    for (field, relation, direction) in lists {
        let query = LinkQuery {
            relations: vec![relation.to_owned()],
            limit: AROUND,
            ..LinkQuery::new(&record.id, direction)
        };
        let found = on.store().links(on.space(), &query).await?;
        if found.total == 0 {
            continue;
        }
        let labels: Vec<Card> = found
            .items
            .iter()
            .map(|link| on.reader().label(&link.record))
            .collect();
        let (labels, _) = view::fit(labels, AROUND_BYTES);
        let left_out = found.total - labels.len() as u64;
        card.insert(field.to_owned(), json!(labels));
        if left_out > 0 {
            card.insert(format!("{field}NotShown"), left_out.into());
        }
    }
    let tags: Vec<String> = record.texts("tags").into_iter().map(one_line).collect();
    if !tags.is_empty() {
        card.insert("tags".to_owned(), json!(tags));
    }
    Ok(())
}
