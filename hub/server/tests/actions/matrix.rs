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

/// What a key may do beyond reading.
#[derive(Clone, Copy, Default)]
struct Grants {
    changes: bool,
    apps: bool,
}

const READS: Grants = Grants {
    changes: false,
    apps: false,
};
const CHANGES: Grants = Grants {
    changes: true,
    apps: false,
};
const APPS: Grants = Grants {
    changes: false,
    apps: true,
};
const BOTH: Grants = Grants {
    changes: true,
    apps: true,
};

async fn key(rig: &Rig, name: &str, grants: Grants) -> String {
    let asked = CreateKey {
        name: name.to_owned(),
        changes: grants.changes,
        apps: grants.apps,
        ..CreateKey::default()
    };
    let made = rig.hub.admin().create_key(asked).await.unwrap();
    made.value.expose().to_owned()
}

async fn callers(rig: &Rig) -> Vec<Caller> {
    let both = key(rig, "both", BOTH).await;
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
    let reads = key(rig, "reads", READS).await;
    let changes = key(rig, "changes", CHANGES).await;
    let apps = key(rig, "apps", APPS).await;
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
fn verdict(answer: &Answer) -> String {
    let closed = answer.error().contains("cannot open that space");
    match answer.status.as_u16() {
        200 | 201 | 400 | 409 | 415 => "runs".to_owned(),
        404 if !closed => "runs".to_owned(),
        other => other.to_string(),
    }
}

/// A call of the matrix.
struct Call {
    name: String,
    method: &'static str,
    path: String,
    body: Option<Value>,
}

/// Every action and write, and the reads that say what there is.
async fn calls(bench: &Bench) -> Vec<Call> {
    let call = |method, path: &str, body| Call {
        name: format!("{method} {path}"),
        method,
        path: format!("/api/bridge/{path}"),
        body,
    };
    let mut calls = vec![
        call("GET", "whoami", None),
        call("GET", "actions", None),
        call("GET", "changes", None),
        call("POST", "write/tasks", Some(json!({}))),
        call("PATCH", "write/tasks/none", Some(json!({}))),
        call("POST", "write/files", Some(json!({}))),
    ];
    let all = bench.rig.get(&bench.key, "/api/bridge/actions").await;
    for group in all.body["groups"].as_array().unwrap() {
        for action in group["actions"].as_array().unwrap() {
            let name = action["name"].as_str().unwrap();
            // A name that no action takes: nothing is really done, and whoever may run it is told so.
            let input = json!({ "input": { "no such property": true } });
            calls.push(Call {
                name: name.to_owned(),
                ..call("POST", &format!("act/{name}"), Some(input))
            });
        }
    }
    calls
}

#[tokio::test]
async fn every_action_and_write_answers_every_caller_as_written_down() {
    let bench = Bench::new().await;
    let calls = calls(&bench).await;
    let callers = callers(&bench.rig).await;
    let before = bench.picture().await;
    let mut rows: Vec<Vec<String>> = calls.iter().map(|call| vec![call.name.clone()]).collect();
    for caller in &callers {
        bench.rig.clock.advance(SignedDuration::from_mins(2));
        for (asked, row) in calls.iter().zip(&mut rows) {
            let answer = call(
                &bench.rig,
                caller,
                asked.method,
                &asked.path,
                asked.body.as_ref(),
            )
            .await;
            row.push(verdict(&answer));
        }
    }
    assert_eq!(
        bench.picture().await,
        before,
        "a call of the matrix changed something"
    );

    let head =
        std::iter::once(String::new()).chain(callers.iter().map(|caller| caller.name.to_owned()));
    rows.insert(0, head.collect());
    let lines: Vec<String> = rows.iter().map(|row| line(row)).collect();
    let text = lines.join("\n") + "\n";
    let file = format!("{}/tests/golden/who-may.txt", env!("CARGO_MANIFEST_DIR"));
    if crate::surface::blessed() {
        std::fs::write(&file, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(golden, text, "BLESS=1 writes the golden file anew");
}

/// A row of the table.
fn line(cells: &[String]) -> String {
    let (name, verdicts) = cells.split_first().unwrap();
    let verdicts: Vec<String> = verdicts.iter().map(|cell| format!("{cell:>13}")).collect();
    format!("{name:34} {}", verdicts.join(" "))
}
