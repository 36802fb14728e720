//! Every capability three times: it works when granted, is refused when undeclared, and is refused when not granted. A capability that is
//! added to the contract fails here until it has its three.

use ensemble_model::Manifest;
use ensemble_model::capability::CAPABILITIES;
use ensemble_runtime::Plugin;

use crate::bench::{Bench, import, manifest, plugin, runtime};
use crate::hub::NOW;

const READ: &str = "ensemble:hub/read";
const CHANGE: &str = "ensemble:hub/change";
const REPOSITORY: &str = "ensemble:workspace/repository";

/// What the contract has, and this host does not link: declared and granted, it is refused by name.
const NOT_LINKED: [&str; 3] = [
    "ensemble:hub/apps",
    "ensemble:egress/egress",
    "ensemble:keep/keep",
];

/// The tests that prove the other ones: works when granted, fails when not granted.
const PROVEN: [(&str, &str, &str); 12] = [
    (
        READ,
        "a_declared_route_is_asked_for",
        "reading_fails_when_not_granted",
    ),
    (
        CHANGE,
        "changing_works_when_granted",
        "changing_fails_when_not_granted",
    ),
    (
        "ensemble:hub/act",
        "an_action_works_when_granted",
        "an_action_fails_when_not_granted",
    ),
    (
        "ensemble:hub/files",
        "files_work_when_granted",
        "files_fail_when_not_granted",
    ),
    (
        "ensemble:hub/uploads",
        "uploads_work_when_granted",
        "uploads_fail_when_not_granted",
    ),
    (
        REPOSITORY,
        "the_repository_is_said_when_granted",
        "the_repository_is_not_said_when_not_granted",
    ),
    (
        "ensemble:workspace/folder",
        "files_work_when_granted",
        "files_fail_when_not_granted",
    ),
    ("wasi:clocks/monotonic-clock", CLOCKS, NO_CLOCKS),
    ("wasi:clocks/wall-clock", CLOCKS, NO_CLOCKS),
    ("wasi:random/random", CLOCKS, NO_CLOCKS),
    ("wasi:random/insecure", CLOCKS, NO_CLOCKS),
    ("wasi:random/insecure-seed", CLOCKS, NO_CLOCKS),
];

const CLOCKS: &str = "clocks_and_randomness_work_when_granted";
const NO_CLOCKS: &str = "clocks_and_randomness_fail_when_not_granted";

/// The suite's own text, to see that a proof that is named is there.
const SUITE: [&str; 5] = [
    include_str!("capabilities.rs"),
    include_str!("authority.rs"),
    include_str!("acting.rs"),
    include_str!("files.rs"),
    include_str!("uploads.rs"),
];

/// A world that has the interface.
fn world_of(interface: &str) -> &'static str {
    let worlds = ensemble_model::World::ALL;
    let of = worlds
        .iter()
        .find(|world| world.interfaces().contains(&interface));
    of.map_or("reader", |world| world.name())
}

fn versioned(interface: &str) -> String {
    let version = if interface.starts_with("wasi:") {
        "0.2.6"
    } else {
        "0.1.0"
    };
    format!("{interface}@{version}")
}

/// A component that imports the interface, and nothing of it.
fn importing(manifest: Manifest, interface: &str) -> Plugin {
    let text = format!(
        "(component (import \"{}\" (instance)))",
        versioned(interface)
    );
    plugin(manifest, wat::parse_str(text).unwrap().leak())
}

async fn refused(plugin: Plugin) -> String {
    let bench = Bench::with(runtime(), plugin);
    let error = bench.load().await.unwrap_err().to_string();
    assert_eq!(bench.hub.paths(), Vec::<String>::new());
    error
}

#[test]
fn every_capability_has_its_three() {
    for capability in CAPABILITIES {
        let interface = capability.interface;
        if NOT_LINKED.contains(&interface) {
            continue;
        }
        let (_, works, fails) = PROVEN
            .iter()
            .find(|(of, ..)| *of == interface)
            .unwrap_or_else(|| panic!("{interface} has no proof"));
        for proof in [works, fails] {
            let defined = format!("async fn {proof}()");
            assert!(SUITE.iter().any(|text| text.contains(&defined)), "{proof}");
        }
    }
    assert_eq!(CAPABILITIES.len(), PROVEN.len() + NOT_LINKED.len());
}

#[tokio::test]
async fn every_capability_is_refused_when_undeclared() {
    for capability in CAPABILITIES {
        let interface = capability.interface;
        // also in the world that has it
        for world in ["reader", world_of(interface)] {
            let sentence = refused(importing(manifest(world, ""), interface)).await;
            assert_eq!(
                sentence,
                format!(
                    "The plugin probe imports {}, which its plugin.toml does not declare: only what is declared is given.",
                    versioned(interface)
                )
            );
        }
    }
}

#[tokio::test]
async fn what_is_not_linked_is_refused_though_declared_and_granted() {
    for interface in NOT_LINKED {
        let declared = manifest(world_of(interface), &import(interface));
        assert_eq!(
            refused(importing(declared, interface)).await,
            format!(
                "The plugin probe needs {interface}, which this version of the host does not offer yet."
            )
        );
    }
}

fn route(method: &str, path: &str) -> String {
    format!("[[routes]]\nmethod = \"{method}\"\npath = \"{path}\"\nreason = \"a test\"\n")
}

