//! Where an answer may be sent. A registered address matches byte for byte; of one on this computer the port alone may differ (RFC 8252 §7.3).
//!
//! | address | may be registered |
//! |---|---|
//! | https | yes |
//! | http on `127.0.0.1`, `[::1]`, `localhost` | yes |
//! | an app's own scheme (`cursor:`, `vscode:`) | yes |
//! | http elsewhere; a scheme that a browser or system acts on (`javascript:`, `data:`, `file:`); with a fragment, a user name, white space | no |

use url::Url;

use super::resource::is_loopback;

/// Addresses of one client.
pub(super) const REDIRECTS_MAX: usize = 20;
/// The longest address, in bytes.
const LENGTH_MAX: usize = 2_000;
/// Schemes that something other than one app acts on.
const NO_APP: [&str; 22] = [
    "about",
    "blob",
    "chrome",
    "content",
    "data",
    "file",
    "filesystem",
    "ftp",
    "intent",
    "jar",
    "javascript",
    "ldap",
    "mailto",
    "ms-msdt",
    "res",
    "sms",
    "smb",
    "tel",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

/// Whether this address may be registered.
pub(super) fn is_allowed(uri: &str) -> bool {
    let plain = uri.len() <= LENGTH_MAX
        && uri
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\\#<>\"`".contains(&byte));
    let Ok(url) = Url::parse(uri) else {
        return false;
    };
    if !plain || !url.username().is_empty() || url.password().is_some() {
        return false;
    }
    match url.scheme() {
        "https" => url.host_str().is_some(),
        "http" => url.host_str().is_some_and(is_loopback) && without_port(uri).is_some(),
        scheme => !NO_APP.contains(&scheme),
    }
}

/// Whether `asked` is one of the registered addresses.
pub(super) fn matches(registered: &[String], asked: &str) -> bool {
    if registered.iter().any(|known| known == asked) {
        return true;
    }
    let Some(bare) = without_port(asked).filter(|_| is_allowed(asked)) else {
        return false;
    };
    let mut known = registered.iter().filter_map(|known| without_port(known));
    known.any(|known| known == bare)
}

/// What is shown of where an answer goes.
pub(super) fn domain(uri: &str) -> String {
    let Ok(url) = Url::parse(uri) else {
        return uri.to_owned();
    };
    match (url.scheme(), url.host_str()) {
        ("http" | "https", Some(host)) => host.to_owned(),
        (scheme, _) => format!("{scheme}:"),
    }
}

/// An http address on this computer in two parts: host, and all that follows the port.
fn without_port(uri: &str) -> Option<(&str, &str)> {
    let rest = uri.strip_prefix("http://")?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let host = match authority.rfind(':') {
        // within the brackets of an address it is no port
        Some(at) if !authority.ends_with(']') => {
            let (host, port) = authority.split_at(at);
            let port = port.get(1..)?;
            port.parse::<u16>().ok()?;
            host
        }
        _ => authority,
    };
    is_loopback(host).then_some((host, tail))
}

/// The address with parameters added; what it had stays byte for byte.
pub(super) fn with(uri: &str, parameters: &[(&str, &str)]) -> String {
    let mark = if uri.contains('?') { '&' } else { '?' };
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    format!("{uri}{mark}{}", query.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_one_app_may_be_registered() {
        for good in [
            "https://claude.ai/api/mcp/auth_callback",
            "http://127.0.0.1:0/callback",
            "http://localhost/callback",
            "http://[::1]/cb",
            "http://[::1]:8080/cb?x=1",
            "cursor://anysphere.cursor-mcp/oauth/callback",
            "vscode://vscode.github-authentication/did-authenticate",
            "com.example.app:/cb",
        ] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in [
            "http://evil.example/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://127.0.0.1@evil.example/cb",
            "http://2130706433/cb",
            "http://0.0.0.0/cb",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "https://a.test/cb#x",
            "https://u:p@a.test/cb",
            "https://a.test\\@b.test/",
            "https://a.test/ x",
            "/relative",
            "",
        ] {
            assert!(!is_allowed(bad), "{bad}");
        }
    }

    #[test]
    fn c01_only_the_port_of_this_computer_may_differ() {
        let known: Vec<String> = [
            "http://localhost/callback",
            "http://127.0.0.1:33418/cb?a=1",
            "http://[::1]/cb",
            "https://a.test/cb",
            "cursor://x/y",
        ]
        .map(str::to_owned)
        .into();
        for good in [
            "http://localhost/callback",
            "http://localhost:57470/callback",
            "http://127.0.0.1/cb?a=1",
            "http://127.0.0.1:9/cb?a=1",
            "http://[::1]:1/cb",
            "https://a.test/cb",
            "cursor://x/y",
        ] {
            assert!(matches(&known, good), "{good}");
        }
        for bad in [
            "http://localhost:57470/callback/",
            "http://localhost/callback?invalid=1",
            "http://127.0.0.1:1/callback",
            "http://localhost:99999/callback",
            "http://localhost:1@evil.example/callback",
            "https://localhost/callback",
            "https://a.test:8443/cb",
            "https://a.test/cb/",
            "https://A.test/cb",
            "cursor://x/y/",
            "cursor://x:1/y",
            "http://localhost:57470/callback#x",
        ] {
            assert!(!matches(&known, bad), "{bad}");
        }
    }
}
