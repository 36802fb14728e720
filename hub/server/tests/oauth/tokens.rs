//! Codes, refreshes, narrowing, replays, secrets and revocation.

use base64::Engine as _;
use jiff::SignedDuration;
use serde_json::json;

use crate::support::{CHALLENGE, REDIRECT, Rig, VERIFIER, WHOAMI, tokens};

#[tokio::test]
async fn c07_a_code_is_good_once_and_again_ends_what_it_gave() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let other = rig.app().await;
    let code = rig.code(&client).await;
    let wrong = "x".repeat(43);
    for change in [
        ("code_verifier", wrong.as_str()),
        ("code_verifier", CHALLENGE),
        ("redirect_uri", "http://127.0.0.1:1/callback"),
        ("client_id", other.as_str()),
    ] {
        let answer = rig.redeem(&client, &code, &[change]).await;
        assert_eq!(answer.error(), (400, "invalid_grant"), "{change:?}");
    }
    let none = rig.redeem(&client, &code, &[("code_verifier", "")]).await;
    assert_eq!(none.error(), (400, "invalid_request"));
    let (access, refresh) = tokens(&rig.redeem(&client, &code, &[]).await);
    assert_eq!(rig.with(&access, WHOAMI).await.status, 200);
    assert_eq!(
        rig.redeem(&client, &code, &[]).await.error(),
        (400, "invalid_grant")
    );
    assert_eq!(rig.with(&access, WHOAMI).await.status, 401);
    assert_eq!(
        rig.refresh(&client, &refresh, &[]).await.error(),
        (400, "invalid_grant")
    );
}

#[tokio::test]
async fn c07_of_twenty_at_once_one_succeeds() {
    let rig = std::sync::Arc::new(Rig::new().await);
    let client = rig.app().await;
    let code = rig.code(&client).await;
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (rig, client, code) = (std::sync::Arc::clone(&rig), client.clone(), code.clone());
        all.spawn(async move { rig.redeem(&client, &code, &[]).await.status.as_u16() });
    }
    let answers = all.join_all().await;
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|status| **status == 400).count(), 19);
}

#[tokio::test]
async fn a_code_ends_after_five_minutes() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let code = rig.code(&client).await;
    rig.clock.advance(SignedDuration::from_mins(5));
    assert_eq!(
        rig.redeem(&client, &code, &[]).await.error(),
        (400, "invalid_grant")
    );
}

#[tokio::test]
async fn c05_windows_that_refresh_together_get_the_same_tokens() {
    let rig = std::sync::Arc::new(Rig::new().await);
    let client = rig.app().await;
    let (_, old) = rig.connected(&client).await;
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..5 {
        let (rig, client, old) = (std::sync::Arc::clone(&rig), client.clone(), old.clone());
        all.spawn(async move { tokens(&rig.refresh(&client, &old, &[]).await) });
    }
    let mut pairs = all.join_all().await;
    pairs.sort();
    pairs.dedup();
    assert_eq!(pairs.len(), 1);
    assert_eq!(rig.with(&pairs[0].0, WHOAMI).await.status, 200);
    rig.clock.advance(SignedDuration::from_secs(29));
    assert_eq!(tokens(&rig.refresh(&client, &old, &[]).await), pairs[0]);
}

#[tokio::test]
async fn a_replay_after_the_grace_ends_the_connection() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let (_, old) = rig.connected(&client).await;
    let (access, new) = tokens(&rig.refresh(&client, &old, &[]).await);
    rig.clock.advance(SignedDuration::from_secs(30));
    assert_eq!(
        rig.refresh(&client, &old, &[]).await.error(),
        (400, "invalid_grant")
    );
    assert_eq!(rig.with(&access, WHOAMI).await.status, 401);
    assert_eq!(
        rig.refresh(&client, &new, &[]).await.error(),
        (400, "invalid_grant")
    );
}

#[tokio::test]
async fn c14_a_refresh_keeps_or_narrows_and_what_is_narrow_stays() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let (wide, first) = rig.connected(&client).await;
    let kept = rig.refresh(&client, &first, &[]).await;
    assert_eq!(
        kept.of("scope"),
        "ensemble:read ensemble:write ensemble:apps offline_access"
    );
    let (_, second) = tokens(&kept);
    let narrow = rig
        .refresh(&client, &second, &[("scope", "ensemble:read")])
        .await;
    assert_eq!(narrow.of("scope"), "ensemble:read offline_access");
    let (_, third) = tokens(&narrow);
    let wider = rig
        .refresh(
            &client,
            &third,
            &[("scope", "ensemble:read ensemble:write")],
        )
        .await;
    assert_eq!(wider.error(), (400, "invalid_scope"));
    let again = rig.refresh(&client, &third, &[]).await;
    assert_eq!(
        again.of("scope"),
        "ensemble:read offline_access",
        "and the token is not spent"
    );
    assert_eq!(
        rig.with(&wide, WHOAMI).await.body["canWrite"],
        json!(false),
        "those that are out too"
    );
}

