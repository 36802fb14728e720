//! The client against a hub that misbehaves in every way the contract names.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

mod fake;
mod secrets;

use std::sync::atomic::Ordering;
use std::time::Duration;

use ensemble_hub_api::sentences;
use ensemble_hub_client::{Bearer, Call, ClientError, HubClient, Method};
use tokio::net::TcpListener;

use fake::{KEY, WAIT, answer, client, fake, get, json, post};

#[tokio::test]
async fn a_success_carries_the_key_the_query_and_the_space() {
    let hub = fake(vec![json("200 OK", "{\"ok\":1}")]).await;
    assert_eq!(get(&hub).await.unwrap(), b"{\"ok\":1}");
    let call = Call {
        space: Some("s1"),
        ..Call::get("/api/bridge/whoami", WAIT)
    };
    client(&hub.base).request(call).await.unwrap();
    let heads = hub.heads.lock().unwrap().clone();
    assert!(
        heads[0].starts_with("GET /api/bridge/search?q=a%26b+%C3%BC HTTP/1.1"),
        "{}",
        heads[0]
    );
    assert!(heads[0].contains(&format!("authorization: Bearer {KEY}")));
    assert!(!heads[0].contains("x-ensemble-space"));
    assert!(heads[1].contains("x-ensemble-space: s1"));
}

#[tokio::test]
async fn nobody_listening_says_so_with_the_command() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = client(&base).whoami(None).await.unwrap_err();
    assert_eq!(error, ClientError::Unreachable);
    assert_eq!(
        error.to_string(),
        "Ensemble is not running. Start it with `ensemble hub serve`."
    );
}

#[tokio::test]
async fn a_hub_that_never_answers_is_a_timeout_for_a_read_and_unknown_for_a_change() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let hub = client(&base);
    let short = Duration::from_millis(50);
    let read = hub.request(Call::get("/api/bridge/today", short)).await;
    assert_eq!(read, Err(ClientError::Timeout));
    let call = Call {
        method: Method::Patch,
        ..Call::get("/api/bridge/write/tasks/1", short)
    };
    assert_eq!(hub.request(call).await, Err(ClientError::OutcomeUnknown));
}

#[tokio::test]
async fn refusals_are_the_hubs_sentence_or_ours() {
    let long = format!("{{\"error\":\"{}\"}}", "é".repeat(2_000));
    let cases = [
        (
            json("403 Forbidden", "{\"error\":\"Not\\nyou.\"}"),
            403,
            "Not you.".to_owned(),
        ),
        (
            answer(
                "502 Bad Gateway",
                "text/html",
                "",
                "<html>nginx at 10.0.0.7</html>",
            ),
            502,
            sentences::refused(502).to_owned(),
        ),
        (
            json("401 Unauthorized", "[]"),
            401,
            sentences::refused(401).to_owned(),
        ),
        (
            json("404 Not Found", "{\"error\":\"  \"}"),
            404,
            sentences::refused(404).to_owned(),
        ),
        (
            json("400 Bad Request", &long),
            400,
            format!("{}…", "é".repeat(599)),
        ),
    ];
    for (canned, status, sentence) in cases {
        let hub = fake(vec![canned]).await;
        let Err(ClientError::Refused {
            status: was,
            sentence: said,
            retry_after: None,
            ..
        }) = get(&hub).await
        else {
            panic!("{status} is no refusal");
        };
        assert_eq!((was, said), (status, sentence));
        assert_eq!(
            hub.served.load(Ordering::SeqCst),
            1,
            "a refusal is not asked again"
        );
    }
}

