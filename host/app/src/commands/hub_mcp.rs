//! `/mcp` of a hub: the tools, for whoever shows one of its keys or an app's token. Who that is, is decided first and for every request; what it
//! sees and may do follows from it alone.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use axum::routing::any;
use ensemble_hub_api::oauth;
use ensemble_hub_server::admission::{Admitted, NotAdmitted};
use ensemble_hub_server::oauth::Scopes;
use ensemble_hub_server::{Hub, Seat};
use ensemble_mcp::http::{Body, Cors, StepUp, TRANSPORT, refusal};
use ensemble_model::{KeyGrants, Secret};

use crate::compose::{Hosted, Which};

#[derive(Clone)]
struct Served {
    hub: Hub,
    hosted: Arc<Hosted>,
}

/// The routes.
pub(crate) fn router(hub: Hub, hosted: Arc<Hosted>) -> Router {
    Router::new()
        .route(oauth::RESOURCE, any(answer))
        .route("/mcp/", any(answer))
        .with_state(Served { hub, hosted })
}

async fn answer(
    State(served): State<Served>,
    seat: axum::Extension<Seat>,
    request: Request,
) -> Response {
    let headers = request.headers().clone();
    let mut response = if request.method() == Method::OPTIONS {
        Cors::Any.preflight(&headers)
    } else {
        match served.hub.admit(&headers).await {
            Ok(admitted) => {
                seat.is_of_a_caller();
                served.answer(&admitted, request).await
            }
            Err(refused) => not_admitted(&refused),
        }
    };
    Cors::Any.allow(&headers, &mut response);
    response.map(axum::body::Body::new)
}

impl Served {
    async fn answer(&self, who: &Admitted, request: Request) -> axum::http::Response<Body> {
        let which = Which {
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

fn not_admitted(refused: &NotAdmitted) -> axum::http::Response<Body> {
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
