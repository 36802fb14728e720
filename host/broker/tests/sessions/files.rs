//! Files: a handle belongs to one call; the bytes and the folder are each declared, granted, and logged; the path comes before
//! any request.

use std::sync::Arc;

use ensemble_broker::{Fault, Granted, Target, Verdict};
use ensemble_model::{KeyGrants, Limits, Manifest};

use crate::support::{World, manifest};

const READ: KeyGrants = KeyGrants {
    changes: false,
    apps: false,
};

fn to(path: &str) -> Target<'_> {
    Target {
        path,
        overwrite: false,
    }
}

/// The routes that were asked for, but for the host's own questions.
fn routes(world: &World) -> Vec<String> {
    world
        .lines()
        .into_iter()
        .map(|line| line.route)
        .filter(|route| !route.ends_with("/whoami"))
        .collect()
}

async fn open(world: &World) -> ensemble_broker::Session {
    world.open("files", None).await.unwrap()
}

async fn open_without(world: &World, interface: &str) -> ensemble_broker::Session {
    let manifest = manifest("files");
    let mut granted = Granted::everything(&manifest);
    assert!(granted.interfaces.remove(interface));
    world
        .open_granted(&manifest, &granted, None, Limits::DEFAULT)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_file_is_opened_read_shown_and_saved_where_that_is_granted() {
    let world = World::local(READ);
    let session = world.open("files", Some("Studio")).await.unwrap();
    let (details, handle) = session.open_file("f1").await.unwrap();
    assert_eq!(details, "{}");
    assert_eq!(session.file_bytes(&handle, 3, 4).await.unwrap(), b"3456");
    assert_eq!(session.file_bytes(&handle, 8, 4).await.unwrap(), b"89");
    assert_eq!(session.file_bytes(&handle, 0, 0).await.unwrap(), b"");
    let content = session.file_content(&handle, 100).await.unwrap();
    assert_eq!(
        (content.id.as_str(), content.bytes.as_slice()),
        ("f1", &b"0123456789"[..])
    );
    session.check_target(to("a.md")).await.unwrap();
    let saved = session.save_file(&handle, to("a.md")).await.unwrap();
    assert_eq!((saved.path.as_str(), saved.bytes), ("a.md", 10));
    assert_eq!(world.folder.0.lock().unwrap()[0].1, b"0123456789");
    let downloads = world.hub.lock().downloads.clone();
    assert!(downloads.iter().all(|d| d.space.as_deref() == Some("s2")));
    assert_eq!(downloads[0].part, Some((3, 4)));
    assert_eq!(
        routes(&world)
            .iter()
            .filter(|route| route.starts_with("ensemble:workspace/folder"))
            .count(),
        2
    );
}

#[tokio::test]
async fn files_fail_when_undeclared() {
    let world = World::local(READ);
    let session = world.open("read", None).await.unwrap();
    let fault = session.open_file("f1").await.unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("[[imports]] entry for ensemble:hub/files"),
        "{fault}"
    );
    let fault = session.check_target(to("a.md")).await.unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("[[imports]] entry for ensemble:workspace/folder"),
        "{fault}"
    );
    let fault = session.save_file("file-0", to("a.md")).await.unwrap_err();
    assert!(matches!(fault, Fault::Denied(_)), "{fault}");
    assert_eq!(world.sent(), ["GET /api/bridge/whoami"]);
}

#[tokio::test]
async fn the_bytes_fail_when_only_the_details_are_declared() {
    let world = World::local(READ);
    let text = "id = \"probe\"\nversion = \"0.1.0\"\ngroup = \"g\"\ntitle = \"T\"\ndescription = \"D\"\nworld = \"file-giver\"\ngrant = \"read\"\nspace = true\n[[imports]]\ninterface = \"ensemble:hub/read\"\nreason = \"r\"\n[[imports]]\ninterface = \"ensemble:hub/files\"\nreason = \"r\"\n[[routes]]\nmethod = \"GET\"\npath = \"/api/bridge/files/{id}\"\nreason = \"r\"\n";
    let manifest = Manifest::parse(text).unwrap();
    let session = world
        .open_manifest(&manifest, None, Limits::DEFAULT)
        .await
        .unwrap();
    let fault = session.open_file("f1").await.unwrap_err();
    assert!(fault.to_string().contains("[[routes]]"), "{fault}");
    assert!(world.hub.lock().downloads.is_empty());
}

#[tokio::test]
async fn files_fail_when_not_granted() {
    let world = World::local(READ);
    let session = open_without(&world, "ensemble:hub/files").await;
    let fault = session.open_file("f1").await.unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("your grant of ensemble:hub/files"),
        "{fault}"
    );
    let session = open_without(&world, "ensemble:workspace/folder").await;
    let (_, handle) = session.open_file("f1").await.unwrap();
    let fault = session.save_file(&handle, to("a.md")).await.unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("your grant of ensemble:workspace/folder"),
        "{fault}"
    );
    assert!(world.hub.lock().downloads.is_empty());
    let denied = world
        .lines()
        .iter()
        .filter(|line| line.verdict == Verdict::Denied)
        .count();
    assert_eq!(denied, 2);
}

