//! One plugin that takes all that it can get leaves the others what they need.

use std::sync::Arc;

use ensemble_model::{Manifest, PluginId};
use ensemble_runtime::{CallError, Runtime, RuntimeConfig};

use crate::bench::{Bench, WithKeptCode, plugin, probe_manifest};

fn named(id: &str, limits: &str) -> Manifest {
    Manifest {
        id: id.parse().unwrap(),
        ..probe_manifest(limits)
    }
}

/// A host with four instances, a plugin that is hostile and may have three of them, and another one.
async fn two_plugins() -> (Arc<Bench>, Bench) {
    let kit = ensemble_test_artifacts::wasm("probe-kit");
    let plugins = vec![
        plugin(named("hostile", "calls-at-once = 3"), kit),
        plugin(named("neighbour", ""), kit),
    ];
    let config = RuntimeConfig {
        max_live: 4,
        max_waiting: 1_000,
        ..RuntimeConfig::default().with_kept_code()
    };
    let id = |name: &str| -> PluginId { name.parse().unwrap() };
    let runtime = Runtime::new(config).unwrap();
    let hostile = Bench::with_all(runtime, plugins, id("hostile"))
        .ready()
        .await;
    let neighbour = hostile.of(&id("neighbour")).ready().await;
    (Arc::new(hostile), neighbour)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plugin_that_spins_on_every_core_starves_no_other() {
    let (hostile, neighbour) = two_plugins().await;
    let mut spinning = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let hostile = Arc::clone(&hostile);
        spinning.spawn(async move { hostile.call("spin", "{}").await });
    }
    for _ in 0..10 {
        neighbour.answers().await;
    }
    // they spin until their deadline, or wait behind those that do
    let ended = spinning.try_join_next();
    assert!(ended.is_none(), "they ended first: {ended:?}");
}

#[tokio::test]
async fn a_plugin_that_hangs_in_the_hub_starves_no_other() {
    let (hostile, neighbour) = two_plugins().await;
    let mut hanging = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let hostile = Arc::clone(&hostile);
        let hang = r#"{"path":"/api/bridge/hang"}"#;
        hanging.spawn(async move { hostile.call("get_route", hang).await });
    }
    hostile.hub.arrived.acquire_many(3).await.unwrap().forget();
    neighbour.answers().await;
    // the others of it wait: no fourth request has arrived
    assert_eq!(hostile.hub.arrived.available_permits(), 0);
}

#[tokio::test]
async fn limits_of_a_plugin_are_lowered_by_its_manifest_and_set_by_the_person() {
    let lowered = Bench::probe("handles = 1").ready().await;
    let error = lowered.call("flood_stdout", r#"{"lines":1}"#).await;
    assert!(matches!(error, Err(CallError::Limit { .. })), "{error:?}");
    let mut raised = plugin(
        probe_manifest("output-bytes = 1000"),
        ensemble_test_artifacts::wasm("probe-kit"),
    );
    raised.granted.limits.output_bytes = Some(2_000);
    let bench = Bench::with(crate::bench::runtime(), raised).ready().await;
    let answer = bench.call("big_output", r#"{"bytes":1500}"#).await;
    assert_eq!(answer.map(|text| text.len()), Ok(1_500));
}
