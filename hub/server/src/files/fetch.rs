//! Getting a file from a web link: the only thing for which the hub itself goes to the network, and only because somebody with changes allowed
//! asked for it.
//!
//! | what | is |
//! |---|---|
//! | another scheme than http and https, a user name or password in the link | refused |
//! | a name of which any address is not public ([`address`]) | refused; the connection goes to the addresses that were checked, not to a new look-up |
//! | a redirect | checked like the link itself, at most three, never from https to http |
//! | cookies, keys, proxies of the environment, the address the link stood at | never sent or used |
//! | more than 25 MB, or longer than 20 seconds | given up, and nothing is kept |

mod address;

use std::net::SocketAddr;
use std::time::Duration;

use axum::http::{StatusCode, header};
use ensemble_hub_api::limits;
use reqwest::{Client, Response, Url, redirect};

use super::{format, name};
use crate::admin::Setting;
use crate::error::RouteError;
use crate::store::{Store, StoreError};

/// Redirects that are followed.
const REDIRECTS_MAX: usize = 3;
/// How long all of it may take.
const PATIENCE: Duration = Duration::from_secs(20);
const CONNECT: Duration = Duration::from_secs(5);

const LINK: &str = "`url` has to be an http or https link without a user name or password.";
const NOT_PUBLIC: &str = "That link leads to this computer or a private network, which is not asked from here: download the file and save it with ensemble_upload_file. The person can allow it: `ensemble hub setting set savePrivateLinks true`.";
const UNREACHED: &str =
    "The server of that link could not be reached: check the link. Nothing was saved.";
const REDIRECTED: &str = "The link is redirected too often, or to where it must not lead: give the link of the file itself. Nothing was saved.";
const SLOW: &str = "The file did not come within 20 seconds: download it and save it with ensemble_upload_file. Nothing was saved.";
const TOO_LARGE: &str =
    "The file behind that link is larger than 25 MB (26,214,400 bytes): nothing was saved.";
const BROKEN: &str =
    "The connection broke before the whole file was there: try again. Nothing was saved.";

/// A file that came.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) bytes: Vec<u8>,
    /// What the link calls it, with an extension.
    pub(crate) name: Option<String>,
    /// As the server says.
    pub(crate) media_type: Option<String>,
    /// Where it came from in the end, without what might be secret in it.
    pub(crate) url: String,
}

/// Whether the person lets links to private addresses be saved.
pub(crate) async fn allows_private(store: &Store, account: &str) -> Result<bool, StoreError> {
    let name = Setting::SavePrivateLinks.name();
    let value = store.setting(account, name).await?;
    Ok(value.as_deref() == Some("true"))
}

/// Gets the file at `link`.
pub(crate) async fn get(link: &str, private: bool) -> Result<Got, RouteError> {
    tokio::time::timeout(PATIENCE, followed(link, private))
        .await
        .unwrap_or_else(|_| Err(refused(SLOW)))
}

fn refused(sentence: &str) -> RouteError {
    RouteError::BadRequest(sentence.to_owned())
}

async fn followed(link: &str, private: bool) -> Result<Got, RouteError> {
    let mut url = checked(Url::parse(link.trim()).map_err(|_| refused(LINK))?)?;
    for _ in 0..=REDIRECTS_MAX {
        let response = asked(&url, private).await?;
        if !response.status().is_redirection() {
            return received(&url, response).await;
        }
        let to = response.headers().get(header::LOCATION);
        let to = to.and_then(|to| to.to_str().ok());
        let next = to.and_then(|to| url.join(to).ok());
        let next = next.and_then(|next| checked(next).ok());
        // What was asked for in secret is not asked for in the open.
        let next = next.filter(|next| next.scheme() == "https" || url.scheme() == "http");
        url = next.ok_or_else(|| refused(REDIRECTED))?;
    }
    Err(refused(REDIRECTED))
}

fn checked(mut url: Url) -> Result<Url, RouteError> {
    let open = url.username().is_empty() && url.password().is_none();
    if !open || !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(refused(LINK));
    }
    url.set_fragment(None);
    Ok(url)
}

