//! What no client should send and some do, at both endpoints: the answer is the same, and it is one that clients read.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Asker, LEGACY, Served, greeting, resident};

/// Both, and who may ask them.
async fn both() -> (Served, Served, [Asker; 2]) {
    let hub = Served::hub(&[]).await;
    let key = hub.key("reads", &[]).await;
    let bridge = Served::bridge(&hub.base, &key, &[]).await;
    let askers = [
        Asker::new(&bridge.mcp()),
        Asker::new(&hub.mcp()).with_key(&key),
    ];
    (hub, bridge, askers)
}

#[tokio::test]
async fn b06_an_answer_comes_in_a_form_that_the_client_takes() {
    let (_hub, _bridge, askers) = both().await;
    for asker in askers {
        for (accept, kind) in [
            ("application/json", "application/json"),
            ("text/event-stream", "text/event-stream"),
            ("application/*;q=0.5", "application/json"),
        ] {
            let asked = asker.clone().with("accept", accept);
            let answer = asked.ask("initialize", greeting(LEGACY)).await;
            assert_eq!(
                (answer.status, answer.header("content-type")),
                (200, kind),
                "{accept}"
            );
            assert!(answer.message()["id"].is_number());
        }
        for accept in ["*/*", "application/json, text/event-stream"] {
            let asked = asker.clone().with("accept", accept);
            assert_eq!(asked.ask("initialize", greeting(LEGACY)).await.status, 200);
        }
        let wrong = asker.clone().with("accept", "text/html");
        assert_eq!(
            wrong.ask("initialize", greeting(LEGACY)).await.refusal().0,
            406
        );
    }
}

#[tokio::test]
async fn what_is_no_message_is_refused_with_a_message() {
    let (_hub, _bridge, askers) = both().await;
    for asker in askers {
        for (body, code) in [
            ("{".to_owned(), -32700),
            ("[]".to_owned(), -32600),
            ("\"x\"".to_owned(), -32600),
            ("[".repeat(100_000), -32700),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_owned(),
                -32600,
            ),
        ] {
            assert_eq!(asker.raw(body).await.refusal(), (400, code));
        }
        let plain = asker.request(Method::POST).body("{}");
        assert_eq!(asker.send(plain).await.refusal().0, 415);
        let coded = asker.clone().with("content-encoding", "gzip");
        assert_eq!(coded.raw(vec![0x1f, 0x8b]).await.refusal().0, 415);
    }
}

#[tokio::test]
async fn b16_initialize_goes_by_its_body_and_later_versions_are_known_ones() {
    let (_hub, _bridge, askers) = both().await;
    for asker in &askers {
        let odd = asker.clone().with("mcp-protocol-version", "2099-01-01");
        let greeted = odd.ask("initialize", greeting(LEGACY)).await;
        assert_eq!(greeted.message()["result"]["protocolVersion"], LEGACY);
        let later = asker.ask("initialize", greeting("2099-01-01")).await;
        assert_eq!(later.message()["result"]["protocolVersion"], "2025-11-25");
        let twice = asker
            .clone()
            .with("mcp-protocol-version", "2025-11-25, 2025-06-18");
        assert_eq!(twice.ask("ping", json!({})).await.refusal().0, 400);
    }
    let [local, hosted] = askers;
    let mut session = local.session(LEGACY).await;
    session
        .headers
        .retain(|(name, _)| name != "mcp-protocol-version");
    for asker in [session, hosted] {
        assert_eq!(
            asker.ask("ping", json!({})).await.status,
            200,
            "none is well"
        );
        let bad = asker.clone().with("mcp-protocol-version", "1999-01-01");
        assert_eq!(bad.ask("ping", json!({})).await.refusal().0, 400);
        let doubled = asker.with("mcp-protocol-version", "2025-06-18, 2025-06-18");
        assert_eq!(doubled.ask("ping", json!({})).await.status, 200);
    }
}

#[tokio::test]
async fn a_batch_is_answered_in_the_version_that_has_them() {
    let (_hub, _bridge, askers) = both().await;
    let [local, hosted] = askers;
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}},
        {"jsonrpc": "2.0", "id": "b", "method": "tools/list"},
    ]);
    for asker in [local.session("2025-03-26").await, hosted.clone()] {
        let answer = asker.post(&batch).await;
        let answers: Vec<Value> = serde_json::from_str(&answer.text).unwrap();
        let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
        assert_eq!(ids, [&json!(1), &json!("b")], "{}", answer.text);
        assert!(answers.iter().all(|answer| answer.get("result").is_some()));
    }
    let newer = hosted.with("mcp-protocol-version", LEGACY);
    assert_eq!(newer.post(&batch).await.refusal(), (400, -32600));
}

