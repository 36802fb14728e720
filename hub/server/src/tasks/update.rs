//! Changing a task: its status within the state machine, and notes that are only ever added to its page.

use ensemble_hub_api::task::UpdateTask;
use ensemble_hub_api::{TaskStatus, limits, sentences};

use crate::error::RouteError;
use crate::store::{Change, Record, name_key};
use crate::tasks::{as_task, status_of};
use crate::view;

/// What the ledger calls it.
const ACTION: &str = "bridge.update_task";

/// Changes the task; the record as it is now, and what was done in one sentence.
pub(crate) async fn update(
    change: &mut Change,
    space: &str,
    id: &str,
    asked: UpdateTask,
    key_name: &str,
) -> Result<(Record, String), RouteError> {
    let task = as_task(change.record(space, id).await?)?;
    let status = asked.status.as_deref().map(askable).transpose()?;
    let note = asked.note.as_deref().map(checked_note).transpose()?;
    if status.is_none() && note.is_none() {
        return Err(RouteError::BadRequest(
            sentences::NOTHING_TO_CHANGE.to_owned(),
        ));
    }
    if let Some(title) = &asked.match_title
        && ![&task.title, &view::title(&task)]
            .iter()
            .any(|is| name_key(is) == name_key(title))
    {
        return Err(RouteError::Conflict(sentences::other_title(&view::title(
            &task,
        ))));
    }
    let was = status_of(&task)?;
    let mut edited = task.clone();
    if let Some(to) = status {
        if !was.may_become(to) {
            return Err(RouteError::Conflict(sentences::refused_move(was, to)));
        }
        edited.status = Some(to.as_str().to_owned());
    }
    if let Some(note) = note {
        edited.body = appended(&task.body, key_name, note)?;
    }
    let message = message(was, status, note.is_some());
    if edited == task {
        return Ok((task, message));
    }
    Ok((change.update(ACTION, &task, edited).await?, message))
}

fn askable(name: &str) -> Result<TaskStatus, RouteError> {
    TaskStatus::parse(name.trim())
        .filter(|status| TaskStatus::ASKABLE.contains(status))
        .ok_or_else(|| RouteError::BadRequest(sentences::bad_status(name, &TaskStatus::ASKABLE)))
}

fn checked_note(note: &str) -> Result<&str, RouteError> {
    let note = note.trim();
    if note.is_empty() || note.chars().nth(limits::NOTE_MAX).is_some() {
        return Err(RouteError::BadRequest(sentences::NOTE_BAD.to_owned()));
    }
    Ok(note)
}

/// The page with the note as an agent block at its end. Every line of the note is inside the block, so no note can look like the person's text;
/// what stood on the page stays as it is.
fn appended(page: &str, key_name: &str, note: &str) -> Result<String, RouteError> {
    let mut block = format!(
        "> [!AGENT] Update from {}",
        crate::store::one_line(key_name)
    );
    for line in note
        .replace("\r\n", "\n")
        .split(['\n', '\r', '\u{2028}', '\u{2029}'])
    {
        block.push_str("\n> ");
        block.push_str(line);
    }
    let page = if page.trim().is_empty() {
        block
    } else {
        format!("{page}\n\n{block}")
    };
    if page.chars().nth(limits::PAGE_MAX).is_some() {
        return Err(RouteError::BadRequest(sentences::PAGE_FULL.to_owned()));
    }
    Ok(page)
}

fn message(was: TaskStatus, status: Option<TaskStatus>, noted: bool) -> String {
    let moved = match status {
        Some(to) if to == was => Some(format!("The task already was {to}")),
        Some(to) => Some(format!("The task went from {was} to {to}")),
        None => None,
    };
    match (moved, noted) {
        (Some(moved), true) => format!("{moved}, and the note was added to its page."),
        (Some(moved), false) => format!("{moved}."),
        (None, _) => "The note was added to the task's page.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_note_stands_outside_its_block() {
        let page = appended("Mine.\n", "Claude\ncode", "one\r\ntwo\u{2028}# three").unwrap();
        assert!(
            page.starts_with("Mine.\n\n\n> [!AGENT] Update from Claude code\n"),
            "{page}"
        );
        let (_, block) = page.split_once("\n\n\n").unwrap();
        assert_eq!(
            block.lines().collect::<Vec<_>>(),
            [
                "> [!AGENT] Update from Claude code",
                "> one",
                "> two",
                "> # three"
            ]
        );
    }

    #[test]
    fn a_full_page_refuses_a_note_instead_of_losing_text() {
        let page = "é".repeat(limits::PAGE_MAX - 10);
        assert!(appended(&page, "k", "a note").is_err());
    }
}
