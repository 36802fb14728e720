//! Adding and changing plots. A specification is tried on its dataset before it is kept: a plot that is saved can be drawn.

use ensemble_hub_api::{Kind, relation};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::look::{NO_SPEC, marks, spec_of};
use crate::actions::input::Patch;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::plots::{Marks, Spec};
use crate::store::{NewRecord, Record};

/// The field that says that nobody wrote the summary.
const SUMMARY_MADE: &str = "summaryMade";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// Its title, in one line.
    #[schemars(length(min = 1, max = 500))]
    title: String,
    /// The dataset, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    dataset: String,
    /// What is drawn of it.
    spec: Spec,
    /// What the plot shows, in a sentence; without it, what its numbers say.
    #[schemars(length(max = 2000))]
    summary: Option<String>,
    /// The project it belongs to, by id, handle or exact name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let dataset = on.record(Kind::Dataset, &asked.dataset).await?;
    let marks = marks(&asked.spec, &dataset)?;
    let mut new = NewRecord {
        body: text_of(&asked.spec)?,
        ..NewRecord::new(on.space(), Kind::Plot, asked.title)
    };
    if let Some(summary) = asked.summary {
        new.fields.insert("summary".to_owned(), summary.into());
    }
    describe(&mut new.fields, &asked.spec, &dataset, &marks);
    let plot = on.create_in(new, asked.project.as_deref()).await?;
    on.link(&plot.id, relation::RELATED, &dataset.id).await?;
    done(on, &plot, Some(&marks), "The plot was saved.").await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The plot, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    plot: String,
    /// The version you read; if the plot has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The new title.
    #[schemars(length(min = 1, max = 500))]
    title: Option<String>,
    /// What is drawn, in place of what was.
    spec: Option<Spec>,
    /// Another dataset, by id, handle or exact name.
    #[schemars(length(min = 1, max = 2000))]
    dataset: Option<String>,
    /// What the plot shows, in a sentence; null for what its numbers say.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    summary: Patch<String>,
    /// The project, by id, handle or exact name; null for none.
    #[serde(default)]
    project: Patch<String>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Plot, &asked.plot).await?;
    Changing::fresh(&before, asked.version)?;
    let mut plot = before.clone();
    if let Some(title) = asked.title {
        plot.title = title;
    }
    plot.patch("summary", &asked.summary);
    if !asked.summary.keeps() {
        plot.fields.remove(SUMMARY_MADE);
    }
    let drawn = if asked.spec.is_some() || asked.dataset.is_some() || asked.summary == Patch::Clear
    {
        Some(redrawn(on, &mut plot, asked.spec, asked.dataset.as_deref()).await?)
    } else {
        None
    };
    let (field, kind) = ("projectId", Kind::Project);
    on.refer(&mut plot, field, relation::PROJECT, kind, &asked.project)
        .await?;
    let plot = on.update(&before, plot).await?;
    let message = if on.write.change.wrote() {
        "The plot was changed."
    } else {
        "The plot already was like that."
    };
    done(on, &plot, drawn.as_ref(), message).await
}

/// Gives a plot another specification or dataset; whichever is left out stays.
async fn redrawn(
    on: &mut Changing,
    plot: &mut Record,
    spec: Option<Spec>,
    dataset: Option<&str>,
) -> Result<Marks, RouteError> {
    let spec = match spec {
        Some(spec) => spec,
        None => spec_of(plot)?.ok_or_else(|| RouteError::Conflict(NO_SPEC.to_owned()))?,
    };
    let was = plot.text("dataset").map(str::to_owned);
    let wanted = dataset.map(str::to_owned).or_else(|| was.clone());
    let wanted = wanted.ok_or_else(|| RouteError::Conflict(NO_SPEC.to_owned()))?;
    let dataset = on.record(Kind::Dataset, &wanted).await?;
    let marks = marks(&spec, &dataset)?;
    if was.as_deref() != Some(&dataset.id) {
        if let Some(was) = &was {
            on.unlink(&plot.id, relation::RELATED, was).await?;
        }
        on.link(&plot.id, relation::RELATED, &dataset.id).await?;
    }
    plot.body = text_of(&spec)?;
    describe(&mut plot.fields, &spec, &dataset, &marks);
    Ok(marks)
}

/// Sets the fields that lists and reads show. A summary that was made is made again; one that somebody wrote stays.
fn describe(fields: &mut Map<String, Value>, spec: &Spec, dataset: &Record, marks: &Marks) {
    fields.insert("plotType".to_owned(), spec.mark.as_str().into());
    fields.insert("dataset".to_owned(), dataset.id.as_str().into());
    if !fields.contains_key("summary") || fields.contains_key(SUMMARY_MADE) {
        fields.insert("summary".to_owned(), marks.sentence(spec.mark).into());
        fields.insert(SUMMARY_MADE.to_owned(), true.into());
    }
}

/// The specification as it is kept.
fn text_of(spec: &Spec) -> Result<String, RouteError> {
    serde_json::to_string_pretty(spec)
        .map_err(|_| RouteError::Broken(ensemble_hub_api::sentences::INTERNAL))
}

async fn done(
    on: &mut Changing,
    plot: &Record,
    marks: Option<&Marks>,
    message: &str,
) -> Result<Done, RouteError> {
    let card = on.card(plot).await?;
    let mut result = json!({ "plot": card, "version": plot.version });
    if let Some(marks) = marks {
        result["data"] = marks.shown();
    }
    Ok(Done::new(result, message))
}
