//! The issuer and the one resource that tokens are for. Both come from the hub's public address; nothing of a request is used for them.

use ensemble_hub_api::oauth as wire;
use url::Url;

use super::error::OauthError;
use crate::hub::Hub;

/// The issuer: the origin of the hub's public address, without a slash. An https origin, or http on this computer. Absent: the address is none.
pub(super) fn issuer(hub: &Hub) -> Option<String> {
    origin(hub.base_url())
}

fn origin(base: &str) -> Option<String> {
    let url = Url::parse(base).ok()?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let named = url.username().is_empty() && url.password().is_none();
    let safe = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url.host_str()?));
    (bare && named && safe).then(|| url.origin().ascii_serialization())
}

/// Whether a host, as a URL writes it, is this computer.
pub(super) fn is_loopback(host: &str) -> bool {
    matches!(host, "127.0.0.1" | "[::1]" | "localhost")
}

/// The issuer, or why nothing can be issued.
pub(super) fn required(hub: &Hub) -> Result<String, OauthError> {
    issuer(hub).ok_or(OauthError::new(
        axum::http::StatusCode::SERVICE_UNAVAILABLE,
        "server_error",
        "The hub has no public https address: its operator sets HUB_API_PUBLIC_URL to one.",
    ))
}

/// The resource of an issuer, as its metadata has it.
pub(super) fn of(issuer: &str) -> String {
    format!("{issuer}{}", wire::RESOURCE)
}

/// Whether a token for this resource is for this hub as it is reached now.
pub(crate) fn is_resource(hub: &Hub, resource: &str) -> bool {
    issuer(hub).is_some_and(|issuer| of(&issuer) == resource)
}

/// Refuses every `resource` (RFC 8707) that is not this server's. With or without a slash at its end, and the bare origin, it is the same one.
pub(super) fn check<'a>(
    issuer: &str,
    mut asked: impl Iterator<Item = &'a str>,
) -> Result<(), OauthError> {
    if asked.all(|asked| is_ours(issuer, asked)) {
        Ok(())
    } else {
        Err(OauthError::bad(
            "invalid_target",
            "Tokens are for this server's /mcp alone: send its address as `resource`.",
        ))
    }
}

fn is_ours(issuer: &str, asked: &str) -> bool {
    let Ok(url) = Url::parse(asked) else {
        return false;
    };
    let path = url.path();
    let plain = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    plain
        && url.origin().ascii_serialization() == issuer
        && (path == "/" || path.strip_suffix('/').unwrap_or(path) == wire::RESOURCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_an_https_origin_or_on_this_computer() {
        for (base, issuer) in [
            ("https://Hub.Test", Some("https://hub.test")),
            ("https://hub.test:443/", Some("https://hub.test")),
            ("http://127.0.0.1:4000", Some("http://127.0.0.1:4000")),
            ("http://localhost:1", Some("http://localhost:1")),
            ("http://hub.test", None),
            ("http://192.168.1.2:4000", None),
            ("https://hub.test/x", None),
            ("https://u@hub.test", None),
            ("nonsense", None),
        ] {
            assert_eq!(origin(base).as_deref(), issuer, "{base}");
        }
    }

    #[test]
    fn c11_a_resource_is_compared_once_normalised() {
        for good in [
            "https://h/mcp",
            "https://h/mcp/",
            "https://h",
            "https://h/",
            "HTTPS://H/mcp",
            "https://h:443/mcp",
        ] {
            assert!(is_ours("https://h", good), "{good}");
        }
        for bad in [
            "https://other/mcp",
            "http://h/mcp",
            "https://h/other",
            "https://h/mcp//",
            "https://h:8443/mcp",
            "https://h/mcp?x",
            "https://h/mcp#x",
            "https://u@h/mcp",
            "mcp",
            "https://h/MCP",
        ] {
            assert!(!is_ours("https://h", bad), "{bad}");
        }
    }
}
