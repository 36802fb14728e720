//! `scale`: the hub with a workspace of 100,000 tasks, 50,000 pages, 20,000 people and 500,000 links, and with a tenth of it. Each read
//! route is asked many times with other words and records each time; p50, p99 and the ratio of the large to the small are printed, with
//! the memory of the hub after all of it, and how fast an import runs, each with its target and whether it is met.
//!
//! `scale --tenth-only` leaves the large one out. `scale --keep DIR` leaves the workspaces in a folder, and uses those that are there.
//! `scale --only TEXT` measures the routes whose names hold the text, and no import.

mod asks;
mod generate;
mod import;
mod measure;
mod random;
mod words;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use generate::Sizes;
use measure::Route;

/// Numbers of the large workspace.
const LARGE: Sizes = Sizes {
    tasks: 100_000,
    pages: 50_000,
    people: 20_000,
    links: 500_000,
};
/// What the small one is of it.
const SHARE: usize = 10;
/// Records that an import writes in a second, at least.
const IMPORT: f64 = 5_000.0;
/// Resident memory of the hub in MB, at most.
const MEMORY: f64 = 200.0;
/// The same workspace each time.
const SEED: u64 = 7;

/// Runs the benchmark with these arguments; `ensemble` is the program.
pub(crate) fn run(ensemble: &Path, arguments: &[String]) -> anyhow::Result<()> {
    let (mut large, mut keep, mut only) = (true, None, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--tenth-only" => large = false,
            "--keep" => keep = Some(PathBuf::from(rest.next().context("--keep needs a folder")?)),
            "--only" => only = Some(rest.next().context("--only needs a text")?.as_str()),
            other => bail!("unknown option {other}: --tenth-only, --keep DIR, --only TEXT"),
        }
    }
    let temporary = tempfile::tempdir()?;
    let folder = keep.as_deref().unwrap_or(temporary.path());
    if only.is_none() {
        let rate = import::rate(ensemble, temporary.path())?;
        println!(
            "{:<34} {rate:>9.0} records a second   >= {IMPORT:.0}  {}",
            "import of a CSV file",
            verdict(rate >= IMPORT)
        );
    }
    let small = workspace(ensemble, folder, "tenth", &LARGE.share(SHARE), only)?;
    let full = if large {
        Some(workspace(ensemble, folder, "full", &LARGE, only)?)
    } else {
        None
    };
    print(&small, full.as_ref());
    Ok(())
}

/// What was measured at one size.
struct Figures {
    routes: Vec<Route>,
    memory: f64,
}

fn workspace(
    ensemble: &Path,
    folder: &Path,
    name: &str,
    sizes: &Sizes,
    only: Option<&str>,
) -> anyhow::Result<Figures> {
    let home = folder.join(name);
    let data = home.join("hub");
    let world = generate::world(&data, sizes, SEED)?;
    let bytes = std::fs::metadata(data.join("hub.sqlite3"))?.len() / 1_000_000;
    println!("{name}: {sizes:?}, {bytes} MB");
    let hub = crate::hub::Hub::start_plain(ensemble, &home)?;
    let routes = measure::routes(&hub, &world, only)?;
    let memory = hub.resident()?;
    Ok(Figures { routes, memory })
}

fn print(small: &Figures, full: Option<&Figures>) {
    println!(
        "\n{:<34} {:>9} {:>9} {:>9} {:>9} {:>7}   target",
        "milliseconds", "tenth p50", "p99", "full p50", "p99", "growth"
    );
    for (at, route) in small.routes.iter().enumerate() {
        let large = full.and_then(|full| full.routes.get(at));
        match large {
            Some(large) => println!(
                "{:<34} {:>9.2} {:>9.2} {:>9.2} {:>9.2} {:>7.2}   {:<20}  {}",
                route.name,
                route.p50,
                route.p99,
                large.p50,
                large.p99,
                large.p50 / route.p50,
                route.target.text(),
                verdict(route.target.is_met(route, large)),
            ),
            None => println!("{:<34} {:>9.2} {:>9.2}", route.name, route.p50, route.p99),
        }
    }
    let memory = full.map_or(small.memory, |full| full.memory);
    println!(
        "{:<34} {memory:>9.0} MB   <= {MEMORY:.0}  {}",
        "memory of the hub",
        verdict(memory <= MEMORY)
    );
}

const fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}
