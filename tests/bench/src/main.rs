//! `cargo run --release -p ensemble-bench`: measures the bridge and a native MCP server in turn, in one run, and prints the
//! ratios. The native server has the same two tools, the same protocol library and the same hub client, and no sandbox.
//!
//! | figure | bridge | native |
//! |---|---|---|
//! | cold start to the first `tools/list`, components cached | `ensemble mcp` | `native` |
//! | a call that needs no hub | `echo` as a component | `echo` as a function |
//! | a call that needs the hub; 32 at once | `ensemble_tasks` | the same request and answer |
//! | resident memory after those calls | both | both |
//!
//! `-- scale` measures the hub instead: its routes at two sizes, see [`scale`]. `-- writes` measures what changes: see [`writes`].
//! `-- soak` and `-- beside` measure what many calls and spinning guests leave and cost: see [`soak`] and [`beside`].
//!
//! Two of its own subcommands are the servers: `native`, and `bridge`, which is the host with the echo component.
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
#![expect(
    clippy::disallowed_methods,
    reason = "it starts the programs that it measures"
)]

mod beside;
mod bridge;
mod client;
mod hub;
mod measure;
mod native;
mod scale;
mod soak;
mod writes;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use client::Server;
use measure::{Pair, cold_start, pipelined, resident, sequential};
use serde_json::json;

/// Starts of each server.
const STARTS: usize = 25;
/// Calls of each kind.
const CALLS: usize = 2_000;
/// Calls that are under way at once.
const AT_ONCE: usize = 32;

fn main() -> anyhow::Result<()> {
    match std::env::args().nth(1).as_deref() {
        None => compare(),
        Some("native") => native::serve(),
        Some("bridge") => bridge::serve(),
        Some("scale") => {
            let ensemble = build(&std::env::current_exe()?)?;
            let arguments: Vec<String> = std::env::args().skip(2).collect();
            scale::run(&ensemble, &arguments)
        }
        Some("soak") => {
            let arguments: Vec<String> = std::env::args().skip(2).collect();
            soak::run(&std::env::current_exe()?, &arguments)
        }
        Some("beside") => beside::run(&std::env::current_exe()?),
        Some("writes") => writes::run(&build(&std::env::current_exe()?)?),
        Some(other) => bail!("unknown benchmark {other}: none, scale, writes, soak, or beside"),
    }
}

fn compare() -> anyhow::Result<()> {
    let this = std::env::current_exe()?;
    let ensemble = build(&this)?;
    let folder = tempfile::tempdir()?;
    let hub = hub::Hub::start(&ensemble, folder.path())?;
    let mcp = || hub.server(&ensemble, "mcp");
    let native = || hub.server(&this, "native");
    let tasks = json!({"limit": 20});

    println!(
        "{:<44} {:>10} {:>10} {:>7}   target",
        "median", "bridge", "native", "ratio"
    );
    // the first start compiles the components into the cache
    drop(Server::start(mcp())?.warm("ensemble_tasks", &tasks)?);
    let (bridge_starts, native_starts) = (cold_start(&mcp, STARTS)?, cold_start(&native, STARTS)?);
    Pair::new(bridge_starts, native_starts)
        .print("cold start to tools/list, ms", "bridge <= 15 ms");

    let echo = json!({"text": "hello"});
    let mut bridge = Server::start(hub.server(&this, "bridge"))?.warm("echo", &echo)?;
    let mut plain = Server::start(native())?.warm("echo", &echo)?;
    Pair::of(&mut bridge, &mut plain, |server| {
        sequential(server, "echo", &echo, CALLS)
    })?
    .print("a call without the hub, ms", "<= 1.25");
    drop(bridge);

    let mut bridge = Server::start(mcp())?.warm("ensemble_tasks", &tasks)?;
    let same =
        bridge.answer("ensemble_tasks", &tasks)? == plain.answer("ensemble_tasks", &tasks)?;
    ensure!(
        same,
        "the two servers answer ensemble_tasks differently, so they cannot be compared"
    );
    Pair::of(&mut bridge, &mut plain, |server| {
        sequential(server, "ensemble_tasks", &tasks, CALLS)
    })?
    .print("a call with the hub, ms", "<= 1.10");
    Pair::of(&mut bridge, &mut plain, |server| {
        pipelined(server, "ensemble_tasks", &tasks, CALLS, AT_ONCE)
    })?
    .print("calls a second, 32 at once", "");
    Pair::new(vec![resident(&bridge)?], vec![resident(&plain)?])
        .print("resident memory after the calls, MB", "bridge <= 30 MB");
    Ok(())
}

/// The program `ensemble` of the same profile, built now so that no old one is measured.
fn build(this: &Path) -> anyhow::Result<PathBuf> {
    let folder = this.parent().context("this program has no folder")?;
    let mut cargo = std::process::Command::new("cargo");
    cargo.args(["build", "--locked", "-p", "ensemble"]);
    if folder.file_name().is_some_and(|name| name == "release") {
        cargo.arg("--release");
    }
    ensure!(
        cargo.status().context("cargo cannot be started")?.success(),
        "ensemble does not build"
    );
    Ok(folder.join("ensemble"))
}
