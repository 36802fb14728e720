//! `/mcp` of a hub: the tools, for whoever shows one of its keys or an app's token. Who that is, is decided first and for every request; what it
//! sees and may do follows from it alone.

use std::sync::Arc;

use ensemble_hub_api::oauth;
use ensemble_hub_server::admission::{Admitted, NotAdmitted};
use ensemble_hub_server::oauth::Scopes;
use ensemble_hub_server::{Hub, RequestBody, Routes, Seat};
use ensemble_mcp::http::{Body, Cors, StepUp, TRANSPORT, refusal};
use ensemble_model::{KeyGrants, Secret};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};

use crate::compose::{Hosted, Profile, Which};

struct Served {
    hub: Hub,
    hosted: Arc<Hosted>,
}

/// The routes.
pub(crate) fn routes(hub: Hub, hosted: Arc<Hosted>) -> Routes {
    let served = Arc::new(Served { hub, hosted });
    Routes::any(&[oauth::RESOURCE, "/mcp/"], move |request, seat| {
        let served = Arc::clone(&served);
        async move { served.answer(request, seat).await }
    })
}

impl Served {
    async fn answer(&self, request: Request<RequestBody>, seat: Seat) -> Response<Body> {
        let headers = request.headers().clone();
        let mut response = if request.method() == Method::OPTIONS {
            Cors::Any.preflight(&headers)
        } else {
            match self.hub.admit(&headers).await {
                Ok(admitted) => {
                    seat.is_of_a_caller();
                    self.served(&admitted, request).await
                }
                Err(refused) => not_admitted(&refused),
            }
        };
        Cors::Any.allow(&headers, &mut response);
        response
    }

    async fn served(&self, who: &Admitted, request: Request<RequestBody>) -> Response<Body> {
        let profile = match profile(request.headers(), who) {
            Ok(profile) => profile,
            Err(refused) => return *refused,
        };
        let which = Which {
            profile,
            key_hash: who.key_hash.clone(),
            grants: KeyGrants {
                changes: who.can_write,
                apps: who.can_use_apps,
            },
        };
        let step_up = who.is_app.then(|| {
            let hub = self.hub.clone();
            StepUp::new(move |needed| hub.wider(scopes(needed)))
        });
        let key = || key_of(request.headers());
        let endpoint = self.hosted.endpoint(&which, step_up, key);
        endpoint.answer(request).await
    }
}

/// An app sees each action as a tool; a key sees the two tools that list and run them. `x-ensemble-tools` chooses otherwise.
fn profile(headers: &HeaderMap, who: &Admitted) -> Result<Profile, Box<Response<Body>>> {
    match headers.get("x-ensemble-tools").map(HeaderValue::as_bytes) {
        None if who.is_app => Ok(Profile::Catalog),
        None | Some(b"legacy") => Ok(Profile::Legacy),
        Some(b"catalog") => Ok(Profile::Catalog),
        Some(_) => Err(Box::new(refusal(
            StatusCode::BAD_REQUEST,
            TRANSPORT,
            "The header x-ensemble-tools is catalog or legacy.",
        ))),
    }
}

fn scopes(grants: KeyGrants) -> Scopes {
    let mut scopes = Scopes::READS;
    if grants.changes {
        scopes = scopes.with_write();
    }
    if grants.apps {
        scopes = scopes.with_apps();
    }
    scopes
}

/// The key of a request that was admitted with it.
fn key_of(headers: &HeaderMap) -> Secret {
    let value = headers.get(header::AUTHORIZATION);
    let value = value.and_then(|value| value.to_str().ok());
    let key = value.and_then(|value| value.split_once(' '));
    Secret::new(key.map_or_else(String::new, |(_, key)| key.trim().to_owned()))
}

fn not_admitted(refused: &NotAdmitted) -> Response<Body> {
    let mut response = refusal(refused.status, TRANSPORT, &refused.sentence);
    let headers = response.headers_mut();
    if let Some(challenge) = &refused.challenge
        && let Ok(value) = HeaderValue::from_str(challenge)
    {
        headers.insert(header::WWW_AUTHENTICATE, value);
    }
    if let Some(seconds) = refused.retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if refused.status == StatusCode::UNAUTHORIZED {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
