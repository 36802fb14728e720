//! Changing skills: one action with an operation. A property that the operation does not use is refused, because it would be lost.

use ensemble_hub_api::{Kind, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::versions::{self, SAYS};
use crate::actions::shared::lines;
use crate::actions::with::limited;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::{NewRecord, Record, name_key, one_line};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    Create,
    Update,
    Restore,
    Delete,
    Enable,
    Disable,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Manage {
    /// What to do. create needs `name` and `body`; update the `skill` and what changes; restore the `skill` and `restoreVersion`; delete, enable and disable the `skill`.
    operation: Operation,
    /// The skill, by id, handle or exact name; not for create.
    #[schemars(length(min = 1, max = 2000))]
    skill: Option<String>,
    /// The version you read, needed with `body`; if the skill has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// Its name; for create and update.
    #[schemars(length(min = 1, max = 200))]
    name: Option<String>,
    /// When it is used, in one or two sentences; for create and update.
    #[schemars(length(max = 1000))]
    description: Option<String>,
    /// Its text in Markdown, in place of the one it has; for create and update.
    #[schemars(length(min = 1, max = 100_000))]
    body: Option<String>,
    /// The `version` to go back to, out of the versions that `hub_read_skill` lists; for restore.
    #[schemars(range(min = 1))]
    restore_version: Option<i64>,
}

pub(super) async fn manage(on: &mut Changing, asked: Manage) -> Result<Done, RouteError> {
    let says = asked.name.is_some() || asked.description.is_some() || asked.body.is_some();
    let writes = matches!(asked.operation, Operation::Create | Operation::Update);
    if says && !writes {
        return Err(limited(
            "`name`, `description` and `body` go with the operations create and update.",
        ));
    }
    if asked.restore_version.is_some() != (asked.operation == Operation::Restore) {
        return Err(limited(
            "The operation restore needs `restoreVersion`, and no other operation takes it.",
        ));
    }
    if asked.operation == Operation::Create {
        return create(on, asked).await;
    }
    let Some(skill) = &asked.skill else {
        return Err(limited("Name the `skill`: only create goes without."));
    };
    let before = on.record(Kind::Skill, skill).await?;
    Changing::fresh(&before, asked.version)?;
    match asked.operation {
        Operation::Delete => delete(on, &before).await,
        Operation::Enable => switch(on, &before, true).await,
        Operation::Disable => switch(on, &before, false).await,
        Operation::Restore => restore(on, &before, asked.restore_version).await,
        Operation::Create | Operation::Update if says => update(on, &before, asked).await,
        Operation::Create | Operation::Update => Err(limited(
            "Nothing to change: give `name`, `description` or `body`.",
        )),
    }
}

async fn create(on: &mut Changing, asked: Manage) -> Result<Done, RouteError> {
    if asked.skill.is_some() || asked.version.is_some() {
        return Err(limited("A new skill takes neither `skill` nor `version`."));
    }
    let (Some(name), Some(body)) = (asked.name, asked.body) else {
        return Err(limited("A new skill needs `name` and `body`."));
    };
    free(on, &name, None).await?;
    let mut fields = lines([
        ("slug", Some(slug(&name))),
        ("description", asked.description),
        (
            "provenance",
            Some(format!("written by {}", on.caller.key_name)),
        ),
    ]);
    versions::start(&mut fields, 1);
    fields.insert("enabled".to_owned(), true.into());
    let new = NewRecord {
        fields,
        body,
        ..NewRecord::new(on.space(), Kind::Skill, name)
    };
    let skill = on.create(new).await?;
    answer(on, &skill, "The skill was added.".to_owned()).await
}

async fn update(on: &mut Changing, before: &Record, asked: Manage) -> Result<Done, RouteError> {
    let mut skill = before.clone();
    if let Some(name) = asked.name {
        free(on, &name, Some(&before.id)).await?;
        skill.title = one_line(&name);
    }
    if let Some(description) = asked.description {
        let line = one_line(&description);
        skill.fields.insert("description".to_owned(), line.into());
    }
    if let Some(body) = asked.body {
        skill.body = body;
        Changing::replaces(before, &skill, asked.version)?;
    }
    versions::raise(before, &mut skill);
    let skill = on.update(before, skill).await?;
    let message = on.says_changed("skill");
    answer(on, &skill, message).await
}

async fn delete(on: &mut Changing, before: &Record) -> Result<Done, RouteError> {
    on.trash(before).await?;
    Ok(Done::new(
        json!({ "deleted": [before.handle()] }),
        "The skill is in Trash.",
    ))
}

async fn switch(on: &mut Changing, before: &Record, to: bool) -> Result<Done, RouteError> {
    let mut skill = before.clone();
    // What says nothing is switched on.
    if before.flag("enabled").unwrap_or(true) != to {
        skill.fields.insert("enabled".to_owned(), to.into());
    }
    let skill = on.update(before, skill).await?;
    let message = match (to, on.write.change.wrote()) {
        (true, true) => "The skill is switched on.",
        (true, false) => "The skill already was switched on.",
        (false, true) => "The skill is switched off.",
        (false, false) => "The skill already was switched off.",
    };
    answer(on, &skill, message.to_owned()).await
}

/// What the skill said then, as its newest version; whether it is switched on stays.
async fn restore(on: &mut Changing, before: &Record, to: Option<i64>) -> Result<Done, RouteError> {
    let versions = on.change().versions(before).await?;
    let then = versions
        .into_iter()
        .map(|version| version.record)
        .find(|record| Some(record.version) == to)
        .ok_or_else(|| {
            RouteError::NotFound(
                "The skill has no such version: hub_read_skill lists those that can be restored."
                    .to_owned(),
            )
        })?;
    free(on, &then.title, Some(&before.id)).await?;
    let mut skill = Record {
        title: then.title.clone(),
        body: then.body.clone(),
        ..before.clone()
    };
    for field in SAYS.iter().chain(&["provenance"]) {
        match then.fields.get(*field) {
            Some(value) => skill.fields.insert((*field).to_owned(), value.clone()),
            None => skill.fields.remove(*field),
        };
    }
    versions::raise(before, &mut skill);
    let skill = on.update(before, skill).await?;
    let message = if on.write.change.wrote() {
        format!(
            "The skill says again what it said in version {}.",
            then.version
        )
    } else {
        "The skill already was like that.".to_owned()
    };
    answer(on, &skill, message).await
}

/// Refuses a name that another skill has: agents name skills by it.
async fn free(on: &mut Changing, name: &str, own: Option<&str>) -> Result<(), RouteError> {
    let space = on.space().to_owned();
    let found = on.change().find_by_title(&space, Kind::Skill, name).await?;
    let other = found
        .iter()
        .find(|skill| Some(skill.id.as_str()) != own && name_key(&skill.title) == name_key(name));
    match other {
        None => Ok(()),
        Some(other) => Err(RouteError::Conflict(format!(
            "There is a skill called {} ({}): update that one, or choose another name.",
            sentences::quoted(name),
            other.handle()
        ))),
    }
}

/// A name as addresses have it: letters and digits of any script, with `-` between words.
fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join("-")
}

async fn answer(on: &Changing, skill: &Record, message: String) -> Result<Done, RouteError> {
    let mut card = on.card(skill).await?;
    versions::number(&mut card, skill);
    Ok(Done::new(json!({ "skill": Value::Object(card) }), message))
}