/// One request, to addresses that were checked. A redirect is answered, not followed.
pub(crate) async fn asked(url: &Url, private: bool) -> Result<Response, RouteError> {
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or(443);
    // An address of version 6 stands in brackets.
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    let found = tokio::net::lookup_host((plain, port)).await;
    let found: Vec<SocketAddr> = found.map_err(|_| refused(UNREACHED))?.collect();
    if found.is_empty() {
        return Err(refused(UNREACHED));
    }
    let may =
        |at: &SocketAddr| address::is_public(at.ip()) || (private && address::is_private(at.ip()));
    if !found.iter().all(may) {
        return Err(RouteError::Forbidden(NOT_PUBLIC.to_owned()));
    }
    let response = client(url, host, &found)?.get(url.clone()).send().await;
    response.map_err(|_| refused(UNREACHED))
}

fn client(url: &Url, host: &str, to: &[SocketAddr]) -> Result<Client, RouteError> {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Losing a race against another one is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
    }
    let mut builder = Client::builder()
        .redirect(redirect::Policy::none())
        .referer(false)
        .no_proxy()
        .user_agent("ensemble")
        .connect_timeout(CONNECT)
        .resolve_to_addrs(host, to);
    if url.scheme() == "http" {
        // No certificate will be asked for, and reading the system's costs megabytes.
        builder = builder.tls_certs_only(std::iter::empty());
    }
    builder.build().map_err(|_| refused(UNREACHED))
}

async fn received(url: &Url, mut response: Response) -> Result<Got, RouteError> {
    if response.status() != StatusCode::OK {
        return Err(refused(&format!(
            "The server of that link answered with {} instead of a file: check the link. Nothing was saved.",
            response.status().as_u16()
        )));
    }
    let too_large = || RouteError::TooLarge(TOO_LARGE);
    if response
        .content_length()
        .is_some_and(|length| length > limits::UPLOAD_MAX)
    {
        return Err(too_large());
    }
    let media_type = response.headers().get(header::CONTENT_TYPE);
    let media_type = media_type.and_then(|value| value.to_str().ok());
    let media_type = media_type.and_then(|value| super::upload::media_type(value).ok());
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| refused(BROKEN))? {
        if (bytes.len() + chunk.len()) as u64 > limits::UPLOAD_MAX {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    let mut from = url.clone();
    // Links to files often carry a signature that opens them.
    from.set_query(None);
    Ok(Got {
        bytes,
        name: named(url, media_type.as_deref()),
        media_type,
        url: from.to_string(),
    })
}

/// The last part of the link's path, if that can be a file's name.
fn named(url: &Url, media_type: Option<&str>) -> Option<String> {
    let last = url.path_segments()?.next_back()?;
    let last = decoded(last)?;
    let last = name::checked(&last).ok()?;
    if last.contains('.') {
        return Some(last);
    }
    let extension = media_type.and_then(format::extension)?;
    Some(format!("{last}.{extension}"))
}

/// A part of a path without its percent signs.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let pair = [rest.next()?, rest.next()?];
            let pair = std::str::from_utf8(&pair).ok()?;
            bytes.push(u8::from_str_radix(pair, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_last_part_of_the_link() {
        let name = |link: &str, media: Option<&str>| named(&Url::parse(link).unwrap(), media);
        assert_eq!(
            name("https://a.test/x/%C3%A9.pdf?y=1", None).unwrap(),
            "é.pdf"
        );
        assert_eq!(
            name("https://a.test/page", Some("text/html")).unwrap(),
            "page.html"
        );
        assert_eq!(name("https://a.test/page", None), None);
        assert_eq!(name("https://a.test/", Some("text/html")), None);
        assert_eq!(name("https://a.test/..%2Fx.txt", None), None);
        assert_eq!(name("https://a.test/%zz.txt", None), None);
    }

    #[test]
    fn only_open_links_of_the_web_are_asked() {
        for bad in [
            "ftp://a.test/x",
            "file:///etc/passwd",
            "https://u:p@a.test/",
            "https://u@a.test/",
            "data:text/plain,x",
        ] {
            assert!(checked(Url::parse(bad).unwrap()).is_err(), "{bad}");
        }
    }
}
