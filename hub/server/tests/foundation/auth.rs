//! Who may ask, and where: every row of the refusal table, and every way a key can be wrong.

use axum::body::Body;
use ensemble_hub_api::{Kind, sentences};
use ensemble_hub_server::secret::KeyValue;
use ensemble_hub_server::store::{KeyKind, NewKey};
use serde_json::json;

use crate::support::{Rig, bearer};

const WHOAMI: &str = "/api/bridge/whoami";

#[tokio::test]
async fn every_wrong_key_is_401_with_a_sentence() {
    let rig = Rig::new().await;
    let (key, id) = rig.key("Zed", false).await;
    let good = bearer(&key);
    let unknown = format!("Bearer ens_{}", "A".repeat(43));
    let long = format!("Bearer ens_{}", "A".repeat(5_000));
    let lower = format!("bearer {key}");
    let cases: [(&[&str], &str); 10] = [
        (&[], sentences::KEY_MISSING),
        (&[""], sentences::KEY_MALFORMED),
        (&["Basic dXNlcjpwYXNz"], sentences::KEY_MALFORMED),
        (&["Bearer "], sentences::KEY_MALFORMED),
        (
            &["Bearer ${ENSEMBLE_BRIDGE_TOKEN}"],
            sentences::KEY_MALFORMED,
        ),
        (&[&long], sentences::KEY_MALFORMED),
        (&[&unknown], sentences::KEY_UNKNOWN),
        (&["Bearer dev-internal-token"], sentences::KEY_MALFORMED),
        (&["Bearer ens_"], sentences::KEY_UNKNOWN),
        (&[&good, &good], sentences::KEY_MALFORMED),
    ];
    for (values, sentence) in cases {
        let headers: Vec<(&str, &str)> = values
            .iter()
            .map(|value| ("authorization", *value))
            .collect();
        for path in [WHOAMI, "/api/bridge/tasks", "/api/bridge/nothing"] {
            let answer = rig.send("GET", path, &headers, Body::empty()).await;
            assert_eq!(
                (answer.status.as_u16(), answer.error()),
                (401, sentence),
                "{values:?} {path}"
            );
            assert_eq!(answer.headers["www-authenticate"], "Bearer");
        }
        let write = rig
            .send("POST", "/api/bridge/write/tasks", &headers, "{")
            .await;
        assert_eq!(write.status, 401, "{values:?}");
    }
    let answer = rig
        .send("GET", WHOAMI, &[("authorization", &lower)], Body::empty())
        .await;
    assert_eq!(answer.status, 200, "the scheme has no case");
    rig.hub.admin().revoke_key(&id).await.unwrap();
    let answer = rig.get(&key, WHOAMI).await;
    assert_eq!(
        (answer.status.as_u16(), answer.error()),
        (401, sentences::KEY_UNKNOWN)
    );
}

