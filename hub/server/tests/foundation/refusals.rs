//! Every refusal below `/api/bridge` is one sentence as JSON, also where a library refuses before a route is reached.

use ensemble_hub_api::sentences;

use crate::support::{CREATE, Rig, bearer};

#[tokio::test]
async fn an_address_that_is_no_text_is_refused_as_json() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", true).await;
    let kinds = ["tasks", "projects", "repos", "skills", "people", "files"];
    let mut paths: Vec<String> = kinds.map(|kind| format!("/api/bridge/{kind}/%ff")).to_vec();
    for more in [
        "files/%ff/original",
        "repos/%ff/overview",
        "repos/%ff/file?path=a",
        "read?kind=task&id=%ff",
    ] {
        paths.push(format!("/api/bridge/{more}"));
    }
    for path in paths {
        let answer = rig.get(&key, &path).await;
        assert!(answer.status.is_client_error(), "{path}: {answer:?}");
        assert!(answer.error().ends_with('.'), "{path}: {answer:?}");
        assert_eq!(answer.headers["content-type"], "application/json");
        assert_eq!(answer.headers["cache-control"], "no-store");
    }
    let answer = rig.get(&key, "/api/bridge/tasks/%ff").await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.error(), sentences::ADDRESS_UNREADABLE);
    // without a key nothing is said but that
    let answer = rig.send("GET", "/api/bridge/tasks/%ff", &[], "").await;
    assert_eq!(answer.status, 401);
    let path = format!("{CREATE}/%ff");
    let answer = rig
        .write(
            "PATCH",
            &key,
            &path,
            &serde_json::json!({ "status": "done" }),
        )
        .await;
    assert_eq!(
        (answer.status.as_u16(), answer.error().is_empty()),
        (400, false)
    );
}

#[tokio::test]
async fn a_compressed_body_is_refused_and_not_misread() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", true).await;
    let authorization = bearer(&key);
    let body = r#"{"title":"Hello"}"#;
    for (encoding, status) in [
        ("gzip", 415),
        ("br", 415),
        ("identity, gzip", 415),
        ("Identity", 201),
    ] {
        let headers = [
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
            ("content-encoding", encoding),
        ];
        let answer = rig.send("POST", CREATE, &headers, body).await;
        assert_eq!(answer.status, status, "{encoding}: {answer:?}");
        if status == 415 {
            assert_eq!(answer.error(), sentences::BODY_ENCODED);
        }
    }
}
