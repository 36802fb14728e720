//! What a request brings: query parameters and JSON bodies, with a bound on each and a sentence for every way they can be wrong.

use axum::RequestExt as _;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use ensemble_hub_api::sentences;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::error::RouteError;
use crate::text::{cut, trust};

/// The longest detail of a JSON error that is passed on, in characters.
const DETAIL_MAX: usize = 200;

/// The query parameters of a request. An empty value is the same as none; of a name given twice nothing is taken.
#[derive(Clone, Debug, Default)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// These parameters.
    pub(crate) const fn from_pairs(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

    /// `true` or `false`; false when it is missing.
    pub fn flag(&self, name: &str) -> Result<bool, RouteError> {
        match self.text(name, 10)? {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => {
                let needs = sentences::bad_query(name, "true or false");
                Err(RouteError::BadRequest(needs))
            }
        }
    }

    /// A text of at most `max` characters, trimmed.
    pub fn text(&self, name: &str, max: usize) -> Result<Option<&str>, RouteError> {
        let mut values = self
            .0
            .iter()
            .filter(|(given, _)| given == name)
            .map(|(_, value)| value.trim());
        let value = values.next().filter(|value| !value.is_empty());
        if values.next().is_some() {
            return Err(RouteError::BadRequest(sentences::bad_query(
                name,
                "given once",
            )));
        }
        match value {
            Some(value) if value.chars().nth(max).is_some() => {
                let needs = format!("at most {max} characters");
                Err(RouteError::BadRequest(sentences::bad_query(name, &needs)))
            }
            other => Ok(other),
        }
    }

    /// A whole number from `low` to `high`; `default` when it is missing.
    pub fn number(&self, name: &str, low: u32, high: u32, default: u32) -> Result<u32, RouteError> {
        let Some(value) = self.text(name, 20)? else {
            return Ok(default);
        };
        let fits = value
            .parse::<u32>()
            .ok()
            .filter(|number| (low..=high).contains(number));
        fits.ok_or_else(|| {
            let needs = if high == u32::MAX {
                format!("a whole number from {low} on")
            } else {
                format!("a whole number from {low} to {high}")
            };
            RouteError::BadRequest(sentences::bad_query(name, &needs))
        })
    }
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, RouteError> {
        Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
            .map(|Query(pairs)| Self(pairs))
            .map_err(|_| RouteError::BadRequest(sentences::bad_query("query", "name=value pairs")))
    }
}

/// A JSON body, with the bytes it was read from.
#[derive(Clone, Debug)]
pub struct Payload<T> {
    pub value: T,
    pub bytes: Bytes,
}

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Payload<T> {
    type Rejection = RouteError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, RouteError> {
        let bytes = body(request, sentences::BODY_TOO_LARGE).await?;
        let value = parsed(&bytes)?;
        Ok(Self { value, bytes })
    }
}

/// The bytes of a JSON body, within the bound of its route; `too_large` says what that is.
pub async fn body(request: Request, too_large: &'static str) -> Result<Bytes, RouteError> {
    if !is_json(request.headers()) {
        return Err(RouteError::NotJson(sentences::BODY_NOT_JSON));
    }
    if is_encoded(request.headers()) {
        return Err(RouteError::NotJson(sentences::BODY_ENCODED));
    }
    request
        .extract()
        .await
        .map_err(|rejection: axum::extract::rejection::BytesRejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                RouteError::TooLarge(too_large)
            } else {
                RouteError::BadRequest(sentences::BODY_NOT_JSON.to_owned())
            }
        })
}

/// What these bytes of a JSON body say.
pub fn parsed<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, RouteError> {
    // A list would be taken as the fields in their order.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        let needs = sentences::bad_json("line 1", "an object is needed, not a list");
        return Err(RouteError::BadRequest(needs));
    }
    serde_json::from_slice(bytes).map_err(|error| bad_json(&error))
}

/// A body without a content type is taken as JSON; another type is a mistake of the client worth naming.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return true;
    };
    let kind = value
        .to_str()
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim();
    let kind = kind.to_ascii_lowercase();
    kind == "application/json" || kind.ends_with("+json")
}

/// Whether a body is compressed, or said to be: taken as it is, it would be no JSON and nobody would see why.
fn is_encoded(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    encodings.any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

fn bad_json(error: &serde_json::Error) -> RouteError {
    let place = format!("line {}, column {}", error.line(), error.column());
    let sentence = match error.classify() {
        Category::Eof => sentences::bad_json(&place, "the JSON ends too early"),
        Category::Syntax | Category::Io => sentences::bad_json(&place, "this is not JSON"),
        Category::Data => {
            // The text can repeat a value of the body: on one line and bounded.
            let text = trust::one_line(&error.to_string());
            let what = text.split(" at line ").next().unwrap_or_default();
            sentences::bad_json(&place, &cut::excerpt(what, DETAIL_MAX).0)
        }
    };
    RouteError::BadRequest(sentence)
}
