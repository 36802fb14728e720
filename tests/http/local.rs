//! `ensemble mcp --http`: sessions, what a program of this computer may do, and who is kept out.

use reqwest::Method;
use serde_json::json;

use crate::support::{Asker, LEGACY, Served, greeting, home, resident};

async fn bridge(environment: &[(&str, &str)]) -> (Served, Served) {
    let hub = Served::hub(&[]).await;
    let key = hub.key("editor", &["--changes"]).await;
    let bridge = Served::bridge(&hub.base, &key, environment).await;
    (hub, bridge)
}

#[tokio::test]
async fn a_client_lists_calls_and_ends_its_session() {
    let (hub, bridge) = bridge(&[]).await;
    let asker = Asker::new(&bridge.mcp()).session(LEGACY).await;
    assert!(
        asker
            .tools()
            .await
            .contains(&"ensemble_create_task".to_owned())
    );
    let made = asker
        .call("ensemble_create_task", json!({"title": "Over HTTP"}))
        .await;
    assert_ne!(made["result"]["isError"], true, "{made}");
    let listed = asker
        .call("ensemble_tasks", json!({"query": "Over HTTP"}))
        .await;
    assert!(listed.to_string().contains("Over HTTP"), "{listed}");
    let modern = Asker::new(&bridge.mcp());
    let found = modern.modern("server/discover", json!({})).await;
    assert_eq!(
        found.message()["result"]["resultType"],
        "complete",
        "{found:?}"
    );
    let found = modern.modern("tools/list", json!({})).await;
    assert!(
        found.text.contains("ensemble_create_task"),
        "{}",
        found.text
    );
    assert_eq!(asker.any(Method::DELETE).await.status, 202);
    assert_eq!(asker.ask("ping", json!({})).await.refusal(), (404, -32001));
    for ended in [bridge.end().await, hub.end().await] {
        assert_eq!(ended.0, Some(0), "{}", ended.1);
    }
}

#[tokio::test]
async fn b01_a_session_that_is_not_there_is_404_and_none_is_400() {
    let (_hub, bridge) = bridge(&[]).await;
    let plain = Asker::new(&bridge.mcp());
    let dead = plain
        .clone()
        .with("mcp-session-id", "8c4c2d60-0000-4000-8000-000000000000");
    assert_eq!(
        dead.ask("tools/list", json!({})).await.refusal(),
        (404, -32001)
    );
    assert_eq!(dead.any(Method::DELETE).await.refusal().0, 404);
    let stream = dead.clone().with("accept", "text/event-stream");
    assert_eq!(stream.any(Method::GET).await.refusal().0, 404);
    let missing = plain.ask("tools/list", json!({})).await;
    assert_eq!(missing.status, 400, "{missing:?}");
    missing.refusal();
    assert_eq!(plain.any(Method::DELETE).await.refusal().0, 400);
}

#[tokio::test]
async fn b03_ten_thousand_sessions_that_nobody_ends_cost_nothing() {
    let (_hub, bridge) = bridge(&[]).await;
    let asker = Asker::new(&bridge.mcp());
    let kept = asker.session(LEGACY).await;
    kept.tools().await;
    let begin = async |number: usize| {
        for _ in 0..number {
            let begun = asker.ask("initialize", greeting(LEGACY)).await;
            assert_eq!(begun.status, 200, "{}", begun.text);
        }
    };
    begin(500).await;
    let before = resident(bridge.pid());
    begin(9_500).await;
    let after = resident(bridge.pid());
    assert!(after < before + 20_000, "{before} kB, then {after} kB");
    assert_eq!(
        kept.ask("ping", json!({})).await.status,
        200,
        "one that is used stays"
    );
}

#[tokio::test]
async fn b05_a_page_of_elsewhere_gets_nothing() {
    let (_hub, bridge) = bridge(&[]).await;
    let port = bridge.port().to_owned();
    let asker = Asker::new(&bridge.mcp());
    for host in [
        "evil.example".to_owned(),
        format!("localhost.evil.com:{port}"),
        format!("127.0.0.1.evil.com:{port}"),
        "127.0.0.1:1".to_owned(),
    ] {
        let asked = asker.clone().with("host", &host);
        let answer = asked.ask("initialize", greeting(LEGACY)).await;
        assert_eq!(answer.refusal().0, 403, "{host}");
    }
    for origin in ["http://evil.example", "null", "https://localhost.evil.com"] {
        let asked = asker.clone().with("origin", origin);
        let answer = asked.ask("initialize", greeting(LEGACY)).await;
        assert_eq!(answer.refusal().0, 403, "{origin}");
        assert_eq!(answer.header("access-control-allow-origin"), "");
        let preflight = asked.any(Method::OPTIONS).await;
        assert_eq!(
            preflight.header("access-control-allow-origin"),
            "",
            "{origin}"
        );
    }
    let own = asker.clone().with("origin", "http://localhost:6274");
    let answer = own.ask("initialize", greeting(LEGACY)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "http://localhost:6274"
    );
}

