//! What the command line does to a hub's database directly, also beside a running hub: keys and spaces.

mod checkouts;
mod settings;
mod sign_in;
mod undo;

use std::path::Path;
use std::sync::Arc;

use ensemble_hub_api::limits::NAME_MAX;
use ensemble_hub_api::sentences::quoted;
use jiff::Timestamp;

pub use settings::{Set, Setting};
pub use sign_in::SignInLink;

use crate::clock::HubClock;
use crate::files;
use crate::hub::{HOME_NAME, OWNER_NAME};
use crate::repos::checkout::CheckoutRefused;
use crate::secret::{KeyValue, NoRandomness, short_id};
use crate::store::{
    AccountRow, Actor, KeyKind, KeyRow, NewKey, OpenError, SpaceRow, Store, StoreError, UndoError,
    name_key,
};

/// Why an administrative act failed; the text is a sentence for the person.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    #[error("A name has 1 to 200 characters.")]
    NameBad,
    #[error("There is no space called {}: use one of {}.", quoted(asked), spaces.join(", "))]
    NoSuchSpace { asked: String, spaces: Vec<String> },
    #[error(
        "There is a space called {} already: choose another name.",
        quoted(name)
    )]
    SpaceTaken { name: String },
    #[error(
        "There is no key {}: `ensemble hub key list` shows all.",
        quoted(asked)
    )]
    NoSuchKey { asked: String },
    #[error("More than one key is called {}: give the id of one of {}.", quoted(asked), ids.join(", "))]
    SeveralKeys { asked: String, ids: Vec<String> },
    #[error("The key {} is revoked already.", quoted(asked))]
    AlreadyRevoked { asked: String },
    #[error("That names no repository: give its name as owner/name, or the address of its remote.")]
    NoRepository,
    #[error("More than one repository is called {}: give the id of one of {}.", quoted(name), ids.join(", "))]
    SeveralRepositories { name: String, ids: Vec<String> },
    #[error(
        "Nothing is allowed for {}: `ensemble hub repo list` shows all.",
        quoted(asked)
    )]
    NoCheckout { asked: String },
    #[error("{0}")]
    Checkout(#[from] CheckoutRefused),
    #[error(transparent)]
    Random(#[from] NoRandomness),
    #[error("{0}")]
    File(#[from] files::AddFileError),
    #[error(
        "{} is not in Trash: `ensemble hub trash list` shows what is.",
        quoted(asked)
    )]
    NotInTrash { asked: String },
    #[error("There is no setting {}: use one of {names}.", quoted(asked))]
    NoSuchSetting { asked: String, names: String },
    #[error("{name} has to be {needs}: nothing was set.")]
    SettingBad {
        name: &'static str,
        needs: &'static str,
    },
    #[error("{0}")]
    Undo(#[from] UndoError),
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// A key to make.
#[derive(Clone, Debug, Default)]
pub struct CreateKey {
    /// What lists and the ledger call it.
    pub name: String,
    /// The space it is made in, by id or name; the owner's own when absent.
    pub space: Option<String>,
    /// Let editors and agents make changes.
    pub changes: bool,
    /// Let editors and agents use the connected apps.
    pub apps: bool,
}

/// A key as lists show it: never its value or hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyInfo {
    pub id: String,
    pub name: String,
    pub space_id: String,
    pub space_name: String,
    pub can_write: bool,
    pub can_use_apps: bool,
    /// `bridge` or `full`.
    pub kind: &'static str,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// A new key with its value, which is nowhere else.
#[derive(Clone, Debug)]
pub struct CreatedKey {
    pub key: KeyInfo,
    pub value: KeyValue,
}

/// Administration of one hub.
#[derive(Clone, Debug)]
pub struct Admin {
    store: Store,
}

impl Admin {
    /// Administration over an open store.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Whether a folder is the data folder of a hub.
    pub fn exists(data_dir: &Path) -> bool {
        data_dir.join(crate::store::FILE).is_file()
    }

    /// Opens the database of a data folder, making it when it is missing.
    pub async fn open(data_dir: &Path, clock: Arc<dyn HubClock>) -> Result<Self, OpenError> {
        Ok(Self::new(Store::open(data_dir, clock).await?))
    }

    /// The owner's account and own space, made when the hub is new.
    pub async fn ensure_owner(&self) -> Result<(AccountRow, SpaceRow), AdminError> {
        Ok(self.store.ensure_owner(OWNER_NAME, HOME_NAME).await?)
    }

    /// The owner's spaces: the own one first, then by name.
    pub async fn spaces(&self) -> Result<Vec<SpaceRow>, AdminError> {
        let (owner, _) = self.ensure_owner().await?;
        Ok(self.store.spaces_of(&owner.id).await?)
    }

    /// Adds a space to the owner's.
    pub async fn create_space(&self, name: &str) -> Result<SpaceRow, AdminError> {
        let name = checked_name(name)?;
        let (owner, _) = self.ensure_owner().await?;
        self.store
            .create_space(&owner.id, &name)
            .await
            .map_err(|error| match error {
                StoreError::Constraint(_) => AdminError::SpaceTaken { name },
                other => AdminError::Store(other),
            })
    }

    /// Makes a key. Its value is in the answer and nowhere else.
    pub async fn create_key(&self, asked: CreateKey) -> Result<CreatedKey, AdminError> {
        let CreateKey {
            name,
            space,
            changes,
            apps,
        } = asked;
        let name = checked_name(&name)?;
        let (owner, home) = self.ensure_owner().await?;
        let space = match space {
            Some(asked) => self.owned_space(&owner, &asked).await?,
            None => home,
        };
        let value = KeyValue::random()?;
        let new = NewKey {
            id: short_id()?,
            name,
            hash: value.hash(),
            account_id: Some(owner.id),
            space_id: space.id,
            kind: KeyKind::Bridge,
            can_write: changes,
            can_use_apps: apps,
        };
        self.store.insert_key(&new).await?;
        let key = self.keys().await?.into_iter().find(|key| key.id == new.id);
        let key = key.ok_or(AdminError::NoSuchKey { asked: new.id })?;
        Ok(CreatedKey { key, value })
    }

    /// All keys, oldest first, revoked ones too.
    pub async fn keys(&self) -> Result<Vec<KeyInfo>, AdminError> {
        let mut list = Vec::new();
        for key in self.store.keys().await? {
            let space = self.store.space(&key.space_id).await?;
            list.push(key_info(
                key,
                space.map(|space| space.name).unwrap_or_default(),
            ));
        }
        Ok(list)
    }

    /// Revokes a key by its id, or by its name when one key that is in use has that name. From the next request on it is refused.
    pub async fn revoke_key(&self, asked: &str) -> Result<KeyInfo, AdminError> {
        let keys = self.keys().await?;
        let named = |key: &&KeyInfo| key.name == asked && key.revoked_at.is_none();
        let id = if keys.iter().any(|key| key.id == asked) {
            asked.to_owned()
        } else {
            let ids: Vec<String> = keys
                .iter()
                .filter(named)
                .map(|key| key.id.clone())
                .collect();
            match ids.as_slice() {
                [] if keys.iter().any(|key| key.name == asked) => {
                    return Err(AdminError::AlreadyRevoked {
                        asked: asked.to_owned(),
                    });
                }
                [] => {
                    return Err(AdminError::NoSuchKey {
                        asked: asked.to_owned(),
                    });
                }
                [one] => one.clone(),
                _ => {
                    return Err(AdminError::SeveralKeys {
                        asked: asked.to_owned(),
                        ids,
                    });
                }
            }
        };
        if !self.store.revoke_key(&id).await? {
            return Err(AdminError::AlreadyRevoked {
                asked: asked.to_owned(),
            });
        }
        let key = self.keys().await?.into_iter().find(|key| key.id == id);
        key.ok_or(AdminError::NoSuchKey { asked: id })
    }

    /// Adds a file to a space of the owner's, by id or name; to the own one when none is named.
    pub async fn add_file(
        &self,
        space: Option<&str>,
        source: files::Source,
        about: files::About,
    ) -> Result<files::Added, AdminError> {
        let (owner, home) = self.ensure_owner().await?;
        let space = match space {
            Some(asked) => self.owned_space(&owner, asked).await?,
            None => home,
        };
        let actor = Actor::person(owner.name);
        Ok(files::add(&self.store, &space.id, actor, source, about).await?)
    }

    /// Closes the database.
    pub async fn close(&self) {
        self.store.close().await;
    }

    /// A space of the owner by id or name; the own one when none is named.
    pub async fn space(&self, asked: Option<&str>) -> Result<SpaceRow, AdminError> {
        let (owner, home) = self.ensure_owner().await?;
        match asked {
            Some(asked) => self.owned_space(&owner, asked).await,
            None => Ok(home),
        }
    }

    async fn owned_space(&self, owner: &AccountRow, asked: &str) -> Result<SpaceRow, AdminError> {
        let spaces = self.store.spaces_of(&owner.id).await?;
        let by_id = spaces.iter().find(|space| space.id == asked);
        // Names are unique within an account in the form in which they are compared.
        let found = by_id.or_else(|| {
            spaces
                .iter()
                .find(|space| name_key(&space.name) == name_key(asked))
        });
        found.cloned().ok_or_else(|| AdminError::NoSuchSpace {
            asked: asked.to_owned(),
            spaces: spaces.iter().map(|space| quoted(&space.name)).collect(),
        })
    }
}

fn checked_name(name: &str) -> Result<String, AdminError> {
    let name = crate::store::one_line(name);
    let length = name.chars().count();
    if (1..=NAME_MAX).contains(&length) {
        Ok(name)
    } else {
        Err(AdminError::NameBad)
    }
}

fn key_info(key: KeyRow, space_name: String) -> KeyInfo {
    KeyInfo {
        id: key.id,
        name: key.name,
        space_id: key.space_id,
        space_name,
        can_write: key.can_write,
        can_use_apps: key.can_use_apps,
        kind: key.kind.as_str(),
        created_at: key.created_at,
        last_used_at: key.last_used_at,
        revoked_at: key.revoked_at,
    }
}
