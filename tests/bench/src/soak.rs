//! `soak`: a million calls in one process, of which one in a hundred is refused, one in a thousand breaks off, and one in ten thousand spins
//! until it is cancelled. After the first 10,000 nothing may grow: memory, open files, threads.
//!
//! `soak --calls N` makes as many.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

use crate::client::Server;
use crate::hub::command;
use crate::measure::resident_of;

/// Calls without an argument.
const CALLS: usize = 1_000_000;
/// Calls before what is in use is taken as what is needed.
const FIRST: usize = 10_000;
/// Calls that are under way at once.
const AT_ONCE: usize = 32;
/// How much resident memory may lie above that of the first calls, in MB: what an allocator keeps differs from look to look.
const SLACK: f64 = 4.0;

/// What a process holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    memory: f64,
    files: usize,
    threads: usize,
}

impl Held {
    fn by(process: u32) -> anyhow::Result<Self> {
        let count = |what: &str| -> anyhow::Result<usize> {
            let entries = std::fs::read_dir(format!("/proc/{process}/{what}"));
            Ok(entries
                .context(
                    "what a process holds is read from /proc, which this system does not have",
                )?
                .count())
        };
        Ok(Self {
            memory: resident_of(process)?,
            files: count("fd")?,
            threads: count("task")?,
        })
    }
}

/// Runs it; an error where something grew.
pub(crate) fn run(this: &Path, arguments: &[String]) -> anyhow::Result<()> {
    let calls = match arguments {
        [] => CALLS,
        [flag, calls] if flag == "--calls" => calls.parse().context("--calls needs a number")?,
        _ => bail!("unknown options: --calls N"),
    };
    ensure!(
        calls >= 2 * FIRST,
        "at least {} calls show anything",
        2 * FIRST
    );
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(command(this, "bridge", folder.path()))?;
    let began = Instant::now();
    println!(
        "{:>9}  {:>9}  {:>5}  {:>7}  {:>8}",
        "calls", "memory MB", "files", "threads", "seconds"
    );
    let print = |done: usize, held: Held| {
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "{done:>9}  {:>9.1}  {:>5}  {:>7}  {seconds:>8.1}",
            held.memory, held.files, held.threads
        );
    };
    // both components are loaded by the end of the first calls
    let spins = server.send("tools/call", &json!({"name": "spin", "arguments": {}}))?;
    some(&mut server, 0, FIRST)?;
    server.notify("notifications/cancelled", &json!({"requestId": spins}))?;
    let first = Held::by(server.pid())?;
    print(FIRST, first);
    let (mut done, mut last) = (FIRST, first);
    while done < calls {
        let next = calls.min(if done < 100_000 {
            done * 2
        } else {
            done + 100_000
        });
        some(&mut server, done, next)?;
        done = next;
        last = Held::by(server.pid())?;
        print(done, last);
    }
    let flat = last.memory <= first.memory + SLACK
        && last.files <= first.files
        && last.threads <= first.threads;
    println!("{}", if flat { "flat" } else { "GREW" });
    ensure!(flat, "something grew after the first {FIRST} calls");
    Ok(())
}

/// The calls from this one to that one; every one that should be answered well is.
fn some(server: &mut Server, from: usize, to: usize) -> anyhow::Result<()> {
    let (mut sent, mut open) = (from, 0);
    let (mut wanted, mut well) = (0, 0);
    while sent < to || open > 0 {
        while sent < to && open < AT_ONCE {
            sent += 1;
            if sent.is_multiple_of(10_000) {
                spin_and_cancel(server)?;
                continue;
            }
            let (name, arguments) = call(sent);
            wanted += usize::from(name == "echo");
            server.send("tools/call", &json!({"name": name, "arguments": arguments}))?;
            open += 1;
        }
        if open > 0 {
            let (_, answer) = server.next_answer()?;
            let failed = |answer: Value| answer.get("isError") == Some(&Value::Bool(true));
            well += usize::from(answer.is_ok_and(|answer| !failed(answer)));
            open -= 1;
        }
    }
    ensure!(
        well == wanted,
        "{well} of {wanted} calls were answered well"
    );
    Ok(())
}

fn call(number: usize) -> (&'static str, Value) {
    match number {
        number if number.is_multiple_of(1_000) => ("panic", json!({})),
        number if number.is_multiple_of(300) => ("get_route", json!({"path": "/api/bridge/tasks"})),
        number if number.is_multiple_of(200) => ("nothing_of_that_name", json!({})),
        number if number.is_multiple_of(100) => ("fail", json!({})),
        _ => ("echo", json!({"text": "hello"})),
    }
}

/// A cancelled call has no answer; the next one shows that its instance is free again.
fn spin_and_cancel(server: &mut Server) -> anyhow::Result<()> {
    let id = server.send("tools/call", &json!({"name": "spin", "arguments": {}}))?;
    server.notify("notifications/cancelled", &json!({"requestId": id}))
}
