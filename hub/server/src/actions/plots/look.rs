//! Reading plots, and the lists of plots and datasets.

use ensemble_hub_api::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::Reading;
use crate::actions::shared::ByTitle;
use crate::datasets::Table;
use crate::error::RouteError;
use crate::lists;
use crate::plots::{self, Marks, Spec};
use crate::store::{Order, Record, RecordQuery};

pub(super) async fn plots(on: &Reading, asked: ByTitle) -> Result<Value, RouteError> {
    on.shelf(&lists::PLOTS, &asked).await
}

pub(super) async fn datasets(on: &Reading, asked: ByTitle) -> Result<Value, RouteError> {
    let name = "datasets";
    let part = asked.part(name)?;
    let query = RecordQuery {
        kinds: vec![Kind::Dataset],
        order: Order::Updated,
        title_words: asked.query,
        ..RecordQuery::default()
    };
    let reader = on.reader();
    let found = lists::walk(&reader, query, &part).await?;
    let mut cards = lists::cards(&reader, &found.steps).await?;
    for (card, step) in cards.iter_mut().zip(&found.steps) {
        for field in ["rows", "columns"] {
            if let Some(value) = step.record.fields.get(field) {
                card.insert(field.to_owned(), value.clone());
            }
        }
    }
    Ok(Value::Object(lists::answer(name, cards, &found, &part)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Get {
    /// The plot, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    plot: String,
    /// Whether its picture is drawn too.
    svg: Option<bool>,
}

pub(super) async fn get(on: &Reading, asked: Get) -> Result<Value, RouteError> {
    let plot = on.record(Kind::Plot, &asked.plot).await?;
    let mut card = on
        .in_full(&plot, 0, crate::actions::plots::SPEC_MAX)
        .await?;
    let Some(spec) = spec_of(&plot)? else {
        card["specNote"] = NO_SPEC.into();
        if asked.svg == Some(true) {
            return Err(RouteError::Conflict(NO_SPEC.to_owned()));
        }
        return Ok(card);
    };
    card["spec"] = json!(spec);
    let Some(dataset) = dataset_of(on, &plot).await? else {
        card["dataNote"] = NO_DATASET.into();
        if asked.svg == Some(true) {
            return Err(RouteError::Conflict(NO_DATASET.to_owned()));
        }
        return Ok(card);
    };
    card["dataset"] = json!(on.reader().label(&dataset));
    let marks = marks(&spec, &dataset)?;
    card["data"] = marks.shown();
    if asked.svg == Some(true) {
        card["svg"] = plots::draw(spec, marks).await?.into();
    }
    Ok(card)
}

/// Why a plot whose dataset is gone is not drawn.
const NO_DATASET: &str =
    "The dataset of this plot is in Trash: take it out again, or give the plot another `dataset`.";

/// Why a plot that came from elsewhere is not drawn.
pub(super) const NO_SPEC: &str = "This plot has no specification that is drawn here: hub_update_plot can give it `spec` and `dataset`.";

/// The specification of a plot; `None` where it never had one.
pub(super) fn spec_of(plot: &Record) -> Result<Option<Spec>, RouteError> {
    if plot.text("dataset").is_none() {
        return Ok(None);
    }
    serde_json::from_str(&plot.body).map(Some).map_err(|_| {
        RouteError::Conflict(
            "The specification of this plot is not one any more: hub_update_plot can give it a new `spec`."
                .to_owned(),
        )
    })
}

/// The dataset that a plot is drawn from; `None` when it is in Trash.
async fn dataset_of(on: &Reading, plot: &Record) -> Result<Option<Record>, RouteError> {
    let id = plot.text("dataset").unwrap_or_default();
    let found = on.store().record(on.space(), id).await?;
    Ok(found.filter(|record| record.kind == Kind::Dataset))
}

/// The marks of a specification over a dataset that was kept.
pub(super) fn marks(spec: &Spec, dataset: &Record) -> Result<Marks, RouteError> {
    let table = Table::kept(dataset).map_err(RouteError::Conflict)?;
    plots::marks(spec, &table)
}
