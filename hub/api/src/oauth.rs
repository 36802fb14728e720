//! The wire of the authorization server: where its routes and documents are, the names of its scopes, and how its secrets begin.
//! Sources: RFC 6749 and OAuth 2.1 (routes), RFC 8414 and RFC 9728 (documents), RFC 8707 (the resource).

pub const REGISTER: &str = "/oauth/register";
pub const AUTHORIZE: &str = "/oauth/authorize";
pub const TOKEN: &str = "/oauth/token";
pub const REVOKE: &str = "/oauth/revoke";
/// The page on which a person allows an app; `request` in its query names the waiting request.
pub const CONSENT: &str = "/oauth";
/// The apps that the signed-in account let in, as JSON.
pub const CONNECTIONS: &str = "/api/mcp-oauth/connections";
/// The one resource that tokens are for, below the issuer.
pub const RESOURCE: &str = "/mcp";
/// Where the challenge names the protected resource's document.
pub const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource/mcp";
/// Every place at which clients look for that document.
pub const RESOURCE_METADATA_PLACES: [&str; 3] = [
    RESOURCE_METADATA,
    "/.well-known/oauth-protected-resource",
    "/mcp/.well-known/oauth-protected-resource",
];
/// Every place at which clients look for the authorization server's document.
pub const SERVER_METADATA_PLACES: [&str; 6] = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/mcp/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/mcp",
    "/mcp/.well-known/openid-configuration",
];
/// Proves to a directory of apps whose host this is.
pub const APPS_CHALLENGE: &str = "/.well-known/openai-apps-challenge";

pub const SCOPE_READ: &str = "ensemble:read";
pub const SCOPE_WRITE: &str = "ensemble:write";
pub const SCOPE_APPS: &str = "ensemble:apps";
pub const SCOPE_OFFLINE: &str = "offline_access";

// An access token is a key that lasts an hour, and starts like one.
pub const REFRESH_PREFIX: &str = "ert_";
pub const CODE_PREFIX: &str = "eac_";
