//! Both generations in one process: which version is agreed on, and what belongs to which.

use serde_json::{Value, json};

use crate::hub::Hub;
use crate::support::{World, hello, modern, names};

const KNOWN: Hub = Hub::Knows { changes: false };

#[tokio::test]
async fn a_known_version_comes_back_and_an_unknown_one_does_not() {
    let world = World::new(KNOWN);
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2024-10-07", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        let mut client = world.connect();
        let answer = client.initialize(asked).await;
        assert_eq!(answer["result"]["protocolVersion"], agreed, "{asked}");
        assert_eq!(answer["result"]["serverInfo"]["version"], "1.2.3");
        assert_eq!(
            names(&client.ask(1, "tools/list", json!({})).await),
            ["ensemble_tasks"]
        );
        client.leave().await;
    }
}

#[tokio::test]
async fn an_initialize_that_is_none_is_an_error_and_the_next_one_works() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    let mut missing = hello(&Value::Null);
    missing.as_object_mut().unwrap().remove("protocolVersion");
    for params in [missing, hello(&json!(5)), json!([]), json!({})] {
        let answer = client.ask(1, "initialize", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let answer = client.initialize("2025-06-18").await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
    client.leave().await;
}

#[tokio::test]
async fn only_what_is_sent_is_declared() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    let answer = client.initialize("2025-11-25").await;
    assert_eq!(
        answer["result"]["capabilities"],
        json!({"tools": {"listChanged": true}, "resources": {"subscribe": true, "listChanged": true}, "logging": {}})
    );
    assert_eq!(
        answer["result"]["instructions"],
        "Start with ensemble_brief."
    );
    for method in ["prompts/list", "completion/complete", "tasks/list", "x"] {
        let params = json!({"uri": "ensemble://tasks", "ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}});
        let answer = client.ask(method, method, params).await;
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
    client.leave().await;
}

#[tokio::test]
async fn before_initialize_what_cannot_be_answered_is_an_error_and_initialize_works_after_it() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    for (id, method) in [
        (1, "server/discover"),
        (2, "tools/list"),
        (3, "logging/setLevel"),
    ] {
        let answer = client.ask(id, method, json!({})).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;
    assert_eq!(client.ask(4, "ping", json!({})).await["result"], json!({}));
    let answer = client.initialize("2025-11-25").await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(
        client.ask(5, "tools/list", json!({})).await["result"]["tools"][0]["name"],
        "ensemble_tasks"
    );
    client.leave().await;
}

#[tokio::test]
async fn the_newer_generation_needs_no_handshake_and_the_older_one_can_follow() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    let discovered = client.ask(1, "server/discover", modern(json!({}))).await;
    let result = &discovered["result"];
    assert_eq!(result["resultType"], "complete");
    assert_eq!(
        result["supportedVersions"],
        json!([
            "2024-11-05",
            "2025-03-26",
            "2025-06-18",
            "2025-11-25",
            "2026-07-28"
        ])
    );
    assert_eq!(result["cacheScope"], "private");
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "ensemble"
    );

    for method in ["tools/list", "resources/list", "resources/templates/list"] {
        let answer = client.ask(2, method, modern(json!({}))).await;
        let result = &answer["result"];
        assert_eq!(result["resultType"], "complete", "{answer}");
        assert_eq!(result["cacheScope"], "private");
        assert!(result["ttlMs"].is_u64());
        assert_eq!(
            result["_meta"]["io.modelcontextprotocol/serverInfo"]["version"],
            "1.2.3"
        );
    }
    for method in [
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
    ] {
        let params = modern(json!({"level": "info", "uri": "ensemble://tasks"}));
        let answer = client.ask(3, method, params).await;
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }

    client.initialize("2025-11-25").await;
    let listed = client.ask(4, "tools/list", json!({})).await;
    assert_eq!(names(&listed), ["ensemble_tasks"]);
    assert!(
        listed["result"].get("resultType").is_none() && listed["result"].get("ttlMs").is_none()
    );
    let listed = client.ask(5, "tools/list", modern(json!({}))).await;
    assert_eq!(listed["result"]["resultType"], "complete");
    client.leave().await;
}

#[tokio::test]
async fn a_request_of_the_newer_generation_says_all_that_it_has_to() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    let mut params = modern(json!({}));
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let answer = client.ask(1, "tools/list", params).await;
    assert_eq!(answer["error"]["code"], -32022, "{answer}");
    assert_eq!(answer["error"]["data"]["requested"], "2031-01-01");

    let mut params = modern(json!({}));
    params["_meta"]
        .as_object_mut()
        .unwrap()
        .remove("io.modelcontextprotocol/clientCapabilities");
    let answer = client.ask(2, "tools/list", params).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    client.leave().await;
}

#[tokio::test]
async fn a_level_may_be_set_before_initialized_and_an_unknown_one_is_an_error() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client
        .ask(0, "initialize", hello(&json!("2025-06-18")))
        .await;
    let answer = client
        .ask(1, "logging/setLevel", json!({"level": "info"}))
        .await;
    assert_eq!(answer["result"], json!({}));
    let answer = client
        .ask(2, "logging/setLevel", json!({"level": "loud"}))
        .await;
    assert_eq!(answer["error"]["code"], -32602);
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;
    assert_eq!(
        names(&client.ask(3, "tools/list", json!({})).await),
        ["ensemble_tasks"]
    );
    client.leave().await;
}

#[tokio::test]
async fn a_list_is_one_page() {
    let world = World::new(KNOWN);
    let mut client = world.connect();
    client.initialize("2025-11-25").await;
    for method in ["tools/list", "resources/list", "resources/templates/list"] {
        let answer = client
            .ask(method, method, json!({"cursor": "further"}))
            .await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let answer = client.ask(method, method, json!({})).await;
        assert!(answer["result"].get("nextCursor").is_none());
    }
    client.leave().await;
}