fn reader() -> Plugin {
    let rest = [import(READ), route("GET", "/api/bridge/tasks")].concat();
    let bytes = ensemble_test_artifacts::wasm("probe-kit");
    plugin(manifest("reader", &rest), bytes)
}

fn changer() -> Plugin {
    let rest = [
        import(READ),
        import(CHANGE),
        route("POST", "/api/bridge/write/tasks"),
    ]
    .concat();
    let bytes = ensemble_test_artifacts::wasm("probe-undeclared");
    plugin(manifest("changer", &rest), bytes)
}

fn locator() -> Plugin {
    let rest = [import(READ), import(REPOSITORY)].concat();
    let bytes = ensemble_test_artifacts::wasm("probe-repository");
    plugin(manifest("reader", &rest), bytes)
}

/// The plugin without this interface or route in its grant.
fn without(mut plugin: Plugin, missing: &str) -> Plugin {
    let granted = &mut plugin.granted;
    assert!(granted.interfaces.remove(missing) || granted.routes.remove(missing));
    plugin
}

/// Calls the tool of a plugin that was not granted something; nothing may have reached the hub.
async fn denied(plugin: Plugin, tool: &str, arguments: &str) -> String {
    let bench = Bench::with(runtime(), plugin).ready().await;
    let error = bench.call(tool, arguments).await.unwrap_err();
    assert_eq!(bench.hub.paths(), Vec::<String>::new());
    assert!(bench.repository.asked.lock().unwrap().is_empty());
    assert_eq!(bench.decisions.endings(), ["denied"]);
    error.to_string()
}

/// Whether the denial says that this was not granted, a route in its quotes or a capability.
fn lacks(sentence: &str, missing: &str) -> bool {
    [missing.to_owned(), format!("“{missing}”")]
        .iter()
        .any(|named| sentence.contains(&format!("your grant of {named}")))
}

#[tokio::test]
async fn reading_fails_when_not_granted() {
    for missing in [READ, "GET /api/bridge/tasks"] {
        let asked = r#"{"path":"/api/bridge/tasks"}"#;
        let sentence = denied(without(reader(), missing), "get_route", asked).await;
        assert!(lacks(&sentence, missing), "{sentence}");
    }
}

#[tokio::test]
async fn changing_works_when_granted() {
    let bench = Bench::with(runtime(), changer()).ready().await;
    let answer = bench.call("send", r#"{"title":"t"}"#).await;
    assert_eq!(answer.as_deref(), Ok(r#"{"ok":true}"#));
    assert_eq!(bench.hub.paths(), ["/api/bridge/write/tasks"]);
    let requests = bench.hub.requests.lock().unwrap();
    assert_eq!(
        requests.last().unwrap().body.as_deref(),
        Some(r#"{"title":"t"}"#)
    );
}

#[tokio::test]
async fn changing_fails_when_not_granted() {
    for missing in [CHANGE, "POST /api/bridge/write/tasks"] {
        let sentence = denied(without(changer(), missing), "send", "{}").await;
        assert!(lacks(&sentence, missing), "{sentence}");
    }
}

#[tokio::test]
async fn the_repository_is_said_when_granted() {
    let bench = Bench::with(runtime(), locator()).ready().await;
    assert_eq!(
        bench.call("where", "{}").await.as_deref(),
        Ok("owner/name main")
    );
    assert_eq!(bench.repository.asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn the_repository_is_not_said_when_not_granted() {
    let sentence = denied(without(locator(), REPOSITORY), "where", "{}").await;
    assert!(
        sentence.contains("your grant of ensemble:workspace/repository"),
        "{sentence}"
    );
}

const OF_WASI: [&str; 4] = [
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/wall-clock",
    "wasi:random/random",
    "wasi:random/insecure-seed",
];

fn clock() -> Plugin {
    let imports: String = OF_WASI.iter().map(|name| import(name)).collect();
    let bytes = ensemble_test_artifacts::wasm("probe-clock");
    plugin(manifest("reader", &imports), bytes)
}

#[tokio::test]
async fn clocks_and_randomness_work_when_granted() {
    let bench = Bench::with(runtime(), clock()).ready().await;
    assert_eq!(bench.call("now", "{}").await, Ok(NOW.to_string()));
    assert_eq!(bench.call("hash", "{}").await.as_deref(), Ok("1"));
    let insecure = "wasi:random/insecure";
    let declared = manifest("reader", &import(insecure));
    let bench = Bench::with(runtime(), importing(declared, insecure));
    let refused = bench.load().await.unwrap_err().to_string();
    // it is given, and what is left is that nothing can be called
    assert!(refused.contains("there is nothing to call"), "{refused}");
}

/// They are no function of the broker: what is not granted is not there at all.
#[tokio::test]
async fn clocks_and_randomness_fail_when_not_granted() {
    for interface in OF_WASI.iter().chain(&["wasi:random/insecure"]) {
        let declared = importing(manifest("reader", &import(interface)), interface);
        assert_eq!(
            refused(without(declared, interface)).await,
            format!("The plugin probe imports {interface}@0.2.6, which you did not grant it.")
        );
    }
    // what the component does not use is not missed
    let used = refused(without(clock(), "wasi:clocks/wall-clock")).await;
    assert!(used.contains("did not grant"), "{used}");
}
