//! What of the folder can be added to the hub, and what never can.

use std::fs;

use super::*;

const AT_MOST: u64 = 100;

async fn read(rig: &Rig, path: &str) -> Result<Vec<u8>, Fault> {
    rig.save.read(path, AT_MOST).await
}

async fn refusal(rig: &Rig, path: &str) -> String {
    match read(rig, path).await {
        Ok(bytes) => panic!("{path} was read: {} bytes", bytes.len()),
        Err(fault) => fault.to_string(),
    }
}

#[tokio::test]
async fn a_file_of_the_folder_is_read_whole() {
    let rig = Rig::new();
    let absolute = rig.path("there.md");
    for path in ["there.md", "./there.md", absolute.to_str().unwrap()] {
        assert_eq!(read(&rig, path).await.unwrap(), b"old", "{path}");
    }
    fs::write(rig.path("notes/bytes.bin"), [0xff; 100]).unwrap();
    assert_eq!(read(&rig, "notes/bytes.bin").await.unwrap(), [0xff; 100]);
    fs::write(rig.path("notes/more.bin"), [0xff; 101]).unwrap();
    let fault = read(&rig, "notes/more.bin").await.unwrap_err();
    assert!(matches!(fault, Fault::TooLarge(_)), "{fault}");
    assert!(fault.to_string().contains("101 bytes"), "{fault}");
}

#[tokio::test]
async fn no_path_that_leads_elsewhere_is_read() {
    let rig = Rig::new();
    fs::write(rig.outside.path().join("secret"), "secret").unwrap();
    let outside = rig.outside.path().join("secret");
    for path in [
        "",
        ".",
        "notes",
        "notes/",
        "../there.md",
        "notes/../there.md",
        "/etc/passwd",
        "~/x",
        "a\0b",
        "CON.txt",
        ".git/config",
        outside.to_str().unwrap(),
    ] {
        let sentence = refusal(&rig, path).await;
        assert!(sentence.contains("working folder"), "{path}: {sentence}");
        assert!(!sentence.contains("saved"), "{path}: {sentence}");
    }
    assert!(refusal(&rig, "none.md").await.contains("no file “none.md”"));
    assert!(refusal(&rig, "none/a.md").await.contains("no folder"));
}

#[cfg(unix)]
#[tokio::test]
async fn no_link_is_followed_and_no_pipe_is_waited_for() {
    use std::os::unix::fs::symlink;

    let rig = Rig::new();
    fs::write(rig.outside.path().join("x.md"), "x").unwrap();
    symlink(rig.outside.path().join("x.md"), rig.path("link.md")).unwrap();
    symlink(rig.path("there.md"), rig.path("same.md")).unwrap();
    symlink(rig.outside.path(), rig.path("door")).unwrap();
    symlink(rig.path("notes"), rig.path("inner")).unwrap();
    fs::write(rig.path("notes/a.md"), "a").unwrap();
    for path in ["link.md", "same.md", "door/x.md", "inner/a.md"] {
        let sentence = refusal(&rig, path).await;
        assert!(sentence.contains("symbolic link"), "{path}: {sentence}");
    }
    let socket = std::os::unix::net::UnixListener::bind(rig.path("socket")).unwrap();
    assert!(refusal(&rig, "socket").await.contains("no plain file"));
    drop(socket);
    // a pipe without a writer would hold up whoever opens it to read
    let pipe = rig.path("pipe");
    named_pipe(&pipe);
    assert!(refusal(&rig, "pipe").await.contains("no plain file"));
}

#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the standard library makes no pipe with a name"
)]
fn named_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

#[tokio::test]
async fn no_secret_is_added() {
    let rig = Rig::new();
    let begin = "-----BEGIN";
    fs::create_dir(rig.path(".ssh")).unwrap();
    fs::write(rig.path(".ssh/config"), "x").unwrap();
    fs::write(rig.path(".env"), "A=b").unwrap();
    fs::write(
        rig.path("mine.txt"),
        format!("{begin} PRIVATE KEY-----\nAA"),
    )
    .unwrap();
    for (path, why) in [
        (".env", "by its name"),
        (".env.local", "by its name"),
        (".ssh/config", "by its name"),
        ("notes/id_rsa", "by its name"),
        ("server.pem", "by its name"),
        ("mine.txt", "private key is in it"),
    ] {
        let sentence = refusal(&rig, path).await;
        assert!(sentence.contains(why), "{path}: {sentence}");
        assert!(
            sentence.contains("taken for a secret"),
            "{path}: {sentence}"
        );
    }
}

#[tokio::test]
async fn nothing_goes_into_or_out_of_ensembles_own_folders() {
    let rig = Rig::new();
    fs::create_dir_all(rig.path("own/hub")).unwrap();
    fs::write(rig.path("own/hub/api.json"), "{}").unwrap();
    fs::write(rig.path("owner.md"), "not ours").unwrap();
    assert!(
        refusal(&rig, "own/hub/api.json")
            .await
            .contains("its own keys")
    );
    let fault = rig.save.look(to("own/a.md", true)).await.unwrap_err();
    assert!(fault.to_string().contains("its own keys"), "{fault}");
    assert_eq!(read(&rig, "owner.md").await.unwrap(), b"not ours");
    // a hub that was started with --data
    fs::create_dir_all(rig.path("elsewhere/originals/ab")).unwrap();
    fs::write(rig.path("elsewhere/originals/ab/x"), "a file").unwrap();
    assert_eq!(
        read(&rig, "elsewhere/originals/ab/x").await.unwrap(),
        b"a file"
    );
    fs::write(rig.path("elsewhere/hub.sqlite3"), "").unwrap();
    for path in ["elsewhere/hub.sqlite3", "elsewhere/originals/ab/x"] {
        assert!(refusal(&rig, path).await.contains("its own keys"), "{path}");
    }
    let fault = rig.save.look(to("elsewhere/a.md", true)).await.unwrap_err();
    assert!(fault.to_string().contains("its own keys"), "{fault}");
}
