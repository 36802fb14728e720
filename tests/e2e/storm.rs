//! Hundreds of calls at once, a third of them cancelled: each is answered or was cancelled, none twice, and nothing is left
//! of those that were given up.

use std::collections::BTreeMap;

use ensemble_test_harness::{Bridge, Grants, LATEST};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ProtocolVersion};
use rmcp::service::PeerRequestOptions;
use serde_json::{Value, json};

use crate::gate::Gate;
use crate::support::{Editor, World, answer, end, refusal};

const CALLS: usize = 200;

/// The call with this number.
fn call(number: usize) -> (&'static str, Value) {
    match number % 6 {
        0 => ("ensemble_today", json!({})),
        1 => ("ensemble_search", json!({"query": "timeout"})),
        2 => ("ensemble_tasks", json!({"limit": 3})),
        3 => ("ensemble_docs", json!({"query": "key"})),
        4 => ("ensemble_spaces", json!({})),
        _ => ("ensemble_brief", json!({"repo": "encode/httpx"})),
    }
}

#[tokio::test]
async fn every_call_is_answered_once_or_was_cancelled() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    let mut wanted = BTreeMap::new();
    let mut given_up = Vec::new();
    for number in 0..CALLS {
        let (tool, arguments) = call(number);
        let params = json!({"name": tool, "arguments": arguments});
        let id = bridge.begin("tools/call", params).await;
        if number % 3 == 2 {
            let stop = json!({"requestId": id, "reason": "the person stopped it"});
            bridge.notify("notifications/cancelled", stop).await;
            given_up.push(id);
        } else {
            wanted.insert(id, tool);
        }
    }
    // one that was cancelled before, one that never was, and one that makes no sense
    for request in [json!(given_up[0]), json!("unknown"), json!(1.5)] {
        let again = json!({"requestId": request});
        bridge.notify("notifications/cancelled", again).await;
    }
    for (id, tool) in &wanted {
        let answered = bridge.answer(*id).await;
        assert_ne!(answered["result"]["isError"], true, "{tool}: {answered}");
        assert!(
            answered["result"]["structuredContent"].is_object(),
            "{answered}"
        );
    }
    let after = bridge.call("ensemble_today", json!({})).await;
    answer(&after);
    let ended = bridge.close().await;
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    // an answer may have crossed its cancellation on the way; none comes twice
    let mut late = BTreeMap::new();
    for other in &ended.others {
        let id = other["id"].as_u64().unwrap_or_else(|| panic!("{other}"));
        assert!(!wanted.contains_key(&id), "{id} was answered twice");
        *late.entry(id).or_insert(0) += 1;
    }
    assert!(late.values().all(|times| *times == 1), "{late:?}");
    assert!(late.len() <= CALLS / 3);
    world.hub.stop().await;
}

#[tokio::test]
async fn the_same_through_a_client_of_either_generation() {
    for version in [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28] {
        let world = World::new(Grants::READ).await;
        let editor = Editor::start(world.command(), version).await;
        let mut open = Vec::new();
        for number in 0..CALLS {
            let (tool, arguments) = call(number);
            let mut params = CallToolRequestParams::new(tool);
            params.arguments = arguments.as_object().cloned();
            let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
            let options = PeerRequestOptions::no_options();
            let handle = editor.client.send_cancellable_request(request, options);
            let handle = handle.await.unwrap();
            if number % 3 == 2 {
                handle.cancel(None).await.unwrap();
            } else {
                open.push(handle);
            }
        }
        assert_eq!(open.len(), CALLS - CALLS / 3);
        for handle in open {
            let result = handle.await_response().await.unwrap();
            answer(&serde_json::to_value(result).unwrap());
        }
        answer(&editor.call("ensemble_today", json!({})).await);
        editor.leave().await;
        world.hub.stop().await;
    }
}

/// More calls than there are places wait for a hub that keeps still. Cancelling them gives up the hub's requests too, and
/// every place is free again.
#[tokio::test]
async fn what_was_cancelled_holds_neither_a_place_nor_the_hub() {
    let world = World::new(Grants::READ).await;
    let gate = Gate::before(world.hub.base(), "neverword").await;
    let mut command = world.command();
    command.env("HUB_API_URL", gate.base());
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    answer(&bridge.call("ensemble_today", json!({})).await);
    let mut stuck = Vec::new();
    for _ in 0..40 {
        let search = json!({"name": "ensemble_search", "arguments": {"query": "neverword"}});
        stuck.push(bridge.begin("tools/call", search).await);
    }
    // all 16 places of the plugin are taken, the rest waits, and another plugin answers
    gate.holds(16).await;
    answer(&bridge.call("ensemble_tasks", json!({})).await);
    for id in &stuck {
        let given_up = json!({"requestId": id});
        bridge.notify("notifications/cancelled", given_up).await;
    }
    gate.holds(0).await;
    for number in 0..40 {
        let (tool, arguments) = call(number);
        answer(&bridge.call(tool, arguments).await);
    }
    assert!(bridge.others().is_empty(), "{:?}", bridge.others());
    end(bridge).await;
    world.hub.stop().await;
}

/// A hub that keeps still ends a call at its deadline with a sentence, not with an empty answer, and other calls go on.
#[tokio::test]
async fn a_call_that_waits_does_not_hold_up_the_others() {
    let world = World::new(Grants::READ).await;
    let gate = Gate::before(world.hub.base(), "neverword").await;
    let mut command = world.command();
    command.env("HUB_API_URL", gate.base());
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    let search = json!({"name": "ensemble_search", "arguments": {"query": "neverword"}});
    let stuck = bridge.begin("tools/call", search).await;
    gate.holds(1).await;
    for number in 0..20 {
        let (tool, arguments) = call(number);
        answer(&bridge.call(tool, arguments).await);
    }
    let late = bridge.answer(stuck).await;
    let sentence = refusal(&late["result"]);
    assert!(
        sentence.ends_with('.') && sentence.contains("again"),
        "{sentence}"
    );
    gate.holds(0).await;
    end(bridge).await;
    world.hub.stop().await;
}
