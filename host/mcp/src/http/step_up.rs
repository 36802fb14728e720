//! What a key opens at a hosted endpoint. An app whose token opens less than a tool needs is told which scopes to ask its person for (RFC 6750 §3.1); of
//! a key that is no app's nothing can be asked, so that the tool is not there for it.

use std::fmt;
use std::sync::Arc;

use ensemble_model::KeyGrants;
use http::{HeaderValue, Response, StatusCode, header};

use super::answer::{Body, refusal_of};
use super::message::{Message, TRANSPORT};
use crate::bridge::Bridge;

/// What a key opens, and how its app asks its person for more.
#[derive(Clone)]
pub(super) struct Opens {
    pub(super) grants: KeyGrants,
    pub(super) step_up: Option<StepUp>,
}

/// Gives the challenge with which an app asks for these grants (`WWW-Authenticate`).
#[derive(Clone)]
pub struct StepUp(Arc<dyn Fn(KeyGrants) -> String + Send + Sync>);

impl StepUp {
    /// What gives it.
    pub fn new(challenge: impl Fn(KeyGrants) -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(challenge))
    }
}

impl fmt::Debug for StepUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StepUp(…)")
    }
}

impl Opens {
    /// The challenge for a tool that an app's token does not open, and another one would.
    pub(super) fn too_narrow(&self, bridge: &Bridge, message: &Message) -> Option<Response<Body>> {
        let step_up = self.step_up.as_ref()?;
        let tool = message.parameter("name")?;
        let (changes, apps) = (self.grants.changes, self.grants.apps);
        let wider = [(changes, apps), (true, apps), (changes, true), (true, true)];
        let mut wider = wider
            .map(|(changes, apps)| KeyGrants { changes, apps })
            .into_iter();
        let needed = wider.find(|grants| bridge.view_of(*grants).tool(tool).is_some())?;
        if needed == self.grants {
            return None;
        }
        let id = message.request_id().cloned().unwrap_or_default();
        let mut refused = refusal_of(
            StatusCode::FORBIDDEN,
            TRANSPORT,
            &id,
            "The person did not allow this app to do that: ask for the scopes that the challenge names.",
        );
        let challenge = HeaderValue::from_str(&(step_up.0)(needed)).ok()?;
        refused
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, challenge);
        Some(refused)
    }
}
