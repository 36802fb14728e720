//! What the page of consent calls: what waits, and the person's answer. A request is answered once, in the browser session that began it, within
//! ten minutes; whoever calls has made sure who the account is and that the answer came from the page.

use jiff::{SignedDuration, Timestamp};
use url::Url;

use super::redirects;
use super::resource;
use super::scopes::Scopes;
use crate::hub::Hub;
use crate::secret::{NoRandomness, hash, random, short_id};
use crate::store::StoreError;
use crate::store::oauth::{Connection, NewGrant, RequestRow};
use ensemble_hub_api::oauth as wire;

/// How long a code may be used; people paste it into terminals elsewhere.
const CODE_LIVES: SignedDuration = SignedDuration::from_mins(5);

/// A request as its person is shown it.
#[derive(Debug)]
pub struct Pending {
    /// What the app calls itself: nobody checked it.
    pub client_name: String,
    /// Whose they are can be known: where the answer goes and, for an app that is known by its document, where that is.
    pub domains: Vec<String>,
    /// What it asks for.
    pub scopes: Scopes,
    pub expires_at: Timestamp,
}

/// Where the browser goes with the answer.
#[derive(Debug)]
pub struct Answered {
    pub location: String,
}

/// Why an answer was not taken; the text is a sentence for the person.
#[derive(Debug, thiserror::Error)]
pub enum ConsentError {
    #[error(
        "This request was answered, is older than 10 minutes, or began in another browser: connect the app again."
    )]
    Gone,
    #[error("That space is not one of your own: choose another one.")]
    Space,
    #[error("The hub has no public https address: its operator sets HUB_API_PUBLIC_URL to one.")]
    Issuer,
    #[error("{0}")]
    Random(#[from] NoRandomness),
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// The request `id` of this browser session, while it waits.
///
/// # Errors
/// [`ConsentError::Gone`] when it does not, [`ConsentError::Store`].
pub async fn pending(hub: &Hub, id: &str, session: &str) -> Result<Pending, ConsentError> {
    let found = hub.store().oauth_request(&hash(id), &hash(session)).await?;
    let found = found.ok_or(ConsentError::Gone)?;
    let mut domains = vec![redirects::domain(&found.redirect)];
    let document = Url::parse(&found.client_id).ok();
    let document = document.and_then(|url| url.host_str().map(str::to_owned));
    domains.extend(document.filter(|host| !domains.contains(host)));
    Ok(Pending {
        client_name: found.client_name,
        domains,
        scopes: found.scopes,
        expires_at: found.expires_at,
    })
}

/// The person allows it: `scopes`, no more than was asked for, in `space`, one of the account's own.
///
/// # Errors
/// [`ConsentError`]; with [`ConsentError::Space`] the request waits on.
pub async fn approve(
    hub: &Hub,
    (id, session): (&str, &str),
    account: &str,
    space: &str,
    scopes: Scopes,
) -> Result<Answered, ConsentError> {
    let issuer = resource::issuer(hub).ok_or(ConsentError::Issuer)?;
    let own = hub.store().space(space).await?;
    if own.is_none_or(|own| own.account_id != account) {
        return Err(ConsentError::Space);
    }
    let (request, session) = (hash(id), hash(session));
    let found = hub.store().oauth_request(&request, &session).await?;
    let asked = found.ok_or(ConsentError::Gone)?.scopes;
    let code = random(wire::CODE_PREFIX)?;
    let now = hub.store().now();
    let grant = NewGrant {
        id: &short_id()?,
        account,
        space,
        resource: &resource::of(&issuer),
        scopes: scopes.and(asked),
        code_hash: &hash(&code),
        code_until: now.checked_add(CODE_LIVES).unwrap_or(now),
    };
    let answered = hub
        .store()
        .answer_oauth_request(&request, &session, Some(&grant))
        .await?;
    let answered = answered.ok_or(ConsentError::Gone)?;
    Ok(answer(&issuer, &answered, ("code", &code)))
}

/// The person does not allow it.
///
/// # Errors
/// [`ConsentError`].
pub async fn deny(hub: &Hub, id: &str, session: &str) -> Result<Answered, ConsentError> {
    let issuer = resource::issuer(hub).ok_or(ConsentError::Issuer)?;
    let (request, session) = (hash(id), hash(session));
    let answered = hub
        .store()
        .answer_oauth_request(&request, &session, None)
        .await?;
    let answered = answered.ok_or(ConsentError::Gone)?;
    Ok(answer(&issuer, &answered, ("error", "access_denied")))
}

/// The apps that are connected to an account, oldest first.
///
/// # Errors
/// [`StoreError`] if the store fails.
pub async fn connections(hub: &Hub, account: &str) -> Result<Vec<Connection>, StoreError> {
    hub.store().oauth_connections(account).await
}

/// Ends a connection of this account with all of its tokens, at once; whether there was one.
///
/// # Errors
/// [`StoreError`] if the store fails.
pub async fn disconnect(hub: &Hub, account: &str, id: &str) -> Result<bool, StoreError> {
    hub.store().end_oauth_grant(account, id).await
}

/// The answer, with the issuer (RFC 9207) and the app's `state` as it came.
fn answer(issuer: &str, request: &RequestRow, outcome: (&str, &str)) -> Answered {
    let mut parameters = vec![outcome];
    if let Some(state) = &request.state {
        parameters.push(("state", state));
    }
    parameters.push(("iss", issuer));
    Answered {
        location: redirects::with(&request.redirect, &parameters),
    }
}
