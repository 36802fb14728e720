//! The authorization server as apps meet it: every sentence of its rules, and every way that other servers failed at (the entries C01 … C18).

#[cfg(test)]
#[path = "oauth/authorize.rs"]
mod authorize;
#[cfg(test)]
#[path = "oauth/bearer.rs"]
mod bearer;
#[cfg(test)]
#[path = "oauth/discovery.rs"]
mod discovery;
#[cfg(test)]
#[path = "oauth/register.rs"]
mod register;
#[cfg(test)]
#[path = "oauth/sentences.rs"]
mod sentences;
#[cfg(test)]
#[path = "oauth/support.rs"]
mod support;
#[cfg(test)]
#[path = "oauth/tokens.rs"]
mod tokens;