#[tokio::test]
async fn tokens_end_after_an_hour_and_after_thirty_days() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let (access, refresh) = rig.connected(&client).await;
    rig.clock.advance(SignedDuration::from_secs(3_599));
    assert_eq!(rig.with(&access, WHOAMI).await.status, 200);
    rig.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(rig.with(&access, WHOAMI).await.status, 401);
    let (_, next) = tokens(&rig.refresh(&client, &refresh, &[]).await);
    rig.clock.advance(SignedDuration::from_hours(30 * 24));
    assert_eq!(
        rig.refresh(&client, &next, &[]).await.error(),
        (400, "invalid_grant")
    );
}

#[tokio::test]
async fn an_app_with_a_secret_shows_it_either_way_and_may_keep_its_refresh_token() {
    let rig = Rig::new().await;
    let document = json!({ "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "client_secret_post", "ensemble_refresh_token_mode": "persistent" });
    let app = rig.register(&document).await;
    let (client, secret) = (app.of("client_id"), app.of("client_secret"));
    let code = rig.code(client).await;
    assert_eq!(
        rig.redeem(client, &code, &[]).await.error(),
        (401, "invalid_client")
    );
    assert_eq!(
        rig.redeem(client, &code, &[("client_secret", "wrong")])
            .await
            .error(),
        (401, "invalid_client")
    );
    let (_, refresh) = tokens(
        &rig.redeem(client, &code, &[("client_secret", secret)])
            .await,
    );
    let basic = base64::engine::general_purpose::STANDARD.encode(format!("{client}:{secret}"));
    let basic = format!("Basic {basic}");
    for _ in 0..2 {
        rig.clock.advance(SignedDuration::from_hours(29 * 24));
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.as_str()),
        ];
        let answer = rig.form_as("/oauth/token", Some(&basic), &fields).await;
        assert_eq!(tokens(&answer).1, refresh, "the same one, longer");
    }
    assert_eq!(
        rig.refresh(client, &refresh, &[]).await.error(),
        (401, "invalid_client")
    );
}

#[tokio::test]
async fn other_grants_and_resources_are_refused() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let code = rig.code(&client).await;
    for (change, word) in [
        (
            ("grant_type", "client_credentials"),
            "unsupported_grant_type",
        ),
        (("grant_type", "password"), "unsupported_grant_type"),
        (("grant_type", ""), "invalid_request"),
        (("resource", "https://other.test/mcp"), "invalid_target"),
    ] {
        assert_eq!(
            rig.redeem(&client, &code, &[change]).await.error(),
            (400, word),
            "{change:?}"
        );
    }
    let answer = rig
        .redeem(&client, &code, &[("resource", "https://HUB.test:443/mcp/")])
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn c09_a_public_app_ends_its_own_connection_and_no_other() {
    let rig = Rig::new().await;
    let (client, other) = (rig.app().await, rig.app().await);
    let (access, refresh) = rig.connected(&client).await;
    let revoke = async |client: &str, token: &str| {
        let fields = [("client_id", client), ("token", token)];
        rig.form("/oauth/revoke", &fields).await.status.as_u16()
    };
    assert_eq!(revoke(&client, "ert_unknown").await, 200);
    assert_eq!(revoke(&other, &refresh).await, 200);
    assert_eq!(
        rig.with(&access, WHOAMI).await.status,
        200,
        "another app's word"
    );
    assert_eq!(revoke(&client, &refresh).await, 200);
    assert_eq!(rig.with(&access, WHOAMI).await.status, 401);
    let headers = [("content-type", "application/json")];
    let json = rig.send("POST", "/oauth/revoke", &headers, "{}").await;
    assert_eq!(json.error(), (415, "invalid_request"));
    assert_eq!(
        rig.get("/oauth/revoke").await.error(),
        (405, "invalid_request")
    );
}

#[tokio::test]
async fn nothing_that_opens_anything_is_in_the_database() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let code = rig.code(&client).await;
    let (access, refresh) = tokens(&rig.redeem(&client, &code, &[]).await);
    let (next_access, next) = tokens(&rig.refresh(&client, &refresh, &[]).await);
    rig.hub.close().await;
    let mut kept = Vec::new();
    for entry in std::fs::read_dir(rig.folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            kept.extend(std::fs::read(path).unwrap());
        }
    }
    assert!(
        kept.windows(client.len())
            .any(|part| part == client.as_bytes()),
        "it is the file"
    );
    for secret in [&code, &access, &refresh, &next_access, &next] {
        let tail = &secret.as_bytes()[4..];
        assert!(!kept.windows(tail.len()).any(|part| part == tail));
    }
    assert!(
        !kept
            .windows(VERIFIER.len())
            .any(|part| part == VERIFIER.as_bytes())
    );
}
