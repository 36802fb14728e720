//! Actions: one permit and one request for each run; declared, granted, named in the log; nothing of the input in it.

use ensemble_broker::{Fault, Granted, Verdict};
use ensemble_model::{KeyGrants, Limits, Method};

use crate::support::{World, manifest};

const READ: KeyGrants = KeyGrants {
    changes: false,
    apps: false,
};

/// The requests to actions, with their bodies.
fn runs(world: &World) -> Vec<(String, String)> {
    let hub = world.hub.lock();
    let runs = hub.sent.iter().filter(|r| r.method == Method::Post);
    runs.map(|r| (r.path.to_string(), r.body.clone().unwrap()))
        .collect()
}

#[tokio::test]
async fn an_action_runs_where_it_is_granted_also_for_a_key_that_reads() {
    let world = World::new(READ);
    let session = world.open("acts", Some("Studio")).await.unwrap();
    let answer = session.act("hub_list_tasks", r#"{"q":"canary"}"#).await;
    assert_eq!(answer, Ok("{}".to_owned()));
    assert_eq!(
        runs(&world),
        [(
            "/api/bridge/act/hub_list_tasks".to_owned(),
            r#"{"input":{"q":"canary"}}"#.to_owned()
        )]
    );
    assert_eq!(
        world.hub.lock().sent.last().unwrap().space.as_deref(),
        Some("s2")
    );
    drop(session);
    let lines = world.lines();
    let line = lines
        .iter()
        .find(|line| line.route == "POST /api/bridge/act/hub_list_tasks")
        .unwrap();
    assert_eq!(line.verdict, Verdict::Permitted);
    assert_eq!(line.bytes_out, 24);
    assert!(
        !serde_json::to_string(&lines).unwrap().contains("canary"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn an_action_fails_when_undeclared() {
    let world = World::new(READ);
    let session = world.open("read", None).await.unwrap();
    let fault = session.act("hub_list_tasks", "{}").await.unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("[[imports]] entry for ensemble:hub/act"),
        "{fault}"
    );
    // nor does the way of other changes lead there
    let session = world.open("acts", None).await.unwrap();
    let fault = session
        .hub_send(
            Method::Post,
            "/api/bridge/act/hub_list_tasks",
            "{}".to_owned(),
        )
        .await
        .unwrap_err();
    assert!(matches!(fault, Fault::Denied(_)), "{fault}");
    assert!(runs(&world).is_empty());
}

#[tokio::test]
async fn an_action_fails_when_not_granted() {
    let world = World::new(READ);
    let manifest = manifest("acts");
    for (missing, says) in [
        ("ensemble:hub/act", "your grant of ensemble:hub/act"),
        (
            "POST /api/bridge/act/{name}",
            "your grant of “POST /api/bridge/act/{name}”",
        ),
    ] {
        let mut granted = Granted::everything(&manifest);
        assert!(granted.interfaces.remove(missing) || granted.routes.remove(missing));
        let session = world
            .open_granted(&manifest, &granted, None, Limits::DEFAULT)
            .await
            .unwrap();
        let fault = session.act("hub_list_tasks", "{}").await.unwrap_err();
        assert!(fault.to_string().contains(says), "{fault}");
    }
    assert!(runs(&world).is_empty());
    let denied = world.lines();
    let denied = denied.iter().filter(|line| line.verdict == Verdict::Denied);
    assert_eq!(denied.count(), 2);
}

#[tokio::test]
async fn what_is_no_name_or_no_object_is_never_sent() {
    let world = World::new(READ);
    let session = world.open("acts", None).await.unwrap();
    for name in [
        "",
        "..",
        "../write/tasks",
        "hub_list_tasks/../../write/tasks",
        "hub_list_tasks?canary",
        "HUB_LIST",
        "hub%2flist",
        "canary canary",
    ] {
        let fault = session.act(name, "{}").await.unwrap_err();
        assert!(matches!(fault, Fault::Invalid(_)), "{name}: {fault}");
        assert!(fault.to_string().contains("ensemble_actions"), "{fault}");
    }
    for input in [
        "",
        "[]",
        "null",
        "\"{}\"",
        "{",
        "{}}",
        "{},\"x\":{}",
        "{}{}",
    ] {
        let fault = session.act("hub_list_tasks", input).await.unwrap_err();
        assert!(
            fault.to_string().contains("JSON object"),
            "{input}: {fault}"
        );
    }
    assert!(runs(&world).is_empty());
    drop(session);
    let lines = serde_json::to_string(&world.lines()).unwrap();
    assert!(!lines.contains("canary"), "{lines}");
    assert!(
        lines.contains("POST /api/bridge/act/(not a name)"),
        "{lines}"
    );
}

#[tokio::test]
async fn a_name_that_no_hub_gives_is_not_in_the_log() {
    let world = World::new(READ);
    let session = world.open("acts", None).await.unwrap();
    session.act("ens_canary", "{}").await.unwrap();
    drop(session);
    let lines = serde_json::to_string(&world.lines()).unwrap();
    assert!(!lines.contains("canary"), "{lines}");
    assert!(lines.contains("POST /api/bridge/act/{name}"), "{lines}");
}

#[tokio::test]
async fn an_action_counts_against_the_limits_of_the_call() {
    let world = World::new(READ);
    let limits = Limits {
        hub_requests: 1,
        request_bytes: 40,
        ..Limits::DEFAULT
    };
    let session = world.open_with("acts", None, limits).await.unwrap();
    let large = format!(r#"{{"a":"{}"}}"#, "x".repeat(40));
    let fault = session.act("hub_list_tasks", &large).await.unwrap_err();
    assert!(matches!(fault, Fault::TooLarge(_)), "{fault}");
    let fault = session.act("hub_list_tasks", "{}").await.unwrap_err();
    assert!(fault.to_string().contains("1 requests"), "{fault}");
    assert!(runs(&world).is_empty());
}

#[tokio::test]
async fn a_key_that_was_revoked_runs_nothing_more() {
    let world = World::new(READ);
    let session = world.open("acts", None).await.unwrap();
    world.hub.lock().refuse = Some("/api/bridge".to_owned());
    let fault = session.act("hub_list_tasks", "{}").await.unwrap_err();
    assert_eq!(fault.to_string(), "This key was revoked.");
    // the next call asks who is calling, hears it, and sends nothing else
    let fault = world.open("acts", None).await.unwrap_err();
    assert_eq!(fault.to_string(), "This key was revoked.");
    assert_eq!(runs(&world).len(), 1);
    assert_eq!(world.sent().last().unwrap(), "GET /api/bridge/whoami");
}
