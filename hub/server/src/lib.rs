//! The hub: what `ensemble hub serve` runs. Records, links, ledger and search index on SQLite, the routes of `/api/bridge` over them, and
//! the keys that open them.
//!
//! What is absent: no clock and environment of its own, and no network but the files that somebody asks it to save from a web link (the caller
//! passes a clock and a listener); no SQL outside [`store`]; no route that answers before [`auth`] has decided who calls and in which space.
//!
//! To add a route: its path and sentences in `ensemble_hub_api`, one file in `routes/` with the handler, one line in [`mod@routes`].
#![forbid(unsafe_code)]

pub mod actions;
mod admin;
pub mod admission;
pub mod auth;
pub mod backup;
mod bounded;
pub mod brief;
pub mod clock;
pub mod context;
mod datasets;
pub mod decisions;
pub mod demo;
mod diagrams;
pub mod docs;
pub mod error;
pub mod files;
pub mod gaps;
pub mod hub;
pub mod import;
mod inside;
mod limiter;
pub mod lists;
pub mod meetings;
pub mod oauth;
pub mod params;
mod plots;
pub mod read;
mod recurrence;
pub mod repos;
pub mod routes;
pub mod search;
pub mod secret;
pub mod serve;
pub mod store;
mod svg;
pub mod target;
pub mod tasks;
pub mod text;
pub mod today;
pub mod view;
pub mod web;

pub use admin::{Admin, AdminError, CreateKey, CreatedKey, KeyInfo, Set, Setting, SignInLink};
pub use clock::HubClock;
pub use hub::Hub;
pub use serve::{RequestBody, Routes, Seat, ServeError, Serving, serve, serve_routes};
pub use store::OpenError;
