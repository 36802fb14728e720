//! Requests to hosts outside, to those that `plugin.toml` declares and a person granted. The host adds a credential by
//! its name; a plugin never sees its value.

use crate::Error;
use crate::bindings::imports::ensemble::egress::egress;

pub use egress::{Request, Response};

impl Request {
    /// A request without headers, body or credential. `url` is absolute and `https`.
    #[must_use]
    pub fn new(method: &str, url: &str) -> Self {
        Self {
            method: method.to_owned(),
            url: url.to_owned(),
            headers: Vec::new(),
            body: None,
            credential: None,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Lets the host add the credential of this name.
    #[must_use]
    pub fn credential(mut self, name: &str) -> Self {
        self.credential = Some(name.to_owned());
        self
    }
}

/// Sends a request. A status of any kind is an answer, not an error.
///
/// # Errors
/// [`Error::Denied`] for a host that is not declared and granted; [`Error::Unavailable`] where there was no answer.
pub fn fetch(request: &Request) -> Result<Response, Error> {
    egress::fetch(request)
}

/// Whether a credential of this name is there to be added.
#[must_use]
pub fn has_credential(name: &str) -> bool {
    egress::has_credential(name)
}