#[tokio::test]
async fn each_row_of_the_space_table_answers_in_its_words() {
    let rig = Rig::new().await;
    let store = rig.store();
    let side = rig.hub.admin().create_space("Side").await.unwrap();
    let (other, their_home) = store.create_account("Someone", "Their home").await.unwrap();
    let shared = store.create_space(&other.id, "Team").await.unwrap();
    let owner = store.owner().await.unwrap().unwrap();
    store
        .share_space(&shared.id, &owner.id, "editor")
        .await
        .unwrap();
    let (own, _) = rig.key("own", false).await;
    let legacy_home = raw_key(&rig, &rig.home, None).await;
    let legacy_side = raw_key(&rig, &side.id, None).await;

    let in_team =
        "“Team” is shared with you, and keys act only in your own spaces: work there in Ensemble.";
    let only_side = "This key works only in “Side”: make a new key with `ensemble hub key create` to reach your other spaces.";
    let cannot = "This key's account cannot open that space.";
    let cases: [(&str, &str, u16, &str); 16] = [
        (&own, &rig.home, 200, "Personal"),
        (&own, &side.id, 200, "Side"),
        (&own, &shared.id, 403, in_team),
        (&own, &their_home.id, 404, cannot),
        (&own, "019a0000-0000-7000-8000-000000000000", 404, cannot),
        (&own, "Side", 404, cannot),
        (&own, "", 404, cannot),
        (&own, "' OR 1=1 --", 404, cannot),
        (&legacy_home, &rig.home, 200, "Personal"),
        (&legacy_home, &side.id, 200, "Side"),
        (&legacy_home, &shared.id, 403, in_team),
        (&legacy_home, &their_home.id, 404, cannot),
        (&legacy_side, &side.id, 200, "Side"),
        (&legacy_side, &rig.home, 404, only_side),
        (&legacy_side, &shared.id, 404, only_side),
        (&legacy_side, "nonsense", 404, only_side),
    ];
    for (key, space, status, words) in cases {
        let authorization = bearer(key);
        let headers = [
            ("authorization", authorization.as_str()),
            ("x-ensemble-space", space),
        ];
        let answer = rig.send("GET", WHOAMI, &headers, Body::empty()).await;
        assert_eq!(answer.status.as_u16(), status, "{space}");
        let said = if status == 200 {
            answer.body["spaceName"].as_str().unwrap()
        } else {
            answer.error()
        };
        assert_eq!(said, words, "{space}");
    }
    let authorization = bearer(&own);
    let twice = [
        ("authorization", authorization.as_str()),
        ("x-ensemble-space", &rig.home),
        ("x-ensemble-space", &side.id),
    ];
    assert_eq!(
        rig.send("GET", WHOAMI, &twice, Body::empty()).await.status,
        404,
        "two names are no name"
    );
}

#[tokio::test]
async fn a_request_sees_and_changes_its_own_space_only() {
    let rig = Rig::new().await;
    let side = rig.hub.admin().create_space("Side").await.unwrap();
    let task = rig.add(Kind::Task, "At home", json!({})).await;
    let (key, _) = rig.key("k", true).await;
    let authorization = bearer(&key);
    let headers = [
        ("authorization", authorization.as_str()),
        ("x-ensemble-space", &side.id),
        ("content-type", "application/json"),
    ];
    let list = rig
        .send("GET", "/api/bridge/tasks", &headers, Body::empty())
        .await;
    assert_eq!(
        (list.status.as_u16(), &list.body["total"]),
        (200, &json!(0))
    );
    let path = format!("/api/bridge/tasks/{}", task.id);
    assert_eq!(
        rig.send("GET", &path, &headers, Body::empty()).await.status,
        404
    );
    let path = format!("/api/bridge/write/tasks/{}", task.id);
    let refused = rig
        .send(
            "PATCH",
            &path,
            &headers,
            json!({ "status": "done" }).to_string(),
        )
        .await;
    assert_eq!(
        (refused.status.as_u16(), refused.error()),
        (404, "There is no task with that id in this space.")
    );
    rig.send(
        "POST",
        "/api/bridge/write/tasks",
        &headers,
        json!({ "title": "Over there" }).to_string(),
    )
    .await;
    let there = rig
        .store()
        .find_by_title(&side.id, Kind::Task, "Over there")
        .await
        .unwrap();
    assert_eq!(there.len(), 1);
    assert_eq!(
        rig.store()
            .find_by_title(&rig.home, Kind::Task, "Over there")
            .await
            .unwrap(),
        []
    );
}

