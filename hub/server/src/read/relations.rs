//! What a read shows beside the text: for each kind, the relations that a person would look for.
//! Each is a list of cards under its own name; what is not shown is counted in `notShown`.

use ensemble_hub_api::{Kind, relation};
use serde_json::json;

use crate::error::RouteError;
use crate::store::{Direction, LinkQuery, Record};
use crate::view::{self, Card, Reader};

/// Cards of one relation.
const RELATED_MAX: u32 = 12;
/// Bytes of the cards of one relation.
const RELATED_BYTES: usize = 9_000;

/// A list of a read.
struct Shown {
    field: &'static str,
    direction: Direction,
    relations: &'static [&'static str],
    /// Kinds at the other end; empty for all.
    kinds: &'static [Kind],
}

type Names = &'static [&'static str];
type Kinds = &'static [Kind];

const fn from(field: &'static str, relations: Names, kinds: Kinds) -> Shown {
    Shown {
        field,
        direction: Direction::From,
        relations,
        kinds,
    }
}

const fn to(field: &'static str, relations: Names, kinds: Kinds) -> Shown {
    Shown {
        field,
        direction: Direction::To,
        relations,
        kinds,
    }
}

const FILE: Kinds = &[Kind::File, Kind::Document];
const FILES: Shown = from("files", &[relation::ATTACHED], FILE);
const RELATED: Shown = from("related", &[relation::RELATED], &[]);
const PARTICIPANTS: Shown = from("participants", &[relation::PARTICIPANT], &[Kind::Person]);
const INVOLVED: Names = &[relation::OWNER, relation::ASSIGNEE, relation::REQUESTED_BY];
const LEADS: Names = &[relation::OWNER, relation::MEMBER];
const WORKS: Names = &[relation::OWNER, relation::ASSIGNEE];

const OF_TASK: &[Shown] = &[
    from("meeting", &[relation::FROM_MEETING], &[Kind::Meeting]),
    from("dependsOn", &[relation::DEPENDS_ON], &[Kind::Task]),
    to("neededBy", &[relation::DEPENDS_ON], &[Kind::Task]),
    from(
        "deliverable",
        &[relation::DELIVERABLE],
        &[Kind::Deliverable],
    ),
    from("people", INVOLVED, &[Kind::Person]),
    FILES,
    RELATED,
];
const OF_PROJECT: &[Shown] = &[
    from("people", LEADS, &[Kind::Person]),
    from("repos", &[relation::REPO], &[Kind::Repo]),
    to("tasks", &[relation::PROJECT], &[Kind::Task]),
    to("deliverables", &[relation::PROJECT], &[Kind::Deliverable]),
    FILES,
];
const OF_REPO: &[Shown] = &[
    to("projects", &[relation::REPO], &[Kind::Project]),
    to("tasks", &[relation::REPO], &[Kind::Task]),
];
const OF_PERSON: &[Shown] = &[
    to("asked", &[relation::REQUESTED_BY], &[Kind::Task]),
    to("owns", WORKS, &[Kind::Task]),
    to("projects", LEADS, &[Kind::Project]),
];
const OF_DELIVERABLE: &[Shown] = &[
    from("people", &[relation::OWNER], &[Kind::Person]),
    to("tasks", &[relation::DELIVERABLE], &[Kind::Task]),
    FILES,
];
const OF_MEETING: &[Shown] = &[
    PARTICIPANTS,
    to("tasks", &[relation::FROM_MEETING], &[Kind::Task]),
];
const OF_EVENT: &[Shown] = &[PARTICIPANTS, from("previous", &[relation::SERIES], &[])];
const OF_FILE: &[Shown] = &[to("attachedTo", &[relation::ATTACHED], &[]), RELATED];
const OF_PAGE: &[Shown] = &[
    to("pages", &[relation::PARENT], &[Kind::Page]),
    FILES,
    RELATED,
];
const OF_OTHERS: &[Shown] = &[RELATED];

const fn shown(kind: Kind) -> &'static [Shown] {
    match kind {
        Kind::Task => OF_TASK,
        Kind::Project => OF_PROJECT,
        Kind::Repo => OF_REPO,
        Kind::Person => OF_PERSON,
        Kind::Deliverable => OF_DELIVERABLE,
        Kind::Meeting => OF_MEETING,
        Kind::Event => OF_EVENT,
        Kind::File | Kind::Document => OF_FILE,
        Kind::Page => OF_PAGE,
        _ => OF_OTHERS,
    }
}

/// Adds the lists of `record`'s kind to its card.
pub(super) async fn add(
    reader: &Reader<'_>,
    record: &Record,
    card: &mut Card,
) -> Result<(), RouteError> {
    let mut left_out = Card::new();
    for list in shown(record.kind) {
        let query = LinkQuery {
            relations: list
                .relations
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            kinds: list.kinds.to_vec(),
            limit: RELATED_MAX,
            ..LinkQuery::new(record.id.as_str(), list.direction)
        };
        let page = reader.store.links(reader.space, &query).await?;
        if page.items.is_empty() {
            continue;
        }
        let records: Vec<Record> = page.items.iter().map(|link| link.record.clone()).collect();
        let mut cards = reader.cards(&records).await?;
        for (card, link) in cards.iter_mut().zip(&page.items) {
            card.insert("relation".to_owned(), link.relation.as_str().into());
        }
        let (cards, _) = view::fit(cards, RELATED_BYTES);
        let more = page.total.saturating_sub(cards.len() as u64);
        if more > 0 {
            left_out.insert(list.field.to_owned(), more.into());
        }
        card.insert(list.field.to_owned(), json!(cards));
    }
    if !left_out.is_empty() {
        card.insert("notShown".to_owned(), left_out.into());
    }
    Ok(())
}
