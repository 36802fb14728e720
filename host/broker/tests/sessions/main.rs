//! What a session does, without any sandbox: the key first, the plugin's grant, the bound space, the limits, and one line
//! in the log for every decision.

#![expect(
    clippy::unwrap_used,
    clippy::clone_on_ref_ptr,
    unreachable_pub,
    reason = "a test may fail at any line"
)]

mod act;
mod files;
mod following;
mod support;
mod uploads;

use ensemble_broker::{Fault, Verdict};
use ensemble_model::{KeyGrants, Limits, Method};
use support::{World, manifest};

const CHANGES: KeyGrants = KeyGrants {
    changes: true,
    apps: false,
};

#[tokio::test]
async fn without_a_key_nothing_is_sent() {
    let world = World::new(CHANGES);
    world.hub.lock().credential = Err("Set ENSEMBLE_BRIDGE_TOKEN.".to_owned());
    let fault = world.open("read", None).await.unwrap_err();
    assert_eq!(
        fault,
        Fault::Failed("Set ENSEMBLE_BRIDGE_TOKEN.".to_owned())
    );
    assert!(world.sent().is_empty());
}

#[tokio::test]
async fn the_hub_is_asked_once_who_is_calling_and_again_after_a_refusal() {
    let world = World::new(CHANGES);
    let session = world.open("read", None).await.unwrap();
    drop(world.open("read", None).await.unwrap());
    assert_eq!(world.sent(), ["GET /api/bridge/whoami"]);

    world.hub.lock().refuse = Some("/api/bridge/tasks".to_owned());
    let fault = session
        .hub_get("/api/bridge/tasks", Vec::new())
        .await
        .unwrap_err();
    assert_eq!(fault.to_string(), "This key was revoked.");
    world.hub.lock().refuse = None;
    drop(world.open("read", None).await.unwrap());
    assert_eq!(
        world.sent(),
        [
            "GET /api/bridge/whoami",
            "GET /api/bridge/tasks",
            "GET /api/bridge/whoami"
        ]
    );
}

#[tokio::test]
async fn a_refused_key_is_seen_by_those_who_watch() {
    let world = World::new(CHANGES);
    let mut watch = world.broker.watch();
    drop(world.open("read", None).await.unwrap());
    assert!(watch.has_changed().unwrap());
    assert_eq!(watch.borrow_and_update().as_ref().unwrap().grants, CHANGES);

    let session = world.open("read", None).await.unwrap();
    world.hub.lock().refuse = Some("/api/bridge".to_owned());
    session
        .hub_get("/api/bridge/tasks", Vec::new())
        .await
        .unwrap_err();
    world.open("read", None).await.unwrap_err();
    assert!(watch.borrow_and_update().is_none());
}

#[tokio::test]
async fn a_plugin_that_changes_does_not_open_for_a_key_that_reads() {
    let world = World::new(KeyGrants::default());
    let fault = world.open("changes", None).await.unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("ensemble hub key create --changes"),
        "{fault}"
    );
    let line = world.lines().pop().unwrap();
    assert_eq!(
        (line.verdict, line.route.as_str()),
        (Verdict::Denied, "call")
    );
    assert_eq!(line.plugin.unwrap().as_str(), "probe");
}

#[tokio::test]
async fn the_space_is_bound_before_the_guest_runs() {
    let world = World::new(CHANGES);
    let session = world.open("read", Some("Studio")).await.unwrap();
    session
        .hub_get("/api/bridge/tasks", Vec::new())
        .await
        .unwrap();
    // what a guest writes into a query is a query, never a header
    let query = vec![("x-ensemble-space".to_owned(), "s9".to_owned())];
    session.hub_get("/api/bridge/tasks", query).await.unwrap();
    let spaces: Vec<_> = world
        .hub
        .lock()
        .sent
        .iter()
        .map(|r| r.space.clone())
        .collect();
    assert_eq!(
        spaces,
        [None, None, Some("s2".to_owned()), Some("s2".to_owned())]
    );
    assert_eq!(world.lines().last().unwrap().space.as_deref(), Some("s2"));
}

#[tokio::test]
async fn the_list_of_spaces_is_kept_for_half_a_minute() {
    let world = World::new(CHANGES);
    for _ in 0..3 {
        drop(world.open("read", Some("s2")).await.unwrap());
    }
    let asked = |world: &World| {
        world
            .sent()
            .iter()
            .filter(|s| s.ends_with("/spaces"))
            .count()
    };
    assert_eq!(asked(&world), 1);
    world.clock.advance(std::time::Duration::from_secs(31));
    drop(world.open("read", Some("s2")).await.unwrap());
    assert_eq!(asked(&world), 2);
}

#[tokio::test]
async fn a_space_that_cannot_be_opened_opens_nothing_else() {
    let world = World::new(CHANGES);
    let fault = world.open("read", Some("Elsewhere")).await.unwrap_err();
    assert!(matches!(fault, Fault::NotFound(_)), "{fault}");
    let fault = world.open("read", Some("s4")).await.unwrap_err();
    assert_eq!(fault.to_string(), "“Shared” is shared with you.");
    assert!(!world.sent().iter().any(|s| s.contains("tasks")));
}

