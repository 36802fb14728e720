//! A link that lets the hub's owner choose a name and a password for the pages.

use crate::secret::{hash, random};
use crate::store::LINK_LASTS;

use super::{Admin, AdminError};

/// A link's path with its code. Whoever has it can sign in as the owner; its `Debug` is a mask.
#[derive(Clone)]
pub struct SignInLink(String);

impl SignInLink {
    /// The path and query, to show it once.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// How long it works, in minutes.
    pub fn minutes() -> i64 {
        LINK_LASTS.as_secs() / 60
    }
}

impl std::fmt::Debug for SignInLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SignInLink(…)")
    }
}

impl Admin {
    /// Makes the owner's link. It works once and for ten minutes, and a former one no more.
    ///
    /// # Errors
    /// [`AdminError`] if there is no randomness or the store fails.
    pub async fn sign_in_link(&self) -> Result<SignInLink, AdminError> {
        let (owner, _) = self.ensure_owner().await?;
        let code = random("")?;
        self.store.put_sign_in_link(&owner.id, &hash(&code)).await?;
        Ok(SignInLink(format!("/set-up?code={code}")))
    }
}
