//! Who is calling, and in which space. Every bridge route takes a [`Caller`], so that nothing answers before both are decided.
//!
//! An access token of an app ([`crate::oauth`]) is a key with its scopes that lasts an hour, as long as its grant does, and only at the address
//! that it was given for.
//!
//! The key: exactly one `Authorization: Bearer ens_…`, looked up by its hash, not revoked; anything else is 401.
//! The space: the key's own, or the one that `x-ensemble-space` names, checked again with every request:
//!
//! | the header names | answer |
//! |---|---|
//! | nothing, or the key's own space | that space |
//! | another space that the key's account owns | that space |
//! | a space shared with the account | 403 |
//! | any other, for a key that stays in its space | 404, naming the key's space |
//! | any other | 404 |
//!
//! A refusal never falls back to another space. A key without an account acts for the account whose own space it was made in; made inside
//! another space, it stays there.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ensemble_hub_api::paths::{KEY_PREFIX, SPACE_HEADER};
use ensemble_hub_api::sentences;

use crate::error::RouteError;
use crate::hub::Hub;
use crate::oauth;
use crate::secret::{hash, same_hash};
use crate::serve::Seat;
use crate::store::oauth::Found;
use crate::store::{Actor, KeyKind, KeyRow, SpaceRow, Store, StoreError};

/// The id under which the launch token appears in the ledger.
const LAUNCH_ID: &str = "launch";
/// The name under which it does.
const LAUNCH_NAME: &str = "This computer";

/// An authenticated caller in a space that it may act in.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The key's short id.
    pub key_id: String,
    pub key_name: String,
    pub can_write: bool,
    pub can_use_apps: bool,
    /// The account the key acts for; absent for a key that stays in its space.
    pub account_id: Option<String>,
    /// The key's own space.
    pub default_space: SpaceRow,
    /// The request's space.
    pub space: SpaceRow,
    /// It came with an app's access token, not with a key.
    pub is_app: bool,
    /// Where such an app finds how to get another token.
    pub resource_metadata: Option<String>,
}

impl Caller {
    /// Why this key cannot name another space, when it cannot.
    pub fn fixed_note(&self) -> Option<String> {
        match self.account_id {
            Some(_) => None,
            None => Some(sentences::space_fixed(&self.default_space.name)),
        }
    }

    /// The caller as the ledger says it.
    pub fn actor(&self) -> Actor {
        Actor::agent(&self.key_name, &self.key_id)
    }

    /// Refuses a key without changes allowed.
    pub fn may_write(&self) -> Result<(), RouteError> {
        if self.can_write {
            Ok(())
        } else if self.is_app {
            Err(RouteError::TooNarrow {
                scope: "ensemble:read ensemble:write",
                metadata: self.resource_metadata.clone(),
            })
        } else {
            Err(RouteError::Forbidden(sentences::KEY_READS_ONLY.to_owned()))
        }
    }
}

impl FromRequestParts<Hub> for Caller {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, hub: &Hub) -> Result<Self, RouteError> {
        let value = bearer(&parts.headers)?;
        let identity = identify(hub, value).await?;
        if let Some(seat) = parts.extensions.get::<Seat>() {
            seat.is_of_a_caller();
        }
        let space = opened_space(hub.store(), &identity, &parts.headers).await?;
        Ok(Self { space, ..identity })
    }
}

/// The one bearer value of a request.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, RouteError> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (first, more) = (all.next(), all.next());
    let first = first.ok_or(RouteError::Unauthorized(sentences::KEY_MISSING))?;
    let malformed = RouteError::Unauthorized(sentences::KEY_MALFORMED);
    if more.is_some() {
        return Err(malformed);
    }
    let Some((scheme, value)) = first.to_str().ok().and_then(|text| text.split_once(' ')) else {
        return Err(malformed);
    };
    let value = value.trim();
    // Longer than any key: refused before it is hashed.
    if !scheme.eq_ignore_ascii_case("bearer") || !value.starts_with(KEY_PREFIX) || value.len() > 256
    {
        return Err(malformed);
    }
    Ok(value)
}

