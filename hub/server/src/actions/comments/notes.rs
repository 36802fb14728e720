//! Comments: added, edited and deleted. What a person wrote is not changed from here.

use ensemble_hub_api::{Kind, relation};
use serde_json::json;

use super::commented;
use super::manage::{Asked, needed};
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record};
use crate::text::cut;
use crate::text::trust::one_line;

/// Characters of a comment that stand in its title.
const TITLE: usize = 80;

pub(super) async fn add(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let about = on.any(&commented(), needed(asked.record.as_ref())?).await?;
    Changing::fresh(&about, asked.version)?;
    let text = text(asked)?;
    let mut new = NewRecord::new(on.space(), Kind::Comment, title(text));
    text.clone_into(&mut new.body);
    let author = on.caller.key_name.clone();
    new.fields.insert("author".to_owned(), author.into());
    let comment = on.create(new).await?;
    on.link(&comment.id, relation::COMMENT, &about.id).await?;
    Ok(done(&comment, "The comment was added."))
}

pub(super) async fn edit(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let before = of_agents(on, asked).await?;
    let text = text(asked)?;
    let mut comment = before.clone();
    text.clone_into(&mut comment.body);
    comment.title = title(text);
    let comment = on.update(&before, comment).await?;
    Ok(done(&comment, "The comment was changed."))
}

pub(super) async fn delete(on: &mut Changing, asked: &Asked) -> Result<Done, RouteError> {
    let comment = of_agents(on, asked).await?;
    on.trash(&comment).await?;
    Ok(Done::new(
        json!({ "deleted": [comment.handle()] }),
        "The comment is in Trash.",
    ))
}

/// The comment, when no person wrote it.
async fn of_agents(on: &mut Changing, asked: &Asked) -> Result<Record, RouteError> {
    let given = needed(asked.comment.as_ref())?;
    let comment = on.any(&[Kind::Comment], given).await?;
    Changing::fresh(&comment, asked.version)?;
    if comment.actor == "person" {
        return Err(RouteError::Forbidden(
            "A person wrote this comment: only the person changes it, in Ensemble.".to_owned(),
        ));
    }
    Ok(comment)
}

fn text(asked: &Asked) -> Result<&str, RouteError> {
    let text = needed(asked.text.as_ref())?;
    if one_line(text).is_empty() {
        return Err(limited("A comment needs words."));
    }
    Ok(text)
}

fn title(text: &str) -> String {
    cut::excerpt(&one_line(text), TITLE).0
}

fn done(comment: &Record, message: &str) -> Done {
    Done::new(
        json!({ "comment": { "id": comment.id, "ref": comment.handle(), "version": comment.version } }),
        message,
    )
}
