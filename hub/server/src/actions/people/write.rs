//! Adding and changing people.

use ensemble_hub_api::{Kind, sentences};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::actions::input::Patch;
use crate::actions::shared::lines;
use crate::actions::{Changing, Done};
use crate::error::RouteError;
use crate::store::NewRecord;
use crate::view;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Create {
    /// Their name.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// Their e-mail address.
    #[schemars(length(max = 320), regex(pattern = r"^[^\s@]+@[^\s@]+$"))]
    email: Option<String>,
    /// What they do.
    #[schemars(length(max = 200))]
    role: Option<String>,
    /// The team they are in.
    #[schemars(length(max = 200))]
    team: Option<String>,
    /// What they are to the person: “your manager”, “reviews your changes”.
    #[schemars(length(max = 200))]
    relationship: Option<String>,
    /// Notes about them in Markdown.
    #[schemars(length(max = 20_000))]
    notes: Option<String>,
}

pub(super) async fn create(on: &mut Changing, asked: Create) -> Result<Done, RouteError> {
    let space = on.space().to_owned();
    if let Some(email) = &asked.email
        && let Some(has) = on.change().person_with_email(&space, email).await?
    {
        return Err(RouteError::Conflict(email_taken(
            email,
            &view::title(&has),
            &has.handle(),
        )));
    }
    let namesakes = on
        .change()
        .find_by_title(&space, Kind::Person, &asked.name)
        .await?;
    let new = NewRecord {
        fields: lines([
            ("email", asked.email),
            ("role", asked.role),
            ("team", asked.team),
            ("relationship", asked.relationship),
        ]),
        body: asked.notes.unwrap_or_default(),
        ..NewRecord::new(space, Kind::Person, asked.name)
    };
    let person = on.create(new).await?;
    let message = if namesakes.is_empty() {
        "The person was added."
    } else {
        "The person was added; another one has the same name."
    };
    let card = on.card(&person).await?;
    Ok(Done::new(
        json!({ "person": card, "version": person.version }),
        message,
    ))
}

/// An address that somebody of the space has.
fn email_taken(email: &str, name: &str, handle: &str) -> String {
    format!(
        "{} is the e-mail address of {} ({handle}): change that person, or leave the address out if this is somebody else.",
        sentences::quoted(email),
        sentences::quoted(name)
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Update {
    /// The person, by id, handle or name.
    #[schemars(length(min = 1, max = 2000))]
    person: String,
    /// The version you read; if the person has another by now, nothing changes.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// What they do; null for unsaid.
    #[serde(default)]
    #[schemars(length(max = 200))]
    role: Patch<String>,
    /// The team they are in; null for none.
    #[serde(default)]
    #[schemars(length(max = 200))]
    team: Patch<String>,
    /// What they are to the person; null for unsaid.
    #[serde(default)]
    #[schemars(length(max = 200))]
    relationship: Patch<String>,
}

pub(super) async fn update(on: &mut Changing, asked: Update) -> Result<Done, RouteError> {
    let before = on.record(Kind::Person, &asked.person).await?;
    Changing::fresh(&before, asked.version)?;
    let mut person = before.clone();
    person.patch_line("role", &asked.role);
    person.patch_line("team", &asked.team);
    person.patch_line("relationship", &asked.relationship);
    let person = on.update(&before, person).await?;
    let card = on.card(&person).await?;
    Ok(Done::new(
        json!({ "person": card, "version": person.version }),
        on.says_changed("person"),
    ))
}
