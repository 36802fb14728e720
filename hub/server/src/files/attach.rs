//! Hanging a file on a record: a link, and for a task or page a line at the end of its page that leads to the file.

use ensemble_hub_api::{Kind, limits, relation};

use super::ON;
use crate::actions::ask;
use crate::error::RouteError;
use crate::store::{Change, Record};
use crate::tasks::named::Look;

const PAGE_FULL: &str = "The page would grow over 100,000 characters with the link to the file: shorten it in Ensemble, or leave `attachTo` out.";

/// The record that a file is to hang on: a task, page, project, person or repository, by handle, link or id.
pub(crate) async fn target(
    change: &mut Change,
    space: &str,
    given: &str,
) -> Result<Record, RouteError> {
    ask::any(&mut Look::Changed(change), space, &ON, given).await
}

/// Hangs `file` on `to`; `action` is what the ledger calls it.
pub(crate) async fn attach(
    change: &mut Change,
    action: &str,
    file: &Record,
    to: &Record,
) -> Result<(), RouteError> {
    change
        .link(action, &to.space, (&to.id, relation::ATTACHED, &file.id))
        .await?;
    if !matches!(to.kind, Kind::Task | Kind::Page) {
        return Ok(());
    }
    let line = format!("[@file]({})", file.handle());
    let body = if to.body.trim().is_empty() {
        line
    } else {
        format!("{}\n\n{line}", to.body)
    };
    if body.chars().nth(limits::PAGE_MAX).is_some() {
        return Err(RouteError::BadRequest(PAGE_FULL.to_owned()));
    }
    let edited = Record { body, ..to.clone() };
    change.update(action, to, edited).await?;
    Ok(())
}
