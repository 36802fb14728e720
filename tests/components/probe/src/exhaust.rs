//! Takes all there is of something, or ends in the middle.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::run::{self, Level};
use ensemble_sdk::{Block, Error, Output, Text};

/// Computes for ever.
pub(crate) fn spin<T>() -> T {
    let mut turns = 0_u64;
    loop {
        turns = black_box(turns.wrapping_add(1));
    }
}

/// Takes memory for ever, and writes to it, so that it is really there.
pub(crate) fn allocate<T>() -> T {
    let mut held = Vec::new();
    loop {
        held.push(black_box(vec![1_u8; 1 << 20]));
    }
}

/// Calls itself for ever. What it holds lives in the engine's stack and hardly in the guest's memory, so that it is the
/// engine's which ends first.
#[expect(unconditional_recursion, reason = "where it ends is what is tested")]
pub(crate) fn recurse(depth: u64) -> u64 {
    recurse(black_box(depth + 1)).wrapping_add(black_box(depth))
}

/// Calls itself for ever, with frames that fill the part of its memory where the compiler keeps them.
#[expect(unconditional_recursion, reason = "where it ends is what is tested")]
pub(crate) fn recurse_widely(depth: u64) -> u64 {
    let frame = black_box([depth; 512]);
    recurse_widely(depth + 1).wrapping_add(frame[7])
}

#[expect(clippy::panic, reason = "what happens then is what is tested")]
pub(crate) fn break_off<T>() -> T {
    panic!("on purpose \u{1b}[31m");
}

#[expect(clippy::exit, reason = "what happens then is what is tested")]
pub(crate) fn end<T>() -> T {
    std::process::exit(7)
}

/// Blocks with nothing in them.
pub(crate) fn blocks(count: usize) -> Output {
    let mut output = Output::text("");
    output.content = (0..count)
        .map(|_| {
            Block::Text(Text {
                text: String::new(),
                hints: None,
            })
        })
        .collect();
    output
}

/// How often this instance was asked; a fresh one says 1.
pub(crate) fn count() -> u32 {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    ASKED.fetch_add(1, Ordering::Relaxed) + 1
}

/// One request with a query of so many pairs.
pub(crate) fn pairs(path: &str, count: usize) -> Result<Output, Error> {
    let query = (0..count).fold(Query::none(), |query, pair| query.with("pair", pair));
    hub::get_text(path, query).map(Output::json_text)
}

/// So many requests, one after the other.
pub(crate) fn requests(path: &str, count: usize) -> Result<Output, Error> {
    for _ in 0..count {
        hub::get_text(path, Query::none())?;
    }
    Ok(Output::text("all were sent"))
}

/// So many lines of the log, and as much progress.
pub(crate) fn chatter(lines: usize) -> Output {
    for line in 0..lines {
        run::log(Level::Info, &format!("line {line}"));
        run::progress(1.0, None, Some("still here"));
    }
    Output::text("said")
}
