//! Reading diagrams.

use ensemble_hub_api::{Kind, limits};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::actions::Reading;
use crate::actions::shared::ByTitle;
use crate::actions::with::limited;
use crate::diagrams;
use crate::error::RouteError;
use crate::lists;
use crate::store::Record;
use crate::text::trust::neutral;

/// Records that show a diagram, of one answer.
const SHOWN_IN_MAX: u32 = 20;
/// Kinds whose text can show a diagram.
const SHOW: [Kind; 4] = [Kind::Page, Kind::Task, Kind::Meeting, Kind::Deliverable];

const ONE_OF: &str = "Give `diagram` or `source`, one of the two.";

pub(super) async fn list(on: &Reading, asked: ByTitle) -> Result<Value, RouteError> {
    on.shelf(&lists::DIAGRAMS, &asked).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Get {
    /// The diagram, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    diagram: String,
    /// Where the part of the source begins, in characters.
    offset: Option<u32>,
    /// Whether its picture is drawn too.
    svg: Option<bool>,
}

pub(super) async fn get(on: &Reading, asked: Get) -> Result<Value, RouteError> {
    let diagram = on.record(Kind::Diagram, &asked.diagram).await?;
    let offset = asked.offset.unwrap_or(0);
    let mut card = on
        .in_full(&diagram, offset, limits::DIAGRAM_BODY_MAX)
        .await?;
    if neutral(&diagram.body) != diagram.body {
        card["bodyNote"] = "Invisible characters and what looks like a frame around text are not shown as they are: an edit has to avoid them.".into();
    }
    if asked.svg == Some(true) {
        card["svg"] = diagrams::draw(source_of(&diagram)?).await?.into();
    }
    Ok(card)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Source {
    /// A saved diagram, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    diagram: Option<String>,
    /// A source in Mermaid.
    #[schemars(length(min = 1, max = 20_000))]
    source: Option<String>,
}

impl Source {
    async fn text(self, on: &Reading) -> Result<String, RouteError> {
        match (self.diagram, self.source) {
            (Some(diagram), None) => {
                let diagram = on.record(Kind::Diagram, &diagram).await?;
                Ok(source_of(&diagram)?.to_owned())
            }
            (None, Some(source)) => Ok(source),
            _ => Err(limited(ONE_OF)),
        }
    }
}

pub(super) async fn validate(on: &Reading, asked: Source) -> Result<Value, RouteError> {
    let source = asked.text(on).await?;
    Ok(match diagrams::read(&source).await? {
        Ok(told) => json!({ "valid": true, "says": told.sentence() }),
        Err(fault) => json!({ "valid": false, "error": fault, "says": fault.sentence() }),
    })
}

pub(super) async fn explain(on: &Reading, asked: Source) -> Result<Value, RouteError> {
    let source = asked.text(on).await?;
    match diagrams::read(&source).await? {
        Ok(told) => Ok(told.answer()),
        Err(fault) => Err(RouteError::BadRequest(fault.sentence())),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Context {
    /// The diagram, by id, handle or exact title.
    #[schemars(length(min = 1, max = 2000))]
    diagram: String,
}

pub(super) async fn context(on: &Reading, asked: Context) -> Result<Value, RouteError> {
    let diagram = on.record(Kind::Diagram, &asked.diagram).await?;
    let mut card = on.in_full(&diagram, 0, limits::DIAGRAM_BODY_MAX).await?;
    let reader = on.reader();
    let store = on.store();
    let shown_in = store
        .naming(on.space(), &SHOW, &diagram.handle(), SHOWN_IN_MAX)
        .await?;
    let labels: Vec<_> = shown_in.iter().map(|record| reader.label(record)).collect();
    card["shownIn"] = json!(labels);
    card["linkedWith"] = linked(on, &diagram).await?;
    if let Ok(source) = source_of(&diagram) {
        card["explained"] = match diagrams::read(source).await? {
            Ok(told) => told.answer(),
            Err(fault) => json!({ "error": fault, "says": fault.sentence() }),
        };
    }
    Ok(card)
}

/// What a record is linked with, from either end.
async fn linked(on: &Reading, record: &Record) -> Result<Value, RouteError> {
    let (store, reader) = (on.store(), on.reader());
    let mut links = store.links_from(on.space(), &record.id).await?;
    links.extend(store.links_to(on.space(), &record.id).await?);
    let labels = links.iter().take(SHOWN_IN_MAX as usize).map(|link| {
        let mut label = reader.label(&link.record);
        label.insert("relation".to_owned(), link.relation.as_str().into());
        label
    });
    Ok(json!(labels.collect::<Vec<_>>()))
}

/// The source of a diagram in the language that is read here.
pub(super) fn source_of(diagram: &Record) -> Result<&str, RouteError> {
    match diagram.text("format") {
        None | Some(diagrams::MERMAID) => Ok(&diagram.body),
        Some(_) => Err(RouteError::Conflict(
            "The source of this diagram is not Mermaid, so it is neither checked nor drawn: hub_update_diagram can give it a Mermaid source."
                .to_owned(),
        )),
    }
}
