//! The whole path: the real binary over stdio, a real hub, real repositories. What a part's own suite has shown is not
//! shown again here; what only the whole can show is.
//!
//! | file | shows |
//! |---|---|
//! | `generations` | every tool and resource through rmcp's own client, in every version of the protocol |
//! | `payloads` | every argument of every tool and every resource, against the rows of the database |
//! | `keys` | what a key may do decides what exists; spaces never mix |
//! | `failure` | every row of the table of failures, with its sentence |
//! | `files` | files into the conversation |
//! | `saves` | files into the working folder, and no further |
//! | `stdio` | the bytes on the pipe: ends of lines, encodings, sizes, ids, versions |
//! | `sizes` | large messages, late readers, odd arguments, hubs that never answer |
//! | `ends` | the process ends whenever its client does |
//! | `schemas` | what clients demand of a list of tools |
//! | `brief` | repositories as they lie on disk, and every resolution |
//! | `storm` | hundreds of calls, a third of them cancelled |
//! | `live` | what one client changes another one is told of and reads |
//! | `acts` | actions and uploads, with a hub that loses replies, revokes keys and keeps other bytes |
//! | `lost` | changes whose answers are lost between a real hub and the bridge |
//! | `decisions` | the decision log of many processes, some of them killed |
//! | `cli` | the commands beside a running hub, and what the decision log holds |
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod acts;
mod brief;
mod cli;
mod crossed;
mod decisions;
mod ends;
mod every_action;
mod failure;
mod fake;
mod files;
mod gate;
mod generations;
mod keys;
mod live;
mod lost;
mod payloads;
mod saves;
mod schemas;
mod sizes;
mod stdio;
mod storm;
mod support;
