//! A refused request: its status, and one sentence as `{"error": …}`. What the database said goes to the log, never into the answer.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ensemble_hub_api::{ErrorBody, sentences};

use crate::store::StoreError;

/// Why a request is refused; the text is the sentence that the caller reads.
#[derive(Debug, thiserror::Error)]
pub enum RouteError {
    /// 400: the request cannot be understood or breaks a rule.
    #[error("{0}")]
    BadRequest(String),
    /// 400: the input of an action, with the schema that it has to keep.
    #[error("{sentence}")]
    BadInput {
        sentence: String,
        schema: Box<serde_json::Value>,
    },
    /// 401: no key, or not a valid one.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// 401: an access token that is not good any more. The URL of the protected resource's metadata, if it has one.
    #[error("{}", sentences::TOKEN_UNKNOWN)]
    BadToken(Option<String>),
    /// 403: the access token lacks a scope.
    #[error("{}", sentences::TOKEN_READS_ONLY)]
    TooNarrow {
        /// All scopes that this needs.
        scope: &'static str,
        metadata: Option<String>,
    },
    /// 403: the key may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// 404: nothing there that this caller may know of.
    #[error("{0}")]
    NotFound(String),
    /// 405: not with this method.
    #[error("{0}")]
    MethodNotAllowed(&'static str),
    /// 409: it contradicts what is stored.
    #[error("{0}")]
    Conflict(String),
    /// 413: too many bytes.
    #[error("{0}")]
    TooLarge(&'static str),
    /// 416: a range that the file does not have.
    #[error("{0}")]
    BadRange(&'static str),
    /// 500: what is stored is not as it was stored.
    #[error("{0}")]
    Broken(&'static str),
    /// 415: not JSON, or not as it is.
    #[error("{0}")]
    NotJson(&'static str),
    /// 429: too often; try again after these seconds.
    #[error("{}", sentences::too_many_writes(*.0))]
    TooMany(u64),
    /// 503: took too long.
    #[error("{}", sentences::TIMED_OUT)]
    TimedOut,
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl RouteError {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_) | Self::BadInput { .. } => StatusCode::BAD_REQUEST,
            Self::Unauthorized(_) | Self::BadToken(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) | Self::TooNarrow { .. } => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict(_) | Self::Store(StoreError::Conflict { .. }) => StatusCode::CONFLICT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BadRange(_) => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::NotJson(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::TimedOut | Self::Store(StoreError::Busy | StoreError::ReadOnly) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Store(StoreError::DiskFull) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Broken(_) | Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The sentence that the caller reads.
    pub fn sentence(&self) -> String {
        match self {
            // The variants with a sentence of their own that helps the caller.
            Self::Store(
                error @ (StoreError::Busy
                | StoreError::DiskFull
                | StoreError::ReadOnly
                | StoreError::Conflict { .. }
                | StoreError::Unreadable { .. }),
            ) => error.to_string(),
            Self::Store(_) => sentences::INTERNAL.to_owned(),
            other => other.to_string(),
        }
    }

    /// What a client needs to get another token (RFC 6750 §3, RFC 9728 §5.1).
    fn challenge(&self) -> Option<HeaderValue> {
        let (mut text, metadata) = match self {
            Self::Unauthorized(_) => return Some(HeaderValue::from_static("Bearer")),
            Self::BadToken(metadata) => ("Bearer error=\"invalid_token\"".to_owned(), metadata),
            Self::TooNarrow { scope, metadata } => (
                format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\""),
                metadata,
            ),
            _ => return None,
        };
        if let Some(metadata) = metadata {
            text = format!("{text}, resource_metadata=\"{metadata}\"");
        }
        HeaderValue::from_str(&text).ok()
    }

    pub(crate) fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany(seconds) => Some(*seconds),
            Self::Store(StoreError::Busy) | Self::TimedOut => Some(1),
            _ => None,
        }
    }
}

impl IntoResponse for RouteError {
    fn into_response(self) -> Response {
        // A change from an older state is the caller's to repeat, no failure of the store.
        if let Self::Store(error) = &self
            && !matches!(error, StoreError::Conflict { .. })
        {
            // The source names SQL objects, not values: statements here never contain any.
            tracing::error!(error = ?error, "hub.store.failed");
        }
        let mut body = ErrorBody::new(self.sentence());
        if let Self::BadInput { schema, .. } = &self {
            body.input_schema = Some((**schema).clone());
        }
        let mut response = (self.status(), Json(body)).into_response();
        if let Some(seconds) = self.retry_after() {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(challenge) = self.challenge() {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}
