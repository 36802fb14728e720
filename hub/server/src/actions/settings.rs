//! Settings, to read: what they are, where they stand, and how the person changes them. Nothing is changed from here.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::context::Nothing;
use super::{Action, Reading, reads};
use crate::admin::Setting;
use crate::error::RouteError;
use crate::files::fetch;
use crate::text::fold::fold;
use crate::text::trust::one_line;

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_find_setting",
        Find,
        find,
        "Finds settings by words: what each is for, how it stands, and where the person changes it."
    ),
    reads!(
        "hub_get_settings",
        Nothing,
        all,
        "Every setting of this hub that concerns the space, as it stands, and where the person changes it."
    ),
    reads!(
        "hub_list_model_choices",
        Nothing,
        models,
        "Which models Ensemble can use. This hub runs none."
    ),
];

const SET: &str = "ensemble hub setting set";
const NOTE: &str = "Settings are changed by the person, not from editors and agents.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Find {
    /// Words of the setting's name or purpose.
    #[schemars(length(min = 1, max = 200))]
    query: String,
}

async fn find(on: &Reading, asked: Find) -> Result<Value, RouteError> {
    let words = fold(&asked.query);
    let mut settings = settings(on).await?;
    settings.retain(|setting| {
        let text = fold(&setting.to_string());
        words.split_whitespace().all(|word| text.contains(word))
    });
    let none = settings
        .is_empty()
        .then_some("No setting has these words: hub_get_settings lists all.");
    let notes: Vec<&str> = none.into_iter().chain([NOTE]).collect();
    Ok(json!({ "total": settings.len(), "settings": settings, "notes": notes }))
}

async fn all(on: &Reading, _: Nothing) -> Result<Value, RouteError> {
    let settings = settings(on).await?;
    Ok(json!({ "total": settings.len(), "settings": settings, "notes": [NOTE] }))
}

async fn settings(on: &Reading) -> Result<Vec<Value>, RouteError> {
    let account = &on.caller.space.account_id;
    let zone = on.hub.time_zone(account).await?;
    let private = fetch::allows_private(on.store(), account).await?;
    let folders = on.store().checkouts(account).await?;
    let folders = folders.iter().filter(|row| row.space_id == on.space());
    Ok(vec![
        json!({
            "name": Setting::TimeZone.name(),
            "says": Setting::TimeZone.says(),
            "value": zone.iana_name().unwrap_or("UTC"),
            "changedWith": SET,
        }),
        json!({
            "name": "space",
            "says": "The space that this call works in.",
            "value": one_line(&on.caller.space.name),
            "changedWith": "ensemble hub key create --space",
        }),
        json!({
            "name": Setting::SavePrivateLinks.name(),
            "says": Setting::SavePrivateLinks.says(),
            "value": private,
            "changedWith": SET,
        }),
        json!({
            "name": "codeFolders",
            "says": "Repositories whose folder may be read.",
            "value": folders.count(),
            "changedWith": "ensemble hub repo allow",
        }),
        json!({
            "name": "key",
            "says": "What this key may do: make changes, use connected apps.",
            "value": { "changes": on.caller.can_write, "apps": on.caller.can_use_apps },
            "changedWith": "ensemble hub key create",
        }),
    ])
}

async fn models(_: &Reading, _: Nothing) -> Result<Value, RouteError> {
    let notes = [
        "This hub runs no model: search goes by words, and nothing is written or summarized by one.",
    ];
    Ok(json!({ "models": [], "total": 0, "notes": notes }))
}
