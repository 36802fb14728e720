//! `cargo run -p ensemble-conformance -- front PORT` serves what the official conformance suite of MCP wants at
//! `http://127.0.0.1:PORT/mcp`: a bridge with the test plugin `conformance`, which is started over stdio, one process for each session of the
//! older generation and one for the newer one. `-- stdio` is such a process. `-- http PORT` serves the same plugin by the bridge's own HTTP transport.
//! `.ci/conformance` runs the suite against both.
//!
//! The bridge is the real one: its catalog, registry, broker, sandbox and transport. Its hub knows one key and keeps nothing.

#![expect(
    clippy::disallowed_methods,
    reason = "a program of its own: it has its clock, and starts itself as a process"
)]

mod front;
mod served;

use anyhow::{Context as _, bail};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("stdio") => served::serve(),
        Some("front") => {
            let port = arguments
                .next()
                .context("front needs the number of a port")?;
            front::serve(port.parse().context("the port is not a number")?)
        }
        Some("http") => {
            let port = arguments
                .next()
                .context("http needs the number of a port")?;
            served::serve_http(port.parse().context("the port is not a number")?)
        }
        _ => bail!("say `front PORT`, `http PORT`, or `stdio`"),
    }
}
