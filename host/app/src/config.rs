//! Which hub, with which credential. The environment is read once, at the start; `api.json` before every call.
//!
//! | token | `HUB_API_URL` | goes to | with |
//! |---|---|---|---|
//! | a key | set | that address | the key |
//! | a key | not set | the running hub, else `HUB_API_HOST:HUB_API_PORT` | the key |
//! | none | not set, a hub runs | the running hub | its launch token |
//! | none | anything else | nowhere: a configuration error | – |
//! | bad | anything | nowhere: a configuration error | – |

mod address;
pub(crate) mod limits;
mod local;
mod token;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use ensemble_model::Secret;

pub(crate) use address::{BadAddress, listen};
pub(crate) use local::{calls_per_minute, read as local};
pub(crate) use token::{BadToken, TOKEN};

use crate::discovery;
use crate::env::Environment;
use crate::folders::Folders;
use address::Address;
use token::Token;

/// Why no request can be sent at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error(transparent)]
    Token(#[from] BadToken),
    #[error(transparent)]
    Address(#[from] BadAddress),
    #[error(
        "ENSEMBLE_BRIDGE_TOKEN is not set: make a key with `ensemble hub key create` and put it where the editor can see it."
    )]
    NoToken,
    #[error(
        "ENSEMBLE_BRIDGE_TOKEN is not set and no hub runs on this computer: start one with `ensemble hub serve`, or make a key with `ensemble hub key create` and put it where the editor can see it."
    )]
    NoTokenNoHub,
    #[error(
        "The default internal token goes to a hub on this computer only: set ENSEMBLE_INTERNAL_TOKEN to a private one."
    )]
    DefaultInternalElsewhere,
    /// A hub was found through its file before, and is gone.
    #[error("{APP_CLOSED}")]
    AppClosed,
}

/// Nothing answers at a configured address.
pub(crate) const HUB_DOWN: &str = "Ensemble is not running. Start it with `ensemble hub serve`.";
/// Nothing answers at the address that `api.json` gave.
pub(crate) const APP_CLOSED: &str =
    "The Ensemble app is not running on this computer. Start it with `ensemble hub serve`.";

/// Where one request goes and what it carries.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    /// Without a slash at its end.
    pub(crate) base: String,
    /// What the request carries.
    pub(crate) bearer: Secret,
    /// The sentence for when nothing answers there.
    pub(crate) unreachable: &'static str,
}

impl Connection {
    /// Whether both lead to the same place with the same credential.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        self.base == other.base && self.bearer.expose() == other.bearer.expose()
    }
}

/// The rules of the table above, over what the environment said.
#[derive(Debug)]
pub(crate) struct Configuration {
    rules: Result<(Token, Address), ConfigError>,
    hub_folder: Option<PathBuf>,
    found_before: AtomicBool,
}

impl Configuration {
    /// Reads the environment; no file yet.
    pub(crate) fn of(env: &dyn Environment, folders: &Folders) -> Self {
        Self {
            rules: rules(env),
            hub_folder: folders.hub().ok(),
            found_before: AtomicBool::new(false),
        }
    }

    /// One key for the hub in this process.
    pub(crate) fn of_key(key: Secret) -> Self {
        Self {
            rules: Ok((Token::Key(key), Address::here())),
            hub_folder: None,
            found_before: AtomicBool::new(false),
        }
    }

    /// Where the next request goes. Reads `api.json` where that decides.
    pub(crate) fn connection(&self) -> Result<Connection, ConfigError> {
        let (token, address) = self.rules.as_ref().map_err(Clone::clone)?;
        let running = if address.explicit {
            None
        } else {
            self.running()
        };
        let (base, unreachable, loopback) = match &running {
            Some(running) => (running.base.clone(), APP_CLOSED, true),
            None if self.found_before.load(Ordering::Acquire) => {
                (address.base.clone(), APP_CLOSED, address.loopback)
            }
            None => (address.base.clone(), HUB_DOWN, address.loopback),
        };
        let bearer = match token {
            Token::Internal { default: true, .. } if !loopback => {
                return Err(ConfigError::DefaultInternalElsewhere);
            }
            Token::Key(secret) | Token::Internal { secret, .. } => secret.clone(),
            Token::Absent => match running {
                Some(running) => running.token.ok_or(ConfigError::NoToken)?,
                None if address.explicit => return Err(ConfigError::NoToken),
                None if self.found_before.load(Ordering::Acquire) => {
                    return Err(ConfigError::AppClosed);
                }
                None => return Err(ConfigError::NoTokenNoHub),
            },
        };
        Ok(Connection {
            base,
            bearer,
            unreachable,
        })
    }

    /// Whether no key is set, so that the bridge acts as the owner of a hub that runs on this computer, or not at all.
    pub(crate) fn without_key(&self) -> bool {
        matches!(&self.rules, Ok((Token::Absent, _)))
    }

    fn running(&self) -> Option<discovery::Running> {
        let running = discovery::running(self.hub_folder.as_deref()?)?;
        self.found_before.store(true, Ordering::Release);
        Some(running)
    }
}

fn rules(env: &dyn Environment) -> Result<(Token, Address), ConfigError> {
    let token = token::read(env)?;
    let address = address::read(env)?;
    Ok((token, address))
}

#[cfg(test)]
mod tests;
