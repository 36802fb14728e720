//! The HTTP client of `/api/bridge`. It sends one request and tells exactly how it ended.
//!
//! - The key is in one header of one request. It is in no error, no `Debug`, no URL, and no redirect is followed that could carry it elsewhere.
//! - Nothing of an answer reaches a person unbounded: a refusal is the hub's own sentence, cut at 600 characters and
//!   without what may be a secret in it, or one of ours.
//! - A read whose connection broke is sent once more. A change is sent once more only with the idempotency key that makes it the same change;
//!   otherwise the caller is told that the outcome is unknown.
#![forbid(unsafe_code)]

mod answer;
mod download;
mod error;
mod inside;
mod veil;

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use ensemble_hub_api::account::{Spaces, Whoami};
use ensemble_hub_api::paths;
use reqwest::{RequestBuilder, Response, Url, header};
use zeroize::Zeroizing;

pub use answer::Reply;
pub use download::Download;
pub use error::ClientError;
pub use inside::{Answering, Inside};

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an unused connection is kept; shorter than the hub keeps it, so that it is rarely found closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(45);
/// How long a typed call may take.
const TYPED_TIMEOUT: Duration = Duration::from_secs(10);
/// How a hub in this process is called; nothing is sent to that name.
const INSIDE: &str = "http://hub.invalid";
/// Times a request is sent at most.
const SENDS_MAX: u32 = 2;

/// A key's value. Its `Debug` is a mask, and its memory is wiped.
#[derive(Clone, PartialEq, Eq)]
pub struct Bearer(Zeroizing<String>);

impl Bearer {
    /// A key as it was configured.
    pub fn new(value: impl Into<String>) -> Self {
        Self(Zeroizing::new(value.into()))
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(…)")
    }
}

/// The methods of the bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Patch,
}

/// One request.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub method: Method,
    /// From `/api/` on, percent-encoded.
    pub path: &'a str,
    pub query: &'a [(&'a str, &'a str)],
    /// JSON.
    pub body: Option<&'a [u8]>,
    /// The space to act in, by id; the key's own when absent.
    pub space: Option<&'a str>,
    /// Makes a repeated change the same change.
    pub idempotency_key: Option<&'a str>,
    /// For the whole call, a second sending included.
    pub timeout: Duration,
}

impl<'a> Call<'a> {
    /// A read of this path.
    pub fn get(path: &'a str, timeout: Duration) -> Self {
        Self {
            method: Method::Get,
            path,
            query: &[],
            body: None,
            space: None,
            idempotency_key: None,
            timeout,
        }
    }
}

/// A client of one hub with one key. Cheap to clone; clones share connections.
#[derive(Clone)]
pub struct HubClient {
    http: reqwest::Client,
    /// The hub, where it is in this process.
    inside: Option<Inside>,
    base: Url,
    authorization: header::HeaderValue,
}

impl fmt::Debug for HubClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not even the address: an address can hold a name that is nobody's business.
        f.debug_struct("HubClient").finish_non_exhaustive()
    }
}

impl HubClient {
    /// A client of the hub at `base`. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ClientError::Configuration`] when the address or the key cannot be used.
    pub fn new(base: &str, bearer: &Bearer) -> Result<Self, ClientError> {
        let base = checked_base(base)?;
        let text = Zeroizing::new(format!("Bearer {}", bearer.0.as_str()));
        let mut authorization = header::HeaderValue::from_str(&text)
            .map_err(|_| ClientError::Configuration(ensemble_hub_api::sentences::KEY_UNUSABLE))?;
        authorization.set_sensitive(true);
        install_crypto();
        let mut builder = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .tcp_nodelay(true)
            .http1_only();
        if is_loopback(&base) {
            // A proxy of the environment would take the key off this computer.
            builder = builder.no_proxy();
        }
        if base.scheme() == "http" {
            // no certificate will be asked for, and reading the system's costs megabytes
            builder = builder.tls_certs_only(std::iter::empty());
        }
        let http = builder.build().map_err(|_| ClientError::Setup)?;
        Ok(Self {
            http,
            inside: None,
            base,
            authorization,
        })
    }

    /// A client of a hub in this process.
    ///
    /// # Errors
    /// [`ClientError::Configuration`] when the key cannot be used.
    pub fn inside(hub: Inside, bearer: &Bearer) -> Result<Self, ClientError> {
        Ok(Self {
            inside: Some(hub),
            ..Self::new(INSIDE, bearer)?
        })
    }

    /// Sends a request; the answer when it is a success in JSON.
    ///
    /// # Errors
    /// [`ClientError`], one variant per way it can end.
    pub async fn request(&self, call: Call<'_>) -> Result<Reply, ClientError> {
        let url = self.url(call.path)?;
        match tokio::time::timeout(call.timeout, self.send(&url, call)).await {
            Ok(done) => self.without_the_key(done),
            Err(_) if call.method == Method::Get => Err(ClientError::Timeout),
            Err(_) => Err(ClientError::OutcomeUnknown),
        }
    }

