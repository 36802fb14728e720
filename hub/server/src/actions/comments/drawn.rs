//! Plots, diagrams and datasets: copied, deleted, renamed, and a diagram set back to an earlier version, which the ledger kept.

use ensemble_hub_api::{Kind, sentences};
use serde_json::json;

use super::manage::{Asked, needed};
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{Direction, LinkQuery, NewRecord, Record};
use crate::text::cut;
use crate::view;

const DRAWN: [Kind; 2] = [Kind::Plot, Kind::Diagram];
/// Kinds that are never deleted from here, and what is said then.
const FILE_STAYS: &str = "Files cannot be deleted from editors and agents; delete it in Ensemble.";
const ROUTINE_STAYS: &str =
    "Routines cannot be deleted from editors and agents; delete it in Ensemble.";
/// Characters of a title that a copy's title repeats.
const TITLE: usize = 480;

pub(super) async fn copy(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let from = on.any(&DRAWN, needed(asked.record.as_ref())?).await?;
    Changing::fresh(&from, asked.version)?;
    let name = asked
        .name
        .clone()
        .unwrap_or_else(|| format!("Copy of {}", cut::head(&view::title(&from), TITLE)));
    let new = NewRecord {
        status: from.status.clone(),
        fields: from.fields.clone(),
        body: from.body.clone(),
        ..NewRecord::new(on.space(), from.kind, name)
    };
    let copy = on.create(new).await?;
    for (relation, to) in on.change().links_of(&from.id).await? {
        on.link(&copy.id, &relation, &to).await?;
    }
    done(on, &copy, "The copy was made.").await
}

pub(super) async fn delete(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    const ALSO: [Kind; 5] = [
        Kind::Plot,
        Kind::Diagram,
        Kind::File,
        Kind::Document,
        Kind::Routine,
    ];
    let record = on.any(&ALSO, needed(asked.record.as_ref())?).await;
    let record = match record {
        Ok(record) if matches!(record.kind, Kind::File | Kind::Document) => {
            return Err(RouteError::Forbidden(FILE_STAYS.to_owned()));
        }
        Ok(record) if record.kind == Kind::Routine => {
            return Err(RouteError::Forbidden(ROUTINE_STAYS.to_owned()));
        }
        // What is of another kind has an action of its own.
        Err(RouteError::NotFound(_)) => {
            let names = DRAWN.map(Kind::as_str);
            return Err(RouteError::NotFound(sentences::no_such(&names)));
        }
        other => other?,
    };
    trash(on, &record, asked).await
}

async fn trash(on: &mut Changing, record: &Record, asked: &Asked) -> Result<Done, RouteError> {
    Changing::fresh(record, asked.version)?;
    on.trash(record).await?;
    Ok(Done::new(
        json!({ "deleted": [record.handle()] }),
        "It is in Trash.",
    ))
}

pub(super) async fn rename_dataset(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let before = on
        .record(Kind::Dataset, needed(asked.record.as_ref())?)
        .await?;
    Changing::fresh(&before, asked.version)?;
    let dataset = Record {
        title: needed(asked.name.as_ref())?.to_owned(),
        ..before.clone()
    };
    let dataset = on.update(&before, dataset).await?;
    done(on, &dataset, "The dataset was renamed.").await
}

pub(super) async fn delete_dataset(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let dataset = on
        .record(Kind::Dataset, needed(asked.record.as_ref())?)
        .await?;
    let plots = LinkQuery {
        kinds: vec![Kind::Plot],
        limit: 1,
        ..LinkQuery::new(&dataset.id, Direction::To)
    };
    let plots = on.hub.store().links(on.space(), &plots).await?.total;
    if plots > 0 {
        return Err(RouteError::Conflict(format!(
            "Plots that are drawn from this dataset: {plots}. Delete them first, or change what they are drawn from."
        )));
    }
    trash(on, &dataset, asked).await
}

pub(super) async fn restore_version(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let before = on
        .record(Kind::Diagram, needed(asked.record.as_ref())?)
        .await?;
    Changing::fresh(&before, asked.version)?;
    let number = asked
        .diagram_version
        .ok_or_else(|| limited("This operation needs `diagramVersion`."))?;
    let versions = on.change().versions(&before).await?;
    let earlier = versions
        .into_iter()
        .map(|version| version.record)
        .find(|record| record.version == number)
        .ok_or_else(|| {
            RouteError::NotFound(format!(
                "The diagram has no version {number}: hub_read_record_details lists those it has."
            ))
        })?;
    let mut diagram = Record {
        title: earlier.title,
        body: earlier.body,
        fields: earlier.fields,
        ..before.clone()
    };
    // The project is a link too, and links have no versions: it stays as it is.
    match before.fields.get("projectId") {
        Some(project) => drop(
            diagram
                .fields
                .insert("projectId".to_owned(), project.clone()),
        ),
        None => drop(diagram.fields.remove("projectId")),
    }
    let diagram = on.update(&before, diagram).await?;
    let message = format!("The diagram is as it was in version {number}.");
    done(on, &diagram, &message).await
}

async fn done(on: &Changing, record: &Record, message: &str) -> Result<Done, RouteError> {
    let card = on.card(record).await?;
    Ok(Done::new(
        json!({ "record": card, "version": record.version }),
        message,
    ))
}