#[tokio::test]
async fn a_handle_names_nothing_in_another_call() {
    let world = World::local(READ);
    let (one, two) = (open(&world).await, open(&world).await);
    let (_, handle) = one.open_file("f1").await.unwrap();
    for made_up in [handle.as_str(), "file-0", "file-1", "", "f1", "../f1"] {
        let fault = two.file_bytes(made_up, 0, 4).await.unwrap_err();
        assert!(matches!(fault, Fault::NotFound(_)), "{made_up}: {fault}");
        let fault = two.file_content(made_up, 100).await.unwrap_err();
        assert!(matches!(fault, Fault::NotFound(_)), "{made_up}: {fault}");
        let fault = two.save_file(made_up, to("a.md")).await.unwrap_err();
        assert!(matches!(fault, Fault::NotFound(_)), "{made_up}: {fault}");
    }
    assert!(world.hub.lock().downloads.is_empty());
    assert!(world.folder.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_id_with_a_trick_opens_nothing() {
    let world = World::local(READ);
    let session = open(&world).await;
    for id in [
        "",
        "..",
        "../tasks",
        "a/b",
        "a?x=1",
        "a%2fb",
        "x/original/../y",
    ] {
        let fault = session.open_file(id).await.unwrap_err();
        assert!(matches!(fault, Fault::Denied(_)), "{id}: {fault}");
    }
    assert_eq!(world.sent(), ["GET /api/bridge/whoami"]);
}

#[tokio::test]
async fn a_bad_path_is_refused_before_any_request() {
    let world = World::local(READ);
    let session = open(&world).await;
    let fault = session.check_target(to("../a")).await.unwrap_err();
    assert_eq!(fault, Fault::Invalid("outside".to_owned()));
    // the path is looked at before the handle
    let fault = session.save_file("file-99", to("../a")).await.unwrap_err();
    assert_eq!(fault, Fault::Invalid("outside".to_owned()));
    assert_eq!(world.sent(), ["GET /api/bridge/whoami"]);
}

#[tokio::test]
async fn elsewhere_than_on_the_editors_computer_nothing_is_saved() {
    let world = World::new(READ);
    let session = open(&world).await;
    let (_, handle) = session.open_file("f1").await.unwrap();
    let fault = session.save_file(&handle, to("a.md")).await.unwrap_err();
    assert!(fault.to_string().contains("without saveTo"), "{fault}");
}

#[tokio::test]
async fn what_did_not_arrive_as_it_was_is_not_used() {
    let world = World::local(READ);
    world.hub.lock().claimed = Some("0".repeat(64));
    let session = open(&world).await;
    let (_, handle) = session.open_file("f1").await.unwrap();
    let fault = session.file_content(&handle, 100).await.unwrap_err();
    assert!(matches!(fault, Fault::Unavailable(_)), "{fault}");
}

#[tokio::test]
async fn an_answer_has_room_for_so_much_and_a_call_for_so_many() {
    let world = World::local(READ);
    let session = open(&world).await;
    let (_, handle) = session.open_file("f1").await.unwrap();
    let fault = session.file_content(&handle, 9).await.unwrap_err();
    assert!(matches!(fault, Fault::TooLarge(_)), "{fault}");
    assert!(fault.to_string().contains("saveTo"), "{fault}");
    for _ in 1..16 {
        session.open_file("f1").await.unwrap();
    }
    let fault = session.open_file("f1").await.unwrap_err();
    assert!(matches!(fault, Fault::TooLarge(_)), "{fault}");
}

#[tokio::test]
async fn a_plugin_that_gives_files_out_does_not_read_the_folder() {
    let world = World::local(READ);
    for path in ["there.md", "nothing.md"] {
        let fault = open(&world).await.open_local(path).await.unwrap_err();
        assert!(
            fault
                .to_string()
                .contains("[[imports]] entry for ensemble:hub/uploads"),
            "{fault}"
        );
    }
}

/// A file of any size: the time of the call counts from the last bytes that arrived.
#[tokio::test]
async fn a_call_has_its_whole_time_left_whenever_bytes_of_a_file_arrive() {
    let world = World::local(READ);
    let session = open(&world).await;
    let (_, handle) = session.open_file("f1").await.unwrap();
    let limit = session.limits().deadline;
    // three pieces; the hub takes almost as long for each as a call may last
    world.hub.lock().each_piece_takes = Some((Arc::clone(&world.clock), limit * 9 / 10));
    let saved = session.save_file(&handle, to("a.md")).await.unwrap();
    assert_eq!(saved.bytes, 10);
    assert_eq!(session.remaining(), limit);
    // what is only read into an answer has no such right
    let (_, handle) = session.open_file("f1").await.unwrap();
    session.file_content(&handle, 100).await.unwrap();
    assert!(session.remaining().is_zero());
}