    /// Begins to receive a file; `part` is where to begin and how many bytes at the most. `call.timeout` is for the first answer; after it, only
    /// a transfer that stalls is ended.
    ///
    /// # Errors
    /// [`ClientError`], one variant per way it can end.
    pub async fn download(
        &self,
        call: Call<'_>,
        part: Option<(u64, u32)>,
    ) -> Result<Download, ClientError> {
        let url = self.url(call.path)?;
        let mut request = self.prepared(&url, call, "*/*");
        if let Some((first, length)) = part {
            let last = first.saturating_add(u64::from(length).saturating_sub(1));
            request = request.header(header::RANGE, format!("bytes={first}-{last}"));
        }
        let begun = async {
            let response = self.sent(request).await?;
            Download::of(response).await
        };
        match tokio::time::timeout(call.timeout, begun).await {
            Ok(begun) => begun.map_err(|error| self.said_without_the_key(error)),
            Err(_) => Err(ClientError::Timeout),
        }
    }

    /// Who this key is, in its own space or the one named.
    pub async fn whoami(&self, space: Option<&str>) -> Result<Whoami, ClientError> {
        let call = Call {
            space,
            ..Call::get(paths::WHOAMI, TYPED_TIMEOUT)
        };
        self.request(call).await?.json()
    }

    /// The spaces that the key's account can open.
    pub async fn spaces(&self) -> Result<Spaces, ClientError> {
        self.request(Call::get(paths::SPACES, TYPED_TIMEOUT))
            .await?
            .json()
    }

    /// Something between here and the hub may give back what it was sent: the key stays here all the same.
    fn without_the_key(&self, done: Result<Reply, ClientError>) -> Result<Reply, ClientError> {
        let key = self.key();
        match done {
            Ok(Reply { status, body }) if String::from_utf8_lossy(&body).contains(key) => {
                let body = String::from_utf8_lossy(&body)
                    .replace(key, "…")
                    .into_bytes();
                Ok(Reply { status, body })
            }
            other => other.map_err(|error| self.said_without_the_key(error)),
        }
    }

    fn said_without_the_key(&self, mut error: ClientError) -> ClientError {
        let key = self.key();
        if let ClientError::Refused {
            sentence,
            input_schema,
            ..
        } = &mut error
        {
            *sentence = sentence.replace(key, "…");
            *input_schema = input_schema.take().map(|schema| schema.replace(key, "…"));
        }
        error
    }

    fn key(&self) -> &str {
        let held = self.authorization.to_str().unwrap_or_default();
        held.trim_start_matches("Bearer ")
    }

    async fn send(&self, url: &Url, call: Call<'_>) -> Result<Reply, ClientError> {
        let same_again = call.method == Method::Get || call.idempotency_key.is_some();
        let mut sends = 0;
        loop {
            sends += 1;
            let error = match self
                .sent(self.prepared(url, call, "application/json"))
                .await
            {
                Ok(response) => match answer::read(response, call.method != Method::Get).await {
                    Err(ClientError::Broken) => ClientError::Broken,
                    done => return done,
                },
                Err(error) => error,
            };
            match error {
                ClientError::Broken if same_again && sends < SENDS_MAX => {}
                // The first sending may have arrived, even when the second finds nobody any more.
                ClientError::Broken | ClientError::Unreachable
                    if call.method != Method::Get
                        && (error == ClientError::Broken || sends > 1) =>
                {
                    return Err(ClientError::OutcomeUnknown);
                }
                other => return Err(other),
            }
        }
    }

    async fn sent(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        match &self.inside {
            Some(hub) => hub.send(request).await,
            None => request.send().await.map_err(|e| error::of_sending(&e)),
        }
    }

    fn prepared(&self, url: &Url, call: Call<'_>, accept: &'static str) -> RequestBuilder {
        let method = match call.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Patch => reqwest::Method::PATCH,
        };
        let mut request = self
            .http
            .request(method, url.clone())
            .header(header::AUTHORIZATION, self.authorization.clone())
            .header(header::ACCEPT, accept);
        if !call.query.is_empty() {
            request = request.query(call.query);
        }
        if let Some(space) = call.space {
            request = request.header(paths::SPACE_HEADER, space);
        }
        if let Some(key) = call.idempotency_key {
            request = request.header(paths::IDEMPOTENCY_HEADER, key);
        }
        if let Some(body) = call.body {
            request = request
                .header(header::CONTENT_TYPE, "application/json")
                .body(body.to_vec());
        }
        request
    }

    /// The base with this path. A path that could lead anywhere else is refused before anything is sent.
    fn url(&self, path: &str) -> Result<Url, ClientError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%/".contains(&byte);
        let climbs = |segment: &str| {
            let segment = segment.to_ascii_lowercase().replace("%2e", ".");
            segment == "." || segment == ".." || segment.contains("%2f") || segment.contains("%5c")
        };
        if !path.starts_with("/api/") || !path.bytes().all(plain) || path.split('/').any(climbs) {
            return Err(ClientError::Path);
        }
        let mut url = self.base.clone();
        let prefix = self.base.path().trim_end_matches('/');
        url.set_path(&format!("{prefix}{path}"));
        Ok(url)
    }
}

fn checked_base(base: &str) -> Result<Url, ClientError> {
    let bad = || ClientError::Configuration(ensemble_hub_api::sentences::BASE_BAD);
    let url = Url::parse(base.trim()).map_err(|_| bad())?;
    let fits = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    if fits { Ok(url) } else { Err(bad()) }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let ip = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
}

/// The program installs its TLS provider at its start; tests and small programs may not have.
fn install_crypto() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            // Another thread may have been quicker, which is as good.
            drop(rustls::crypto::ring::default_provider().install_default());
        }
    });
}