#[tokio::test]
async fn b14_a_stream_says_at_once_that_it_is_there() {
    let (_hub, _bridge, askers) = both().await;
    let [local, _] = askers;
    assert_eq!(
        local.any(Method::GET).await.refusal().0,
        405,
        "without a session"
    );
    for method in [Method::PUT, Method::PATCH] {
        let answer = local.any(method).await;
        assert_eq!(answer.refusal().0, 405);
        assert_eq!(answer.header("allow"), "GET, POST, DELETE");
    }
    let session = local.session(LEGACY).await;
    let html = session.clone().with("accept", "text/html");
    assert_eq!(html.any(Method::GET).await.refusal().0, 405);
    let stream = session.with("accept", "text/event-stream");
    let mut response = stream.request(Method::GET).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    assert_eq!(response.headers()["cache-control"], "no-store");
    let first = response.chunk().await.unwrap().unwrap();
    assert_eq!(&first[..], b": here\n\n");
}

#[tokio::test]
async fn r03_only_clients_that_resume_are_sent_an_event_without_data() {
    let (_hub, _bridge, [local, _]) = both().await;
    let greeted = local.ask("initialize", greeting(LEGACY)).await;
    assert!(greeted.text.starts_with("data: {"), "{}", greeted.text);
    let greeted = local.ask("initialize", greeting("2025-11-25")).await;
    assert!(greeted.text.contains("retry: "), "{}", greeted.text);
}

#[tokio::test]
async fn two_requests_at_once_have_two_ids() {
    let (_hub, _bridge, [local, _]) = both().await;
    let session = local.session(LEGACY).await;
    let call = json!({"jsonrpc": "2.0", "id": "same", "method": "tools/call",
        "params": {"name": "ensemble_today", "arguments": {}}});
    let (one, other) = tokio::join!(session.post(&call), session.post(&call));
    let statuses = [one.status, other.status];
    assert!(statuses.contains(&200), "{one:?} {other:?}");
    for answer in [one, other] {
        if answer.status != 200 {
            assert_eq!(answer.refusal(), (400, -32600));
        }
    }
    assert_eq!(
        session.post(&call).await.status,
        200,
        "afterwards it is free"
    );
}

/// Sends bytes as they are, and gives what comes back.
async fn raw(served: &Served, bytes: &[u8]) -> String {
    let address = served.base.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    // the other side may answer before it has all
    let _sent = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    let _ended = tokio::time::timeout(ensemble_test_harness::PATIENCE, read).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn b11_no_body_and_no_head_is_larger_than_its_bound() {
    let (hub, bridge, askers) = both().await;
    let before = resident(bridge.pid());
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncontent-type: application/json\r\n",
        bridge.port()
    );
    let mut chunked = format!("{head}transfer-encoding: chunked\r\n\r\n").into_bytes();
    for _ in 0..100 {
        chunked.extend_from_slice(b"100000\r\n");
        chunked.extend(std::iter::repeat_n(b' ', 0x0010_0000));
        chunked.extend_from_slice(b"\r\n");
    }
    let answer = raw(&bridge, &chunked).await;
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 413"),
        "{answer}"
    );
    let many = format!("{head}{}\r\n", "x: y\r\n".repeat(10_000));
    let answer = raw(&bridge, many.as_bytes()).await;
    assert!(
        answer.starts_with("HTTP/1.1 431") || answer.starts_with("HTTP/1.1 400"),
        "{answer}"
    );
    let short = format!("{head}connection: close\r\ncontent-length: 2\r\n\r\n{{}}more");
    assert!(
        raw(&bridge, short.as_bytes())
            .await
            .starts_with("HTTP/1.1 400")
    );
    let after = resident(bridge.pid());
    assert!(after < before + 120_000, "{before} kB, then {after} kB");
    for asker in askers {
        assert_eq!(
            asker.ask("initialize", greeting(LEGACY)).await.status,
            200,
            "others are served"
        );
    }
    drop(hub);
}
