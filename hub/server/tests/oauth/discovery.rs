//! The documents, wherever clients look, and what any origin may ask.

use axum::body::Body;
use ensemble_hub_api::oauth as wire;

use crate::support::{ISSUER, Rig};

#[tokio::test]
async fn c10_each_document_is_the_same_at_every_place() {
    let rig = Rig::new().await;
    for (places, name, value) in [
        (
            &wire::RESOURCE_METADATA_PLACES[..],
            "resource",
            "https://hub.test/mcp",
        ),
        (&wire::SERVER_METADATA_PLACES[..], "issuer", ISSUER),
    ] {
        let first = rig.get(places[0]).await;
        assert_eq!(first.of(name), value);
        for place in places {
            // the address a proxy was asked at is nobody's word for it
            let headers = [
                ("host", "elsewhere.test"),
                ("x-forwarded-host", "elsewhere.test"),
            ];
            let answer = rig.send("GET", place, &headers, Body::empty()).await;
            assert_eq!(
                (answer.status.as_u16(), &answer.body),
                (200, &first.body),
                "{place}"
            );
            assert_eq!(answer.header("content-type"), "application/json", "{place}");
        }
    }
}

#[tokio::test]
async fn a_hub_without_a_safe_address_issues_nothing_and_says_why() {
    let rig = Rig::without_address().await;
    rig.hub.set_base_url("http://hub.test");
    for place in [wire::RESOURCE_METADATA, wire::SERVER_METADATA_PLACES[0]] {
        let answer = rig.get(place).await;
        assert_eq!(answer.error(), (503, "server_error"));
        assert!(
            answer
                .of("error_description")
                .contains("HUB_API_PUBLIC_URL")
        );
    }
}

#[tokio::test]
async fn b08_any_origin_may_ask_before_it_says_who_it_is() {
    let rig = Rig::new().await;
    for path in [
        wire::REGISTER,
        wire::TOKEN,
        wire::REVOKE,
        wire::RESOURCE_METADATA,
        wire::SERVER_METADATA_PLACES[0],
    ] {
        let headers = [
            ("origin", "https://ide.test"),
            ("access-control-request-method", "POST"),
        ];
        let answer = rig.send("OPTIONS", path, &headers, Body::empty()).await;
        assert_eq!(answer.status, 204, "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
        assert_eq!(
            answer.header("access-control-allow-credentials"),
            "",
            "{path}"
        );
        let asked = answer.header("access-control-allow-headers");
        assert!(
            asked.contains("mcp-protocol-version") && asked.contains("authorization"),
            "{path}"
        );
    }
    let authorize = rig
        .send("OPTIONS", wire::AUTHORIZE, &[], Body::empty())
        .await;
    assert_eq!(
        authorize.header("access-control-allow-origin"),
        "",
        "a page of no other origin"
    );
}

#[tokio::test]
async fn the_challenge_of_a_directory_is_what_was_set_or_missing() {
    let rig = Rig::new().await;
    assert_eq!(rig.get(wire::APPS_CHALLENGE).await.status, 404);
    rig.hub.set_apps_challenge("abc-123");
    let answer = rig.get(wire::APPS_CHALLENGE).await;
    assert_eq!(answer.text, "abc-123");
    assert!(answer.header("content-type").starts_with("text/plain"));
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn a_key_unlocks_nothing_here_and_is_not_refused() {
    let rig = Rig::new().await;
    let key = rig.key().await;
    let answer = rig.with(&key, wire::SERVER_METADATA_PLACES[0]).await;
    assert_eq!(answer.status, 200);
    let client = rig.app().await;
    let bearer = format!("Bearer {key}");
    let fields = [("client_id", client.as_str()), ("token", "ert_none")];
    let answer = rig.form_as(wire::REVOKE, Some(&bearer), &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}
