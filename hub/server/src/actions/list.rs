//! The list of actions as one caller sees it: each with whether it changes something and whether this key may run it; descriptions and schemas
//! for those that are named.

use ensemble_hub_api::sentences;
use serde::Serialize;
use serde_json::Value;

use super::offered::NOT_OFFERED;
use super::{Action, GROUPS, Group, find, input, offered};
use crate::auth::Caller;
use crate::error::RouteError;

/// The answer of `GET actions`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Actions {
    groups: Vec<GroupShown>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_offered: Vec<NotOffered>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct GroupShown {
    group: &'static str,
    says: &'static str,
    actions: Vec<ActionShown>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ActionShown {
    name: &'static str,
    write: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    apps: bool,
    allowed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<Value>,
}

#[derive(Debug, Serialize)]
struct NotOffered {
    name: &'static str,
    why: &'static str,
}

/// What is asked of the list; nothing is all of it.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    pub(crate) groups: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) schema: bool,
}

/// The list for this caller.
pub(crate) fn list(caller: &Caller, asked: &Asked) -> Result<Actions, RouteError> {
    for name in &asked.names {
        known(name)?;
    }
    if let Some(unknown) = asked
        .groups
        .iter()
        .find(|name| GROUPS.iter().all(|group| group.name != **name))
    {
        let names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
        return Err(RouteError::BadRequest(sentences::group_unknown(
            unknown, &names,
        )));
    }
    let in_full = asked.schema || !asked.names.is_empty();
    if asked.schema && asked.names.is_empty() && asked.groups.is_empty() {
        return Err(RouteError::BadRequest(sentences::SCHEMA_OF_ALL.to_owned()));
    }
    let wanted = |group: &Group, action: &Action| {
        (asked.groups.is_empty() || asked.groups.iter().any(|name| name == group.name))
            && (asked.names.is_empty() || asked.names.iter().any(|name| name == action.name))
    };
    let groups = GROUPS
        .iter()
        .map(|group| GroupShown {
            group: group.name,
            says: group.says,
            actions: group
                .actions
                .iter()
                .filter(|action| wanted(group, action))
                .map(|action| shown(caller, action, in_full))
                .collect(),
        })
        .filter(|group| !group.actions.is_empty())
        .collect();
    let all = asked.names.is_empty() && asked.groups.is_empty();
    Ok(Actions {
        groups,
        not_offered: if all { not_offered() } else { Vec::new() },
        notes: if all {
            vec![sentences::ACTIONS_NOTE.to_owned()]
        } else {
            Vec::new()
        },
    })
}

/// The action of this name, or why there is none.
pub(crate) fn known(name: &str) -> Result<&'static Action, RouteError> {
    if let Some((_, action)) = find(name) {
        return Ok(action);
    }
    Err(RouteError::NotFound(match offered::why(name) {
        Some(why) => sentences::action_not_offered(name, why),
        None => sentences::action_unknown(name),
    }))
}

/// Refuses a key without the grant that the action needs.
pub(crate) fn may(caller: &Caller, action: &Action) -> Result<(), RouteError> {
    if action.writes() {
        caller.may_write()?;
    }
    if action.apps && !caller.can_use_apps {
        return Err(RouteError::Forbidden(
            sentences::KEY_WITHOUT_APPS.to_owned(),
        ));
    }
    Ok(())
}

fn shown(caller: &Caller, action: &Action, in_full: bool) -> ActionShown {
    let refusal = may(caller, action).err().map(|refused| refused.sentence());
    ActionShown {
        name: action.name,
        write: action.writes(),
        apps: action.apps,
        allowed: refusal.is_none(),
        refusal: refusal.filter(|_| in_full),
        limit: action.limit,
        description: in_full.then_some(action.does),
        input_schema: in_full.then(|| input::schema_of(action)),
    }
}

fn not_offered() -> Vec<NotOffered> {
    NOT_OFFERED
        .iter()
        .map(|(name, why)| NotOffered { name, why })
        .collect()
}
