//! One connection from its start to its end, in both generations of the protocol.

use std::time::{Duration, Instant};

use ensemble_test_harness::{Bridge, Grants, Home, LATEST, Repository, TestHub};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::support::{home, program, text};

fn connected(home: &Home, hub: &TestHub, key: &str) -> Command {
    let mut command = home.command(program());
    command
        .env("HUB_API_URL", hub.base())
        .env("ENSEMBLE_BRIDGE_TOKEN", key);
    command
}

fn names(listed: &Value) -> Vec<&str> {
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_brief_without_arguments_is_about_the_branch_of_the_working_folder() {
    let (home, hub) = (home(), TestHub::start().await);
    let key = hub.key("editor", Grants::READ).await;
    Repository::new()
        .branch("docs/default-timeout")
        .remote("origin", "git@github.com:encode/httpx.git")
        .create(&home.work());
    let elsewhere = home.path().join("elsewhere");
    Repository::new()
        .branch("other")
        .remote("origin", "https://github.com/other/one")
        .create(&elsewhere);
    let deep = home.work().join("src/deep");
    std::fs::create_dir_all(&deep).unwrap();
    let mut command = connected(&home, &hub, &key);
    // an editor that was itself started by git has such variables
    command
        .current_dir(&deep)
        .env("GIT_DIR", elsewhere.join(".git"))
        .env("GIT_WORK_TREE", &elsewhere)
        .env("GIT_COMMON_DIR", elsewhere.join(".git"));
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    let brief = bridge.call("ensemble_brief", json!({})).await;
    let structured = &brief["structuredContent"];
    assert_eq!(structured["resolution"], "task", "{}", text(&brief));
    assert_eq!(
        structured["resolved"]["task"]["title"],
        "Document the default timeout"
    );
    assert!(bridge.close().await.status.success());
    hub.stop().await;
}

#[tokio::test]
async fn changing_tools_exist_only_for_a_key_with_changes() {
    let (home, hub) = (home(), TestHub::start().await);
    let reader = hub.key("reader", Grants::READ).await;
    let changer = hub.key("changer", Grants::CHANGES).await;

    let mut bridge = Bridge::start(connected(&home, &hub, &reader));
    bridge.initialize(LATEST).await;
    let listed = bridge.request("tools/list", json!({})).await;
    assert!(
        !names(&listed).contains(&"ensemble_create_task"),
        "{listed}"
    );
    let ask = |name: &str| json!({"name": name, "arguments": {"title": "x"}});
    let hidden = bridge
        .request("tools/call", ask("ensemble_create_task"))
        .await;
    let unknown = bridge
        .request("tools/call", ask("ensemble_no_such_tool"))
        .await;
    assert_eq!(hidden["error"]["code"], unknown["error"]["code"]);
    assert_eq!(
        hidden["error"]["message"].as_str().unwrap(),
        unknown["error"]["message"]
            .as_str()
            .unwrap()
            .replace("ensemble_no_such_tool", "ensemble_create_task")
    );
    assert!(bridge.close().await.status.success());

    let mut bridge = Bridge::start(connected(&home, &hub, &changer));
    bridge.initialize(LATEST).await;
    let listed = bridge.request("tools/list", json!({})).await;
    assert!(names(&listed).contains(&"ensemble_create_task"), "{listed}");
    let made = bridge
        .call("ensemble_create_task", json!({"title": "Ünïcode 漢字"}))
        .await;
    let id = made["structuredContent"]["task"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let read = bridge
        .call("ensemble_read", json!({"kind": "task", "id": id}))
        .await;
    assert!(text(&read).contains("Ünïcode 漢字"), "{read}");
    assert!(bridge.close().await.status.success());
    hub.stop().await;

    let log = std::fs::read_to_string(home.decisions()).unwrap();
    assert!(
        log.contains("\"route\":\"POST /api/bridge/write/tasks\""),
        "{log}"
    );
    assert!(!log.contains("Ünïcode") && !log.contains(&changer), "{log}");
}

#[tokio::test]
async fn the_stateless_generation_works_on_the_same_process() {
    let (home, hub) = (home(), TestHub::start().await);
    let key = hub.key("editor", Grants::READ).await;
    let mut bridge = Bridge::start(connected(&home, &hub, &key));
    let discovered = bridge.stateless("server/discover", json!({})).await;
    assert_eq!(
        discovered["result"]["resultType"], "complete",
        "{discovered}"
    );
    let listed = bridge.stateless("tools/list", json!({})).await;
    assert_eq!(names(&listed)[0], "ensemble_brief");
    let params = json!({"name": "ensemble_spaces", "arguments": {}});
    let called = bridge.stateless("tools/call", params).await;
    assert_eq!(
        called["result"]["structuredContent"]["spaces"][0]["usable"], true,
        "{called}"
    );
    bridge.initialize(LATEST).await;
    let listed = bridge.request("tools/list", json!({})).await;
    assert_eq!(names(&listed)[0], "ensemble_brief");
    assert!(bridge.close().await.status.success());
    hub.stop().await;
}

#[tokio::test]
async fn closing_standard_input_ends_it_at_any_moment() {
    let (home, hub) = (home(), TestHub::start().await);
    let key = hub.key("editor", Grants::READ).await;
    // the limit is generous: a machine that compiles is slow, and what must not happen is a hang
    let soon = Duration::from_secs(10);

    let bridge = Bridge::start(connected(&home, &hub, &key));
    let started = Instant::now();
    assert!(bridge.close().await.status.success());
    assert!(started.elapsed() < soon);

    let mut bridge = Bridge::start(connected(&home, &hub, &key));
    bridge.initialize(LATEST).await;
    bridge
        .begin(
            "tools/call",
            json!({"name": "ensemble_today", "arguments": {}}),
        )
        .await;
    let started = Instant::now();
    assert!(bridge.close().await.status.success());
    assert!(started.elapsed() < soon);
    hub.stop().await;
}
