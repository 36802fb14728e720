//! Who looks at a page: one cookie, of which the hub keeps only the hash. What changes something needs more: it has to come from a page of
//! this hub, and bring the proof that only such a page holds.
//!
//! | a request | needs |
//! |---|---|
//! | any page | a `Host` that is this hub: another name could be one that somebody points here |
//! | a page that shows something of an account | the cookie |
//! | anything that changes something | the same origin, and of somebody who is signed in the form's proof |

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};

use crate::hub::Hub;
use crate::secret::{hash, hash_parts, random, same_hash};
use crate::store::{AccountRow, SESSION_LONGEST};

use super::{WebError, local};

/// The cookie's name; over https with the prefix that keeps it to this host.
const COOKIE: &str = "ensemble_session";
const HOST_COOKIE: &str = "__Host-ensemble_session";

/// Somebody who is signed in.
#[derive(Debug, Clone)]
pub(super) struct SignedIn {
    pub(super) account: AccountRow,
    /// What the forms of its pages hold; it tells nothing of the cookie.
    pub(super) proof: String,
    /// What the store knows the session by.
    pub(super) session: String,
}

impl SignedIn {
    /// The account that signed in as of now, and the cookie to send.
    pub(super) async fn begin(hub: &Hub, account: &AccountRow) -> Result<HeaderValue, WebError> {
        let value = random("").map_err(|_| WebError::Broken)?;
        hub.store()
            .put_browser_session(&account.id, &hash(&value))
            .await?;
        cookie(hub, &value, SESSION_LONGEST.as_secs())
    }

    /// Ends the session; the cookie to send takes away the one that there is.
    pub(super) async fn end(&self, hub: &Hub) -> Result<HeaderValue, WebError> {
        hub.store().end_browser_session(&self.session).await?;
        cookie(hub, "", 0)
    }

    /// Whether a form came from one of its pages.
    pub(super) fn check(&self, proof: &str) -> Result<(), WebError> {
        if same_hash(&self.proof, proof) {
            Ok(())
        } else {
            Err(WebError::NotFromHere)
        }
    }

    /// Who owns the hub sees what runs on its computer; another account does not.
    pub(super) async fn owns(&self, hub: &Hub) -> Result<(), WebError> {
        let owner = hub.store().owner().await?;
        if owner.is_some_and(|owner| owner.id == self.account.id) {
            Ok(())
        } else {
            Err(WebError::NoPage)
        }
    }
}

impl FromRequestParts<Hub> for SignedIn {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, hub: &Hub) -> Result<Self, WebError> {
        let back = || {
            let asked = parts
                .uri
                .path_and_query()
                .map_or("/", |asked| asked.as_str());
            // what was to be changed is not changed after the sign-in
            let page = if parts.method == Method::GET {
                asked
            } else {
                "/"
            };
            WebError::SignIn {
                then: local(page).to_owned(),
            }
        };
        let Some(value) = value(&parts.headers, hub) else {
            return Err(back());
        };
        let session = hash(&value);
        match hub.store().browser_session(&session).await? {
            Some(account) => Ok(Self {
                account,
                proof: hash_parts(&[b"form", value.as_bytes()]),
                session,
            }),
            None => Err(back()),
        }
    }
}

/// The session of this request, where there is one.
fn value(headers: &HeaderMap, hub: &Hub) -> Option<String> {
    let name = name(hub);
    let all = headers.get_all(header::COOKIE).iter();
    let texts = all.filter_map(|value| value.to_str().ok());
    let mut pairs = texts.flat_map(|text| text.split(';'));
    pairs.find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name && (1..=128).contains(&value.len())).then(|| value.to_owned())
    })
}

fn name(hub: &Hub) -> &'static str {
    if hub.base_url().starts_with("https://") {
        HOST_COOKIE
    } else {
        COOKIE
    }
}

fn cookie(hub: &Hub, value: &str, seconds: i64) -> Result<HeaderValue, WebError> {
    let secure = if name(hub) == HOST_COOKIE {
        "; Secure"
    } else {
        ""
    };
    let text = format!(
        "{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}",
        name(hub)
    );
    HeaderValue::from_str(&text).map_err(|_| WebError::Broken)
}

/// Whether a request is meant for this hub, and one that changes something comes from a page of it.
pub(super) fn meant(hub: &Hub, method: &Method, headers: &HeaderMap) -> Result<(), WebError> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let Some(host) = host.filter(|host| is_ours(hub, host)) else {
        return Err(WebError::OtherHost);
    };
    if hosts.next().is_some() {
        return Err(WebError::OtherHost);
    }
    if matches!(*method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    let said = |name| {
        headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let site = said(header::HeaderName::from_static("sec-fetch-site"));
    let origin = said(header::ORIGIN);
    let here = |origin: &str| {
        let (_, authority) = origin.split_once("://").unwrap_or_default();
        authority.eq_ignore_ascii_case(host)
    };
    match (site, origin) {
        (Some("same-origin"), _) => Ok(()),
        (None, Some(origin)) if here(origin) => Ok(()),
        _ => Err(WebError::NotFromHere),
    }
}

/// The hub's own address, this computer, or an address in numbers, which nobody can point elsewhere.
fn is_ours(hub: &Hub, host: &str) -> bool {
    let own = hub.base_url().split_once("://").map(|(_, rest)| rest);
    let own = own.map(|rest| rest.split('/').next().unwrap_or_default());
    if own.is_some_and(|own| own.eq_ignore_ascii_case(host)) {
        return true;
    }
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || bare.parse::<std::net::IpAddr>().is_ok()
}
