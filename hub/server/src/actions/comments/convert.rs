//! A page becomes a task: its title, text, labels, project, source, links, comments and places on boards go to the task, and the page goes to
//! Trash with what it had, so that restoring it gives the page back.

use ensemble_hub_api::{Kind, TaskStatus, limits, relation, sentences};
use serde_json::json;

use super::manage::{Asked, needed};
use crate::actions::pages::tree;
use crate::actions::{Changing, Done, boards};
use crate::error::RouteError;
use crate::store::{Direction, LinkQuery, Linked, NewRecord, Record};
use crate::tasks::card;

/// Links of one look.
const PART: u32 = 500;

/// The fields of a page that a task has too.
const FIELDS: [&str; 3] = ["labels", "projectId", "source"];

pub(super) async fn page(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let page = on
        .record(Kind::Page, needed(asked.record.as_ref())?)
        .await?;
    Changing::fresh(&page, asked.version)?;
    let below = tree::children(on.hub.store(), on.space(), &page.id).await?;
    if !below.is_empty() {
        return Err(RouteError::Conflict(
            "Pages are below this one, and nothing can be below a task: move them first."
                .to_owned(),
        ));
    }
    if page.body.chars().nth(limits::PAGE_MAX).is_some() {
        return Err(RouteError::Conflict(sentences::PAGE_TOO_LONG.to_owned()));
    }
    let mut new = NewRecord::new(on.space(), Kind::Task, page.title.clone());
    new.status = Some(TaskStatus::Proposed.as_str().to_owned());
    new.body.clone_from(&page.body);
    for field in FIELDS {
        if let Some(value) = page.fields.get(field) {
            new.fields.insert(field.to_owned(), value.clone());
        }
    }
    let task = on.create(new).await?;
    links(on, &page, &task).await?;
    on.trash(&page).await?;
    let hub = on.hub.clone();
    let card = card::one_changed(&hub, on.change(), &task).await?;
    Ok(Done::new(
        json!({ "task": card, "page": page.handle(), "version": task.version }),
        "The page is a task now, proposed; the page itself is in Trash.",
    ))
}

/// Gives the task the page's links, from both ends.
async fn links(on: &mut Changing, page: &Record, task: &Record) -> Result<(), RouteError> {
    for (relation, to) in on.change().links_of(&page.id).await? {
        if relation != relation::PARENT {
            on.link(&task.id, &relation, &to).await?;
        }
    }
    let mut boards = Vec::new();
    for link in links_to(on, &page.id).await? {
        let other = link.record;
        match link.relation.as_str() {
            relation::CARD => boards.push(other),
            relation::COMMENT => {
                on.unlink(&other.id, relation::COMMENT, &page.id).await?;
                on.link(&other.id, relation::COMMENT, &task.id).await?;
            }
            // The page keeps its own: they are not shown while it is in Trash.
            relation => on.link(&other.id, relation, &task.id).await?,
        }
    }
    boards::replaced(on, boards, &page.id, &task.id).await
}

/// All that links to a record, as it was when the change began.
async fn links_to(on: &Changing, id: &str) -> Result<Vec<Linked>, RouteError> {
    let mut all: Vec<Linked> = Vec::new();
    loop {
        let query = LinkQuery {
            limit: PART,
            offset: u32::try_from(all.len()).unwrap_or(u32::MAX),
            ..LinkQuery::new(id, Direction::To)
        };
        let part = on.hub.store().links(on.space(), &query).await?.items;
        if part.is_empty() {
            return Ok(all);
        }
        all.extend(part);
    }
}
