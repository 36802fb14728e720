//! Parameters of a query or form. One that comes twice is refused, one without a value is as good as absent (RFC 6749 §3.1).

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode, header};

use super::error::OauthError;

/// The parameters of a request.
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    pub(super) fn of(encoded: &[u8]) -> Self {
        let pairs = url::form_urlencoded::parse(encoded).into_owned();
        Self(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    /// The body of a request that has a form.
    pub(super) fn body(
        headers: &HeaderMap,
        body: Result<Bytes, BytesRejection>,
    ) -> Result<Self, OauthError> {
        let kind = headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(OauthError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "invalid_request",
                "Send the parameters as application/x-www-form-urlencoded.",
            ));
        }
        Ok(Self::of(&body.map_err(|refused| too_large(&refused))?))
    }

    /// The one value of a parameter.
    pub(super) fn one(&self, name: &str) -> Result<Option<&str>, OauthError> {
        let mut all = self.all(name);
        let first = all.next();
        if all.next().is_some() {
            return Err(OauthError::request(
                "A parameter was sent twice: send each once.",
            ));
        }
        Ok(first)
    }

    /// All values of a parameter that may come more often.
    pub(super) fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let named = self.0.iter().filter(move |(key, _)| key == name);
        named.map(|(_, value)| value.as_str())
    }
}

/// The refusal of a body that could not be read.
pub(super) fn too_large(refused: &BytesRejection) -> OauthError {
    OauthError::new(
        refused.status(),
        "invalid_request",
        "The body could not be read: send at most 65,536 bytes.",
    )
}