#[tokio::test]
async fn b13_every_name_of_this_computer_works_and_a_busy_port_is_a_sentence() {
    let (hub, bridge) = bridge(&[]).await;
    let port = bridge.port().to_owned();
    for name in ["localhost", "127.0.0.1", "[::1]"] {
        for path in ["/mcp", "/mcp/"] {
            let asker = Asker::new(&format!("http://{name}:{port}{path}"));
            let answer = asker.ask("initialize", greeting(LEGACY)).await;
            assert_eq!(answer.status, 200, "{name}{path}: {}", answer.text);
        }
    }
    let home = home();
    let mut second = home.command(std::path::Path::new(env!("CARGO_BIN_EXE_ensemble")));
    second
        .args(["mcp", "--http"])
        .env("HUB_API_URL", &hub.base)
        .env("CONTEXT_BRIDGE_PORT", &port);
    let output = second.output().await.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains(&format!("127.0.0.1:{port} is in use")),
        "{said}"
    );
}

#[tokio::test]
async fn without_a_token_no_file_of_this_computer_is_read_or_written() {
    const TOKEN: &str = "a-token-of-sufficient-length";
    let (hub, open) = bridge(&[]).await;
    let key = hub.key("second", &["--changes"]).await;
    let guarded = [("CONTEXT_BRIDGE_HTTP_TOKEN", TOKEN)];
    let guarded = Served::bridge(&hub.base, &key, &guarded).await;
    for served in [&open, &guarded] {
        std::fs::write(served.home.work().join("note.txt"), "a note").unwrap();
    }
    let path = json!({"path": "note.txt", "filename": "note.txt"});

    let asker = Asker::new(&open.mcp()).session(LEGACY).await;
    let refused = asker.call("ensemble_upload_file", path.clone()).await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    let encoded = json!({"dataBase64": "YSBub3Rl", "filename": "note.txt"});
    let taken = asker.call("ensemble_upload_file", encoded).await;
    assert_ne!(taken["result"]["isError"], true, "{taken}");
    let structured = &taken["result"]["structuredContent"];
    let id = structured["file"]["id"]
        .as_str()
        .or(structured["id"].as_str());
    let id = id.unwrap_or_else(|| panic!("{taken}")).to_owned();
    let save = json!({"id": id, "saveTo": "saved.txt"});
    let refused = asker.call("ensemble_get_file", save.clone()).await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    assert!(!open.home.work().join("saved.txt").exists());

    let nobody = Asker::new(&guarded.mcp());
    let refused = nobody.ask("initialize", greeting(LEGACY)).await;
    assert_eq!(refused.refusal().0, 401);
    assert_eq!(refused.header("www-authenticate"), "Bearer");
    let wrong = nobody.clone().with_key("another-token-of-that-length");
    assert_eq!(
        wrong.ask("initialize", greeting(LEGACY)).await.refusal().0,
        401
    );
    let asker = nobody.with_key(TOKEN).session(LEGACY).await;
    let taken = asker.call("ensemble_upload_file", path).await;
    assert_ne!(taken["result"]["isError"], true, "{taken}");
    let saved = asker.call("ensemble_get_file", save).await;
    assert_ne!(saved["result"]["isError"], true, "{saved}");
    let saved = std::fs::read_to_string(guarded.home.work().join("saved.txt"));
    assert_eq!(saved.unwrap(), "a note");
}

#[tokio::test]
async fn only_this_computer_is_listened_on() {
    let home = home();
    for host in ["0.0.0.0", "::", "example.com"] {
        let mut command = home.command(std::path::Path::new(env!("CARGO_BIN_EXE_ensemble")));
        command
            .args(["mcp", "--http"])
            .env("CONTEXT_BRIDGE_HOST", host);
        let output = command.output().await.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{host}: {said}");
        assert!(said.contains("CONTEXT_BRIDGE_HOST has to be"), "{said}");
    }
}