#[tokio::test]
async fn an_undeclared_request_is_never_sent() {
    let world = World::new(CHANGES);
    let session = world.open("read", None).await.unwrap();
    for path in [
        "/api/bridge/brief",
        "/api/bridge/../admin",
        "http://evil.example/api/bridge/tasks",
        "/api/bridge/tasks?space=s9",
        "/api/bridge/Tasks",
    ] {
        let fault = session.hub_get(path, Vec::new()).await.unwrap_err();
        assert!(matches!(fault, Fault::Denied(_)), "{path}: {fault}");
    }
    let fault = session
        .hub_send(Method::Post, "/api/bridge/tasks", "{}".to_owned())
        .await
        .unwrap_err();
    assert!(matches!(fault, Fault::Denied(_)), "{fault}");
    assert_eq!(world.sent(), ["GET /api/bridge/whoami"]);
    let denied = world
        .lines()
        .iter()
        .filter(|l| l.verdict == Verdict::Denied)
        .count();
    assert_eq!(denied, 6);
    assert!(
        world
            .lines()
            .iter()
            .all(|line| !line.route.contains("evil"))
    );
}

#[tokio::test]
async fn a_call_has_so_many_requests_and_no_more() {
    let world = World::new(CHANGES);
    let limits = Limits {
        hub_requests: 2,
        request_bytes: 10,
        ..Limits::DEFAULT
    };
    let session = world.open_with("changes", None, limits).await.unwrap();
    let large = "x".repeat(11);
    let fault = session
        .hub_send(Method::Post, "/api/bridge/write/tasks", large)
        .await
        .unwrap_err();
    assert!(matches!(fault, Fault::TooLarge(_)), "{fault}");
    session
        .hub_get("/api/bridge/tasks", Vec::new())
        .await
        .unwrap();
    let fault = session
        .hub_get("/api/bridge/tasks", Vec::new())
        .await
        .unwrap_err();
    assert!(fault.to_string().contains("2 requests"), "{fault}");
}

#[tokio::test]
async fn every_decision_is_a_line_without_contents() {
    let world = World::new(CHANGES);
    let session = world.open("changes", None).await.unwrap();
    let body = "{\"title\":\"canary\"}".to_owned();
    session
        .hub_send(Method::Post, "/api/bridge/write/tasks", body)
        .await
        .unwrap();
    session.ended(None);
    drop(session);
    drop(world.open("read", None).await.unwrap());
    let lines = world.lines();
    let routes: Vec<_> = lines
        .iter()
        .map(|l| (l.route.as_str(), l.verdict))
        .collect();
    assert_eq!(
        routes,
        [
            ("GET /api/bridge/whoami", Verdict::Permitted),
            ("POST /api/bridge/write/tasks", Verdict::Permitted),
            ("call", Verdict::Permitted),
            ("call", Verdict::Failed),
        ]
    );
    assert_eq!(lines[3].reason.as_deref(), Some("cancelled"));
    assert_eq!((lines[1].bytes_out, lines[1].bytes_in), (18, 2));
    let json = serde_json::to_string(&lines).unwrap();
    assert!(!json.contains("canary"), "{json}");
    assert!(
        json.contains("\"key\":\"laptop\",\"keyId\":\"k1\""),
        "{json}"
    );
}

#[tokio::test]
async fn an_argument_in_a_path_is_not_in_the_log() {
    let world = World::new(CHANGES);
    let session = world.open("read", None).await.unwrap();
    for path in [
        "/api/bridge/tasks/ens_canary",
        "/api/bridge/tasks/CANARY",
        "/api/ens_canary",
    ] {
        session.hub_get(path, Vec::new()).await.unwrap_err();
    }
    drop(session);
    let json = serde_json::to_string(&world.lines()).unwrap();
    assert!(!json.to_lowercase().contains("canary"), "{json}");
    assert!(json.contains("GET /api/bridge/tasks/…"), "{json}");
}

#[tokio::test]
async fn the_repository_is_there_only_for_who_declared_it_and_only_locally() {
    let world = World::new(CHANGES);
    let session = world.open("read", None).await.unwrap();
    let fault = session.locate_repository().await.unwrap_err();
    assert!(fault.to_string().contains("[[imports]]"), "{fault}");

    let declared = manifest("locate");
    let session = world
        .open_manifest(&declared, None, Limits::DEFAULT)
        .await
        .unwrap();
    let fault = session.locate_repository().await.unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("name the task, or repo and branch"),
        "{fault}"
    );

    let local = World::local(CHANGES);
    let session = local
        .open_manifest(&declared, None, Limits::DEFAULT)
        .await
        .unwrap();
    assert_eq!(
        session.locate_repository().await.unwrap().repo.as_deref(),
        Some("encode/httpx")
    );
}