#[tokio::test]
async fn retry_after_is_passed_on_when_it_is_seconds() {
    for (value, expected) in [
        ("7", Some(7)),
        ("999999999", Some(86_400)),
        ("abc", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
    ] {
        let head = format!("retry-after: {value}\r\n");
        let hub = fake(vec![answer(
            "429 Too Many Requests",
            "application/json",
            &head,
            "{\"error\":\"Slow.\"}",
        )])
        .await;
        let error = post(&hub, Some("k")).await.unwrap_err();
        assert_eq!(
            error,
            ClientError::Refused {
                status: 429,
                sentence: "Slow.".to_owned(),
                own: true,
                retry_after: expected,
                input_schema: None,
            }
        );
        assert_eq!(hub.served.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn what_became_of_a_change_is_never_guessed() {
    let page = "<html>gateway</html>";
    for (status, kind, body) in [
        ("502 Bad Gateway", "text/html", page),
        ("504 Gateway Timeout", "text/html", page),
        ("500 Internal Server Error", "text/html", page),
        ("408 Request Timeout", "text/plain", "slow"),
        ("201 Created", "text/html", page),
        ("201 Created", "application/json", "{\"task\":"),
    ] {
        let hub = fake(vec![answer(status, kind, "", body)]).await;
        assert_eq!(
            post(&hub, Some("k")).await,
            Err(ClientError::OutcomeUnknown),
            "{status} {kind}"
        );
    }
    // the hub's own word is clear
    let hub = fake(vec![answer(
        "503 Service Unavailable",
        "application/json",
        "",
        "{\"error\":\"Busy.\"}",
    )])
    .await;
    assert_eq!(
        post(&hub, Some("k")).await.unwrap_err().to_string(),
        "Busy."
    );
}

#[tokio::test]
async fn redirects_and_pages_are_no_hub() {
    let elsewhere = answer(
        "302 Found",
        "application/json",
        "location: http://127.0.0.1:9/\r\n",
        "{}",
    );
    for canned in [
        elsewhere,
        answer("200 OK", "text/html", "", "<html>Sign in</html>"),
    ] {
        let hub = fake(vec![canned]).await;
        assert_eq!(get(&hub).await, Err(ClientError::BadAnswer));
        assert_eq!(hub.served.load(Ordering::SeqCst), 1);
    }
    let hub = fake(vec![json("200 OK", "{\"spaces\":3}")]).await;
    assert_eq!(
        client(&hub.base).spaces().await,
        Err(ClientError::BadAnswer)
    );
}

#[tokio::test]
async fn a_broken_read_is_sent_once_more_and_not_twice() {
    let hub = fake(vec![String::new(), json("200 OK", "{}")]).await;
    assert_eq!(get(&hub).await.unwrap(), b"{}");
    assert_eq!(hub.served.load(Ordering::SeqCst), 2);

    let hub = fake(vec![String::new()]).await;
    assert_eq!(get(&hub).await, Err(ClientError::Broken));
    assert_eq!(hub.served.load(Ordering::SeqCst), 2);
    // Cut in the middle of the body.
    let hub = fake(vec![
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"
            .to_owned(),
        json("200 OK", "{}"),
    ])
    .await;
    assert_eq!(get(&hub).await.unwrap(), b"{}");
}

#[tokio::test]
async fn a_broken_change_is_sent_again_only_as_the_same_change() {
    let hub = fake(vec![String::new(), json("201 Created", "{}")]).await;
    assert_eq!(post(&hub, None).await, Err(ClientError::OutcomeUnknown));
    assert_eq!(hub.served.load(Ordering::SeqCst), 1);

    let hub = fake(vec![String::new(), json("201 Created", "{}")]).await;
    assert_eq!(post(&hub, Some("k-1")).await.unwrap(), b"{}");
    assert_eq!(hub.served.load(Ordering::SeqCst), 2);
    assert!(
        hub.heads
            .lock()
            .unwrap()
            .iter()
            .all(|head| head.contains("idempotency-key: k-1"))
    );
}

#[tokio::test]
async fn an_endless_answer_is_not_read_to_its_end() {
    let body = "x".repeat(9 * 1024 * 1024);
    let hub = fake(vec![json("200 OK", &body)]).await;
    assert_eq!(get(&hub).await, Err(ClientError::TooLarge));
}

#[tokio::test]
async fn no_path_leads_out_of_the_api() {
    let hub = fake(vec![json("200 OK", "{}")]).await;
    for path in [
        "/admin",
        "api/bridge/x",
        "/api/../admin",
        "/api/bridge/%2e%2E/x",
        "/api/bridge/./x",
        "/api/a?b=1",
        "/api/a#b",
        "/api/bridge/tasks/a%2Fb",
        "//evil/api/",
        "/api/\\x",
        "http://evil/api/",
    ] {
        let refused = client(&hub.base).request(Call::get(path, WAIT)).await;
        assert_eq!(refused, Err(ClientError::Path), "{path}");
    }
    assert_eq!(hub.served.load(Ordering::SeqCst), 0);
}

#[test]
fn what_cannot_be_used_is_a_configuration_error_and_shows_no_secret() {
    for base in [
        "",
        "127.0.0.1:4000",
        "ftp://h",
        "http://user:pass@h",
        "http://h?x=1",
        "http://h#f",
        "http://",
    ] {
        let error = HubClient::new(base, &Bearer::new(KEY)).unwrap_err();
        assert_eq!(
            error,
            ClientError::Configuration(sentences::BASE_BAD),
            "{base}"
        );
    }
    let error = HubClient::new("http://h", &Bearer::new("ens_a\nb")).unwrap_err();
    assert_eq!(error, ClientError::Configuration(sentences::KEY_UNUSABLE));
    let client = HubClient::new("https://hub.example.com/base/", &Bearer::new(KEY)).unwrap();
    for shown in [
        format!("{client:?}"),
        format!("{:?}", Bearer::new(KEY)),
        format!("{error:?} {error}"),
    ] {
        assert!(
            !shown.contains("ens_") && !shown.contains("secret"),
            "{shown}"
        );
    }
}
