//! Files that go to the hub: taken in as base64 or as a path, once, by who declared and was granted it, and compared with what
//! the hub says that it keeps.

use ensemble_broker::{Fault, Granted, Session, Upload, Verdict};
use ensemble_model::limits::MAX_UPLOAD_BYTES;
use ensemble_model::{Digest, KeyGrants, Limits, Method};
use serde_json::{Value, json};

use crate::support::{World, manifest};

const CHANGES: KeyGrants = KeyGrants {
    changes: true,
    apps: false,
};

fn of<'a>(handle: &'a str, options: &'a str) -> Upload<'a> {
    Upload {
        handle,
        filename: "a \"b\".md",
        media_type: None,
        options,
    }
}

async fn open(world: &World) -> Session {
    world.open("takes", None).await.unwrap()
}

async fn taken(session: &Session) -> String {
    session.take_base64("aGVsbG8=".to_owned()).await.unwrap()
}

/// The bodies of the uploads that were sent.
fn bodies(world: &World) -> Vec<Value> {
    let hub = world.hub.lock();
    let posts = hub.sent.iter().filter(|r| r.method == Method::Post);
    posts
        .map(|r| serde_json::from_str(r.body.as_deref().unwrap()).unwrap())
        .collect()
}

#[tokio::test]
async fn a_file_is_added_whole_from_base64_and_from_the_folder() {
    let world = World::local(CHANGES);
    let session = world.open("takes", Some("Studio")).await.unwrap();
    let handle = taken(&session).await;
    let options = r#"{"attachTo":"ensemble://task/t1","summarize":true}"#;
    let upload = Upload {
        media_type: Some("text/markdown"),
        ..of(&handle, options)
    };
    let answer: Value = serde_json::from_str(&session.save_upload(upload).await.unwrap()).unwrap();
    assert_eq!(answer["size"], 5);
    assert_eq!(answer["sha256"], Digest::of(b"hello").as_str());

    world
        .folder
        .0
        .lock()
        .unwrap()
        .push(("notes/a.md".to_owned(), b"0123456789".to_vec()));
    let session = open(&world).await;
    let handle = session.open_local("notes/a.md").await.unwrap();
    session.save_upload(of(&handle, "{}")).await.unwrap();
    assert_eq!(
        bodies(&world),
        [
            json!({
                "filename": "a \"b\".md", "mediaType": "text/markdown", "attachTo": "ensemble://task/t1",
                "summarize": true, "dataBase64": "aGVsbG8=",
            }),
            json!({ "filename": "a \"b\".md", "dataBase64": "MDEyMzQ1Njc4OQ==" }),
        ]
    );
    let hub = world.hub.lock();
    let first = hub.sent.iter().find(|r| r.method == Method::Post).unwrap();
    assert_eq!(first.space.as_deref(), Some("s2"));
}

#[tokio::test]
async fn an_upload_fails_when_undeclared() {
    let world = World::local(CHANGES);
    let session = world.open("changes", None).await.unwrap();
    let faults = [
        session.take_base64("aGVsbG8=".to_owned()).await,
        session.open_local("a.md").await,
        session.save_upload(of("file-0", "{}")).await,
    ];
    for fault in faults {
        let fault = fault.unwrap_err().to_string();
        assert!(
            fault.contains("[[imports]] entry for ensemble:hub/uploads"),
            "{fault}"
        );
    }
    assert!(bodies(&world).is_empty());
}

#[tokio::test]
async fn an_upload_fails_when_not_granted() {
    let world = World::local(CHANGES);
    let manifest = manifest("takes");
    let without = async |missing: &str| {
        let mut granted = Granted::everything(&manifest);
        assert!(granted.interfaces.remove(missing) || granted.routes.remove(missing));
        world
            .open_granted(&manifest, &granted, None, Limits::DEFAULT)
            .await
            .unwrap()
    };
    let session = without("ensemble:hub/uploads").await;
    let fault = session.take_base64("aGVsbG8=".to_owned()).await;
    let fault = fault.unwrap_err().to_string();
    assert!(
        fault.contains("your grant of ensemble:hub/uploads"),
        "{fault}"
    );
    let session = without("ensemble:workspace/folder").await;
    let fault = session.open_local("a.md").await.unwrap_err().to_string();
    assert!(
        fault.contains("your grant of ensemble:workspace/folder"),
        "{fault}"
    );
    let session = without("POST /api/bridge/write/files").await;
    let handle = taken(&session).await;
    let fault = session.save_upload(of(&handle, "{}")).await;
    let fault = fault.unwrap_err().to_string();
    assert!(fault.contains("your grant of “POST"), "{fault}");
    assert!(bodies(&world).is_empty());
    let denied = world.lines();
    let denied = denied.iter().filter(|line| line.verdict == Verdict::Denied);
    assert_eq!(denied.count(), 3);
}

