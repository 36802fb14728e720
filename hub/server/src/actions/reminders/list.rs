//! Reading reminders and watchers.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ABOUT, DISMISSED, PENDING, shown};
use crate::actions::Reading;
use crate::error::RouteError;
use crate::lists::{self, Part};
use crate::store::{Order, RecordQuery};

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Pending,
    Dismissed,
    All,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct List {
    /// pending (the default) for those that were not dismissed, dismissed, or all.
    status: Option<Status>,
    /// Words of what is to be told.
    #[schemars(length(max = 1000))]
    query: Option<String>,
    /// Only reminders about this record: its handle or id.
    #[schemars(length(max = 2000))]
    about: Option<String>,
    /// Reminders at the most.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Reminders to skip.
    offset: Option<u32>,
    /// The `next` of the answer before.
    #[schemars(length(max = 2000))]
    after: Option<String>,
}

pub(super) async fn list(on: &Reading, asked: List) -> Result<Value, RouteError> {
    let after = asked.after.as_deref();
    let part = Part::from_input(asked.limit, asked.offset, after, "reminders")?;
    let statuses = match asked.status.unwrap_or(Status::Pending) {
        Status::Pending => vec![PENDING.to_owned()],
        Status::Dismissed => vec![DISMISSED.to_owned()],
        Status::All => Vec::new(),
    };
    let about = match &asked.about {
        Some(about) => vec![(ABOUT.to_owned(), on.thing(about).await?.id)],
        None => Vec::new(),
    };
    let query = RecordQuery {
        kinds: vec![Kind::Reminder],
        field_equals: about,
        statuses,
        order: Order::Start,
        title_words: asked.query,
        ..RecordQuery::default()
    };
    let found = lists::walk(&on.reader(), query, &part).await?;
    let (now, zone) = (on.store().now(), on.zone().await?);
    let about: Vec<String> = found
        .steps
        .iter()
        .filter_map(|step| step.record.text(ABOUT).map(str::to_owned))
        .collect();
    let about = on.store().by_ids(on.space(), &about).await?;
    let card = |step: &crate::store::Step| {
        let reminder = &step.record;
        let mut card = shown(on.reader().label(reminder), reminder, now, &zone);
        let about = about
            .iter()
            .find(|about| Some(about.id.as_str()) == reminder.text(ABOUT));
        if let Some(about) = about {
            card.insert("about".to_owned(), json!(on.reader().label(about)));
        }
        card
    };
    let cards = found.steps.iter().map(card).collect();
    Ok(Value::Object(lists::answer(
        "reminders",
        cards,
        &found,
        &part,
    )))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Watchers {}

pub(super) async fn watchers(_: &Reading, _: Watchers) -> Result<Value, RouteError> {
    Ok(json!({
        "watchers": [],
        "total": 0,
        "notes": ["This hub watches no app, so there are no watchers: the person makes them in Ensemble."],
    }))
}
