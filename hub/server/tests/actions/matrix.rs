//! Who may run what: every action × every kind of caller, by really calling, against a golden file. `BLESS=1` writes it anew. The rate of a
//! space is counted too, so each kind of caller asks at a later minute.

use axum::body::Body;
use ensemble_hub_server::CreateKey;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::support::{Answer, Rig, bearer};

/// A kind of caller: its name, its key, and the space that it names.
struct Caller {
    name: &'static str,
    key: Option<String>,
    space: Option<String>,
}

async fn key(rig: &Rig, name: &str, changes: bool, apps: bool) -> String {
    let asked = CreateKey {
        name: name.to_owned(),
        changes,
        apps,
        ..CreateKey::default()
    };
    let made = rig.hub.admin().create_key(asked).await.unwrap();
    made.value.expose().to_owned()
}

async fn callers(rig: &Rig) -> Vec<Caller> {
    let both = key(rig, "both", true, true).await;
    let (revoked, revoked_id) = rig.key("revoked", true).await;
    rig.hub.admin().revoke_key(&revoked_id).await.unwrap();
    let side = rig.hub.admin().create_space("Side").await.unwrap();
    let store = rig.store();
    let owner = store.owner().await.unwrap().unwrap();
    let (other, _) = store.create_account("Other", "Home").await.unwrap();
    let foreign = store.create_space(&other.id, "Theirs").await.unwrap();
    let shared = store.create_space(&other.id, "Team").await.unwrap();
    store
        .share_space(&shared.id, &owner.id, "editor")
        .await
        .unwrap();
    let caller = |name, key: Option<&str>, space: Option<&str>| Caller {
        name,
        key: key.map(str::to_owned),
        space: space.map(str::to_owned),
    };
    let reads = key(rig, "reads", false, false).await;
    let changes = key(rig, "changes", true, false).await;
    let apps = key(rig, "apps", false, true).await;
    vec![
        caller("no key", None, None),
        caller("read key", Some(&reads), None),
        caller("changes", Some(&changes), None),
        caller("apps", Some(&apps), None),
        caller("both", Some(&both), None),
        caller("revoked", Some(&revoked), None),
        caller("own space", Some(&both), Some(&side.id)),
        caller("other space", Some(&both), Some(&foreign.id)),
        caller("shared space", Some(&both), Some(&shared.id)),
    ]
}

async fn call(
    rig: &Rig,
    caller: &Caller,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Answer {
    let authorization = caller.key.as_deref().map(bearer);
    let mut headers = Vec::new();
    if let Some(authorization) = &authorization {
        headers.push(("authorization", authorization.as_str()));
    }
    if let Some(space) = &caller.space {
        headers.push(("x-ensemble-space", space.as_str()));
    }
    if body.is_some() {
        headers.push(("content-type", "application/json"));
    }
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    rig.send(method, path, &headers, body).await
}

/// What became of a call. An input that does not fit was looked at, so the caller may run it.
fn verdict(answer: &Answer) -> &'static str {
    match answer.status.as_u16() {
        200 | 201 | 400 | 409 | 415 => "runs",
        401 => "401",
        403 => "403",
        404 if answer.error().contains("cannot open that space") => "404",
        404 => "runs",
        other => panic!("{other}: {:?}", answer.body),
    }
}

#[tokio::test]
async fn every_action_and_write_answers_every_caller_as_written_down() {
    let bench = Bench::new().await;
    let all = bench.rig.get(&bench.key, "/api/bridge/actions").await;
    let mut rows: Vec<(String, &str, String, Option<Value>)> = vec![
        (
            "GET whoami".to_owned(),
            "GET",
            "/api/bridge/whoami".to_owned(),
            None,
        ),
        (
            "GET actions".to_owned(),
            "GET",
            "/api/bridge/actions".to_owned(),
            None,
        ),
        (
            "GET changes".to_owned(),
            "GET",
            "/api/bridge/changes".to_owned(),
            None,
        ),
        (
            "POST write/tasks".to_owned(),
            "POST",
            "/api/bridge/write/tasks".to_owned(),
            Some(json!({})),
        ),
        (
            "PATCH write/tasks/{id}".to_owned(),
            "PATCH",
            "/api/bridge/write/tasks/none".to_owned(),
            Some(json!({})),
        ),
    ];
    for group in all.body["groups"].as_array().unwrap() {
        for action in group["actions"].as_array().unwrap() {
            let name = action["name"].as_str().unwrap();
            // A name that no action takes: nothing is really done, and whoever may run it is told so.
            let input = json!({ "input": { "no such property": true } });
            rows.push((
                name.to_owned(),
                "POST",
                format!("/api/bridge/act/{name}"),
                Some(input),
            ));
        }
    }
    let before = bench.picture().await;
    let callers = callers(&bench.rig).await;
    let mut verdicts = vec![String::new(); rows.len()];
    for caller in &callers {
        bench.rig.clock.advance(SignedDuration::from_mins(2));
        for ((_, method, path, body), row) in rows.iter().zip(&mut verdicts) {
            let answer = call(&bench.rig, caller, method, path, body.as_ref()).await;
            row.push_str(&format!(" {:>13}", verdict(&answer)));
        }
    }
    assert_eq!(
        bench.picture().await,
        before,
        "a call of the matrix changed something"
    );

    let mut text = format!("{:34}", "");
    for caller in &callers {
        text.push_str(&format!(" {:>13}", caller.name));
    }
    for ((name, ..), verdicts) in rows.iter().zip(&verdicts) {
        text.push_str(&format!("\n{name:34}{verdicts}"));
    }
    text.push('\n');
    let file = format!("{}/tests/golden/who-may.txt", env!("CARGO_MANIFEST_DIR"));
    if crate::surface::blessed() {
        std::fs::write(&file, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(golden, text, "BLESS=1 writes the golden file anew");
}
