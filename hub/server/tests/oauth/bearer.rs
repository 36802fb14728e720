//! What an access token opens, and what it is told when it does not.

use axum::body::Body;
use ensemble_hub_server::oauth::{self, Scopes};
use serde_json::json;

use crate::support::{Rig, WHOAMI, parameter, tokens};

const METADATA: &str =
    "resource_metadata=\"https://hub.test/.well-known/oauth-protected-resource/mcp\"";

#[tokio::test]
async fn a_token_reaches_the_own_spaces_with_its_scopes() {
    let rig = Rig::new().await;
    let side = rig.hub.admin().create_space("Side").await.unwrap();
    let client = rig.app().await;
    let (access, _) = rig.connected(&client).await;
    let who = rig.with(&access, WHOAMI).await;
    assert_eq!(
        (&who.body["canWrite"], &who.body["canUseApps"]),
        (&json!(true), &json!(true))
    );
    let bearer = format!("Bearer {access}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("x-ensemble-space", side.id.as_str()),
    ];
    let answer = rig.send("GET", WHOAMI, &headers, Body::empty()).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn c18_what_a_token_lacks_is_403_with_all_that_it_needs() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let waiting = rig.waiting(&client, &[]).await;
    let location = rig.allowed(&waiting, Scopes::READS).await;
    let code = parameter(&location, "code").unwrap();
    let (access, _) = tokens(&rig.redeem(&client, &code, &[]).await);
    let bearer = format!("Bearer {access}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("content-type", "application/json"),
    ];
    let answer = rig
        .send(
            "POST",
            "/api/bridge/write/tasks",
            &headers,
            r#"{"title":"x"}"#,
        )
        .await;
    assert_eq!(answer.status, 403, "{}", answer.text);
    let wanted = format!(
        "Bearer error=\"insufficient_scope\", scope=\"ensemble:read ensemble:write\", {METADATA}"
    );
    assert_eq!(answer.header("www-authenticate"), wanted);
}

#[tokio::test]
async fn c08_one_connection_ends_at_once_and_the_other_stays() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let (first, _) = rig.connected(&client).await;
    let (second, _) = rig.connected(&client).await;
    let all = oauth::connections(&rig.hub, &rig.owner).await.unwrap();
    assert_eq!(all.len(), 2);
    let who = rig.with(&first, WHOAMI).await;
    let id = who.of("keyId").to_owned();
    assert!(all.iter().any(|connection| connection.id == id));
    assert!(
        !oauth::disconnect(&rig.hub, "somebody", &id).await.unwrap(),
        "not theirs"
    );
    assert!(oauth::disconnect(&rig.hub, &rig.owner, &id).await.unwrap());
    let (ended, good) = (
        rig.with(&first, WHOAMI).await,
        rig.with(&second, WHOAMI).await,
    );
    assert_eq!((ended.status.as_u16(), good.status.as_u16()), (401, 200));
    assert_eq!(
        ended.header("www-authenticate"),
        format!("Bearer error=\"invalid_token\", {METADATA}")
    );
}

#[tokio::test]
async fn only_an_access_token_is_one() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let (access, refresh) = rig.connected(&client).await;
    let code = rig.code(&client).await;
    for other in [
        refresh.as_str(),
        &code,
        "ens_",
        &format!("{access}x"),
        &access.replace("ens_", "ert_"),
    ] {
        assert_eq!(rig.with(other, WHOAMI).await.status, 401);
    }
    let keys = rig.hub.admin().keys().await.unwrap();
    assert!(keys.is_empty(), "tokens are in no list of keys");
}

#[tokio::test]
async fn tokens_go_with_the_space_that_was_allowed_and_with_the_address() {
    let rig = Rig::new().await;
    let side = rig.hub.admin().create_space("Side").await.unwrap();
    let client = rig.app().await;
    let waiting = rig.waiting(&client, &[]).await;
    let names = (waiting.id.as_str(), waiting.session.as_str());
    let answered = oauth::approve(&rig.hub, names, &rig.owner, &side.id, Scopes::ALL).await;
    let code = parameter(&answered.unwrap().location, "code").unwrap();
    let (access, refresh) = tokens(&rig.redeem(&client, &code, &[]).await);
    let (kept, _) = rig.connected(&client).await;
    rig.sql("DELETE FROM spaces WHERE name = 'Side'").await;
    assert_eq!(rig.with(&access, WHOAMI).await.status, 401);
    let answer = rig.refresh(&client, &refresh, &[]).await;
    assert_eq!(answer.error(), (400, "invalid_grant"));
    assert_eq!(rig.with(&kept, WHOAMI).await.status, 200, "another space");
    let rig = rig.moved("https://new.test").await;
    assert_eq!(rig.with(&kept, WHOAMI).await.status, 401, "another address");
    rig.sql("DELETE FROM accounts").await;
    assert_eq!(rig.count("oauth_grants").await, 0);
    assert_eq!(rig.count("oauth_tokens").await, 0);
}
