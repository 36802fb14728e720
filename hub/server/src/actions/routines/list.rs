//! Reading routines.

use ensemble_hub_api::{Kind, limits, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ACTIVE, NOTE, PAUSED, instructions, shown};
use crate::actions::Reading;
use crate::actions::with::limited;
use crate::error::RouteError;
use crate::lists::{self, Part};
use crate::read;
use crate::store::{Order, RecordQuery};
use crate::text::cut;
use crate::text::trust::one_line;

/// Characters of a routine's instructions in one answer.
const PART_MAX: u32 = 15_000;

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Active,
    Paused,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// One routine in full, by id, handle or exact name; without it, the list.
    #[schemars(length(min = 1, max = 2000))]
    routine: Option<String>,
    /// Words of the name.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only routines of this status.
    status: Option<Status>,
    /// Routines at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Routines to skip; with `routine`, characters of its instructions to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    if let Some(routine) = &asked.routine {
        let listing = asked.query.is_some() || asked.status.is_some() || asked.after.is_some();
        if listing || asked.limit.is_some() {
            return Err(limited("With `routine` only `offset` goes."));
        }
        return one(on, routine, asked.offset.unwrap_or(0)).await;
    }
    let after = asked.after.as_deref();
    let part = Part::from_input(asked.limit, asked.offset, after, "routines")?;
    let status = asked.status.map(|status| match status {
        Status::Active => ACTIVE.to_owned(),
        Status::Paused => PAUSED.to_owned(),
    });
    let query = RecordQuery {
        kinds: vec![Kind::Routine],
        statuses: status.into_iter().collect(),
        order: Order::Title,
        title_words: asked.query,
        ..RecordQuery::default()
    };
    let found = lists::walk(&on.reader(), query, &part).await?;
    let now = on.store().now();
    let card = |step: &crate::store::Step| {
        let routine = &step.record;
        let mut card = shown(on.reader().label(routine), routine, now);
        let text = one_line(&routine.body);
        let (excerpt, _) = cut::excerpt(&text, limits::EXCERPT_MAX);
        card.insert("instructionsExcerpt".to_owned(), excerpt.into());
        card
    };
    let cards = found.steps.iter().map(card).collect();
    let mut answer = lists::answer("routines", cards, &found, &part);
    answer.insert("notes".to_owned(), notes(answer.get("notes")));
    Ok(Value::Object(answer))
}

/// The notes of a list, and who carries routines out.
fn notes(list: Option<&Value>) -> Value {
    let mut notes = list.and_then(Value::as_array).cloned().unwrap_or_default();
    notes.push(NOTE.into());
    notes.into()
}

async fn one(on: &Reading, routine: &str, offset: u32) -> Result<Value, RouteError> {
    let routine = on.record(Kind::Routine, routine).await?;
    let mut card = shown(on.reader().label(&routine), &routine, on.store().now());
    let part = read::body(&instructions(&routine), offset, PART_MAX);
    card.insert("instructions".to_owned(), json!(part));
    Ok(json!({ "routine": card, "notes": [sentences::REFERENCE_NOTE, NOTE] }))
}