#[tokio::test]
async fn spaces_lists_what_can_be_opened_and_why_not() {
    let rig = Rig::new().await;
    let store = rig.store();
    rig.hub.admin().create_space("Alpha").await.unwrap();
    let side = rig.hub.admin().create_space("Side").await.unwrap();
    let (other, _) = store.create_account("Someone", "Their home").await.unwrap();
    let shared = store.create_space(&other.id, "Team").await.unwrap();
    let owner = store.owner().await.unwrap().unwrap();
    store
        .share_space(&shared.id, &owner.id, "editor")
        .await
        .unwrap();
    let key = raw_key(&rig, &side.id, Some(owner.id)).await;
    let answer = rig.get(&key, "/api/bridge/spaces").await;
    let rows: Vec<_> = answer.body["spaces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|space| {
            (
                space["name"].as_str().unwrap(),
                space["access"].as_str().unwrap(),
                space["role"].as_str().unwrap(),
                space["default"] == json!(true),
                space["usable"] == json!(true),
                space["refusal"].is_string(),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("Side", "own", "owner", true, true, false),
            ("Personal", "own", "owner", false, true, false),
            ("Alpha", "own", "owner", false, true, false),
            ("Team", "member", "editor", false, false, true),
        ]
    );
    let legacy = raw_key(&rig, &side.id, None).await;
    let answer = rig.get(&legacy, "/api/bridge/spaces").await;
    assert_eq!(answer.body["spaces"].as_array().unwrap().len(), 1);
    let who = rig.get(&legacy, WHOAMI).await.body;
    assert_eq!(who["crossSpace"], json!(false));
    assert!(who["crossSpaceNote"].as_str().unwrap().contains("“Side”"));
}

#[tokio::test]
async fn what_is_not_in_the_list_is_403_404_or_405() {
    let rig = Rig::new().await;
    let (key, _) = rig.key("k", true).await;
    let cases = [
        ("GET", "/api/bridge/nothing", 404),
        ("GET", "/api/bridge", 404),
        ("GET", "/api/bridge/whoami/", 404),
        ("GET", "/api//bridge/whoami", 404),
        ("GET", "/api/bridgehead", 404),
        ("GET", "/elsewhere", 404),
        ("POST", "/api/bridge/tasks", 405),
        ("DELETE", "/api/bridge/whoami", 405),
        ("POST", "/api/bridge/nothing", 405),
        ("PUT", "/api/bridge/write/tasks", 405),
        ("GET", "/api/bridge/write/tasks", 405),
        ("DELETE", "/api/bridge/write/tasks/x", 405),
        ("PUT", "/api/bridge/write/files", 405),
        ("POST", "/api/connect/token", 403),
        ("PATCH", "/api/settings", 403),
    ];
    for (method, path, status) in cases {
        let answer = rig.write(method, &key, path, &json!({})).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path}");
        assert!(
            answer.error().ends_with('.'),
            "{method} {path}: {}",
            answer.error()
        );
    }
    assert_eq!(
        rig.send("POST", "/api/bridge/nothing", &[], Body::empty())
            .await
            .status,
        401
    );
    assert_eq!(
        rig.send("POST", "/elsewhere", &[], Body::empty())
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn the_launch_token_is_the_owner_with_both_grants() {
    let rig = Rig::new().await;
    let token = rig.hub.launch_token().expose().to_owned();
    let who = rig.get(&token, WHOAMI).await.body;
    assert_eq!(
        (&who["canWrite"], &who["canUseApps"], &who["crossSpace"]),
        (&json!(true), &json!(true), &json!(true))
    );
    assert!(!format!("{:?}", rig.hub).contains(&token));
    assert_eq!(
        rig.hub.admin().keys().await.unwrap(),
        [],
        "it is no stored key"
    );
}

/// A key as older versions made them, or one of a given account.
async fn raw_key(rig: &Rig, space: &str, account: Option<String>) -> String {
    let value = KeyValue::random().unwrap();
    let new = NewKey {
        id: value.hash().chars().take(10).collect(),
        name: "legacy".to_owned(),
        hash: value.hash(),
        account_id: account,
        space_id: space.to_owned(),
        kind: KeyKind::Bridge,
        can_write: false,
        can_use_apps: false,
    };
    rig.store().insert_key(&new).await.unwrap();
    value.expose().to_owned()
}
