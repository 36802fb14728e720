//! What has to hold whatever comes in. Each target takes bytes and panics when something does not hold: no target only waits for a crash.
//!
//! `cargo test -p ensemble-test-fuzz` runs each over its corpus and over what is made of it, for `ENSEMBLE_FUZZ_SECONDS`. `cargo-fuzz/` gives
//! the same functions to a fuzzer that sees the code.
//!
//! To add a target: a file here, a line in [`TARGETS`], a folder of its name in `corpus/`, and a file in `cargo-fuzz/fuzz_targets`.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a target that cannot go on has found something"
)]

mod guest;
mod hub;
mod manifest;
mod paths;
mod policy;
mod routes;
mod schemas;
mod search;
mod stage;
mod wire;

/// One of them.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, which is that of its corpus.
    pub name: &'static str,
    /// Panics when something does not hold.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: [Target; 8] = [
    Target {
        name: "wire",
        run: wire::run,
    },
    Target {
        name: "manifest",
        run: manifest::run,
    },
    Target {
        name: "routes",
        run: routes::run,
    },
    Target {
        name: "guest",
        run: guest::run,
    },
    Target {
        name: "schemas",
        run: schemas::run,
    },
    Target {
        name: "paths",
        run: paths::run,
    },
    Target {
        name: "search",
        run: search::run,
    },
    Target {
        name: "policy",
        run: policy::run,
    },
];

/// Runs the target of this name.
///
/// # Panics
/// When something does not hold, or there is no such target.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.unwrap_or_else(|| panic!("no target {name}")).run)(data);
}

/// What a target reads as text.
fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// The executor of the targets that need one.
fn executor() -> &'static tokio::runtime::Runtime {
    static ONE: std::sync::OnceLock<tokio::runtime::Runtime> = std::sync::OnceLock::new();
    ONE.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).enable_all().build().unwrap()
    })
}
