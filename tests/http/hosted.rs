//! `/mcp` of a hub: keys decide what is there, nothing lives between two requests, and nobody without a key is told anything.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Asker, LEGACY, Served, greeting};

#[tokio::test]
async fn a_key_sees_its_own_tools_and_a_revoked_one_nothing() {
    let hub = Served::hub(&[]).await;
    let reads = hub.key("reads", &[]).await;
    let changes = hub.key("changes", &["--changes"]).await;
    let reader = Asker::new(&hub.mcp()).with_key(&reads);
    let changer = Asker::new(&hub.mcp()).with_key(&changes);
    assert!(
        !reader
            .tools()
            .await
            .contains(&"ensemble_create_task".to_owned())
    );
    assert!(
        changer
            .tools()
            .await
            .contains(&"ensemble_create_task".to_owned())
    );
    let title = json!({"title": "Hosted"});
    let unknown = reader.call("ensemble_create_task", title.clone()).await;
    assert_eq!(
        unknown["error"]["message"],
        "Unknown tool: ensemble_create_task"
    );
    let made = changer.call("ensemble_create_task", title).await;
    assert_ne!(made["result"]["isError"], true, "{made}");
    let found = reader
        .call("ensemble_tasks", json!({"query": "Hosted"}))
        .await;
    assert!(found.to_string().contains("Hosted"), "{found}");
    for asker in [&reader, &changer] {
        let modern = asker.modern("tools/list", json!({})).await;
        assert_eq!(modern.message()["result"]["resultType"], "complete");
    }
    hub.run(&["hub", "key", "revoke", "changes"]).await;
    let refused = changer.ask("tools/list", json!({})).await;
    assert_eq!(refused.refusal().0, 401);
    assert!(
        refused
            .header("www-authenticate")
            .contains("error=\"invalid_token\"")
    );
    assert!(reader.tools().await.len() > 20, "the other key stays");
    let ended = hub.end().await;
    assert_eq!(ended.0, Some(0), "{}", ended.1);
    for key in [reads, changes] {
        assert!(!ended.1.contains(&key), "no key is in the log");
    }
}

#[tokio::test]
async fn without_a_key_everything_is_401_and_says_where_to_get_one() {
    let hub = Served::hub(&[]).await;
    let key = hub.key("reads", &[]).await;
    let metadata = format!(
        "resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\"",
        hub.base
    );
    let launch = std::fs::read_to_string(hub.home.hub_data().join("api.json")).unwrap();
    let launch: Value = serde_json::from_str(&launch).unwrap();
    let launch = format!("Bearer {}", launch["token"].as_str().unwrap());
    for path in ["/mcp", "/mcp/"] {
        let asker = Asker::new(&format!("{}{path}", hub.base));
        for (asker, challenge) in [
            (asker.clone(), format!("Bearer {metadata}")),
            (
                asker.clone().with("cookie", "ensemble_session=x"),
                format!("Bearer {metadata}"),
            ),
            (
                asker.clone().with_key("ens_unknown"),
                format!("Bearer error=\"invalid_token\", {metadata}"),
            ),
            (
                asker.clone().with("authorization", &launch),
                format!("Bearer error=\"invalid_token\", {metadata}"),
            ),
            (
                asker.clone().with("authorization", &format!("Basic {key}")),
                format!("Bearer error=\"invalid_token\", {metadata}"),
            ),
        ] {
            for method in [Method::GET, Method::DELETE, Method::PUT, Method::POST] {
                let answer = asker.any(method.clone()).await;
                assert_eq!(answer.refusal().0, 401, "{method} {path}");
                assert_eq!(
                    answer.header("www-authenticate"),
                    challenge,
                    "{method} {path}"
                );
            }
            // before it is looked at what was sent
            assert_eq!(asker.raw("{").await.refusal().0, 401);
        }
        let asker = asker.with_key(&key);
        for method in [Method::GET, Method::DELETE, Method::PUT, Method::PATCH] {
            let answer = asker.any(method.clone()).await;
            assert_eq!(answer.refusal().0, 405, "{method}");
            assert_eq!(answer.header("allow"), "POST");
        }
        assert_eq!(asker.any(Method::HEAD).await.status, 405);
        let greeted = asker.ask("initialize", greeting(LEGACY)).await;
        assert_eq!(
            (greeted.status, greeted.header("mcp-session-id")),
            (200, "")
        );
    }
}

