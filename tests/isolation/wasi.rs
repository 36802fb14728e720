//! Clocks and randomness: only where they are declared, and the wall clock is the session's.

use ensemble_runtime::CallError;

use crate::bench::{Bench, import, manifest, plugin, runtime};
use crate::hub::NOW;

const ALL: [&str; 4] = [
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/wall-clock",
    "wasi:random/random",
    "wasi:random/insecure-seed",
];

fn bench(declared: &[&str], limits: &str) -> Bench {
    let imports: String = declared.iter().map(|name| import(name)).collect();
    let manifest = manifest("reader", &format!("{imports}[limits]\n{limits}\n"));
    let bytes = ensemble_test_artifacts::wasm("probe-clock");
    Bench::with(runtime(), plugin(manifest, bytes))
}

#[tokio::test]
async fn a_clock_that_is_not_declared_is_refused() {
    let error = bench(&[], "").load().await.unwrap_err().to_string();
    assert!(
        error.contains("imports wasi:") && error.contains("does not declare"),
        "{error}"
    );
}

#[tokio::test]
async fn a_declared_wall_clock_is_the_sessions() {
    let bench = bench(&ALL, "").ready().await;
    assert_eq!(bench.call("now", "{}").await, Ok(NOW.to_string()));
    assert_eq!(bench.call("hash", "{}").await.as_deref(), Ok("1"));
}

#[tokio::test]
async fn a_sleeping_guest_ends_at_its_deadline() {
    let bench = bench(&ALL, "deadline-ms = 300").ready().await;
    let error = bench.call("sleep", "{}").await.unwrap_err();
    assert!(matches!(error, CallError::Deadline { .. }), "{error}");
    assert_eq!(bench.call("now", "{}").await, Ok(NOW.to_string()));
}
