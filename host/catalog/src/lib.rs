//! What is visible to whom. Pure: no file, no clock, no hub. A caller sees the plugins whose grant its key has; of the rest
//! it sees nothing, so an unknown name and a hidden one are the same answer.
//!
//! The order of every list is the order of the plugins and, inside one, the plugin's own: it is the same at each start.
#![forbid(unsafe_code)]
#![warn(
    missing_docs,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm
)]

pub mod arguments;
mod installed;
mod listed;
mod lookalike;
mod named;
pub mod promise;
mod rules;
mod schema;
mod uri;
mod view;

pub use arguments::{ArgumentError, Prepared, prepare};
pub use listed::{Listed, ListedPrompt, ListedResource, ListedTemplate};
pub use lookalike::look_alike;
pub use named::{Calls, NamedAction};
pub use rules::RuleBroken;
pub use view::{Catalog, CatalogError, Entry, View};
