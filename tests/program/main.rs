//! The real binary, started as a person or an editor starts it, in a clean environment.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod audit;
mod commands;
mod configuration;
mod connection;
mod pages;
mod plugins;
mod real_data;
mod records;
mod repos;
mod selftest;
mod support;