#[tokio::test]
async fn b08_a_browser_may_ask_before_it_has_a_key() {
    let hub = Served::hub(&[]).await;
    let asker = Asker::new(&hub.mcp()).with("origin", "https://inspector.example");
    let preflight = asker
        .clone()
        .with("access-control-request-method", "POST")
        .with(
            "access-control-request-headers",
            "authorization, mcp-protocol-version",
        )
        .any(Method::OPTIONS)
        .await;
    assert_eq!(preflight.status, 204);
    assert_eq!(preflight.header("access-control-allow-origin"), "*");
    assert_eq!(preflight.header("access-control-allow-credentials"), "");
    for name in [
        "authorization",
        "mcp-protocol-version",
        "mcp-session-id",
        "last-event-id",
    ] {
        assert!(
            preflight
                .header("access-control-allow-headers")
                .contains(name),
            "{name}"
        );
    }
    let refused = asker.ask("ping", json!({})).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("access-control-allow-origin"), "*");
    assert!(
        refused
            .header("access-control-expose-headers")
            .contains("www-authenticate")
    );
}

#[tokio::test]
async fn a_call_acts_in_the_space_that_the_header_names_unless_it_names_one_itself() {
    let hub = Served::hub(&[]).await;
    let key = hub.key("changes", &["--changes"]).await;
    let asker = Asker::new(&hub.mcp()).with_key(&key);
    let spaces = asker.call("ensemble_spaces", json!({})).await;
    let spaces = spaces["result"]["structuredContent"]["spaces"]
        .as_array()
        .unwrap()
        .clone();
    let named = |usable: bool, default: bool| {
        let mut found = spaces
            .iter()
            .filter(|space| space["usable"] == usable && (space["default"] == true) == default);
        let space = found.next().unwrap_or_else(|| panic!("{spaces:?}"));
        space["id"].as_str().unwrap().to_owned()
    };
    let (home, other) = (named(true, true), named(true, false));
    let there = asker.clone().with("x-ensemble-space", &other);
    let made = there
        .call("ensemble_create_task", json!({"title": "Elsewhere"}))
        .await;
    assert_ne!(made["result"]["isError"], true, "{made}");
    let query = json!({"query": "Elsewhere"});
    let at = |found: &Value| {
        found["result"]["structuredContent"]["tasks"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(at(&asker.call("ensemble_tasks", query).await), 0);
    let query = json!({"query": "Elsewhere", "space": other});
    assert_eq!(at(&asker.call("ensemble_tasks", query).await), 1);
    let query = json!({"query": "Elsewhere", "space": home});
    assert_eq!(
        at(&there.call("ensemble_tasks", query).await),
        0,
        "its own argument goes before"
    );
    let nowhere = asker.clone().with("x-ensemble-space", "nowhere");
    let refused = nowhere.call("ensemble_tasks", json!({})).await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
}

#[tokio::test]
async fn a_space_is_asked_so_often_and_no_more() {
    let hub = Served::hub(&[("HUB_MCP_PER_MINUTE", "5")]).await;
    let key = hub.key("reads", &[]).await;
    let asker = Asker::new(&hub.mcp()).with_key(&key);
    for _ in 0..5 {
        assert_eq!(asker.ask("ping", json!({})).await.status, 200);
    }
    let refused = asker.ask("ping", json!({})).await;
    assert_eq!(refused.refusal().0, 429);
    let seconds: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn no_file_and_no_repository_of_the_hubs_computer_is_near() {
    let hub = Served::hub(&[]).await;
    let key = hub.key("changes", &["--changes"]).await;
    std::fs::write(hub.home.work().join("note.txt"), "a note").unwrap();
    let asker = Asker::new(&hub.mcp()).with_key(&key);
    let path = json!({"path": "note.txt", "filename": "note.txt"});
    let refused = asker.call("ensemble_upload_file", path).await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    let brief = asker.call("ensemble_brief", json!({})).await;
    let told = brief.to_string();
    assert!(!told.contains(hub.home.work().to_str().unwrap()), "{told}");
}
