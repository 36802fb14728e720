//! A plugin that is not part of the program: installed, offered under its mark, and gone from the list as soon as anything of
//! it is otherwise than approved.

use std::fs;
use std::path::Path;

use ensemble_test_harness::{Bridge, Grants, Home, LATEST, TestHub};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{command, failure, home, printed, run};

const MARK: &str = "From the installed plugin probe, which is not part of Ensemble:";

fn manifest(id: &str, rest: &str) -> String {
    format!(
        "id = \"{id}\"\nversion = \"1.0.0\"\ngroup = \"probe\"\ntitle = \"Probe\"\ndescription = \"A test.\"\n\
         world = \"reader\"\ngrant = \"read\"\nspace = false\n{rest}"
    )
}

fn import(interface: &str) -> String {
    format!("[[imports]]\ninterface = \"{interface}\"\nreason = \"It is tested.\"\n")
}

/// A folder as an integrator hands it over.
fn folder(manifest: &str, component: &str) -> TempDir {
    let folder = TempDir::with_prefix("ensemble-plugin-").unwrap();
    fs::write(folder.path().join("plugin.toml"), manifest).unwrap();
    let bytes = ensemble_test_artifacts::wasm(component);
    fs::write(folder.path().join("it.wasm"), bytes).unwrap();
    folder
}

fn probe() -> TempDir {
    folder(
        &manifest("probe", &import("ensemble:hub/read")),
        "probe-kit",
    )
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

async fn install(home: &Home, from: &TempDir) -> std::process::Output {
    run(home, &["plugin", "install", text(from.path()), "--yes"]).await
}

/// The file of the installed probe.
fn kept(home: &Home, name: &str) -> std::path::PathBuf {
    home.path().join("data/ensemble/plugins/probe").join(name)
}

async fn bridge(home: &Home, hub: &TestHub) -> Bridge {
    let key = hub.key("test", Grants::READ).await;
    let mut command = command(home, &[]);
    command
        .env("ENSEMBLE_BRIDGE_TOKEN", key)
        .env("HUB_API_URL", hub.base());
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    bridge
}

/// The tools that a client is shown.
async fn tools(bridge: &mut Bridge) -> Vec<Value> {
    let answer = bridge.request("tools/list", json!({})).await;
    answer["result"]["tools"].as_array().unwrap().clone()
}

fn named<'a>(tools: &'a [Value], name: &str) -> Option<&'a Value> {
    tools.iter().find(|tool| tool["name"] == name)
}

#[tokio::test]
async fn an_installed_plugin_is_offered_under_its_mark() {
    let (home, hub, from) = (home(), TestHub::start().await, probe());
    let shown = printed(&install(&home, &from).await);
    for part in [
        "ensemble:hub/read",
        "It is tested.",
        "memory-bytes",
        "One thing that a hostile plugin would try.",
        "Installed probe 1.0.0.",
    ] {
        assert!(shown.contains(part), "no {part} in\n{shown}");
    }
    let mut bridge = bridge(&home, &hub).await;
    let tools = tools(&mut bridge).await;
    let echo = named(&tools, "echo").unwrap();
    let says = echo["description"].as_str().unwrap();
    assert!(says.starts_with(&format!("{MARK}\n")), "{says}");
    assert_eq!(echo["title"], "echo (plugin probe)");
    assert!(named(&tools, "ensemble_brief").is_some());
    let answer = bridge.call("echo", json!({})).await;
    assert_eq!(answer["content"][0]["text"], MARK);
    assert_eq!(answer["_meta"]["com.ensemblework/plugin"], "probe");
    // what it says of itself when it fails is marked as well
    let failed = bridge.call("fail", json!({})).await;
    assert_eq!(failed["content"][0]["text"], MARK);
    assert!(
        failed["content"][1]["text"]
            .as_str()
            .unwrap()
            .contains("changed meanwhile")
    );
    let read = bridge
        .request("resources/read", json!({"uri": "probe://one"}))
        .await;
    let contents = &read["result"]["contents"][0];
    assert_eq!(contents["_meta"]["com.ensemblework/plugin"], "probe");
    bridge.close().await;
    hub.stop().await;
}

/// Changes one thing of the installed probe, and expects that nothing of it is offered or can be called, that the log says
/// so, and that `verify` fails.
async fn withdrawn_after(change: impl FnOnce(&Home), says: &str) {
    let (home, hub, from) = (home(), TestHub::start().await, probe());
    printed(&install(&home, &from).await);
    printed(&run(&home, &["plugin", "verify", "probe"]).await);
    change(&home);
    let mut bridge = bridge(&home, &hub).await;
    let tools = tools(&mut bridge).await;
    assert!(named(&tools, "echo").is_none());
    assert!(named(&tools, "ensemble_brief").is_some());
    let call = json!({"name": "echo", "arguments": {}});
    let answer = bridge.request("tools/call", call).await;
    assert_eq!(answer["error"]["message"], "Unknown tool: echo");
    let ended = bridge.close().await;
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
    let verified = run(&home, &["plugin", "verify"]).await;
    assert!(failure(&verified).contains("One plugin is not as it was approved."));
    let audited = printed(&run(&home, &["audit"]).await);
    assert!(audited.contains("error  "), "{audited}");
    hub.stop().await;
}

#[tokio::test]
async fn another_component_is_not_offered() {
    let other = ensemble_test_artifacts::wasm("probe-liar");
    let change = |home: &Home| fs::write(kept(home, "component.wasm"), other).unwrap();
    withdrawn_after(change, "is not the one that was approved").await;
}

