//! What is measured, and how two series become a ratio: the ratio of the medians. The two servers take turns in rounds, so
//! that a machine that is slower for a while is slower for both.

use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::client::Server;

/// Rounds in which the servers take turns.
const ROUNDS: usize = 5;

/// One figure of both servers.
pub(crate) struct Pair {
    bridge: f64,
    native: f64,
}

impl Pair {
    /// From all measurements.
    pub(crate) fn new(bridge: Vec<f64>, native: Vec<f64>) -> Self {
        Self {
            bridge: median(bridge),
            native: median(native),
        }
    }

    /// From measurements that are taken in turns.
    pub(crate) fn of(
        bridge: &mut Server,
        native: &mut Server,
        mut measure: impl FnMut(&mut Server) -> anyhow::Result<Vec<f64>>,
    ) -> anyhow::Result<Self> {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            first.extend(measure(bridge)?);
            second.extend(measure(native)?);
        }
        Ok(Self::new(first, second))
    }

    /// One line.
    pub(crate) fn print(&self, what: &str, target: &str) {
        let ratio = self.bridge / self.native;
        println!(
            "{what:<44} {:>10.3} {:>10.3} {ratio:>7.2}   {target}",
            self.bridge, self.native
        );
    }
}

fn median(values: Vec<f64>) -> f64 {
    let [median] = percentiles(values, [50]);
    median
}

/// The values below which so many in a hundred are.
pub(crate) fn percentiles<const N: usize>(mut values: Vec<f64>, of: [usize; N]) -> [f64; N] {
    values.sort_by(f64::total_cmp);
    of.map(|percent| {
        let at = values.len() * percent / 100;
        values.get(at).copied().unwrap_or(f64::NAN)
    })
}

/// The time since then.
pub(crate) fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// From starting the process to having the list of tools.
pub(crate) fn cold_start(command: &dyn Fn() -> Command, times: usize) -> anyhow::Result<Vec<f64>> {
    let once = |_| {
        let started = Instant::now();
        let mut server = Server::start(command())?;
        server.request("tools/list", &json!({}))?;
        Ok(milliseconds(started))
    };
    (0..times).map(once).collect()
}

/// One call after the other.
pub(crate) fn sequential(
    server: &mut Server,
    tool: &str,
    arguments: &Value,
    calls: usize,
) -> anyhow::Result<Vec<f64>> {
    let once = |_| {
        let started = Instant::now();
        server.answer(tool, arguments)?;
        Ok(milliseconds(started))
    };
    (0..calls / ROUNDS).map(once).collect()
}

/// So many at once, as calls in a second.
pub(crate) fn pipelined(
    server: &mut Server,
    tool: &str,
    arguments: &Value,
    calls: usize,
    at_once: usize,
) -> anyhow::Result<Vec<f64>> {
    let params = json!({"name": tool, "arguments": arguments});
    let calls = calls / ROUNDS;
    let started = Instant::now();
    let mut sent = 0;
    for received in 0..calls {
        while sent < calls && sent - received < at_once {
            server.send("tools/call", &params)?;
            sent += 1;
        }
        server.receive()?;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
    let calls = calls as f64;
    Ok(vec![calls / started.elapsed().as_secs_f64()])
}

/// Resident memory of the process, in MB.
pub(crate) fn resident(server: &Server) -> anyhow::Result<f64> {
    resident_of(server.pid())
}

/// The same by the process's id.
pub(crate) fn resident_of(process: u32) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))
        .context("resident memory is read from /proc, which this system does not have")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .context("no VmRSS")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes / 1024.0)
}
