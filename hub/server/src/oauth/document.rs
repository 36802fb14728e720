//! An app whose id is the address of a document about it (CIMD). Anybody can name any address here, so that the hub asks for it as little as
//! it can:
//!
//! | what | is |
//! |---|---|
//! | anything but https with a path; a user name, a fragment, an address that is written in another way than it is read | refused |
//! | a name of which any address is not public | refused; the connection goes to the addresses that were checked |
//! | a redirect, any answer but 200 | refused |
//! | more than 32 KB, or longer than five seconds | given up |
//! | cookies, keys, proxies | never sent or used |
//! | a document that came | kept in memory for an hour; a failure is not kept |
//!
//! The document has to name its own address, the app and its redirects. Its app is a public client: one that would sign (`private_key_jwt`) is
//! taken as such too, because PKCE and the redirect bind it, and one that has a shared secret is refused.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use url::Url;

use super::clients::Client;
use super::error::OauthError;
use super::redirects;
use super::register::shown_name;
use crate::files::fetch;
use crate::hub::Hub;

/// How long asking for a document may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest document, in bytes.
const BYTES_MAX: usize = 32 * 1024;
/// The longest address, in bytes.
const ADDRESS_MAX: usize = 2_000;
/// How long a document is kept, and how many.
const KEPT: SignedDuration = SignedDuration::from_hours(1);
const KEPT_MAX: usize = 200;

const ADDRESS: OauthError = OauthError::client(
    "This app's id is no address of a public document: it has to be https with a path.",
);
const UNREACHED: OauthError = OauthError::client(
    "The document about this app could not be read from its public address: try again later.",
);
const UNFIT: OauthError = OauthError::client(
    "The document about this app does not name itself, the app, and addresses that answers may be sent to.",
);

/// The document could not be had.
#[derive(Debug, thiserror::Error)]
#[error("The document could not be read.")]
pub struct NoDocument;

/// Where documents come from; tests give their own.
pub trait Documents: Send + Sync + std::fmt::Debug {
    /// The bytes of the document at this address, at most 32 KB.
    fn get<'a>(
        &'a self,
        url: &'a Url,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, NoDocument>> + Send + 'a>>;
}

/// The public network.
#[derive(Debug)]
struct Public;

impl Documents for Public {
    fn get<'a>(
        &'a self,
        url: &'a Url,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, NoDocument>> + Send + 'a>> {
        Box::pin(received(url, false))
    }
}

/// The documents that came, and where others come from.
#[derive(Debug, Default)]
pub(super) struct Known {
    source: OnceLock<Arc<dyn Documents>>,
    kept: Mutex<HashMap<String, (Timestamp, Client)>>,
}

impl Known {
    pub(super) fn source(&self) -> &OnceLock<Arc<dyn Documents>> {
        &self.source
    }

    fn kept(&self, id: &str, now: Timestamp) -> Option<Client> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (until, client) = kept.get(id)?;
        (*until > now).then(|| client.clone())
    }

    fn keep(&self, client: &Client, now: Timestamp) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, (until, _)| *until > now);
        if kept.len() < KEPT_MAX {
            let until = now.checked_add(KEPT).unwrap_or(now);
            kept.insert(client.id.clone(), (until, client.clone()));
        }
    }
}

/// The app that the document at `id` is about.
pub(super) async fn client(hub: &Hub, id: &str) -> Result<Client, OauthError> {
    let known = &hub.oauth().known;
    let now = hub.store().now();
    if let Some(client) = known.kept(id, now) {
        return Ok(client);
    }
    let url = address(id).ok_or(ADDRESS)?;
    let source = known.source.get_or_init(|| Arc::new(Public));
    let bytes = source.get(&url).await.map_err(|_| UNREACHED)?;
    let client = read(id, &bytes).ok_or(UNFIT)?;
    known.keep(&client, now);
    Ok(client)
}

fn address(id: &str) -> Option<Url> {
    let url = Url::parse(id).ok().filter(|_| id.len() <= ADDRESS_MAX)?;
    let plain = url.scheme() == "https"
        && url.as_str() == id
        && url.path() != "/"
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none();
    plain.then_some(url)
}

#[derive(Deserialize)]
struct Document {
    client_id: String,
    client_name: String,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: Option<String>,
}

fn read(id: &str, bytes: &[u8]) -> Option<Client> {
    let found: Document = serde_json::from_slice(bytes).ok()?;
    let method = found.token_endpoint_auth_method.as_deref();
    let public = matches!(method, None | Some("none" | "private_key_jwt"));
    let few = (1..=redirects::REDIRECTS_MAX).contains(&found.redirect_uris.len());
    let allowed = found
        .redirect_uris
        .iter()
        .all(|uri| redirects::is_allowed(uri));
    (found.client_id == id && public && few && allowed)
        .then(|| shown_name(&found.client_name))
        .flatten()
        .map(|name| Client {
            id: id.to_owned(),
            name,
            redirects: found.redirect_uris,
            persistent: false,
        })
}

