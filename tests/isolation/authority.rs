//! What a guest was not given it cannot reach, however it asks.

use ensemble_broker::Fault;
use ensemble_runtime::CallError;

use crate::bench::{Bench, import, manifest, plugin, runtime};

/// Asks for a path and returns the denial, of which the hub must not hear.
async fn denied(path: &str) -> String {
    let bench = Bench::probe("").ready().await;
    let arguments = serde_json::json!({ "path": path }).to_string();
    let error = bench.call("get_route", &arguments).await.unwrap_err();
    assert!(
        matches!(error, CallError::Guest(Fault::Denied(_))),
        "{path}: {error:?}"
    );
    assert_eq!(bench.hub.paths(), Vec::<String>::new(), "{path}");
    bench.answers().await;
    assert_eq!(bench.decisions.endings(), ["denied", "-"]);
    error.to_string()
}

#[tokio::test]
async fn a_declared_route_is_asked_for() {
    let bench = Bench::probe("").ready().await;
    let answer = bench
        .call("get_route", r#"{"path":"/api/bridge/tasks"}"#)
        .await;
    assert_eq!(answer.as_deref(), Ok(r#"{"ok":true}"#));
    assert_eq!(bench.hub.paths(), ["/api/bridge/tasks"]);
}

#[tokio::test]
async fn an_undeclared_route_is_denied_with_what_is_missing() {
    let sentence = denied("/api/bridge/brief").await;
    assert!(sentence.contains("[[routes]]"), "{sentence}");
}

#[tokio::test]
async fn a_trick_in_a_path_is_denied() {
    for path in [
        "/api/bridge/../write/tasks",
        "/api/bridge/tasks/../brief",
        "/api/bridge/%2e%2e/tasks",
        "/api/bridge/tasks?space=other",
        "/api/bridge/tasks#x",
        "//evil.example/api/bridge/tasks",
        "https://evil.example/api/bridge/tasks",
        "/api/bridge\\tasks",
        "/api/bridge/tasks\r\nx-ensemble-space: other",
        "api/bridge/tasks",
        "",
    ] {
        denied(path).await;
    }
}

#[tokio::test]
async fn every_request_goes_to_the_space_that_the_host_bound() {
    let bench = Bench::probe("").ready().await;
    let arguments = r#"{"path":"/api/bridge/tasks","space":"other","x-ensemble-space":"other"}"#;
    bench.call("get_route", arguments).await.unwrap();
    let requests = bench.hub.requests.lock().unwrap();
    assert!(requests.iter().all(|request| request.space.is_none()));
}

#[tokio::test]
async fn there_is_no_environment_no_argument_and_nothing_on_stdin() {
    let bench = Bench::probe("").ready().await;
    let seen = bench.call("read_env_args", "{}").await.unwrap();
    let seen: serde_json::Value = serde_json::from_str(&seen).unwrap();
    assert_eq!(
        seen,
        serde_json::json!({ "variables": [], "arguments": [], "path": null })
    );
    assert_eq!(bench.call("read_stdin", "{}").await.as_deref(), Ok("0"));
}

#[tokio::test]
async fn a_file_that_nobody_gave_cannot_be_shown() {
    let bench = Bench::probe("").ready().await;
    let error = bench.call("show_a_file", "{}").await.unwrap_err();
    assert!(matches!(error, CallError::BadOutput { .. }), "{error}");
    bench.answers().await;
}

#[tokio::test]
async fn a_component_that_changes_records_is_refused_where_only_reading_is_declared() {
    let bytes = ensemble_test_artifacts::wasm("probe-undeclared");
    let read = import("ensemble:hub/read");
    for world in ["reader", "changer"] {
        let bench = Bench::with(runtime(), plugin(manifest(world, &read), bytes));
        assert_eq!(
            bench.load().await.unwrap_err().to_string(),
            "The plugin probe imports ensemble:hub/change@0.1.0, which its plugin.toml does not declare: \
             only what is declared is given."
        );
    }
    let both = read + &import("ensemble:hub/change");
    let bench = Bench::with(runtime(), plugin(manifest("changer", &both), bytes));
    bench.load().await.unwrap();
    // declared as an import, but not as a route
    let error = bench.call("send", "{}").await.unwrap_err();
    assert!(error.to_string().contains("[[routes]]"), "{error}");
    assert_eq!(bench.hub.paths(), Vec::<String>::new());
}

#[tokio::test]
async fn files_and_sockets_are_refused_by_name() {
    for (guest, package) in [
        ("probe-fs", "wasi:filesystem/"),
        ("probe-net", "wasi:sockets/"),
    ] {
        let bytes = ensemble_test_artifacts::wasm(guest);
        let bench = Bench::with(runtime(), plugin(manifest("extension", ""), bytes));
        let error = bench.load().await.unwrap_err().to_string();
        assert!(
            error.starts_with("The plugin probe imports ") && error.contains(package),
            "{error}"
        );
        let inspected = bench.registry.inspect(&bench.id).unwrap_err().to_string();
        assert_eq!(inspected, error);
    }
}
