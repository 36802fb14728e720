//! The two documents that clients find the server with: the protected resource's (RFC 9728) and the authorization server's (RFC 8414, and under
//! the name of `OpenID`'s discovery, where some look first). Every place gives the same words.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use ensemble_hub_api::oauth as wire;
use serde_json::{Value, json};

use super::Scopes;
use super::error::OauthError;
use super::resource;
use crate::hub::Hub;

/// Where the document of the protected resource is, for challenges; absent when the hub has no address that tokens could be for.
pub fn resource_metadata(hub: &Hub) -> Option<String> {
    resource::issuer(hub).map(|issuer| format!("{issuer}{}", wire::RESOURCE_METADATA))
}

fn scopes() -> Vec<String> {
    let all = Scopes::ALL.to_string();
    all.split(' ').map(str::to_owned).collect()
}

pub(super) async fn resource(State(hub): State<Hub>) -> Result<Json<Value>, OauthError> {
    let issuer = resource::required(&hub)?;
    Ok(Json(json!({
        "resource": resource::of(&issuer),
        "authorization_servers": [issuer],
        "scopes_supported": scopes(),
        "bearer_methods_supported": ["header"],
        "resource_name": "Ensemble",
    })))
}

pub(super) async fn server(State(hub): State<Hub>) -> Result<Json<Value>, OauthError> {
    let issuer = resource::required(&hub)?;
    let at = |path: &str| format!("{issuer}{path}");
    let methods = ["none", "client_secret_basic", "client_secret_post"];
    Ok(Json(json!({
        "issuer": issuer,
        "authorization_endpoint": at(wire::AUTHORIZE),
        "token_endpoint": at(wire::TOKEN),
        "registration_endpoint": at(wire::REGISTER),
        "revocation_endpoint": at(wire::REVOKE),
        "scopes_supported": scopes(),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [resource::of(&issuer)],
    })))
}

/// The value that the operator was given, exactly; 404 without one.
pub(super) async fn apps_challenge(State(hub): State<Hub>) -> Response {
    match hub.oauth().apps_challenge().get() {
        Some(value) => {
            let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
            (kind, value.clone()).into_response()
        }
        None => OauthError::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "No challenge is set on this hub.",
        )
        .into_response(),
    }
}
