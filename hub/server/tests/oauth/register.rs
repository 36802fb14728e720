//! Registration: what an app gets, and what refuses it.

use serde_json::{Value, json};

use crate::support::Rig;

#[tokio::test]
async fn c03_an_editor_registers_all_of_its_addresses_at_once() {
    let rig = Rig::new().await;
    let uris = json!([
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "vscode://vscode.github-authentication/did-authenticate",
        "http://127.0.0.1:0/callback",
        "https://claude.ai/api/mcp/auth_callback",
    ]);
    let document = json!({ "redirect_uris": uris, "token_endpoint_auth_method": "none", "application_type": "web", "x_unknown": { "a": 1 } });
    let answer = rig.register(&document).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    assert_eq!(answer.body["redirect_uris"], uris);
    assert_eq!(answer.of("application_type"), "native");
    assert!(
        answer.body.get("client_secret").is_none(),
        "absent, not null"
    );
    assert!(!answer.text.contains("null"));
}

#[tokio::test]
async fn who_leaves_the_method_out_gets_a_secret() {
    let rig = Rig::new().await;
    let answer = rig
        .register(&json!({ "redirect_uris": ["https://a.test/cb"] }))
        .await;
    assert_eq!(
        answer.of("token_endpoint_auth_method"),
        "client_secret_basic"
    );
    assert_eq!(answer.body["client_secret_expires_at"], json!(0));
    assert!(!answer.of("client_secret").is_empty());
    assert_eq!(
        answer.body["grant_types"],
        json!(["authorization_code", "refresh_token"])
    );
    assert_eq!(
        answer.of("client_name"),
        "a.test",
        "its domain, when it has no name"
    );
}

#[tokio::test]
async fn what_cannot_be_registered_is_refused_in_its_word() {
    let rig = Rig::new().await;
    let with = |name: &str, value: Value| {
        let mut document =
            json!({ "redirect_uris": ["https://a.test/cb"], "token_endpoint_auth_method": "none" });
        document[name] = value;
        document
    };
    for (document, word) in [
        (json!({}), "invalid_redirect_uri"),
        (with("redirect_uris", json!([])), "invalid_redirect_uri"),
        (
            with(
                "redirect_uris",
                json!(["https://a.test/cb", "javascript:alert(1)"]),
            ),
            "invalid_redirect_uri",
        ),
        (
            with("redirect_uris", json!(vec!["https://a.test/cb"; 21])),
            "invalid_redirect_uri",
        ),
        (
            with("token_endpoint_auth_method", json!("private_key_jwt")),
            "invalid_client_metadata",
        ),
        (
            with("grant_types", json!(["client_credentials"])),
            "invalid_client_metadata",
        ),
        (
            with("grant_types", json!(["implicit"])),
            "invalid_client_metadata",
        ),
        (
            with("response_types", json!(["token"])),
            "invalid_client_metadata",
        ),
        (
            with("ensemble_refresh_token_mode", json!("persistent")),
            "invalid_client_metadata",
        ),
        (json!([1]), "invalid_client_metadata"),
    ] {
        let answer = rig.register(&document).await;
        assert_eq!(answer.error(), (400, word), "{document}");
        assert!(!answer.of("error_description").is_empty());
    }
}

#[tokio::test]
async fn bodies_and_numbers_of_registrations_are_bounded() {
    let rig = Rig::new().await;
    let large = json!({ "client_name": "x".repeat(70_000) });
    assert_eq!(rig.register(&large).await.error(), (413, "invalid_request"));
    for _ in 0..59 {
        rig.app().await;
    }
    let answer = rig.register(&json!({})).await;
    assert_eq!(answer.error(), (429, "temporarily_unavailable"));
    assert_eq!(answer.header("retry-after"), "1");
}
