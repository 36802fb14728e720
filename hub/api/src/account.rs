//! Who is calling and where: `whoami` and `spaces`.

use serde::{Deserialize, Serialize};

/// A space by id and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceName {
    pub id: String,
    pub name: String,
}

/// The answer of `GET whoami`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Whoami {
    /// Whether the key may change records.
    pub can_write: bool,
    /// Whether the key may use the connected apps.
    pub can_use_apps: bool,
    /// Names of the connected apps.
    pub apps: Vec<String>,
    /// The request's space.
    pub space_id: String,
    pub space_name: String,
    /// The key's own space.
    pub default_space: SpaceName,
    /// Whether a request of this key may name another space.
    pub cross_space: bool,
    /// Why not, when it may not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross_space_note: Option<String>,
    pub key_name: String,
    /// The short id of the key, as `ensemble hub key list` shows it; two keys can have one name. A hub that gives none is asked no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_id: Option<String>,
}

/// The answer of `GET changes`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// What to ask after the next time.
    pub cursor: String,
    /// The handles of what changed, each once.
    pub changed: Vec<String>,
    /// The URIs of the resources that read otherwise now, lists too; each once.
    pub resources: Vec<String>,
    /// Whether more changed than this answer holds.
    pub more: bool,
}

/// How the account holds a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    Own,
    Member,
}

/// One space the key's account can open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    pub id: String,
    pub name: String,
    pub access: Access,
    /// `owner`, or the member's role.
    pub role: String,
    /// The key's own space.
    pub default: bool,
    /// The request's space.
    pub current: bool,
    /// Whether the key may act in it.
    pub usable: bool,
    /// Why not, when it may not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

/// The answer of `GET spaces`: the default space first, then by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spaces {
    pub spaces: Vec<Space>,
}