/// The caller of this key, in its own space.
pub(crate) async fn identify(hub: &Hub, value: &str) -> Result<Caller, RouteError> {
    let unknown = RouteError::Unauthorized(sentences::KEY_UNKNOWN);
    let given = hash(value);
    if hub.is_launch_hash(&given) {
        return launch_caller(hub.store()).await;
    }
    let Some(key) = hub.store().key_by_hash(&given).await? else {
        let token = hub.store().oauth_access(&given).await?;
        return app_caller(hub, token.ok_or(unknown)?).await;
    };
    // The lookup went through an index; this comparison is the one that decides.
    if !same_hash(&key.hash, &given) || key.revoked_at.is_some() {
        return Err(unknown);
    }
    let Some(own) = hub.store().space(&key.space_id).await? else {
        return Err(unknown);
    };
    note_use(hub.store(), &key);
    let account_id = match &key.account_id {
        Some(account) => Some(account.clone()),
        None if own.home => Some(own.account_id.clone()),
        None => None,
    };
    let full = key.kind == KeyKind::Full;
    Ok(Caller {
        can_write: key.can_write || full,
        can_use_apps: key.can_use_apps || full,
        key_id: key.id,
        key_name: key.name,
        account_id,
        default_space: own.clone(),
        space: own,
        is_app: false,
        resource_metadata: None,
    })
}

/// The person who allowed the app with this access token, as far as they allowed it.
async fn app_caller(hub: &Hub, token: Found) -> Result<Caller, RouteError> {
    let metadata = oauth::resource_metadata(hub);
    let refused = || RouteError::BadToken(metadata.clone());
    let Found::Lasts(access) = token else {
        return Err(refused());
    };
    // A token for the address that this hub had before is for another one.
    if !oauth::is_resource(hub, &access.resource) {
        return Err(refused());
    }
    let own = hub.store().space(&access.space).await?;
    let own = own.filter(|own| own.account_id == access.account);
    let own = own.ok_or_else(refused)?;
    Ok(Caller {
        key_id: access.grant,
        key_name: access.client_name,
        can_write: access.scopes.write(),
        can_use_apps: access.scopes.apps(),
        account_id: Some(access.account),
        default_space: own.clone(),
        space: own,
        is_app: true,
        resource_metadata: metadata,
    })
}

/// The owner, for whoever can read this run's `api.json`.
async fn launch_caller(store: &Store) -> Result<Caller, RouteError> {
    let owner = store
        .owner()
        .await?
        .ok_or(StoreError::Unreadable { what: "owner" })?;
    let own = store
        .home_of(&owner.id)
        .await?
        .ok_or(StoreError::Unreadable { what: "space" })?;
    Ok(Caller {
        key_id: LAUNCH_ID.to_owned(),
        key_name: LAUNCH_NAME.to_owned(),
        can_write: true,
        can_use_apps: true,
        account_id: Some(owner.id),
        default_space: own.clone(),
        space: own,
        is_app: false,
        resource_metadata: None,
    })
}

/// Notes the use without making the request wait for the writing connection.
fn note_use(store: &Store, key: &KeyRow) {
    if !store.is_use_stale(key) {
        return;
    }
    let (store, key) = (store.clone(), key.clone());
    tokio::spawn(async move {
        if let Err(error) = store.note_key_use(&key).await {
            tracing::debug!(error = %error, "hub.key.use_not_noted");
        }
    });
}

/// The request's space, or why the key cannot act in it.
pub(crate) async fn opened_space(
    store: &Store,
    caller: &Caller,
    headers: &HeaderMap,
) -> Result<SpaceRow, RouteError> {
    let mut named = headers.get_all(SPACE_HEADER).iter();
    let Some(first) = named.next() else {
        return Ok(caller.default_space.clone());
    };
    let unknown = || RouteError::NotFound(sentences::SPACE_UNKNOWN.to_owned());
    let id = first.to_str().map_err(|_| unknown())?.trim();
    // Two different names are no name.
    if named.any(|other| other != first) {
        return Err(unknown());
    }
    if id == caller.default_space.id {
        return Ok(caller.default_space.clone());
    }
    let Some(account) = &caller.account_id else {
        return Err(RouteError::NotFound(sentences::space_fixed(
            &caller.default_space.name,
        )));
    };
    let Some(space) = store.space(id).await? else {
        return Err(unknown());
    };
    if &space.account_id == account {
        return Ok(space);
    }
    let shared = store.memberships_of(account).await?;
    if shared
        .iter()
        .any(|membership| membership.space.id == space.id)
    {
        return Err(RouteError::Forbidden(sentences::space_shared(&space.name)));
    }
    Err(unknown())
}
