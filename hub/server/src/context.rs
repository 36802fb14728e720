//! The context graph: one record and what it links to, from both ends, each relation in words. A few records of each relation, or one
//! relation in full and in parts, or everything as one Markdown packet.

use ensemble_hub_api::relation::{SIDES, Side};
use ensemble_hub_api::{limits, sentences};
use serde_json::json;

use crate::error::RouteError;
use crate::lists::{self, GoOn, LIST_BYTES, Part};
use crate::store::{Begin, Record};
use crate::target;
use crate::view::{self, Card, Reader};

mod packet;

/// Bytes of the cards of one relation beside others.
const RELATION_BYTES: usize = 7_000;
/// Bytes of the cards of all relations.
const RELATIONS_BYTES: usize = 64_000;

/// What of a record is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// The beginning of every relation.
    All,
    /// One relation.
    One(&'static Side, Part),
    /// The packet.
    Packet,
}

/// Which record, and what of it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// A handle, a Hub link, or an id.
    pub item: String,
    /// The kind; may be left out where `item` is a handle or a link.
    pub kind: Option<String>,
    pub wanted: Wanted,
}

/// The record that is asked for with what it links to.
///
/// # Errors
/// [`RouteError`] if nothing in this space has that name, or the store fails.
pub async fn context(reader: &Reader<'_>, asked: &Asked) -> Result<Card, RouteError> {
    let handle = target::handle(asked.kind.as_deref(), &asked.item)?;
    let record = target::record(reader, &handle).await?;
    match &asked.wanted {
        Wanted::All => all(reader, &record).await,
        Wanted::One(side, part) => one(reader, &record, side, part).await,
        Wanted::Packet => packet::packet(reader, &record).await,
    }
}

/// The relation that a caller names.
///
/// # Errors
/// [`RouteError::BadRequest`] with the names there are.
pub fn side(rel: &str) -> Result<&'static Side, RouteError> {
    Side::named(rel).ok_or_else(|| {
        let names: Vec<&str> = SIDES.iter().map(|side| side.rel).collect();
        let needs = format!("one of {}", names.join(", "));
        RouteError::BadRequest(sentences::bad_query("rel", &needs))
    })
}

async fn item(reader: &Reader<'_>, record: &Record) -> Result<Card, RouteError> {
    let mut cards = [reader.card_of(record).await?];
    lists::add_counts(reader, std::slice::from_ref(record), &mut cards).await?;
    let [card] = cards;
    Ok(card)
}

/// The record with the beginning of each of its relations.
async fn all(reader: &Reader<'_>, record: &Record) -> Result<Card, RouteError> {
    let mut answer = Card::new();
    answer.insert("item".to_owned(), json!(item(reader, record).await?));
    let mut relations = Vec::new();
    let mut left = RELATIONS_BYTES;
    let mut cut = false;
    for (side, total) in reader.store.relations(reader.space, &record.id).await? {
        let begin = Begin::Offset(0);
        let found = reader
            .store
            .related(reader.space, &record.id, side, limits::RELATED_EACH, begin)
            .await?;
        let cards = reader.cards(&found.records).await?;
        let (cards, _) = view::fit(cards, left.min(RELATION_BYTES));
        left = left.saturating_sub(serde_json::to_vec(&cards).map_or(left, |json| json.len()));
        let shown = cards.len() as u64;
        let mut relation = Card::new();
        relation.insert("rel".to_owned(), side.rel.into());
        relation.insert("says".to_owned(), side.says.into());
        relation.insert("total".to_owned(), total.into());
        relation.insert("records".to_owned(), json!(cards));
        relation.insert("hasMore".to_owned(), (shown < total).into());
        if shown < total {
            cut = true;
            relation.insert("nextOffset".to_owned(), shown.into());
        }
        relations.push(relation);
    }
    let mut notes = vec![sentences::REFERENCE_NOTE];
    if relations.is_empty() {
        notes.push("Nothing is linked to this record.");
    }
    if cut {
        notes.push("Call again with the same item, `rel` and `offset` for the rest of a relation.");
    }
    answer.insert("relations".to_owned(), json!(relations));
    answer.insert("notes".to_owned(), json!(notes));
    Ok(answer)
}

/// The record with a part of one relation.
async fn one(
    reader: &Reader<'_>,
    record: &Record,
    side: &'static Side,
    part: &Part,
) -> Result<Card, RouteError> {
    let begin = part.by_creation()?;
    let found = reader
        .store
        .related(reader.space, &record.id, side, part.limit, begin)
        .await?;
    let found = lists::as_walk(found);
    let cards = lists::cards(reader, &found.steps).await?;
    let (cards, _) = view::fit(cards, LIST_BYTES - RELATION_BYTES);
    let on = GoOn::of(side.rel, cards.len(), &found, part);
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    notes.extend(on.note("records", cards.len(), found.total));
    let mut answer = Card::new();
    answer.insert("item".to_owned(), json!(item(reader, record).await?));
    answer.insert("rel".to_owned(), side.rel.into());
    answer.insert("says".to_owned(), side.says.into());
    answer.insert("records".to_owned(), json!(cards));
    answer.insert("total".to_owned(), found.total.into());
    answer.insert("offset".to_owned(), part.offset.into());
    answer.insert("limit".to_owned(), part.limit.into());
    on.add_to(&mut answer);
    answer.insert("notes".to_owned(), json!(notes));
    Ok(answer)
}
