//! Connect your apps: a key is made with the grants that were ticked, shown once, and revoked.

use axum::http::{Request, StatusCode, header};

use crate::browser::{HOST, Site};

async fn whoami(site: &Site, key: &str) -> (StatusCode, String) {
    let mut browser = site.browser();
    let request = Request::get("/api/bridge/whoami")
        .header(header::HOST, HOST)
        .header(header::AUTHORIZATION, format!("Bearer {key}"));
    let page = browser.send(request, String::new()).await;
    (page.status, page.body)
}

#[tokio::test]
async fn a_key_has_the_grants_that_were_ticked_and_is_shown_once() {
    let site = Site::new().await;
    let mut browser = site.owner().await;
    let page = browser.get("/connect").await;
    assert_eq!(
        page.body.matches(" checked").count(),
        2,
        "both grants are ticked by default"
    );
    let (proof, space) = (
        page.hidden("proof"),
        site.hub.admin().spaces().await.unwrap().remove(0).id,
    );
    for (ticked, can) in [
        (&[("changes", "on"), ("apps", "on")][..], (true, true)),
        (&[("changes", "on")][..], (true, false)),
        (&[][..], (false, false)),
    ] {
        let mut fields = vec![
            ("proof", proof.as_str()),
            ("name", "<b>laptop</b>"),
            ("space", &space),
        ];
        fields.extend(ticked);
        let made = browser.post("/connect/keys", &fields).await;
        assert_eq!(made.status, StatusCode::OK, "{}", made.body);
        assert_eq!(made.header("cache-control"), "no-store");
        let key = made.within("<pre class=\"key\">");
        let (status, said) = whoami(&site, &key).await;
        assert_eq!(status, StatusCode::OK);
        assert!(
            said.contains(&format!("\"canWrite\":{}", can.0))
                && said.contains(&format!("\"canUseApps\":{}", can.1)),
            "{said}"
        );
        let list = browser.get("/connect").await;
        assert!(
            !list.body.contains(&key) && !list.body.contains("<b>laptop"),
            "{}",
            list.body
        );
        assert!(list.body.contains("&lt;b&gt;laptop&lt;/b&gt;"));
    }
}

#[tokio::test]
async fn a_revoked_key_works_no_more_and_another_accounts_key_is_not_there() {
    let site = Site::new().await;
    let mut browser = site.owner().await;
    let (proof, space) = (
        browser.get("/connect").await.hidden("proof"),
        site.hub.admin().spaces().await.unwrap().remove(0).id,
    );
    let made = browser
        .post(
            "/connect/keys",
            &[("proof", &proof), ("name", "mine"), ("space", &space)],
        )
        .await;
    let key = made.within("<pre class=\"key\">");
    let theirs = theirs(&site).await;
    let list = browser.get("/connect").await;
    assert!(
        list.body.contains("mine") && !list.body.contains("theirs"),
        "{}",
        list.body
    );
    let refused = browser
        .post(
            &format!("/connect/keys/{theirs}/revoke"),
            &[("proof", &proof)],
        )
        .await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let other = site
        .hub
        .admin()
        .keys()
        .await
        .unwrap()
        .into_iter()
        .find(|key| key.id == theirs)
        .unwrap();
    assert_eq!(other.revoked_at, None);
    let (_, after) = list.body.split_once("/connect/keys/").unwrap();
    let id = after.split_once('/').unwrap().0;
    let revoked = browser
        .post(&format!("/connect/keys/{id}/revoke"), &[("proof", &proof)])
        .await;
    assert_eq!(revoked.status, StatusCode::SEE_OTHER, "{}", revoked.body);
    assert_eq!(whoami(&site, &key).await.0, StatusCode::UNAUTHORIZED);
    // a space of somebody else is none to make a key in
    let strange = browser
        .post(
            "/connect/keys",
            &[("proof", &proof), ("name", "x"), ("space", "0198")],
        )
        .await;
    assert_eq!(strange.status, StatusCode::BAD_REQUEST);
}

/// The id of a key of another account.
async fn theirs(site: &Site) -> String {
    use ensemble_hub_server::store::{KeyKind, NewKey};
    let (account, space) = site
        .hub
        .store()
        .create_account("Zoe", "Hers")
        .await
        .unwrap();
    let key = NewKey {
        id: "ffffffffff".to_owned(),
        name: "theirs".to_owned(),
        hash: "0".repeat(64),
        account_id: Some(account.id),
        space_id: space.id,
        kind: KeyKind::Bridge,
        can_write: true,
        can_use_apps: true,
    };
    site.hub.store().insert_key(&key).await.unwrap();
    key.id
}
