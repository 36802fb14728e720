//! `beside`: what guests that spin cost everybody else. Twice as many spin as there are cores, all the time; a `ping` and a call of another
//! plugin are asked one after the other, and stand beside the same without them.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::client::Server;
use crate::hub::command;
use crate::measure::{milliseconds, percentiles};

/// Requests of each kind.
const REQUESTS: usize = 1_000;

/// Runs it.
pub(crate) fn run(this: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let cores = std::thread::available_parallelism()?.get();
    let mut server = Server::start(command(this, "bridge", folder.path()))?
        .warm("echo", &json!({"text": "hello"}))?;
    let alone = both(&mut server)?;
    let spin = json!({"name": "spin", "arguments": {}});
    let ids: Vec<u64> = (0..2 * cores)
        .map(|_| server.send("tools/call", &spin))
        .collect::<Result<_, _>>()?;
    // until the component is loaded and all of them spin
    for _ in 0..REQUESTS {
        server.answer("echo", &json!({"text": "hello"}))?;
    }
    let beside = both(&mut server)?;
    for id in ids {
        server.notify("notifications/cancelled", &json!({"requestId": id}))?;
    }
    println!(
        "{:<34} {:>8} {:>8} {:>8} {:>8}   p99 x (<= 2)",
        "milliseconds", "p50", "p99", "p50", "p99"
    );
    println!(
        "{:<34} {:>17} {:>17}",
        "",
        "alone",
        format!("beside {} spinning", 2 * cores)
    );
    for (what, alone, beside) in [
        ("ping", alone.0, beside.0),
        ("a call of another plugin", alone.1, beside.1),
    ] {
        println!(
            "{what:<34} {:>8.2} {:>8.2} {:>8.2} {:>8.2}   {:.1}",
            alone[0],
            alone[1],
            beside[0],
            beside[1],
            beside[1] / alone[1]
        );
    }
    Ok(())
}

type Both = ([f64; 2], [f64; 2]);

fn both(server: &mut Server) -> anyhow::Result<Both> {
    let echo = json!({"name": "echo", "arguments": {"text": "hello"}});
    Ok((
        times(server, "ping", &json!({}))?,
        times(server, "tools/call", &echo)?,
    ))
}

fn times(server: &mut Server, method: &str, params: &Value) -> anyhow::Result<[f64; 2]> {
    let mut times = Vec::with_capacity(REQUESTS);
    for _ in 0..REQUESTS {
        let began = Instant::now();
        server.request(method, params)?;
        times.push(milliseconds(began));
    }
    Ok(percentiles(times, [50, 99]))
}
