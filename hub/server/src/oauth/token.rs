//! Tokens for a code, and tokens for a refresh token.
//!
//! | token | is good |
//! |---|---|
//! | access | one hour |
//! | refresh | 30 days, once; again within 30 seconds it gets the same answer |
//! | refresh of an app with a secret that registered for it | 30 days from each use; it stays the same |
//!
//! What a refresh narrows stays narrow, for the access tokens that are out too.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use ensemble_hub_api::oauth::REFRESH_PREFIX;
use ensemble_hub_api::paths::KEY_PREFIX;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::error::OauthError;
use super::form::Form;
use super::{Scopes, basic, resource};
use crate::hub::Hub;
use crate::secret::{hash, masked, random, s256};
use crate::store::oauth::{CodeUse, NewPair, RefreshUse, Refreshed};

const ACCESS_LIVES: SignedDuration = SignedDuration::from_hours(1);
const REFRESH_LIVES: SignedDuration = SignedDuration::from_hours(30 * 24);

const CODE_SPENT: OauthError = OauthError::bad(
    "invalid_grant",
    "The code is not good: it was used, is older than 5 minutes, or belongs to another request. Connect the app again.",
);
const REFRESH_SPENT: OauthError = OauthError::bad(
    "invalid_grant",
    "The refresh token is not good: it was used, has expired, or its connection was ended. Connect the app again.",
);
const TOO_WIDE: OauthError = OauthError::bad(
    "invalid_scope",
    "A refresh can only narrow what was granted: leave `scope` out to keep it.",
);
const GRANT_TYPE: OauthError = OauthError::bad(
    "unsupported_grant_type",
    "`grant_type` is authorization_code or refresh_token.",
);

pub(super) async fn post(
    State(hub): State<Hub>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, OauthError> {
    let limited = hub.oauth().tokens.count("");
    limited.map_err(OauthError::too_many)?;
    let issuer = resource::required(&hub)?;
    let form = Form::body(&headers, body)?;
    let client = basic::client(&hub, &headers, &form).await?;
    resource::check(&issuer, form.all("resource"))?;
    match form.one("grant_type")? {
        Some("authorization_code") => by_code(&hub, &client, &form).await,
        Some("refresh_token") => by_refresh(&hub, &client, &form).await,
        None => Err(OauthError::request("`grant_type` is missing.")),
        Some(_) => Err(GRANT_TYPE),
    }
}

async fn by_code(hub: &Hub, client: &str, form: &Form) -> Result<Json<Value>, OauthError> {
    let code = form.one("code")?;
    let code = code.ok_or(OauthError::request("`code` is missing."))?;
    let verifier = form.one("code_verifier")?.filter(|text| is_verifier(text));
    let verifier = verifier.ok_or(OauthError::request(
        "`code_verifier` is missing, or not 43 to 128 characters of RFC 7636.",
    ))?;
    let new = New::for_hub(hub, None)?;
    let asked = CodeUse {
        hash: &hash(code),
        client,
        redirect: form.one("redirect_uri")?,
        challenge: &s256(verifier),
    };
    let scopes = hub.store().redeem_oauth_code(&asked, &new.pair).await?;
    let scopes = scopes.ok_or(CODE_SPENT)?;
    let refresh = scopes.offline().then_some(new.refresh.as_str());
    Ok(answer(&new.access, refresh, scopes))
}

async fn by_refresh(hub: &Hub, client: &str, form: &Form) -> Result<Json<Value>, OauthError> {
    let old = form.one("refresh_token")?;
    let old = old.ok_or(OauthError::request("`refresh_token` is missing."))?;
    let narrow = match form.one("scope")? {
        Some(text) => Some(Scopes::narrowed(text).ok_or(TOO_WIDE)?),
        None => None,
    };
    let new = New::for_hub(hub, Some(old))?;
    let asked = RefreshUse {
        hash: &hash(old),
        client,
        narrow,
    };
    match hub.store().use_oauth_refresh(&asked, &new.pair).await? {
        Refreshed::Rotated(scopes) => Ok(answer(&new.access, Some(&new.refresh), scopes)),
        Refreshed::Kept(scopes) => Ok(answer(&new.access, Some(old), scopes)),
        Refreshed::Again {
            scopes,
            access,
            refresh,
        } => {
            let access = unmasked(old, KEY_PREFIX, &access).ok_or(REFRESH_SPENT)?;
            let refresh = unmasked(old, REFRESH_PREFIX, &refresh).ok_or(REFRESH_SPENT)?;
            Ok(answer(&access, Some(&refresh), scopes))
        }
        Refreshed::TooWide => Err(TOO_WIDE),
        Refreshed::Refused => Err(REFRESH_SPENT),
    }
}

fn is_verifier(text: &str) -> bool {
    (43..=128).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// New tokens, and what is kept of them.
struct New {
    access: String,
    refresh: String,
    pair: NewPair,
}

impl New {
    /// Tokens from now on; those that follow `old` can be read again with it alone.
    fn for_hub(hub: &Hub, old: Option<&str>) -> Result<Self, OauthError> {
        let (access, refresh) = (random(KEY_PREFIX)?, random(REFRESH_PREFIX)?);
        let now = hub.store().now();
        let hidden = |new: &str, prefix: &str| {
            let tail = new.strip_prefix(prefix)?;
            masked(old?, prefix, tail)
        };
        let pair = NewPair {
            access_hash: hash(&access),
            access_until: now.checked_add(ACCESS_LIVES).unwrap_or(now),
            refresh_hash: hash(&refresh),
            refresh_until: now.checked_add(REFRESH_LIVES).unwrap_or(now),
            masked_access: hidden(&access, KEY_PREFIX),
            masked_refresh: hidden(&refresh, REFRESH_PREFIX),
        };
        Ok(Self {
            access,
            refresh,
            pair,
        })
    }
}

fn unmasked(old: &str, prefix: &str, hidden: &str) -> Option<String> {
    masked(old, prefix, hidden).map(|tail| format!("{prefix}{tail}"))
}

fn answer(access: &str, refresh: Option<&str>, scopes: Scopes) -> Json<Value> {
    let mut told = json!({
        "access_token": access,
        "token_type": "Bearer",
        "expires_in": ACCESS_LIVES.as_secs(),
        "scope": scopes.to_string(),
    });
    if let (Some(refresh), Some(told)) = (refresh, told.as_object_mut()) {
        told.insert("refresh_token".to_owned(), json!(refresh));
    }
    Json(told)
}
