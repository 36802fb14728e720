//! Actions, with a real guest: they run when granted, fail when undeclared, fail when not granted; and no text of a guest makes
//! another request of it.

use ensemble_broker::Fault;
use ensemble_model::Manifest;
use ensemble_runtime::CallError;
use serde_json::json;

use crate::bench::{Bench, import, manifest, plugin, runtime};

const ACT: &str = "ensemble:hub/act";
const ROUTE: &str =
    "[[routes]]\nmethod = \"POST\"\npath = \"/api/bridge/act/{name}\"\nreason = \"a test\"\n";

fn actor() -> Manifest {
    manifest("actor", &[import(ACT).as_str(), ROUTE].concat())
}

async fn ready(manifest: Manifest) -> Bench {
    bench(manifest).ready().await
}

fn bench(manifest: Manifest) -> Bench {
    let bytes = ensemble_test_artifacts::wasm("probe-act");
    Bench::with(runtime(), plugin(manifest, bytes))
}

async fn run(bench: &Bench, action: &str, input: &str) -> Result<String, CallError> {
    let arguments = json!({ "action": action, "input": input }).to_string();
    bench.call("run", &arguments).await
}

#[tokio::test]
async fn an_action_works_when_granted() {
    let bench = ready(actor()).await;
    let answer = run(&bench, "hub_list_tasks", r#"{"a":1}"#).await;
    assert_eq!(answer.as_deref(), Ok(r#"{"ok":true}"#));
    assert_eq!(bench.hub.paths(), ["/api/bridge/act/hub_list_tasks"]);
    let requests = bench.hub.requests.lock().unwrap();
    let body = requests.last().unwrap().body.as_deref();
    assert_eq!(body, Some(r#"{"input":{"a":1}}"#));
}

#[tokio::test]
async fn an_action_fails_when_undeclared() {
    for (manifest, world) in [
        (manifest("actor", &import("ensemble:hub/read")), "actor"),
        (manifest("reader", &import("ensemble:hub/read")), "reader"),
    ] {
        assert_eq!(
            bench(manifest).load().await.unwrap_err().to_string(),
            "The plugin probe imports ensemble:hub/act@0.1.0, which its plugin.toml does not declare: only what is declared is given.",
            "{world}"
        );
    }
}

#[tokio::test]
async fn an_action_fails_when_not_granted() {
    let bytes = ensemble_test_artifacts::wasm("probe-act");
    for missing in [ACT, "POST /api/bridge/act/{name}"] {
        let mut plugin = plugin(actor(), bytes);
        let granted = &mut plugin.granted;
        assert!(granted.interfaces.remove(missing) || granted.routes.remove(missing));
        let bench = Bench::with(runtime(), plugin).ready().await;
        let error = run(&bench, "hub_list_tasks", "{}").await.unwrap_err();
        assert!(error.to_string().contains("your grant of"), "{error}");
        assert_eq!(bench.hub.paths(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn no_name_and_no_input_makes_another_request() {
    let bench = ready(actor()).await;
    for (action, input) in [
        ("../write/tasks", "{}"),
        ("hub_list_tasks/../../write/tasks", "{}"),
        ("hub_list_tasks?space=s9", "{}"),
        ("hub_list_tasks", r#"{},"space":{}"#),
        ("hub_list_tasks", "no object"),
    ] {
        let error = run(&bench, action, input).await.unwrap_err();
        assert!(
            matches!(error, CallError::Guest(Fault::Invalid(_))),
            "{action} {input}: {error}"
        );
    }
    assert_eq!(bench.hub.paths(), Vec::<String>::new());
}