#[tokio::test]
async fn another_declaration_is_not_offered() {
    let wider = manifest("probe", &import("ensemble:hub/read")).replace("1.0.0", "1.0.1");
    let change = |home: &Home| fs::write(kept(home, "plugin.toml"), wider).unwrap();
    withdrawn_after(
        change,
        "plugin.toml of the plugin probe is not the approved one",
    )
    .await;
}

#[tokio::test]
async fn an_approval_of_somebody_else_is_none() {
    let change = |home: &Home| {
        let file = kept(home, "approved");
        let approved = fs::read_to_string(&file).unwrap();
        fs::write(file, approved.replace("hostile", "harmless")).unwrap();
    };
    withdrawn_after(
        change,
        "approval of the plugin probe is not one of this host's",
    )
    .await;
}

#[tokio::test]
async fn a_change_is_shown_as_a_difference_and_offered_once_it_is_approved() {
    let (home, from) = (home(), probe());
    printed(&install(&home, &from).await);
    let same = printed(&run(&home, &["plugin", "approve", "probe"]).await);
    assert!(same.contains("is as it was approved on"), "{same}");

    let route = "[[routes]]\nmethod = \"GET\"\npath = \"/api/bridge/tasks\"\nreason = \"New.\"\n";
    let wider = manifest("probe", &(import("ensemble:hub/read") + route));
    let wider = wider.replace("It is tested.", "It is used.");
    fs::write(kept(&home, "plugin.toml"), wider).unwrap();
    let unasked = run(&home, &["plugin", "approve", "probe"]).await;
    assert!(failure(&unasked).contains("Nothing was approved"));
    assert!(
        !run(&home, &["plugin", "verify", "probe"])
            .await
            .status
            .success()
    );

    let approved = printed(&run(&home, &["plugin", "approve", "probe", "--yes"]).await);
    for part in [
        "- route: new: GET /api/bridge/tasks",
        "- plugin.toml: gone: reason = \"It is tested.\"",
        "- plugin.toml: new: reason = \"It is used.\"",
    ] {
        assert!(approved.contains(part), "no {part} in\n{approved}");
    }
    printed(&run(&home, &["plugin", "verify", "probe"]).await);

    printed(&run(&home, &["plugin", "remove", "probe"]).await);
    let again = run(&home, &["plugin", "remove", "probe"]).await;
    assert!(failure(&again).contains("No plugin probe is installed"));
}

#[tokio::test]
async fn what_must_not_be_installed_is_refused_with_the_reason() {
    let home = home();
    let read = import("ensemble:hub/read");
    let cases = [
        (manifest("probe", ""), "probe-kit", "ensemble:hub/read"),
        (
            manifest("probe", &read),
            "probe-fs",
            "the computer's files or network",
        ),
        (
            manifest("probe", &read),
            "probe-net",
            "the computer's files or network",
        ),
        (
            manifest("probe", &read),
            "probe-undeclared",
            "does not declare",
        ),
        (
            manifest("probe", &import("wasi:random/insecure-seed")),
            "probe-liar",
            "lists something else each time",
        ),
        (
            manifest("tasks", &read),
            "probe-kit",
            "could be taken for that of the plugin tasks",
        ),
        (
            manifest("fi1es", &read),
            "probe-kit",
            "could be taken for that of the plugin files",
        ),
        (
            manifest("other", &read),
            "probe-kit",
            "does not begin with other://",
        ),
        (manifest("Probe", &read), "probe-kit", "is not a plugin id"),
    ];
    for (toml, component, says) in cases {
        let from = folder(&toml, component);
        let refused = install(&home, &from).await;
        let sentence = failure(&refused);
        assert!(sentence.contains(says), "{component}: {sentence}");
    }
    let empty = TempDir::new().unwrap();
    let refused = run(&home, &["plugin", "install", text(empty.path()), "--yes"]).await;
    assert!(failure(&refused).contains("plugin.toml cannot be read"));
    let two = probe();
    fs::write(two.path().join("more.wasm"), b"").unwrap();
    assert!(failure(&install(&home, &two).await).contains("2 .wasm files"));
    // nobody is there to be asked
    let from = probe();
    let unasked = run(&home, &["plugin", "install", text(from.path())]).await;
    assert!(failure(&unasked).contains("Nothing was installed"));
    assert!(!home.path().join("data/ensemble/plugins/probe").exists());
}

#[tokio::test]
async fn a_plugin_is_looked_at_before_and_after_it_is_installed() {
    let (home, from) = (home(), probe());
    let before = printed(&run(&home, &["plugin", "inspect", text(from.path())]).await);
    assert!(
        before.contains("What its tools say of themselves"),
        "{before}"
    );
    assert!(before.contains("by nobody yet"), "{before}");
    assert!(!home.path().join("data/ensemble/plugins").exists());
    printed(&install(&home, &from).await);
    let after = printed(&run(&home, &["plugin", "inspect", "probe", "--json"]).await);
    let after: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(after["origin"], "installed");
    let ours = printed(&run(&home, &["plugin", "inspect", "context"]).await);
    assert!(ours.starts_with("context 0.1.0, built-in"), "{ours}");
    let none = run(&home, &["plugin", "inspect", "nothing"]).await;
    assert!(failure(&none).contains("no plugin and no folder"));
}
