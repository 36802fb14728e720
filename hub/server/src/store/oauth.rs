//! Apps that a person allowed: clients, requests that wait for consent, grants, codes and tokens. No secret's value ever enters this module.
//!
//! What decides whether a code or token may be used stands in one immediate transaction with its use, so that of two that come together one is
//! second.

mod clients;
mod grants;
mod requests;
mod tokens;

pub(crate) use clients::ClientRow;
pub use grants::Connection;
pub(crate) use grants::Found;
pub(crate) use requests::{NewGrant, RequestRow};
pub(crate) use tokens::{CodeUse, NewPair, RefreshUse, Refreshed};
