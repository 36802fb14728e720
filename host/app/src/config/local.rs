//! Where `ensemble mcp --http` listens: `CONTEXT_BRIDGE_HOST` and `CONTEXT_BRIDGE_PORT`, on this computer and nowhere else, and the token that its
//! clients have to bring.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::env::Environment;

const HOST: &str = "CONTEXT_BRIDGE_HOST";
const PORT: &str = "CONTEXT_BRIDGE_PORT";
const TOKEN: &str = "CONTEXT_BRIDGE_HTTP_TOKEN";
const DEFAULT_PORT: u16 = 4010;
/// The shortest token: shorter ones can be tried out.
const TOKEN_MIN: usize = 16;

/// What the variables say.
#[derive(Debug)]
pub(crate) struct Local {
    /// Each of them, the first one to be shown.
    pub(crate) hosts: Vec<IpAddr>,
    /// 0 is any that is free.
    pub(crate) port: u16,
    pub(crate) token: Option<String>,
}

/// Why they cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadLocal {
    #[error(
        "CONTEXT_BRIDGE_HOST has to be 127.0.0.1, ::1 or localhost: other computers cannot be let in here; a hub serves them at its own /mcp."
    )]
    Host,
    #[error("CONTEXT_BRIDGE_PORT is not a port: use a number from 1 to 65535.")]
    Port,
    #[error("HUB_MCP_PER_MINUTE is not a number of requests: use 1 or more.")]
    PerMinute,
    #[error(
        "CONTEXT_BRIDGE_HTTP_TOKEN has to have 16 characters at least, without spaces: make one with `openssl rand -hex 24`."
    )]
    Token,
    #[error(
        "CONTEXT_BRIDGE_HTTP_TOKEN holds the name of a variable that was not filled in: write the token into it, or remove it."
    )]
    Unexpanded,
}

/// How many requests a minute each space may make at a hub's `/mcp`: `HUB_MCP_PER_MINUTE`, where it is set.
pub(crate) fn calls_per_minute(env: &dyn Environment) -> Result<Option<u32>, BadLocal> {
    let Some(text) = env.filled("HUB_MCP_PER_MINUTE") else {
        return Ok(None);
    };
    let most = text.parse().ok().filter(|most| *most > 0);
    most.map(Some).ok_or(BadLocal::PerMinute)
}

/// Reads the variables above.
pub(crate) fn read(env: &dyn Environment) -> Result<Local, BadLocal> {
    let v4 = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let v6 = IpAddr::V6(Ipv6Addr::LOCALHOST);
    let hosts = match env.filled(HOST).as_deref() {
        None => vec![v4, v6],
        Some(host) if host.eq_ignore_ascii_case("localhost") => vec![v4, v6],
        Some("127.0.0.1") => vec![v4],
        Some("::1" | "[::1]") => vec![v6],
        Some(_) => return Err(BadLocal::Host),
    };
    let port = match env.filled(PORT) {
        None => DEFAULT_PORT,
        Some(text) => text.trim().parse().map_err(|_| BadLocal::Port)?,
    };
    let token = env.filled(TOKEN);
    if let Some(token) = &token {
        if token.starts_with('$') || token.contains("${") {
            return Err(BadLocal::Unexpanded);
        }
        let plain = token.bytes().all(|byte| byte.is_ascii_graphic());
        if token.len() < TOKEN_MIN || !plain {
            return Err(BadLocal::Token);
        }
    }
    Ok(Local { hosts, port, token })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::MapEnvironment;

    fn of(pairs: &[(&str, &str)]) -> Result<Local, BadLocal> {
        read(&MapEnvironment::of(pairs))
    }

    #[test]
    fn only_this_computer_is_listened_on() {
        assert_eq!(of(&[]).unwrap().hosts.len(), 2);
        assert_eq!(of(&[(HOST, "LOCALHOST")]).unwrap().hosts.len(), 2);
        for one in ["127.0.0.1", "::1", "[::1]"] {
            assert_eq!(of(&[(HOST, one)]).unwrap().hosts.len(), 1, "{one}");
        }
        for other in [
            "0.0.0.0",
            "::",
            "192.168.1.2",
            "127.0.0.2",
            "example.com",
            "localhost.evil.com",
        ] {
            assert_eq!(of(&[(HOST, other)]).unwrap_err(), BadLocal::Host, "{other}");
        }
    }

    #[test]
    fn a_port_is_a_number_and_a_token_is_long() {
        assert_eq!(of(&[]).unwrap().port, 4010);
        assert_eq!(of(&[(PORT, "5000")]).unwrap().port, 5000);
        for bad in ["x", "-1", "70000"] {
            assert_eq!(of(&[(PORT, bad)]).unwrap_err(), BadLocal::Port, "{bad}");
        }
        assert_eq!(of(&[(TOKEN, "short")]).unwrap_err(), BadLocal::Token);
        assert_eq!(
            of(&[(TOKEN, "${TOKEN_THAT_IS_NOT_SET}")]).unwrap_err(),
            BadLocal::Unexpanded
        );
        assert!(of(&[(TOKEN, "0123456789abcdef")]).unwrap().token.is_some());
    }
}
