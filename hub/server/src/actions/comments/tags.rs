//! The tags of a file: words, and the records that it hangs on.

use ensemble_hub_api::{Kind, limits, relation};
use serde_json::{Value, json};

use super::manage::{Asked, needed};
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{Record, name_key, one_line};

/// The kinds of records that files hang on.
const HOLDERS: [Kind; 5] = [
    Kind::Task,
    Kind::Page,
    Kind::Project,
    Kind::Person,
    Kind::Repo,
];

pub(super) async fn change(
    on: &mut Changing,
    asked: &Asked,
    add: bool,
) -> Result<Done, RouteError> {
    let before = on.record(Kind::File, needed(asked.file.as_ref())?).await?;
    Changing::fresh(&before, asked.version)?;
    let mut file = before.clone();
    match (&asked.record, &asked.tag) {
        (Some(record), None) => {
            let holder = on.any(&HOLDERS, record).await?;
            let link = (holder.id.as_str(), relation::ATTACHED, before.id.as_str());
            if add {
                on.link(link.0, link.1, link.2).await?;
            } else {
                on.unlink(link.0, link.1, link.2).await?;
            }
        }
        (None, Some(tag)) => with_tag(&mut file, tag, add)?,
        _ => return Err(limited("Give one of `record` and `tag`.")),
    }
    let file = on.update(&before, file).await?;
    let message = match (on.write.change.wrote(), add) {
        (false, _) => "The file already was like that.",
        (true, true) => "The file was tagged.",
        (true, false) => "The tag was taken off.",
    };
    Ok(Done::new(
        json!({ "file": { "id": file.id, "ref": file.handle(), "tags": file.texts("tags"), "version": file.version } }),
        message,
    ))
}

/// Adds or takes off a word; case does not count.
fn with_tag(file: &mut Record, tag: &str, add: bool) -> Result<(), RouteError> {
    let tag = one_line(tag);
    if tag.is_empty() {
        return Err(limited("A tag needs a word."));
    }
    let key = name_key(&tag);
    let mut tags: Vec<String> = file.texts("tags").into_iter().map(str::to_owned).collect();
    let has = tags.iter().any(|known| name_key(known) == key);
    match (add, has) {
        (true, true) | (false, false) => return Ok(()),
        (true, false) if tags.len() >= limits::TAGS_MAX => {
            return Err(RouteError::Conflict(
                "A file has at most 20 tags: take one off first.".to_owned(),
            ));
        }
        (true, false) => tags.push(tag),
        (false, true) => tags.retain(|known| name_key(known) != key),
    }
    if tags.is_empty() {
        file.fields.remove("tags");
    } else {
        file.fields.insert("tags".to_owned(), Value::from(tags));
    }
    Ok(())
}