#[tokio::test]
async fn what_is_cut_is_refused_before_anything_is_sent() {
    let world = World::local(CHANGES);
    let session = open(&world).await;
    let fault = session
        .take_base64("aGVsbG8".to_owned())
        .await
        .unwrap_err()
        .to_string();
    assert!(fault.contains("cut or changed"), "{fault}");
    assert!(fault.contains("the file's path"), "{fault}");
    assert_eq!(world.sent(), ["GET /api/bridge/whoami"]);
}

#[tokio::test]
async fn a_file_of_another_call_is_nobodys() {
    let world = World::local(CHANGES);
    let (one, two) = (open(&world).await, open(&world).await);
    let handle = taken(&one).await;
    for made_up in [handle.as_str(), "file-0", "", "f1"] {
        let fault = two.save_upload(of(made_up, "{}")).await.unwrap_err();
        assert!(matches!(fault, Fault::NotFound(_)), "{made_up}: {fault}");
    }
    // nor is it one that an answer can show or the folder can get
    assert!(!one.has_file(&handle));
    assert!(bodies(&world).is_empty());
    one.save_upload(of(&handle, "{}")).await.unwrap();
    let fault = one.save_upload(of(&handle, "{}")).await.unwrap_err();
    assert!(matches!(fault, Fault::NotFound(_)), "{fault}");
}

#[tokio::test]
async fn a_call_takes_in_one_file_and_none_that_is_empty_or_too_large() {
    let world = World::local(CHANGES);
    let session = open(&world).await;
    taken(&session).await;
    let fault = session.take_base64("aGVsbG8=".to_owned()).await;
    assert!(matches!(fault, Err(Fault::TooLarge(_))), "{fault:?}");

    world
        .folder
        .0
        .lock()
        .unwrap()
        .push(("empty".to_owned(), Vec::new()));
    let fault = open(&world).await.open_local("empty").await.unwrap_err();
    assert!(fault.to_string().contains("is empty"), "{fault}");
    let over = "A".repeat(MAX_UPLOAD_BYTES / 3 * 4 + 8);
    let fault = open(&world).await.take_base64(over).await.unwrap_err();
    assert!(fault.to_string().contains("25 MB"), "{fault}");
}

#[tokio::test]
async fn what_the_hub_keeps_is_compared_with_what_was_sent() {
    let world = World::local(CHANGES);
    world.hub.lock().claimed = Some("0".repeat(64));
    let session = open(&world).await;
    let handle = taken(&session).await;
    let fault = session.save_upload(of(&handle, "{}")).await.unwrap_err();
    assert!(fault.to_string().contains("5 bytes"), "{fault}");
    assert!(fault.to_string().contains("ensemble hub undo"), "{fault}");
}

#[tokio::test]
async fn options_are_two_and_nothing_of_a_file_is_in_the_log() {
    let world = World::local(CHANGES);
    for options in [
        "",
        "[]",
        r#"{"space":"s9"}"#,
        r#"{"dataBase64":"AAAA"}"#,
        r#"{"summarize":"yes"}"#,
    ] {
        let session = open(&world).await;
        let handle = taken(&session).await;
        let fault = session.save_upload(of(&handle, options)).await.unwrap_err();
        assert!(matches!(fault, Fault::Invalid(_)), "{options}: {fault}");
    }
    assert!(bodies(&world).is_empty());
    let session = open(&world).await;
    let handle = session.take_base64("Y2FuYXJ5".to_owned()).await.unwrap();
    let upload = Upload {
        filename: "canary.md",
        ..of(&handle, r#"{"attachTo":"canary"}"#)
    };
    session.save_upload(upload).await.unwrap();
    drop(session);
    let lines = serde_json::to_string(&world.lines()).unwrap();
    assert!(!lines.contains("canary"), "{lines}");
    assert!(lines.contains("POST /api/bridge/write/files"), "{lines}");
}

#[tokio::test]
async fn elsewhere_than_on_the_editors_computer_no_path_is_read() {
    let world = World::new(CHANGES);
    let session = open(&world).await;
    let fault = session.open_local("a.md").await.unwrap_err();
    assert!(fault.to_string().contains("dataBase64"), "{fault}");
    // and the other way is open there
    let handle = taken(&session).await;
    session.save_upload(of(&handle, "{}")).await.unwrap();
}

#[tokio::test]
async fn a_key_that_was_revoked_adds_nothing_more() {
    let world = World::local(CHANGES);
    let session = open(&world).await;
    let handle = taken(&session).await;
    world.hub.lock().refuse = Some("/api/bridge".to_owned());
    let fault = session.save_upload(of(&handle, "{}")).await.unwrap_err();
    assert_eq!(fault.to_string(), "This key was revoked.");
    let fault = world.open("takes", None).await.unwrap_err();
    assert_eq!(fault.to_string(), "This key was revoked.");
    assert_eq!(bodies(&world).len(), 1);
}
