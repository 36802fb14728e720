//! Reading the desk. Its order is the person's own, and it is small, so a part is named by where it begins.

use ensemble_hub_api::{limits, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{HOLDS, entries};
use crate::actions::Reading;
use crate::error::RouteError;
use crate::lists::LIST_BYTES;
use crate::store::Record;
use crate::text::trust::neutral;
use crate::view::{self, Card};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// Entries at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Entries to skip.
    offset: Option<u32>,
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    let entries = entries(on.store(), on.space()).await?;
    let offset = asked.offset.unwrap_or(0) as usize;
    let limit = asked.limit.unwrap_or(limits::LIST_MAX) as usize;
    let held: Vec<String> = entries
        .iter()
        .filter_map(|entry| entry.text(HOLDS).map(str::to_owned))
        .collect();
    let held = on.store().by_ids(on.space(), &held).await?;
    let cards = entries.iter().enumerate().skip(offset).take(limit);
    let cards = cards.map(|(at, entry)| {
        let record = held
            .iter()
            .find(|record| Some(record.id.as_str()) == entry.text(HOLDS));
        let card = shown(on.reader().label(entry), entry, at);
        holding(card, entry, record.map(|record| on.reader().label(record)))
    });
    let (cards, _) = view::fit(cards.collect::<Vec<_>>(), LIST_BYTES);
    let next = offset + cards.len();
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    let more = next < entries.len();
    if more {
        notes.push(format!(
            "There are more entries: call again with offset {next}."
        ));
    }
    let mut answer = json!({
        "deskItems": cards,
        "total": entries.len(),
        "offset": offset,
        "limit": limit,
        "hasMore": more,
        "notes": notes,
    });
    if more {
        answer["nextOffset"] = next.into();
    }
    Ok(answer)
}

/// An entry as answers show it, at `at` (from 0).
pub(super) fn shown(mut card: Card, entry: &Record, at: usize) -> Card {
    card.insert("place".to_owned(), (at + 1).into());
    card.insert("version".to_owned(), entry.version.into());
    if !entry.body.trim().is_empty() {
        card.insert("text".to_owned(), neutral(&entry.body).into());
    }
    card
}

/// With the record that the entry holds, or that it is gone.
pub(super) fn holding(mut card: Card, entry: &Record, record: Option<Card>) -> Card {
    match record {
        Some(record) => {
            card.insert("record".to_owned(), json!(record));
        }
        None if entry.text(HOLDS).is_some() => {
            card.insert("recordInTrash".to_owned(), true.into());
        }
        None => {}
    }
    card
}
