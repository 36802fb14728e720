//! Adding and changing diagrams. What is kept parses: the check comes before anything is written, and before the transaction, so that no
//! other writer waits for the parser.

use ensemble_hub_api::{Kind, relation, sentences::quoted};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::look::source_of;
use crate::actions::input::{Patch, parsed};
use crate::actions::with::limited;
use crate::actions::{Changing, Done, Prepared, Reading, Running};
use crate::diagrams::{self, Fault, Told};
use crate::error::RouteError;
use crate::store::{NewRecord, Record};

const TOO_LONG: &str = "A diagram's source has at most 20,000 characters.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// Its title, in one line.
    #[schemars(length(min = 1, max = 500))]
    title: String,
    /// Its source in Mermaid: flowchart, sequenceDiagram, classDiagram, stateDiagram-v2, erDiagram, gantt, pie, mindmap, timeline, journey, gitGraph or quadrantChart.
    #[schemars(length(min = 1, max = 20_000))]
    source: String,
    /// The project it belongs to, by id, handle or exact name.
    #[schemars(length(max = 2000))]
    project: Option<String>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let told = checked(on, &asked.source).await?;
    let mut new = NewRecord {
        body: asked.source,
        ..NewRecord::new(on.space(), Kind::Diagram, asked.title)
    };
    new.fields
        .insert("format".to_owned(), diagrams::MERMAID.into());
    let diagram = on.create_in(new, asked.project.as_deref()).await?;
    done(on, &diagram, &told, "The diagram was saved.").await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The diagram, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    diagram: String,
    /// The version you read, needed with `source`; if the diagram has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The new title.
    #[schemars(length(min = 1, max = 500))]
    title: Option<String>,
    /// The new source in Mermaid, in place of the one it has.
    #[schemars(length(min = 1, max = 20_000))]
    source: Option<String>,
    /// The project, by id, handle or exact name; null for none.
    #[serde(default)]
    project: Patch<String>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Diagram, &asked.diagram).await?;
    Changing::fresh(&before, asked.version)?;
    let mut diagram = before.clone();
    if let Some(title) = asked.title {
        diagram.title = title;
    }
    if let Some(source) = asked.source {
        diagram.body = source;
        diagram
            .fields
            .insert("format".to_owned(), diagrams::MERMAID.into());
    }
    let told = if diagram.body == before.body {
        None
    } else {
        Some(checked(on, &diagram.body).await?)
    };
    Changing::replaces(&before, &diagram, asked.version)?;
    let (field, kind) = ("projectId", Kind::Project);
    on.refer(&mut diagram, field, relation::PROJECT, kind, &asked.project)
        .await?;
    let diagram = on.update(&before, diagram).await?;
    let message = if on.write.change.wrote() {
        "The diagram was changed."
    } else {
        "The diagram already was like that."
    };
    match told {
        Some(told) => done(on, &diagram, &told, message).await,
        None => Ok(Done::new(
            json!({ "diagram": on.card(&diagram).await?, "version": diagram.version }),
            message,
        )),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Edit {
    /// The diagram, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    diagram: String,
    /// The version you read; if the diagram has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The passage as it stands in the source, exactly once; take enough of it that it is the only one.
    #[schemars(length(min = 1, max = 20_000))]
    old_text: String,
    /// What comes in its place; empty to take the passage out.
    #[schemars(length(max = 20_000))]
    new_text: String,
}

pub(super) async fn edit(on: &mut Changing, asked: Edit) -> Result<Done, RouteError> {
    let before = on.record(Kind::Diagram, &asked.diagram).await?;
    Changing::fresh(&before, asked.version)?;
    let edited = edited(&before, &asked)?;
    let told = checked(on, &edited).await?;
    let diagram = Record {
        body: edited,
        ..before.clone()
    };
    let diagram = on.update(&before, diagram).await?;
    done(on, &diagram, &told, "The passage was replaced.").await
}

/// The source with the new passage.
fn edited(before: &Record, asked: &Edit) -> Result<String, RouteError> {
    let source = source_of(before)?;
    let found = occurrences(source, &asked.old_text);
    if found != 1 {
        return Err(RouteError::Conflict(not_once(found, &asked.old_text)));
    }
    let edited = source.replacen(&asked.old_text, &asked.new_text, 1);
    if edited.chars().nth(diagrams::SOURCE_MAX).is_some() {
        return Err(limited(TOO_LONG));
    }
    Ok(edited)
}

/// How often `passage` stands in `text`, also where two of them overlap.
fn occurrences(text: &str, passage: &str) -> usize {
    text.char_indices()
        .filter(|(at, _)| {
            text.get(*at..)
                .is_some_and(|rest| rest.starts_with(passage))
        })
        .count()
}

fn not_once(found: usize, passage: &str) -> String {
    match found {
        0 => format!(
            "The passage {} does not stand in the source: read the diagram again. Nothing was changed.",
            quoted(passage)
        ),
        many => format!(
            "The passage {} stands in the source {many} times: take more of what is around it, so that it is the only one. Nothing was changed.",
            quoted(passage)
        ),
    }
}

/// A source that was read, and what it says or where it is wrong.
#[derive(Debug)]
pub(crate) struct Parsed {
    source: String,
    told: Result<Told, Fault>,
}

impl Parsed {
    async fn of(source: String) -> Result<Prepared, RouteError> {
        let told = diagrams::read(&source).await?;
        Ok(Prepared::Diagram(Self { source, told }))
    }
}

pub(super) fn prepare_create(_: &Reading, input: Value) -> Running<'_, Prepared> {
    Box::pin(async move { Parsed::of(parsed::<Create>(input)?.source).await })
}

/// An update without a source has nothing to read.
pub(super) fn prepare_update(_: &Reading, input: Value) -> Running<'_, Prepared> {
    Box::pin(async move {
        match parsed::<Update>(input)?.source {
            Some(source) => Parsed::of(source).await,
            None => Ok(Prepared::Nothing),
        }
    })
}

pub(super) fn prepare_edit(on: &Reading, input: Value) -> Running<'_, Prepared> {
    Box::pin(async move {
        let asked = parsed::<Edit>(input)?;
        let now = on.record(Kind::Diagram, &asked.diagram).await?;
        Changing::fresh(&now, asked.version)?;
        Parsed::of(edited(&now, &asked)?).await
    })
}

/// What the source says; one that does not parse is refused with its place. It was read before, unless somebody edited another passage of it
/// since.
async fn checked(on: &mut Changing, source: &str) -> Result<Told, RouteError> {
    let told = match on.prepared.take() {
        Some(Prepared::Diagram(read)) if read.source == source => read.told,
        _ => diagrams::read(source).await?,
    };
    told.map_err(|fault| RouteError::BadRequest(format!("{} Nothing was saved.", fault.sentence())))
}

async fn done(
    on: &mut Changing,
    diagram: &Record,
    told: &Told,
    message: &str,
) -> Result<Done, RouteError> {
    let card = on.card(diagram).await?;
    let name = crate::text::trust::one_line(&diagram.title).replace(['[', ']'], "");
    let embed = format!("![{name}]({})", diagram.handle());
    let result = json!({
        "diagram": card, "version": diagram.version, "says": told.sentence(), "embed": embed,
    });
    Ok(Done::new(result, message))
}
