//! What is known of the key: asked once at the start, kept, and asked again after it was refused.

use ensemble_model::{KeyGrants, Principal, Space};
use serde::Deserialize;

use crate::fault::Fault;

/// `GET /api/bridge/whoami`, the fields that the host uses.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WhoAmI {
    can_write: bool,
    can_use_apps: bool,
    key_name: String,
    #[serde(default)]
    key_id: Option<String>,
    default_space: SpaceName,
}

#[derive(Deserialize)]
struct SpaceName {
    id: String,
    name: String,
}

/// Reads the hub's answer.
pub(crate) fn principal(json: &str) -> Result<Principal, Fault> {
    let answer: WhoAmI = serde_json::from_str(json).map_err(|_| {
        Fault::Failed("The hub answered whoami in a form this version does not know.".to_owned())
    })?;
    Ok(Principal {
        key_name: answer.key_name,
        key_id: answer.key_id,
        grants: KeyGrants {
            changes: answer.can_write,
            apps: answer.can_use_apps,
        },
        default_space: Space {
            id: answer.default_space.id,
            name: answer.default_space.name,
            refusal: None,
        },
    })
}
