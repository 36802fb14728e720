//! Where the hub is: `HUB_API_URL`, else `http://$HUB_API_HOST:$HUB_API_PORT` (127.0.0.1:4000). A hub found through
//! `api.json` stands between the two and is no matter of the environment.
//!
//! A key goes over plain http to this computer only.

use std::net::IpAddr;

use url::{Host, Url};

use crate::env::Environment;

const URL: &str = "HUB_API_URL";
const HOST: &str = "HUB_API_HOST";
const PORT: &str = "HUB_API_PORT";
/// Where `ensemble hub serve` listens when nothing is said.
pub(crate) const DEFAULT_HOST: &str = "127.0.0.1";
pub(crate) const DEFAULT_PORT: u16 = 4000;

/// Why an address cannot be used. No sentence holds it: it may have a password inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadAddress {
    #[error(
        "HUB_API_URL holds the name of a variable that was not filled in: write the hub's address into it, or remove it."
    )]
    Unexpanded,
    #[error(
        "HUB_API_URL is not an http or https address: write it like http://127.0.0.1:4000, without quotes."
    )]
    NotHttp,
    #[error("HUB_API_URL has a user or password in it: remove them, the key is enough.")]
    UserInfo,
    #[error("HUB_API_URL has a ? or # part: write only the hub's address.")]
    Query,
    #[error(
        "The hub's address is plain http to another computer, where others could read the key: use https."
    )]
    PlainHttp,
    #[error("HUB_API_PORT is not a port: use a number from 1 to 65535.")]
    Port,
    #[error("HUB_API_HOST is not a host name or an IP address.")]
    HostName,
}

/// The address as configured; it ends without a slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// As the client takes it.
    pub(crate) base: String,
    /// Whether it is on this computer.
    pub(crate) loopback: bool,
    /// Whether `HUB_API_URL` named it; a hub found through `api.json` comes before one that was not named so.
    pub(crate) explicit: bool,
}

impl Address {
    /// This process: nothing is sent anywhere.
    pub(crate) fn here() -> Self {
        Self {
            base: String::new(),
            loopback: true,
            explicit: true,
        }
    }
}

/// Reads the variables above.
pub(crate) fn read(env: &dyn Environment) -> Result<Address, BadAddress> {
    match env.filled(URL) {
        Some(text) => from_url(&text),
        None => from_host_and_port(env),
    }
}

fn from_url(text: &str) -> Result<Address, BadAddress> {
    if text.starts_with('$') || text.contains("${") || text.starts_with('%') {
        return Err(BadAddress::Unexpanded);
    }
    let url = Url::parse(text).map_err(|_| BadAddress::NotHttp)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BadAddress::NotHttp);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BadAddress::UserInfo);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(BadAddress::Query);
    }
    let loopback = is_loopback(&url);
    if url.scheme() == "http" && !loopback {
        return Err(BadAddress::PlainHttp);
    }
    Ok(Address {
        base: url.as_str().trim_end_matches('/').to_owned(),
        loopback,
        explicit: true,
    })
}

fn from_host_and_port(env: &dyn Environment) -> Result<Address, BadAddress> {
    let (host, port) = listen(env)?;
    // A hub that listens on every address is reached on this computer through the loopback one.
    let host = match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) if ip.is_unspecified() => DEFAULT_HOST.to_owned(),
        Ok(IpAddr::V6(ip)) if ip.is_unspecified() => "[::1]".to_owned(),
        Ok(IpAddr::V6(ip)) => format!("[{ip}]"),
        Ok(IpAddr::V4(_)) | Err(_) => host,
    };
    let url = Url::parse(&format!("http://{host}:{port}")).map_err(|_| BadAddress::HostName)?;
    if url.path() != "/" || !url.username().is_empty() || url.query().is_some() {
        return Err(BadAddress::HostName);
    }
    let loopback = is_loopback(&url);
    if !loopback {
        return Err(BadAddress::PlainHttp);
    }
    Ok(Address {
        base: format!("http://{host}:{port}"),
        loopback,
        explicit: false,
    })
}

/// `HUB_API_HOST` and `HUB_API_PORT`, where a hub listens too.
pub(crate) fn listen(env: &dyn Environment) -> Result<(String, u16), BadAddress> {
    let host = env.filled(HOST).unwrap_or_else(|| DEFAULT_HOST.to_owned());
    let host = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_owned();
    let port = match env.filled(PORT) {
        None => DEFAULT_PORT,
        Some(text) => match text.parse::<u16>() {
            Ok(port) if port > 0 => port,
            _ => return Err(BadAddress::Port),
        },
    };
    Ok((host, port))
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => {
            ip.is_loopback() || ip.to_ipv4_mapped().is_some_and(|ip| ip.is_loopback())
        }
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name.eq_ignore_ascii_case("localhost")
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::MapEnvironment;

    fn verdict(pairs: &[(&str, &str)]) -> String {
        match read(&MapEnvironment::of(pairs)) {
            Ok(address) => address.base,
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn an_address_is_http_without_secrets_and_plain_only_to_this_computer() {
        let cases = [
            ("http://127.0.0.1:4000", "http://127.0.0.1:4000"),
            ("http://127.0.0.1:4000/", "http://127.0.0.1:4000"),
            ("  http://localhost:4000\n", "http://localhost:4000"),
            ("http://[::1]:4000", "http://[::1]:4000"),
            ("http://127.9.9.9", "http://127.9.9.9"),
            ("https://hub.example.org", "https://hub.example.org"),
            (
                "https://hub.example.org/team/",
                "https://hub.example.org/team",
            ),
            ("http://hub.example.org", "PlainHttp"),
            ("http://localhost.example.org", "PlainHttp"),
            ("http://127.0.0.1.example.org", "PlainHttp"),
            ("http://192.168.1.5:4000", "PlainHttp"),
            ("http://0.0.0.0:4000", "PlainHttp"),
            ("http://user:canary@127.0.0.1:4000", "UserInfo"),
            ("http://user@127.0.0.1:4000", "UserInfo"),
            ("http://127.0.0.1:4000?key=1", "Query"),
            ("http://127.0.0.1:4000#x", "Query"),
            ("ftp://127.0.0.1", "NotHttp"),
            ("127.0.0.1:4000", "NotHttp"),
            ("\"http://127.0.0.1:4000\"", "NotHttp"),
            ("file:///etc/passwd", "NotHttp"),
            ("${HUB}", "Unexpanded"),
            ("$HUB", "Unexpanded"),
            ("", "http://127.0.0.1:4000"),
        ];
        for (value, expected) in cases {
            assert_eq!(verdict(&[(URL, value)]), expected, "{value:?}");
        }
    }

    #[test]
    fn host_and_port_stand_in_and_the_listening_form_is_understood() {
        let cases: [(&[(&str, &str)], &str); 10] = [
            (&[], "http://127.0.0.1:4000"),
            (&[(PORT, "4100")], "http://127.0.0.1:4100"),
            (&[(HOST, "localhost")], "http://localhost:4000"),
            (&[(HOST, "0.0.0.0")], "http://127.0.0.1:4000"),
            (&[(HOST, "::")], "http://[::1]:4000"),
            (&[(HOST, "::1"), (PORT, "1")], "http://[::1]:1"),
            (&[(PORT, "0")], "Port"),
            (&[(PORT, "70000")], "Port"),
            (&[(HOST, "hub.example.org")], "PlainHttp"),
            (&[(HOST, "a/b")], "HostName"),
        ];
        for (pairs, expected) in cases {
            assert_eq!(verdict(pairs), expected, "{pairs:?}");
        }
    }
}
