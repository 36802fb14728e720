//! Write a plugin of `ensemble`: say what it offers as data, answer calls as plain functions, export both with one line.
//!
//! ```no_run
//! use ensemble_sdk::{Error, Output, Tool, Tools, Value, args, hub, json};
//!
//! struct Weather;
//!
//! #[derive(serde::Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Ask {
//!     task: String,
//! }
//!
//! impl Tools for Weather {
//!     fn tools() -> Vec<Tool> {
//!         vec![Tool::read("weather_for_task", "Weather for a task", "Says … Use it when …").input(
//!             json!({ "task": { "type": "string", "description": "The task's id.", "maxLength": 100 } }),
//!             &["task"],
//!         )]
//!     }
//!
//!     fn call(name: &str, arguments: Value) -> Result<Output, Error> {
//!         match name {
//!             "weather_for_task" => {
//!                 let ask: Ask = args(arguments)?;
//!                 let task = hub::get(&hub::path("/api/bridge/tasks/{id}", &ask.task)?, hub::Query::none())?;
//!                 Ok(Output::json(&task))
//!             }
//!             other => Err(ensemble_sdk::unknown_tool(other)),
//!         }
//!     }
//! }
//!
//! ensemble_sdk::export!(Weather: tools);
//! # fn main() {}
//! ```
//!
//! What holds for every plugin:
//! - A fresh instance answers each call: nothing in memory lives from one call to the next. [`keep`] does, where granted.
//! - Nothing is reachable but what the modules here reach, and of that only what `plugin.toml` declares and a person
//!   granted. Everything else answers [`Error::Denied`].
//! - The space and the key are the host's: a plugin can neither see nor choose them.
//! - A panic ends the call, never the host; its message goes to the plugin's log.
#![warn(missing_docs)]

/// The JSON library, so that a plugin uses the one that this crate was built with.
pub extern crate guest_json as serde_json;

pub mod bindings;

mod arguments;
pub mod egress;
mod error;
mod exports;
pub mod files;
pub mod hub;
pub mod keep;
mod output;
mod panics;
mod prompts;
mod resources;
pub mod run;
pub mod surface;
mod tool;
pub mod workspace;

pub use arguments::{args, given};
pub use error::unknown_tool;
pub use prompts::{Completion, Prompts};
pub use resources::Resources;
pub use tool::Tools;

pub use bindings::imports::ensemble::tools::asking::{Answer, Pause, Question, Resumption};
pub use bindings::imports::ensemble::tools::content::{
    Audience, Block, Body, Embedded, Hints, Link, Media, Presentation, ShownFile, Text,
};
pub use bindings::imports::ensemble::tools::offer::{
    Argument, Behaviour, Listed, Message, Output, Page, Prompt, PromptStep, Role, Subject,
    Suggestions, Template, Tool, ToolStep,
};
pub use bindings::imports::ensemble::types::types::{Denial, Error};
pub use serde_json::{Value, json};

/// Exports a plugin's interfaces: `export!(Plugin: tools, resources)`.
///
/// Each name stands for the trait of that name, which the type must implement: `tools` ([`Tools`]), `resources`
/// ([`Resources`]), `prompts` ([`Prompts`]), `completion` ([`Completion`]). Say it once, for the whole plugin.
#[macro_export]
macro_rules! export {
    ($plugin:ident : $($interface:ident),+ $(,)?) => {
        $($crate::export_interface!($interface $plugin);)+
    };
}

/// One interface of [`export!`].
#[doc(hidden)]
#[macro_export]
macro_rules! export_interface {
    (tools $plugin:ident) => {
        $crate::bindings::tools::export_tools!($plugin with_types_in $crate::bindings::tools);
    };
    (resources $plugin:ident) => {
        $crate::bindings::resources::export_resources!($plugin with_types_in $crate::bindings::resources);
    };
    (prompts $plugin:ident) => {
        $crate::bindings::prompts::export_prompts!($plugin with_types_in $crate::bindings::prompts);
    };
    (completion $plugin:ident) => {
        $crate::bindings::completion::export_completion!($plugin with_types_in $crate::bindings::completion);
    };
}