async fn received(url: &Url, private: bool) -> Result<Vec<u8>, NoDocument> {
    let all = async {
        let asked = fetch::asked(url, private).await;
        let mut response = asked.map_err(|_| NoDocument)?;
        if response.status() != StatusCode::OK {
            return Err(NoDocument);
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| NoDocument)? {
            if bytes.len() + chunk.len() > BYTES_MAX {
                return Err(NoDocument);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    let answered = tokio::time::timeout(PATIENCE, all).await;
    answered.unwrap_or(Err(NoDocument))
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn c13_an_id_is_an_https_address_with_a_path() {
        assert!(address("https://claude.ai/oauth/claude-code-client-metadata").is_some());
        for bad in [
            "http://a.test/x",
            "https://a.test",
            "https://a.test/",
            "https://a.test/x#y",
            "https://u@a.test/x",
            "https://u:p@a.test/x",
            "https://A.test/x",
            "https://a.test/../x",
            "https://a.test:443/x",
            "https://[::ffff:127.0.0.1]/x",
            "https://2130706433/x",
        ] {
            assert!(address(bad).is_none(), "{bad}");
        }
    }

    #[tokio::test]
    async fn c13_nothing_inside_is_asked() {
        for inside in [
            "https://169.254.169.254/x",
            "https://localhost/x",
            "https://127.0.0.1/x",
            "https://10.0.0.1/x",
            "https://[::1]/x",
            "https://[::ffff:7f00:1]/x",
            "https://[fd00::1]/x",
            "https://[fe80::1]/x",
            "https://0.0.0.0/x",
        ] {
            let url = Url::parse(inside).unwrap();
            let asked = fetch::asked(&url, false).await;
            assert!(
                matches!(asked, Err(crate::error::RouteError::Forbidden(_))),
                "{inside}"
            );
        }
    }

    #[test]
    fn a_document_names_itself_the_app_and_its_redirects() {
        let id = "https://a.test/app.json";
        let of = |id: &str, name: &str, uri: &str, method: &str| {
            serde_json::json!({ "client_id": id, "client_name": name, "redirect_uris": [uri], "token_endpoint_auth_method": method, "more": 1 }).to_string()
        };
        let good = of(id, "App", "http://127.0.0.1/cb", "none");
        assert_eq!(read(id, good.as_bytes()).unwrap().name, "App");
        for bad in [
            of("https://a.test/other", "App", "https://a.test/cb", "none"),
            of(id, " ", "https://a.test/cb", "none"),
            of(id, "App", "http://a.test/cb", "none"),
            of(id, "App", "https://a.test/cb", "client_secret_post"),
            r#"{"client_id":"https://a.test/app.json"}"#.to_owned(),
            "<html>".to_owned(),
        ] {
            assert!(read(id, bad.as_bytes()).is_none(), "{bad}");
        }
    }

    /// A server that answers every request with these bytes, and then holds the connection if it `holds`.
    async fn answering(bytes: Vec<u8>, holds: bool) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/x", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = [0; 4096];
                drop(stream.read(&mut head).await);
                drop(stream.write_all(&bytes).await);
                if holds {
                    std::future::pending::<()>().await;
                }
            }
        });
        Url::parse(&url).unwrap()
    }

    #[tokio::test]
    async fn c13_a_document_is_small_comes_at_once_and_from_where_it_is() {
        let answer = |head: &str, body: &[u8]| [head.as_bytes(), b"\r\n\r\n", body].concat();
        let small = answering(answer("HTTP/1.1 200 OK\r\nConnection: close", b"{}"), false).await;
        assert_eq!(received(&small, true).await.unwrap(), b"{}");
        assert!(
            received(&small, false).await.is_err(),
            "loopback is not public"
        );
        let full = vec![b' '; BYTES_MAX];
        let full = answering(answer("HTTP/1.1 200 OK\r\nConnection: close", &full), false).await;
        assert_eq!(received(&full, true).await.unwrap().len(), BYTES_MAX);
        let large = vec![b' '; BYTES_MAX + 1];
        let large = answering(
            answer("HTTP/1.1 200 OK\r\nConnection: close", &large),
            false,
        )
        .await;
        assert!(received(&large, true).await.is_err());
        let moved = format!("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: {small}");
        let moved = answering(answer(&moved, b""), false).await;
        assert!(received(&moved, true).await.is_err());
        let endless = answering(answer("HTTP/1.1 200 OK\r\nContent-Length: 9", b"{}"), true).await;
        let begun = std::time::Instant::now();
        assert!(received(&endless, true).await.is_err());
        assert!(begun.elapsed() < PATIENCE * 2);
    }
}
