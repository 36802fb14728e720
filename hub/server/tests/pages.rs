//! The hub's pages as a browser sees them: who gets in, what a form needs, and what each page shows.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

#[path = "pages/browser.rs"]
mod browser;
#[path = "pages/consent.rs"]
mod consent;
#[path = "pages/keys.rs"]
mod keys;
#[path = "pages/of_the_host.rs"]
mod of_the_host;
#[path = "pages/protected.rs"]
mod protected;
#[path = "pages/signing_in.rs"]
mod signing_in;
