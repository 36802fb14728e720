//! A refusal as OAuth has it (RFC 6749 §5.2): `error` is one of its words, `error_description` one sentence.
//!
//! What passes is never `invalid_client` or `invalid_grant`, because clients throw their tokens away on these.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::secret::NoRandomness;
use crate::store::StoreError;

/// Why a request is refused.
#[derive(Debug)]
pub(super) struct OauthError {
    status: StatusCode,
    code: &'static str,
    sentence: &'static str,
    /// Seconds after which it may be tried again.
    retry: Option<u64>,
}

impl OauthError {
    pub(super) const fn new(
        status: StatusCode,
        code: &'static str,
        sentence: &'static str,
    ) -> Self {
        Self {
            status,
            code,
            sentence,
            retry: None,
        }
    }

    /// 400 with this word.
    pub(super) const fn bad(code: &'static str, sentence: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, sentence)
    }

    pub(super) const fn request(sentence: &'static str) -> Self {
        Self::bad("invalid_request", sentence)
    }

    /// 401: the app is not known, or did not show that it is itself.
    pub(super) const fn client(sentence: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "invalid_client", sentence)
    }

    pub(super) const fn busy(seconds: u64) -> Self {
        Self {
            retry: Some(seconds),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "temporarily_unavailable",
                "The hub is busy: try again in a moment.",
            )
        }
    }

    pub(super) const fn too_many(seconds: u64) -> Self {
        Self {
            retry: Some(seconds),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "temporarily_unavailable",
                "Too many requests: try again after the seconds that Retry-After says.",
            )
        }
    }

    pub(super) const fn sentence(&self) -> &'static str {
        self.sentence
    }

    pub(super) const fn status(&self) -> StatusCode {
        self.status
    }

    fn server() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "server_error",
            "The hub could not do this: its log says why.",
        )
    }
}

impl From<StoreError> for OauthError {
    fn from(error: StoreError) -> Self {
        tracing::error!(error = ?error, "hub.oauth.store_failed");
        match error {
            StoreError::Busy => Self::busy(1),
            _ => Self::server(),
        }
    }
}

impl From<NoRandomness> for OauthError {
    fn from(error: NoRandomness) -> Self {
        tracing::error!(%error, "hub.oauth.no_randomness");
        Self::server()
    }
}

impl IntoResponse for OauthError {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.code, "error_description": self.sentence });
        let mut response = (self.status, Json(body)).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Basic realm=\"ensemble\"");
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}
