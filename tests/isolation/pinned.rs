//! What an installed component offers is what was approved, or it is never called. It says what it offers with nothing
//! granted to it, and nobody is asked for whom.

use ensemble_broker::Fault;
use ensemble_model::{Origin, Surface};
use ensemble_runtime::{CallError, LoadError};

use crate::bench::{Bench, import, manifest, plugin, probe_manifest, runtime};

/// The probe as somebody's who installed it, with that surface approved.
fn installed(approved: Surface) -> Bench {
    let bytes = ensemble_test_artifacts::wasm("probe-kit");
    let mut plugin = plugin(probe_manifest(""), bytes);
    plugin.origin = Origin::Installed;
    plugin.surface = approved;
    Bench::with(runtime(), plugin)
}

/// What the component of a bench lists.
async fn listed(bench: &Bench) -> Surface {
    bench.registry.load(&bench.id).await.unwrap();
    let listing = bench.listing();
    bench.registry.surface(&bench.id, listing).await.unwrap()
}

#[tokio::test]
async fn an_installed_component_is_called_once_it_was_compared() {
    let approved = listed(&installed(Surface::default())).await;
    assert!(approved.tools.iter().any(|tool| tool.name == "echo"));
    let bench = installed(approved);
    let early = bench.call("echo", r#"{"text":"a"}"#).await.unwrap_err();
    assert!(
        matches!(early, CallError::Refused(LoadError::NotCompared { .. })),
        "{early:?}"
    );
    let listing = || bench.listing();
    bench.registry.compare(&bench.id, listing).await.unwrap();
    assert!(!bench.registry.is_refused(&bench.id));
    bench.answers().await;
}

#[tokio::test]
async fn a_component_that_offers_something_else_is_never_called() {
    let mut approved = listed(&installed(Surface::default())).await;
    approved.tools[0].description = "What it said when it was approved.".to_owned();
    let bench = installed(approved);
    let refused = bench.registry.compare(&bench.id, || bench.listing()).await;
    let sentence = refused.clone().unwrap_err().to_string();
    assert!(
        sentence.contains("tool “spin”, description: was"),
        "{sentence}"
    );
    assert!(
        sentence.contains("ensemble plugin approve probe"),
        "{sentence}"
    );
    assert!(bench.registry.is_refused(&bench.id));
    let called = bench.call("echo", r#"{"text":"a"}"#).await;
    assert_eq!(called, Err(CallError::Refused(refused.unwrap_err())));
}

#[tokio::test]
async fn a_component_that_lies_about_what_it_offers_is_found_out() {
    let seed = import("wasi:random/insecure-seed");
    let bytes = ensemble_test_artifacts::wasm("probe-liar");
    let liar = |approved: Surface| {
        let mut plugin = plugin(manifest("reader", &seed), bytes);
        plugin.origin = Origin::Installed;
        plugin.surface = approved;
        Bench::with(runtime(), plugin)
    };
    let approved = listed(&liar(Surface::default())).await;
    let bench = liar(approved);
    let refused = bench.registry.compare(&bench.id, || bench.listing()).await;
    assert!(
        matches!(refused, Err(LoadError::OtherSurface { .. })),
        "{refused:?}"
    );
    assert!(bench.call("weather", "{}").await.is_err());
}

#[tokio::test]
async fn who_says_what_it_offers_is_granted_nothing() {
    let bench = installed(Surface::default());
    let listing = bench.listing();
    let asked = listing.hub_get("/api/bridge/tasks", Vec::new()).await;
    assert!(matches!(asked, Err(Fault::Denied(_))), "{asked:?}");
    drop(listing);
    // not even whose key it is
    assert!(bench.hub.requests.lock().unwrap().is_empty());
    let lines = bench.decisions.lines();
    assert!(!lines.is_empty());
    for line in lines {
        assert_eq!((line.key, line.space), (None, None));
    }
}
