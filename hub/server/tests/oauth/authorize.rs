//! From the app's request to the person's answer.

use ensemble_hub_server::oauth::{self, ConsentError, Scopes};
use jiff::SignedDuration;
use serde_json::json;

use crate::support::{ISSUER, REDIRECT, Rig, parameter};

#[tokio::test]
async fn c16_what_is_wrong_is_said_here_and_sent_nowhere() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    for (name, value) in [
        ("client_id", "eci_unknown"),
        ("client_id", ""),
        ("redirect_uri", "https://evil.example/cb"),
        ("redirect_uri", "http://127.0.0.1:33418/callback?invalid=1"),
        ("response_type", "token"),
        ("response_type", ""),
        ("code_challenge", ""),
        ("code_challenge", "short"),
        ("code_challenge_method", "plain"),
        ("code_challenge_method", ""),
        ("resource", "https://other.test/mcp"),
    ] {
        let answer = rig.authorize(&client, &[(name, value)]).await;
        assert!(answer.status.is_client_error(), "{name}={value}");
        assert_eq!(answer.header("location"), "", "{name}={value}");
        assert!(
            answer.text.contains("<p>") && !answer.text.contains("evil"),
            "{name}={value}"
        );
        assert!(
            answer
                .header("content-security-policy")
                .contains("frame-ancestors 'none'")
        );
    }
}

#[tokio::test]
async fn c01_a_port_on_this_computer_may_be_another_one() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let other = "http://127.0.0.1:57470/callback";
    let waiting = rig.waiting(&client, &[("redirect_uri", other)]).await;
    let location = rig.allowed(&waiting, Scopes::ALL).await;
    assert!(
        location.starts_with(&format!("{other}?code=eac_")),
        "{location}"
    );
    let code = parameter(&location, "code").unwrap();
    assert_eq!(
        rig.redeem(&client, &code, &[]).await.error(),
        (400, "invalid_grant"),
        "another one"
    );
    let same = [("redirect_uri", other)];
    assert_eq!(rig.redeem(&client, &code, &same).await.status, 200);
}

#[tokio::test]
async fn the_answer_has_the_state_and_the_issuer_whatever_it_is() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let yes = rig.waiting(&client, &[]).await;
    let no = rig.waiting(&client, &[]).await;
    let yes = rig.allowed(&yes, Scopes::ALL).await;
    let no = oauth::deny(&rig.hub, &no.id, &no.session)
        .await
        .unwrap()
        .location;
    for location in [&yes, &no] {
        assert!(location.starts_with(REDIRECT));
        assert_eq!(parameter(location, "state").unwrap(), "s t/a+te&=");
        assert_eq!(parameter(location, "iss").unwrap(), ISSUER);
    }
    assert_eq!(parameter(&no, "error").unwrap(), "access_denied");
    assert_eq!(parameter(&no, "code"), None);
}

#[tokio::test]
async fn a_request_is_one_browsers_and_ends_after_ten_minutes() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let waiting = rig.waiting(&client, &[]).await;
    let other = rig.waiting(&client, &[]).await;
    let gone =
        |outcome: Result<oauth::Pending, ConsentError>| matches!(outcome, Err(ConsentError::Gone));
    assert!(gone(
        oauth::pending(&rig.hub, &waiting.id, &other.session).await
    ));
    let pending = oauth::pending(&rig.hub, &waiting.id, &waiting.session)
        .await
        .unwrap();
    assert_eq!(
        (pending.client_name.as_str(), pending.domains),
        ("Editor", vec!["127.0.0.1".to_owned()])
    );
    rig.allowed(&waiting, Scopes::ALL).await;
    assert!(
        gone(oauth::pending(&rig.hub, &waiting.id, &waiting.session).await),
        "once"
    );
    rig.clock.advance(SignedDuration::from_secs(599));
    assert!(!gone(
        oauth::pending(&rig.hub, &other.id, &other.session).await
    ));
    rig.clock.advance(SignedDuration::from_secs(1));
    assert!(gone(
        oauth::pending(&rig.hub, &other.id, &other.session).await
    ));
    let late = (other.id.as_str(), other.session.as_str());
    let late = oauth::approve(&rig.hub, late, &rig.owner, &rig.home, Scopes::ALL).await;
    assert!(matches!(late, Err(ConsentError::Gone)));
}

#[tokio::test]
async fn only_an_own_space_is_granted_and_no_more_than_was_asked() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    let store = rig.hub.store();
    let (other, _) = store.create_account("Someone", "Their home").await.unwrap();
    let team = store.create_space(&other.id, "Team").await.unwrap();
    store
        .share_space(&team.id, &rig.owner, "editor")
        .await
        .unwrap();
    let waiting = rig
        .waiting(&client, &[("scope", "ensemble:read mail")])
        .await;
    let names = (waiting.id.as_str(), waiting.session.as_str());
    let shared = oauth::approve(&rig.hub, names, &rig.owner, &team.id, Scopes::ALL).await;
    assert!(matches!(shared, Err(ConsentError::Space)));
    let location = rig.allowed(&waiting, Scopes::ALL).await;
    let code = parameter(&location, "code").unwrap();
    let answer = rig.redeem(&client, &code, &[]).await;
    assert_eq!(answer.of("scope"), "ensemble:read offline_access");
}

#[tokio::test]
async fn an_address_that_is_asked_for_twice_waits_twice_and_does_nothing_else() {
    let rig = Rig::new().await;
    let client = rig.app().await;
    rig.waiting(&client, &[]).await;
    let second = rig.waiting(&client, &[]).await;
    rig.allowed(&second, Scopes::ALL).await;
    let connected = oauth::connections(&rig.hub, &rig.owner).await.unwrap();
    assert!(
        connected.is_empty(),
        "a code that nobody used is no connection"
    );
}

#[tokio::test]
async fn a_parameter_that_comes_twice_is_refused() {
    let rig = Rig::new().await;
    let document = json!({ "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none" });
    let client = rig.register(&document).await.of("client_id").to_owned();
    let twice = [("scope", "ensemble:read"), ("scope", "ensemble:write")];
    assert_eq!(rig.authorize(&client, &twice).await.status, 400);
}
