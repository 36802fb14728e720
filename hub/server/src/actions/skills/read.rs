//! Reading skills.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::versions;
use crate::actions::Reading;
use crate::error::RouteError;
use crate::lists::Part;
use crate::read;
use crate::store::{Order, RecordQuery};
use crate::text::trust::neutral;
use crate::view;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// Words of the name.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// true for those that are switched off too.
    all: Option<bool>,
    /// Skills at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Skills to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    let part = Part::from_input(asked.limit, asked.offset, asked.after.as_deref(), "skills")?;
    let query = RecordQuery {
        kinds: vec![Kind::Skill],
        order: Order::Title,
        title_words: asked.query,
        enabled: asked.all != Some(true),
        ..RecordQuery::default()
    };
    on.cards("skills", query, &part).await
}

/// Characters of a skill's text in one answer.
const PART_MAX: u32 = 15_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct One {
    /// The skill, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    skill: String,
    /// Where the part of its text begins, in characters.
    offset: Option<u32>,
}

pub(super) async fn read(on: &Reading, asked: One) -> Result<Value, RouteError> {
    let skill = on.record(Kind::Skill, &asked.skill).await?;
    let mut card = on.reader().card_of(&skill).await?;
    let text = neutral(view::main_text(&skill));
    let part = read::body(&text, asked.offset.unwrap_or(0), PART_MAX);
    card.insert("body".to_owned(), json!(part));
    let versions = on.store().versions(&skill).await?;
    versions::number(&mut card, &skill);
    let (shown, more) = versions::shown(&versions);
    card.insert("versions".to_owned(), json!(shown));
    if more > 0 {
        card.insert("versionsNotShown".to_owned(), more.into());
    }
    Ok(Value::Object(card))
}
