//! Who is calling, and in which boundary of data.

use crate::grant::KeyGrants;

/// A named boundary of data, as the hub knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The hub's id of it; goes into `x-ensemble-space`.
    pub id: String,
    /// What the person calls it.
    pub name: String,
    /// Why this key may not act in it; `None` where it may.
    pub refusal: Option<String>,
}

/// The caller behind one key, as the hub answered `whoami`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// The name the person gave the key; stands in the decision log. Never the key itself.
    pub key_name: String,
    /// The hub's short id of the key, where it gives one: two keys can have one name.
    pub key_id: Option<String>,
    /// What the key may do.
    pub grants: KeyGrants,
    /// Where the key acts when a call names no space.
    pub default_space: Space,
}
