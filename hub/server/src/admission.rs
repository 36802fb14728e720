//! Who may use tools at this hub's own address (`/mcp`). A key or an app's access token opens it; a cookie, a device's key and this computer's own launch
//! token do not. Nobody is answered anything before that, and whoever is refused is told where to get a token (RFC 9728 §5.1).
//!
//! How often: [`ADMITTED_PER_MINUTE`] requests for each space, unless the operator sets another number.

use axum::http::{HeaderMap, StatusCode};

use crate::auth::{Caller, bearer, identify, opened_space};
use crate::error::RouteError;
use crate::hub::Hub;
use crate::oauth;
use crate::secret::hash;
use ensemble_hub_api::sentences;

/// Requests a minute for each space, where nothing else is set.
pub const ADMITTED_PER_MINUTE: u32 = 240;

/// Somebody who may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    /// What tells one key from another, and says nothing of its value.
    pub key_hash: String,
    /// Whether changes are allowed.
    pub can_write: bool,
    /// Whether connected apps are allowed.
    pub can_use_apps: bool,
    /// Whether an app's access token was shown, and not a key.
    pub is_app: bool,
}

/// Somebody who may not, and how that is answered.
#[derive(Debug)]
pub struct NotAdmitted {
    pub status: StatusCode,
    /// What was wrong and what to do.
    pub sentence: String,
    /// `WWW-Authenticate`.
    pub challenge: Option<String>,
    /// After how many seconds it may be tried again.
    pub retry_after: Option<u64>,
}

impl Hub {
    /// Whether a request with these headers may use tools here.
    ///
    /// # Errors
    /// How it is refused: 401 with where to get a token, 429, or what failed.
    pub async fn admit(&self, headers: &HeaderMap) -> Result<Admitted, NotAdmitted> {
        match self.admitted(headers).await {
            Ok(admitted) => Ok(admitted),
            Err(error) => Err(NotAdmitted {
                challenge: self.challenge(headers, &error),
                status: error.status(),
                sentence: error.sentence(),
                retry_after: error.retry_after(),
            }),
        }
    }

    /// How an app is told which scopes it has to ask its person for: `WWW-Authenticate`.
    pub fn wider(&self, scopes: oauth::Scopes) -> String {
        let asked = format!("Bearer error=\"insufficient_scope\", scope=\"{scopes}\"");
        match oauth::resource_metadata(self) {
            Some(metadata) => format!("{asked}, resource_metadata=\"{metadata}\""),
            None => asked,
        }
    }

    async fn admitted(&self, headers: &HeaderMap) -> Result<Admitted, RouteError> {
        let value = bearer(headers)?;
        let key_hash = hash(value);
        if self.is_launch_hash(&key_hash) {
            return Err(RouteError::Unauthorized(sentences::KEY_UNKNOWN));
        }
        let caller = identify(self, value).await?;
        let counted = self.counted_space(&caller, headers).await;
        let limited = self.admissions().count(&counted);
        limited.map_err(RouteError::TooMany)?;
        Ok(Admitted {
            key_hash,
            can_write: caller.can_write,
            can_use_apps: caller.can_use_apps,
            is_app: caller.is_app,
        })
    }

    /// The space that the request acts in; where it names one that it may not, its own is counted, and the call is refused later.
    async fn counted_space(&self, caller: &Caller, headers: &HeaderMap) -> String {
        match opened_space(self.store(), caller, headers).await {
            Ok(space) => space.id,
            Err(_) => caller.default_space.id.clone(),
        }
    }

    fn challenge(&self, headers: &HeaderMap, error: &RouteError) -> Option<String> {
        if error.status() != StatusCode::UNAUTHORIZED {
            return None;
        }
        let mut parts = Vec::new();
        if headers.contains_key(axum::http::header::AUTHORIZATION) {
            parts.push("error=\"invalid_token\"".to_owned());
        }
        if let Some(metadata) = oauth::resource_metadata(self) {
            parts.push(format!("resource_metadata=\"{metadata}\""));
        }
        let parts = parts.join(", ");
        Some(format!("Bearer {parts}").trim_end().to_owned())
    }
}
