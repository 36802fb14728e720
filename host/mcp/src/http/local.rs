//! Who may ask an endpoint on this computer: programs of this computer, and pages that it serves itself. A page of elsewhere cannot, also when its
//! name is pointed here: neither its origin nor the name it asks for is one of this computer.

use ensemble_model::{Digest, Secret};
use http::{HeaderMap, HeaderValue, Response, StatusCode, Uri, header};

use super::answer::{Body, refusal};
use super::message::TRANSPORT;

/// What is checked before anything else.
#[derive(Debug)]
pub struct LocalGate {
    port: u16,
    /// The digest of the token that every request has to bring.
    token: Option<Digest>,
}

impl LocalGate {
    /// For an endpoint on this port; with a token, who does not bring it is refused.
    pub fn new(port: u16, token: Option<&Secret>) -> Self {
        Self {
            port,
            token: token.map(|token| Digest::of(token.expose().as_bytes())),
        }
    }

    /// Lets a request in, or refuses it.
    ///
    /// # Errors
    /// The answer: 403 for another host or origin, 401 without the token.
    #[expect(clippy::result_large_err, reason = "the refusal is the answer")]
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Response<Body>> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().filter(|host| self.is_here(host));
        if host.is_none() || hosts.next().is_some() {
            return Err(refusal(
                StatusCode::FORBIDDEN,
                TRANSPORT,
                "This is not the bridge's address: use the one that it printed when it started.",
            ));
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        if !origins.all(is_loopback_origin) {
            return Err(refusal(
                StatusCode::FORBIDDEN,
                TRANSPORT,
                "Pages of other sites may not use this bridge.",
            ));
        }
        Ok(())
    }

    /// Asks for the token, where there is one.
    ///
    /// # Errors
    /// The answer, 401.
    #[expect(clippy::result_large_err, reason = "the refusal is the answer")]
    pub fn authenticate(&self, headers: &HeaderMap) -> Result<(), Response<Body>> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let mut all = headers.get_all(header::AUTHORIZATION).iter();
        let given = all.next().and_then(|value| value.to_str().ok());
        let given = given.and_then(|text| text.split_once(' '));
        // digests are compared, so that the time tells nothing of the token
        let right = given.is_some_and(|(scheme, value)| {
            scheme.eq_ignore_ascii_case("bearer") && Digest::of(value.trim().as_bytes()) == *token
        });
        if right && all.next().is_none() {
            return Ok(());
        }
        let mut refused = refusal(
            StatusCode::UNAUTHORIZED,
            TRANSPORT,
            "This bridge wants the token of CONTEXT_BRIDGE_HTTP_TOKEN: send it as `Authorization: Bearer …`.",
        );
        let challenge = HeaderValue::from_static("Bearer");
        refused
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, challenge);
        Err(refused)
    }

    fn is_here(&self, host: &HeaderValue) -> bool {
        let Some(authority) = parsed(host) else {
            return false;
        };
        let port = authority.port_u16().unwrap_or(80);
        is_loopback(authority.host()) && port == self.port && !authority.as_str().contains('@')
    }
}

fn parsed(host: &HeaderValue) -> Option<http::uri::Authority> {
    host.to_str().ok()?.parse().ok()
}

fn is_loopback(host: &str) -> bool {
    let names = ["localhost", "127.0.0.1", "[::1]"];
    names.iter().any(|name| host.eq_ignore_ascii_case(name))
}

/// Whether a page of this computer asks, on whatever port.
pub(super) fn is_loopback_origin(origin: &HeaderValue) -> bool {
    let Ok(text) = origin.to_str() else {
        return false;
    };
    let Ok(uri) = text.parse::<Uri>() else {
        return false;
    };
    let plain = matches!(uri.scheme_str(), Some("http" | "https")) && !text.contains('@');
    plain && uri.host().is_some_and(is_loopback)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(host: &str, origin: Option<&str>) -> bool {
        let gate = LocalGate::new(4010, None);
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        gate.check(&headers).is_ok()
    }

    #[test]
    fn b05_only_this_computer_and_its_own_pages_are_let_in() {
        for host in [
            "localhost:4010",
            "127.0.0.1:4010",
            "[::1]:4010",
            "LOCALHOST:4010",
        ] {
            assert!(asked(host, None), "{host}");
            assert!(asked(host, Some("http://localhost:3000")), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:4010",
            "localhost.evil.com:4010",
            "127.0.0.1.evil.com:4010",
            "127.0.0.1:4011",
            "127.0.0.1",
            "localhost",
            "a@localhost:4010",
            "0.0.0.0:4010",
            "",
        ] {
            assert!(!asked(host, None), "{host}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost.evil.com:4010",
            "http://127.0.0.1.evil.com",
            "file://",
            "http://localhost@evil.example",
            "",
        ] {
            assert!(!asked("localhost:4010", Some(origin)), "{origin}");
        }
        let gate = LocalGate::new(4010, None);
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, HeaderValue::from_static("localhost:4010"));
        headers.append(header::HOST, HeaderValue::from_static("localhost:4010"));
        assert!(gate.check(&headers).is_err(), "two hosts");
        assert!(gate.check(&HeaderMap::new()).is_err(), "none");
    }

    #[test]
    fn the_token_is_wanted_where_there_is_one() {
        let gate = LocalGate::new(1, Some(&Secret::new("a token".to_owned())));
        let with = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::from_static(value));
            gate.authenticate(&headers).is_ok()
        };
        assert!(with("Bearer a token") && with("bearer  a token"));
        for wrong in ["Bearer another", "Basic a token", "a token", "Bearer"] {
            assert!(!with(wrong), "{wrong}");
        }
        assert!(gate.authenticate(&HeaderMap::new()).is_err());
    }
}
