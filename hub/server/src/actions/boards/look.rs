//! Reading boards. All columns together stay within the bytes of a list; what does not fit is told, and read column by column.

use ensemble_hub_api::{Handle, Kind, TaskStatus, relation, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::columns::{self, Column};
use super::{BUILT_IN, BUILT_IN_ID, is_built_in};
use crate::actions::Reading;
use crate::actions::with::{limited, object};
use crate::error::RouteError;
use crate::lists;
use crate::store::{Record, RecordQuery};
use crate::tasks::card;
use crate::text::trust::one_line;
use crate::view::{self, Card};

/// Cards of one column when nothing is asked.
const CARDS_DEFAULT: u32 = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// Words of the name.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only boards with this task or page on them: its handle or id.
    #[schemars(length(min = 1, max = 2000))]
    holding: Option<String>,
    /// Boards at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Boards to skip.
    offset: Option<u32>,
    /// The `next` of the answer before, which goes on where it ended whatever changed since.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    let part =
        lists::Part::from_input(asked.limit, asked.offset, asked.after.as_deref(), "boards")?;
    let mut query = RecordQuery {
        kinds: vec![Kind::Board],
        title_words: asked.query,
        ..RecordQuery::default()
    };
    if let Some(held) = &asked.holding {
        let held = on.any(&[Kind::Task, Kind::Page], held).await?;
        query.linked_to = Some((relation::CARD.to_owned(), held.id));
    }
    let found = lists::walk(&on.reader(), query, &part).await?;
    let mut cards = Vec::new();
    for step in &found.steps {
        let mut card = board_card(on, &step.record).await?;
        let columns = columns::of(&step.record)?;
        let names: Vec<String> = columns
            .iter()
            .map(|column| one_line(&column.name))
            .collect();
        card.insert("columns".to_owned(), json!(names));
        cards.push(card);
    }
    let mut answer = lists::answer("boards", cards, &found, &part);
    answer.insert("builtIn".to_owned(), Value::Object(built_in(on)));
    Ok(Value::Object(answer))
}

async fn board_card(on: &Reading, board: &Record) -> Result<Card, RouteError> {
    let mut card = on.reader().card_of(board).await?;
    card.insert("version".to_owned(), board.version.into());
    if let Some(description) = board.text("description") {
        card.insert("description".to_owned(), one_line(description).into());
    }
    Ok(card)
}

fn built_in(on: &Reading) -> Card {
    let handle = Handle::new(Kind::Board, BUILT_IN_ID);
    let statuses: Vec<&str> = TaskStatus::ALL
        .iter()
        .map(|status| status.as_str())
        .collect();
    object(&json!({
        "id": BUILT_IN_ID, "kind": Kind::Board, "title": BUILT_IN, "ref": handle.to_string(),
        "url": handle.link(on.reader().base), "columns": statuses,
    }))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Read {
    /// The board, by id, handle or exact name; “Ensemble” for the built-in one.
    #[schemars(length(min = 1, max = 2000))]
    board: String,
    /// Only the column of this id or name.
    #[schemars(length(min = 1, max = 200))]
    column: Option<String>,
    /// Cards of each column at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// With `column`: cards to skip.
    offset: Option<u32>,
}

pub(super) async fn read(on: &Reading, asked: Read) -> Result<Value, RouteError> {
    if asked.offset.is_some() && asked.column.is_none() {
        return Err(limited(
            "`offset` pages through one column: name it with `column`.",
        ));
    }
    if is_built_in(&asked.board) {
        return read_built_in(on, &asked).await;
    }
    let board = on.record(Kind::Board, &asked.board).await?;
    let mut columns = columns::of(&board)?;
    if let Some(column) = &asked.column {
        let at = columns::named(&columns, column)?;
        columns = vec![columns.swap_remove(at)];
    }
    let bytes = lists::LIST_BYTES / columns.len().max(1);
    let mut shown = Vec::new();
    for column in &columns {
        shown.push(read_column(on, column, &asked, bytes).await?);
    }
    let mut answer = board_card(on, &board).await?;
    answer.insert("columns".to_owned(), json!(shown));
    answer.insert("notes".to_owned(), json!([sentences::REFERENCE_NOTE]));
    Ok(Value::Object(answer))
}

async fn read_column(
    on: &Reading,
    column: &Column,
    asked: &Read,
    bytes: usize,
) -> Result<Card, RouteError> {
    let live = on.store().by_ids(on.space(), &column.cards).await?;
    let (limit, offset) = part(asked);
    let records: Vec<Record> = live.iter().skip(offset).take(limit).cloned().collect();
    let cards = on.reader().cards(&records).await?;
    let head = object(&json!({ "id": column.id, "name": one_line(&column.name) }));
    Ok(with_cards(head, cards, live.len() as u64, offset, bytes))
}

fn part(asked: &Read) -> (usize, usize) {
    let limit = asked.limit.unwrap_or(CARDS_DEFAULT);
    (limit as usize, asked.offset.unwrap_or(0) as usize)
}

fn with_cards(
    mut head: Card,
    cards: Vec<Map<String, Value>>,
    total: u64,
    offset: usize,
    bytes: usize,
) -> Card {
    let (cards, _) = view::fit(cards, bytes);
    let next = offset + cards.len();
    let more = (next as u64) < total;
    head.insert("total".to_owned(), total.into());
    head.insert("cards".to_owned(), json!(cards));
    head.insert("hasMore".to_owned(), more.into());
    if more {
        head.insert("nextOffset".to_owned(), next.into());
    }
    head
}

/// All tasks by their status, the last changed first.
async fn read_built_in(on: &Reading, asked: &Read) -> Result<Value, RouteError> {
    let statuses: Vec<TaskStatus> = match &asked.column {
        None => TaskStatus::ALL.to_vec(),
        Some(column) => {
            let status = TaskStatus::parse(column.trim());
            vec![status.ok_or_else(|| limited("The columns of the Ensemble board are the statuses of tasks: proposed, todo, in_progress, waiting_approval, blocked, done and dropped."))?]
        }
    };
    let (limit, offset) = part(asked);
    let bytes = lists::LIST_BYTES / statuses.len();
    let mut columns = Vec::new();
    for status in statuses {
        let query = RecordQuery {
            kinds: vec![Kind::Task],
            statuses: vec![status.as_str().to_owned()],
            limit: u32::try_from(limit).unwrap_or(CARDS_DEFAULT),
            offset: asked.offset.unwrap_or(0),
            ..RecordQuery::default()
        };
        let found = on.store().records(on.space(), &query).await?;
        let cards = card::cards(&on.hub, on.space(), &found.items).await?;
        let cards = cards.iter().map(object).collect();
        let head = object(&json!({ "id": status.as_str(), "name": status.as_str() }));
        columns.push(with_cards(head, cards, found.total, offset, bytes));
    }
    let mut answer = built_in(on);
    answer.insert("columns".to_owned(), json!(columns));
    answer.insert("notes".to_owned(), json!([sentences::REFERENCE_NOTE]));
    Ok(Value::Object(answer))
}
