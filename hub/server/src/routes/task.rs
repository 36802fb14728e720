//! `GET tasks/{id}`: one task with the start of its page and what it links to.

use axum::Json;
use axum::extract::{Path, State};
use ensemble_hub_api::task::{TaskAnswer, TaskLink};
use ensemble_hub_api::{Body, Handle, Kind, limits, sentences};

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::store::{Direction, LinkQuery, Linked};
use crate::tasks::{self, card};
use crate::text::cut;
use crate::text::trust::neutral;
use crate::view;

/// Links of one answer, in each direction.
const LINKS_EACH_WAY: u32 = 25;

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
    Path(id): Path<String>,
) -> Result<Json<TaskAnswer>, RouteError> {
    let space = &caller.space.id;
    let record = hub.store().record(space, &id).await?;
    let record = tasks::as_task(record)?;
    let from = LinkQuery {
        limit: LINKS_EACH_WAY,
        ..LinkQuery::new(&record.id, Direction::From)
    };
    let to = LinkQuery {
        limit: LINKS_EACH_WAY,
        ..LinkQuery::new(&record.id, Direction::To)
    };
    let (from, to) = (
        hub.store().links(space, &from).await?,
        hub.store().links(space, &to).await?,
    );
    let mut links: Vec<TaskLink> = from.items.iter().map(|linked| link(linked, "")).collect();
    links.extend(to.items.iter().map(|linked| link(linked, "_of")));
    let body = body(&neutral(&record.body));
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    if let Some(next) = body.next_offset {
        let (handle, total) = (Handle::new(Kind::Task, &record.id), body.total_characters);
        notes.push(format!(
            "The page has {total} characters: read {handle} with offset {next} for the rest."
        ));
    }
    Ok(Json(TaskAnswer {
        task: card::one(&hub, &record).await?,
        body,
        links,
        links_total: from.total + to.total,
        notes,
    }))
}

fn link(linked: &Linked, suffix: &str) -> TaskLink {
    TaskLink {
        relation: format!("{}{suffix}", linked.relation),
        kind: linked.record.kind,
        handle: Handle::new(linked.record.kind, &linked.record.id).to_string(),
        title: view::title(&linked.record),
        status: linked.record.status.clone(),
    }
}

fn body(text: &str) -> Body {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let part = cut::part(
        text,
        0,
        usize::try_from(limits::BODY_DEFAULT).unwrap_or(usize::MAX),
    );
    Body {
        text: part.text.to_owned(),
        offset: count(part.offset),
        limit: limits::BODY_DEFAULT,
        total_characters: count(part.total),
        truncated: part.next.is_some(),
        next_offset: part.next.map(count),
    }
}
