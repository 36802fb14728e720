//! The decision log: one JSON line for every decision, each chained to the one before it.
//!
//! ```text
//! {"seq":7,"prev":"<hash of line 6>",<the decision>,"hash":"<SHA-256 of this line up to the comma before "hash">"}
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `decisions.jsonl` | the newest lines |
//! | `decisions-N.jsonl` | older ones, from the number N on; a bounded number of such files |
//! | `decisions.head` | number and hash of the last line, sealed with the host's key; every process locks it for its turn |
//!
//! - Many processes write into one log. Each takes the lock, continues the chain from the head, and moves the head.
//! - The chain is continued from the head and not from what stands in the file, so that a line that was changed meanwhile is found for good.
//! - What a killed process left half written is closed off by the next one with a line that says so, and commits to it.
//! - A log that cannot be written fails nothing: it is said once, and the next line that can be written says how many are missing.
//! - Lines from before the chain stay as they are; the first line of the chain commits to them.
//!
//! A chain shows that something was changed, and where; it cannot keep anybody from it. What somebody can do who may also read the host's key
//! stands in SECURITY.md.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod append;
mod check;
mod files;
mod head;
mod line;
mod newest;
mod sink;
mod tail;

pub use check::{Checked, Finding, Problem, Seal, check};
pub use files::Place;
pub use head::SealKey;
pub use newest::{Newest, newest};
pub use sink::DecisionLog;

#[cfg(test)]
mod tests;
