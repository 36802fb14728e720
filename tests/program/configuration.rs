//! Tokens, addresses and failures, sentence by sentence: every tool answers with the sentence, and where the configuration
//! is wrong no request is sent at all.

use std::net::TcpListener;

use ensemble_test_harness::{Bridge, Grants, LATEST, TestHub};
use serde_json::json;

use crate::support::{home, program, refusal, text};

/// Starts the bridge with these variables, calls every listed tool, and gives the one sentence that all answered.
async fn every_tool_says(variables: &[(&str, &str)]) -> String {
    let home = home();
    let mut command = home.command(program());
    command.envs(variables.iter().copied());
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    let listed = bridge.request("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert!(tools.len() >= 9, "{listed}");
    let mut sentences = Vec::new();
    for tool in tools {
        let arguments = json!({"id": "x", "query": "x", "title": "x"});
        let wanted = tool["inputSchema"]["properties"].as_object().unwrap();
        let arguments: serde_json::Map<_, _> = arguments
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| wanted.contains_key(*name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let name = tool["name"].as_str().unwrap();
        let result = bridge.call(name, arguments.into()).await;
        sentences.push(refusal(&result).to_owned());
    }
    sentences.dedup();
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    let ended = bridge.close().await;
    assert!(ended.status.success(), "{ended:?}");
    assert!(!ended.stderr.contains("canary"), "{}", ended.stderr);
    let sentence = sentences.remove(0);
    assert!(!sentence.contains("canary"), "{sentence}");
    sentence
}

#[tokio::test]
async fn a_wrong_key_is_a_configuration_error_and_no_request_is_sent() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    nobody.set_nonblocking(true).unwrap();
    let base = format!("http://{}", nobody.local_addr().unwrap());
    let cases = [
        (None, "ENSEMBLE_BRIDGE_TOKEN is not set"),
        (Some(""), "ENSEMBLE_BRIDGE_TOKEN is set but empty"),
        (Some("${ENS_KEY}"), "variable that was not filled in"),
        (Some("\"ens_canary\""), "quotes"),
        (Some("Bearer ens_canary"), "Bearer"),
        (Some("canary"), "does not start with ens_"),
        (Some("dev-internal-token"), "default internal token"),
    ];
    for (token, expected) in cases {
        let mut variables = vec![("HUB_API_URL", base.as_str())];
        variables.extend(token.map(|token| ("ENSEMBLE_BRIDGE_TOKEN", token)));
        let sentence = every_tool_says(&variables).await;
        assert!(sentence.contains(expected), "{token:?}: {sentence}");
    }
    let refused = every_tool_says(&[
        ("HUB_API_URL", base.as_str()),
        ("ENSEMBLE_BRIDGE_USE_INTERNAL_TOKEN", "true"),
    ])
    .await;
    assert!(
        refused.contains("default internal token is refused"),
        "{refused}"
    );
    let asked = nobody.accept().map(|_| ()).unwrap_err();
    assert_eq!(asked.kind(), std::io::ErrorKind::WouldBlock);
}

#[tokio::test]
async fn a_key_does_not_leave_this_computer_in_the_clear() {
    let sentence = every_tool_says(&[
        ("HUB_API_URL", "http://192.0.2.1:4000"),
        ("ENSEMBLE_BRIDGE_TOKEN", "ens_canary"),
    ])
    .await;
    assert!(sentence.contains("use https"), "{sentence}");
}

#[tokio::test]
async fn a_hub_that_is_down_is_one_sentence_and_delays_nothing() {
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let sentence = every_tool_says(&[
        ("HUB_API_URL", &format!("http://{free}")),
        ("ENSEMBLE_BRIDGE_TOKEN", "ens_canary"),
    ])
    .await;
    assert_eq!(
        sentence,
        "Ensemble is not running. Start it with `ensemble hub serve`."
    );
}

#[tokio::test]
async fn a_running_hub_is_found_followed_and_said_to_be_closed() {
    let home = home();
    let hub = TestHub::start_in(&home.hub_data()).await;
    let mut bridge = Bridge::start(home.command(program()));
    bridge.initialize(LATEST).await;
    let spaces = bridge.call("ensemble_spaces", json!({})).await;
    assert_ne!(spaces["isError"], true, "{spaces}");
    hub.stop().await;
    let closed = bridge.call("ensemble_spaces", json!({})).await;
    assert_eq!(
        refusal(&closed),
        "The Ensemble app is not running on this computer. Start it with `ensemble hub serve`."
    );
    let hub = TestHub::start_in(&home.hub_data()).await;
    let again = bridge.call("ensemble_spaces", json!({})).await;
    assert_ne!(again["isError"], true, "{again}");
    assert!(bridge.close().await.status.success());
    hub.stop().await;
}

#[tokio::test]
async fn a_revoked_key_is_said_to_be_one() {
    let home = home();
    let hub = TestHub::start().await;
    let key = hub.key("editor", Grants::CHANGES).await;
    let mut command = home.command(program());
    command
        .env("HUB_API_URL", hub.base())
        .env("ENSEMBLE_BRIDGE_TOKEN", &key);
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    let first = bridge.call("ensemble_today", json!({})).await;
    assert_ne!(first["isError"], true, "{}", text(&first));
    hub.revoke("editor").await;
    let refused = bridge.call("ensemble_today", json!({})).await;
    assert!(refusal(&refused).contains("revoked"), "{refused}");
    let ended = bridge.close().await;
    assert!(!ended.stderr.contains(&key));
    hub.stop().await;
}
