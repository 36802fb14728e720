//! Agents and their sessions. The hub starts none: an agent is whoever calls with a key, and a session here is what a key did last.

use serde_json::{Value, json};

use super::context::Nothing;
use super::{Action, Reading, reads};
use crate::clock::instant;
use crate::error::RouteError;
use crate::store::KeyRow;
use crate::text::trust::one_line;

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_agent_sessions",
        Nothing,
        sessions,
        "The editors and agents that have worked here, by the name of their key, with when they were last seen and what they may do."
    ),
    reads!(
        "hub_list_agent_options",
        Nothing,
        options,
        "Which agents Ensemble can start, and how others connect. This hub starts none."
    ),
];

async fn sessions(on: &Reading, _: Nothing) -> Result<Value, RouteError> {
    let mut used: Vec<KeyRow> = on.store().keys().await?;
    used.retain(|key| key.last_used_at.is_some() && knows(on, key));
    used.sort_by(|one, other| {
        (other.last_used_at.cmp(&one.last_used_at)).then_with(|| one.id.cmp(&other.id))
    });
    let sessions: Vec<Value> = used
        .iter()
        .map(|key| {
            json!({
                "name": one_line(&key.name),
                "lastSeen": key.last_used_at.map(instant),
                "since": instant(key.created_at),
                "canWrite": key.can_write,
                "canUseApps": key.can_use_apps,
                "revoked": key.revoked_at.is_some(),
                "thisOne": key.id == on.caller.key_id,
            })
        })
        .collect();
    let notes = [
        "A session is a key that was used; hub_list_activity with `by` agent shows what was changed.",
    ];
    Ok(json!({ "total": sessions.len(), "sessions": sessions, "notes": notes }))
}

/// Whether the caller may know of a key: one of this space, or one that reaches it through the same account.
fn knows(on: &Reading, key: &KeyRow) -> bool {
    let account = on.caller.account_id.as_ref();
    key.space_id == on.caller.space.id || (account.is_some() && key.account_id.as_ref() == account)
}

async fn options(_: &Reading, _: Nothing) -> Result<Value, RouteError> {
    let grants = [
        json!({ "grant": "read", "says": "every key reads" }),
        json!({ "grant": "changes", "says": "a key made with --changes also makes changes" }),
        json!({ "grant": "apps", "says": "a key made with --apps also uses connected apps" }),
    ];
    let notes = [
        "This hub starts no agents: an editor or agent connects with a key that the person makes with `ensemble hub key create`.",
    ];
    Ok(json!({ "agents": [], "total": 0, "grants": grants, "notes": notes }))
}
