//! Reading pages: lists, the Markdown in parts, and the blocks with their ids.

use ensemble_hub_api::{Kind, limits, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::blocks::{Block, blocks};
use super::tree;
use crate::actions::Reading;
use crate::actions::with::limited;
use crate::error::RouteError;
use crate::lists;
use crate::read;
use crate::store::{Record, RecordQuery};
use crate::text::cut;
use crate::text::trust::neutral;
use crate::view::{self, Card};

/// Blocks of one answer, when nothing is asked and at the most.
const BLOCKS_DEFAULT: u32 = 50;
/// Characters of the blocks of one answer.
const BLOCKS_TEXT: usize = 15_000;
/// Bytes of the pages below a page that an answer names.
const CHILDREN_BYTES: usize = 12_000;

const SHOWN_OTHERWISE: &str = "Invisible characters, other line ends and what looks like a frame are shown otherwise than they are kept: \
     change this page with hub_edit_page, which leaves every other block as it is.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// Words of the title.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only pages directly below this one, in their own order: id, handle or exact title.
    #[schemars(length(max = 2000))]
    parent: Option<String>,
    /// Only pages of this project: id, handle or name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
    /// Pages at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Pages to skip.
    offset: Option<u32>,
    /// The `next` of the answer before, which goes on where it ended whatever changed since.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    let part = lists::Part::from_input(asked.limit, asked.offset, asked.after.as_deref(), "pages")?;
    if let Some(parent) = &asked.parent {
        if asked.query.is_some() || asked.project.is_some() || asked.after.is_some() {
            return Err(limited(
                "Pages below a page come in their own order: give `parent` with `limit` and `offset` only.",
            ));
        }
        let parent = on.record(Kind::Page, parent).await?;
        return below(on, &parent, &part).await;
    }
    let mut query = RecordQuery {
        kinds: vec![Kind::Page],
        title_words: asked.query,
        ..RecordQuery::default()
    };
    if let Some(project) = &asked.project {
        let project = on.record(Kind::Project, project).await?;
        query.linked_to = Some((relation::PROJECT.to_owned(), project.id));
    }
    let found = lists::walk(&on.reader(), query, &part).await?;
    let cards = lists::cards(&on.reader(), &found.steps).await?;
    Ok(Value::Object(lists::answer("pages", cards, &found, &part)))
}

async fn below(on: &Reading, parent: &Record, part: &lists::Part) -> Result<Value, RouteError> {
    let all = tree::children(on.store(), on.space(), &parent.id).await?;
    let shown: Vec<Record> = all
        .iter()
        .skip(part.offset as usize)
        .take(part.limit as usize)
        .cloned()
        .collect();
    let (cards, _) = view::fit(on.reader().cards(&shown).await?, lists::LIST_BYTES);
    let next = part.offset as usize + cards.len();
    let more = next < all.len();
    let mut answer = json!({
        "parent": on.reader().label(parent), "pages": cards, "total": all.len(), "offset": part.offset, "limit": part.limit,
        "hasMore": more, "notes": [ensemble_hub_api::sentences::REFERENCE_NOTE],
    });
    if let (true, Some(object)) = (more, answer.as_object_mut()) {
        object.insert("nextOffset".to_owned(), next.into());
    }
    Ok(answer)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Read {
    /// The page, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    page: String,
    /// Where the part begins, in characters.
    offset: Option<u32>,
}

pub(super) async fn read_page(on: &Reading, asked: Read) -> Result<Value, RouteError> {
    let page = on.record(Kind::Page, &asked.page).await?;
    let text = neutral(&page.body);
    let mut answer = head(on, &page).await?;
    let part = read::body(&text, asked.offset.unwrap_or(0), limits::PAGE_BODY_MAX);
    answer.insert("body".to_owned(), json!(part));
    answer.insert("notes".to_owned(), notes(page.body == text));
    Ok(Value::Object(answer))
}

/// The page's card without its beginning, with its version, and the pages below it.
async fn head(on: &Reading, page: &Record) -> Result<Card, RouteError> {
    let reader = on.reader();
    let mut card = reader.card_of(page).await?;
    card.remove("excerpt");
    card.insert("version".to_owned(), page.version.into());
    let children = tree::children(on.store(), on.space(), &page.id).await?;
    if !children.is_empty() {
        let labels: Vec<Card> = children.iter().map(|child| reader.label(child)).collect();
        let (labels, left_out) = view::fit(labels, CHILDREN_BYTES);
        card.insert("pages".to_owned(), json!(labels));
        if left_out > 0 {
            card.insert("pagesNotShown".to_owned(), left_out.into());
        }
    }
    Ok(card)
}

fn notes(as_kept: bool) -> Value {
    let mut notes = vec![ensemble_hub_api::sentences::REFERENCE_NOTE];
    if !as_kept {
        notes.push(SHOWN_OTHERWISE);
    }
    json!(notes)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Blocks {
    /// The page, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    page: String,
    /// Only the block of this id, whose text `textOffset` goes on with.
    #[schemars(length(max = 40))]
    block: Option<String>,
    /// With `block`: where its part begins, in characters.
    text_offset: Option<u32>,
    /// Blocks at the most.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
    /// Blocks to skip.
    offset: Option<u32>,
}

pub(super) async fn read_blocks(on: &Reading, asked: Blocks) -> Result<Value, RouteError> {
    let page = on.record(Kind::Page, &asked.page).await?;
    let all = blocks(&page.body);
    let mut answer = on.reader().label(&page);
    answer.insert("version".to_owned(), page.version.into());
    if let Some(id) = &asked.block {
        let block = all
            .iter()
            .find(|block| block.id == *id)
            .ok_or_else(|| super::edit::unknown_block(id))?;
        let text = neutral(block.text(&page.body));
        let start = asked.text_offset.unwrap_or(0);
        let part = read::body(&text, start, limits::PAGE_BODY_MAX);
        answer.insert(
            "block".to_owned(),
            json!({ "id": block.id, "kind": block.kind, "body": part }),
        );
    } else {
        let offset = asked.offset.unwrap_or(0) as usize;
        let limit = asked.limit.unwrap_or(BLOCKS_DEFAULT) as usize;
        let shown = some_blocks(&page.body, all.get(offset..).unwrap_or_default(), limit);
        let next = offset + shown.len();
        answer.insert("blocks".to_owned(), json!(shown));
        answer.insert("total".to_owned(), all.len().into());
        answer.insert("hasMore".to_owned(), (next < all.len()).into());
        if next < all.len() {
            answer.insert("nextOffset".to_owned(), next.into());
        }
    }
    answer.insert("notes".to_owned(), notes(true));
    Ok(Value::Object(answer))
}

/// The first blocks, within the characters of an answer; the last is cut where it does not fit.
fn some_blocks(page: &str, all: &[Block], limit: usize) -> Vec<Value> {
    let mut left = BLOCKS_TEXT;
    let mut shown = Vec::new();
    for block in all.iter().take(limit) {
        if left == 0 {
            break;
        }
        let text = neutral(block.text(page));
        let part = cut::head(&text, left);
        let characters = part.chars().count();
        left -= characters;
        let mut one = Map::new();
        one.insert("id".to_owned(), block.id.as_str().into());
        one.insert("kind".to_owned(), block.kind.into());
        if let Some(level) = block.level {
            one.insert("level".to_owned(), level.into());
        }
        one.insert("text".to_owned(), part.into());
        if part.len() < text.len() {
            one.insert("truncated".to_owned(), true.into());
            one.insert("nextTextOffset".to_owned(), characters.into());
        }
        shown.push(one.into());
    }
    shown
}
