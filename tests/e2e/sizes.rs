//! Messages of every size, clients that read late, arguments in every form, and hubs that never answer.

use ensemble_test_harness::{Bridge, Grants, LATEST};
use serde_json::json;

use crate::gate::Gate;
use crate::support::{READING, RESOURCES, World, answer, end, home, names, program, refusal};

/// What is too large is refused with the limit, and the connection goes on.
#[tokio::test]
async fn messages_of_every_size_are_taken_or_refused_with_the_limit() {
    let world = World::new(Grants::CHANGES).await;
    let mut bridge = world.bridge().await;
    for size in [5_000, 99_000, 100_001, 5 << 20] {
        let page = "0123456789".repeat(size / 10 + 1);
        let (page, _) = page.split_at(size);
        let made = json!({"title": format!("{size}"), "page": page});
        let made = bridge.call("ensemble_create_task", made).await;
        if size <= 100_000 {
            let asked =
                json!({"id": answer(&made)["task"]["ref"], "limit": 8000, "offset": size - 10});
            let read = bridge.call("ensemble_read", asked).await;
            let body = &answer(&read)["body"];
            assert_eq!(body["totalCharacters"], size);
            assert!(page.ends_with(body["text"].as_str().unwrap()));
        } else {
            let sentence = refusal(&made);
            assert!(
                sentence.contains("“page”") && sentence.contains("100000"),
                "{sentence}"
            );
        }
    }
    let huge = json!({"jsonrpc": "2.0", "id": "huge", "method": "ping", "params": {"_meta": {"x": "y".repeat(40 << 20)}}});
    bridge.raw(format!("{huge}\n").as_bytes()).await;
    let refused = bridge.message().await;
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("39146840"),
        "{refused}"
    );
    answer(&bridge.call("ensemble_spaces", json!({})).await);
    end(bridge).await;
    world.hub.stop().await;
}

/// A client that first writes all its questions and then reads is served: some megabytes wait in either direction.
#[tokio::test]
async fn a_client_that_reads_late_gets_every_answer() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    let padding = "x".repeat(6_000);
    let mut ids = Vec::new();
    for _ in 0..300 {
        let asked = json!({"_meta": {"padding": padding}});
        ids.push(bridge.begin("tools/list", asked).await);
    }
    for id in ids {
        let listed = bridge.answer(id).await;
        assert_eq!(names(&listed["result"]["tools"], "name"), READING);
    }
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn arguments_may_be_absent_and_lists_may_come_as_text() {
    let world = World::new(Grants::CHANGES).await;
    let mut bridge = world.bridge().await;
    for params in [
        json!({"name": "ensemble_today"}),
        json!({"name": "ensemble_today", "arguments": null}),
        json!({"name": "ensemble_today", "arguments": {}}),
    ] {
        let called = bridge.request("tools/call", params).await;
        assert_eq!(answer(&called["result"])["needsMe"]["pendingApprovals"], 1);
    }
    for arguments in [json!([]), json!("x"), json!(5), json!(true)] {
        let params = json!({"name": "ensemble_create_task", "arguments": arguments});
        let called = bridge.request("tools/call", params).await;
        assert_eq!(called["error"]["code"], -32602, "{called}");
    }
    let asked = json!({"query": "timeout", "kinds": "[\"document\"]", "limit": "1"});
    let found = bridge.call("ensemble_search", asked).await;
    let hits = &answer(&found)["results"];
    assert_eq!(hits[0]["kind"], "document", "{hits}");
    let asked = json!({"title": "With people", "people": "[\"Dev Okafor\",\"Sofía Núñez\"]"});
    let made = bridge.call("ensemble_create_task", asked).await;
    let read = json!({"id": answer(&made)["task"]["ref"]});
    let read = bridge.call("ensemble_read", read).await;
    let mut people = names(&answer(&read)["people"], "name");
    people.sort_unstable();
    assert_eq!(people, ["Dev Okafor", "Sofía Núñez"]);
    for (tool, arguments, field) in [
        ("ensemble_tasks", json!({"limit": "many"}), "“limit”"),
        ("ensemble_tasks", json!({"limit": 51}), "“limit”"),
        ("ensemble_search", json!({}), "“query”"),
        (
            "ensemble_search",
            json!({"query": "x", "kinds": {"a": 1}}),
            "“kinds”",
        ),
        ("ensemble_today", json!({"nothing": 1}), "“nothing”"),
    ] {
        let refused = bridge.call(tool, arguments.clone()).await;
        assert!(refusal(&refused).contains(field), "{arguments}: {refused}");
    }
    end(bridge).await;
    world.hub.stop().await;
}

/// The bounds are generous, for a machine that compiles; the hub would keep either of them waiting for ever.
#[tokio::test]
async fn a_hub_that_never_answers_delays_neither_greeting_nor_lists() {
    let silent = Gate::silent().await;
    for base in [silent.base(), "https://10.255.255.1"] {
        let home = home();
        let mut command = home.command(program());
        command
            .env("HUB_API_URL", base)
            .env("ENSEMBLE_BRIDGE_TOKEN", "ens_b1ackHoleb1ackHole");
        let mut bridge = Bridge::start(command);
        let greeted = async {
            bridge.initialize(LATEST).await;
            let listed = bridge.request("tools/list", json!({})).await;
            assert_eq!(names(&listed["result"]["tools"], "name"), READING);
            let listed = bridge.request("resources/list", json!({})).await;
            assert_eq!(names(&listed["result"]["resources"], "uri"), RESOURCES);
        };
        let soon = std::time::Duration::from_secs(10);
        let in_time = tokio::time::timeout(soon, greeted).await;
        assert!(in_time.is_ok(), "{base}");
        end(bridge).await;
    }
}
