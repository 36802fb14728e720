//! Passwords: Argon2id with a salt for each, checked away from the threads that answer requests, few at once, and seldom for one name.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use tokio::sync::Semaphore;

use crate::hub::Hub;
use crate::store::{AccountRow, name_key};

use super::WebError;

/// The shortest password, in characters: with ten tries a minute nobody guesses one.
pub(super) const SHORTEST: usize = 10;
/// The longest, in bytes: more only costs time.
pub(super) const LONGEST: usize = 1_000;

/// Passwords that are checked at once. Each takes 19 MiB and a core for some 30 ms.
const AT_ONCE: usize = 2;

/// What is checked where nobody has the name, so that the answer takes as long as for one that somebody has.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyB0aGlz$XfSRaE1nfVeAeD5OeIw/qnfj7Lp0qKfUkcdxkLhVMiE";

/// The places for checking.
#[derive(Debug, Clone)]
pub(crate) struct Checks(Arc<Semaphore>);

impl Default for Checks {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

/// Why a password is not taken; a sentence.
pub(super) fn refused(password: &str) -> Option<&'static str> {
    if password.chars().count() < SHORTEST {
        return Some("A password has at least 10 characters.");
    }
    (password.len() > LONGEST).then_some("A password has at most 1,000 bytes.")
}

/// What is kept of a password.
pub(super) async fn hashed(hub: &Hub, password: String) -> Result<String, WebError> {
    let work = move || Argon2::default().hash_password(password.as_bytes());
    let hash = away(hub, work).await?;
    Ok(hash.map_err(|_| WebError::Broken)?.to_string())
}

/// The account of this name and password.
pub(super) async fn account(
    hub: &Hub,
    name: &str,
    password: String,
) -> Result<Option<AccountRow>, WebError> {
    let known = hub.store().passwords().await?;
    let wanted = name_key(name);
    let found = known
        .into_iter()
        .find(|row| name_key(&row.account.name) == wanted);
    let (account, hash) = match found {
        Some(row) => (Some(row.account), row.hash),
        None => (None, NOBODYS.to_owned()),
    };
    if password.len() > LONGEST {
        return Ok(None);
    }
    let right = move || {
        Argon2::default()
            .verify_password(password.as_bytes(), hash.as_str())
            .is_ok()
    };
    let right = away(hub, right).await?;
    Ok(account.filter(|_| right))
}

async fn away<T: Send + 'static>(
    hub: &Hub,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, WebError> {
    let places = Arc::clone(&hub.password_checks().0);
    let _place = places.acquire_owned().await.map_err(|_| WebError::Broken)?;
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| WebError::Broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobodys_password_is_checked_as_any_other() {
        let checked = Argon2::default().verify_password(b"anything", NOBODYS);
        assert!(
            matches!(checked, Err(argon2::password_hash::Error::PasswordInvalid)),
            "{checked:?}"
        );
    }

    #[test]
    fn a_password_is_neither_short_nor_endless() {
        assert!(refused("123456789").is_some());
        assert!(refused("ööööööööö").is_some());
        assert_eq!(refused("1234567890"), None);
        assert!(refused(&"a".repeat(1_001)).is_some());
    }
}
