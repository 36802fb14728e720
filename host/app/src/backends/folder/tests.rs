//! What is written, what is refused, and that nothing is left of what was not finished.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use tokio::sync::mpsc;

use super::*;

mod adding;
mod meanwhile;

/// A download whose pieces the test sends, or whose end it makes.
#[derive(Debug)]
struct Arriving {
    size: Option<u64>,
    sha256: Option<String>,
    pieces: mpsc::Receiver<Option<Vec<u8>>>,
    asked: mpsc::Sender<()>,
}

impl Download for Arriving {
    fn size(&self) -> Option<u64> {
        self.size
    }

    fn sha256(&self) -> Option<&str> {
        self.sha256.as_deref()
    }

    fn next(&mut self) -> PortFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            if self.asked.send(()).await.is_err() {
                // a test that does not count the pieces
            }
            match self.pieces.recv().await {
                Some(Some(piece)) => Ok(Some(piece)),
                Some(None) => Ok(None),
                None => Err(Fault::Unavailable("The connection broke.".to_owned()).into()),
            }
        })
    }
}

struct Sender {
    pieces: mpsc::Sender<Option<Vec<u8>>>,
    asked: mpsc::Receiver<()>,
}

fn arriving(size: Option<u64>, sha256: Option<String>) -> (Sender, Box<dyn Download>) {
    let (pieces, from) = mpsc::channel(16);
    let (to, asked) = mpsc::channel(16);
    let download = Arriving {
        size,
        sha256,
        pieces: from,
        asked: to,
    };
    (Sender { pieces, asked }, Box::new(download))
}

/// All of `bytes`, as the hub would send them.
fn whole(bytes: &[u8]) -> Box<dyn Download> {
    let (sender, download) = arriving(Some(bytes.len() as u64), Some(hex(&Sha256::digest(bytes))));
    for piece in bytes.chunks(3) {
        sender.pieces.try_send(Some(piece.to_vec())).unwrap();
    }
    sender.pieces.try_send(None).unwrap();
    download
}

fn to(path: &str, overwrite: bool) -> Target<'_> {
    Target { path, overwrite }
}

/// Everything below a folder, with the kind of each.
fn listing(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            names.extend(
                listing(&entry.path())
                    .iter()
                    .map(|below| format!("{name}/{below}")),
            );
            names.push(format!("{name}/"));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}

struct Rig {
    folder: TempDir,
    outside: TempDir,
    save: EditorFolder,
}

impl Rig {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("notes")).unwrap();
        fs::write(folder.path().join("there.md"), "old").unwrap();
        let save = EditorFolder::open(folder.path(), vec![folder.path().join("own")]);
        Self {
            save,
            folder,
            outside: TempDir::new().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn as_it_was(&self) -> bool {
        listing(self.folder.path()) == ["notes/", "there.md"]
            && fs::read_to_string(self.path("there.md")).unwrap() == "old"
    }
}

#[tokio::test]
async fn a_file_is_written_whole_and_says_what_it_is() {
    let rig = Rig::new();
    let absolute = rig.path("notes/b.md");
    for (path, shown) in [
        ("a.md", "a.md"),
        ("notes/a.md", "notes/a.md"),
        (absolute.to_str().unwrap(), "notes/b.md"),
    ] {
        rig.save.look(to(path, false)).await.unwrap();
        let saved = rig
            .save
            .write(to(path, false), whole(b"hello there"))
            .await
            .unwrap();
        assert_eq!((saved.path.as_str(), saved.bytes), (shown, 11));
        assert_eq!(saved.sha256, hex(&Sha256::digest(b"hello there")));
        assert_eq!(fs::read(rig.path(shown)).unwrap(), b"hello there");
    }
    assert_eq!(
        listing(rig.folder.path()),
        ["a.md", "notes/", "notes/a.md", "notes/b.md", "there.md"]
    );
}

#[tokio::test]
async fn a_file_that_is_there_is_replaced_only_when_asked() {
    let rig = Rig::new();
    let fault = rig.save.look(to("there.md", false)).await.unwrap_err();
    assert!(
        matches!(&fault, Fault::Conflict(text) if text.contains("overwrite: true")),
        "{fault}"
    );
    rig.save
        .write(to("there.md", false), whole(b"new"))
        .await
        .unwrap_err();
    assert!(rig.as_it_was());
    rig.save
        .write(to("there.md", true), whole(b"new"))
        .await
        .unwrap();
    assert_eq!(fs::read(rig.path("there.md")).unwrap(), b"new");
    // overwrite is no promise that there is something
    rig.save
        .write(to("fresh.md", true), whole(b"new"))
        .await
        .unwrap();
    assert_eq!(
        listing(rig.folder.path()),
        ["fresh.md", "notes/", "there.md"]
    );
}

#[tokio::test]
async fn no_path_leads_out_or_onto_a_folder() {
    let rig = Rig::new();
    for path in [
        "../x",
        "/etc/x",
        "a/../../x",
        "~/x",
        "$HOME/x",
        "../../.bashrc",
        "a\0b",
        "",
        ".",
        "notes",
        "notes/",
        "missing/a.md",
        "there.md/a.md",
        &"x".repeat(300),
        "CON.txt",
        "a.md.",
        ".git/hooks/x",
    ] {
        for overwrite in [false, true] {
            let fault = rig.save.look(to(path, overwrite)).await.unwrap_err();
            assert!(matches!(fault, Fault::Invalid(_)), "{path}: {fault:?}");
            assert!(
                fault.to_string().contains("working folder"),
                "{path}: {fault}"
            );
            rig.save
                .write(to(path, overwrite), whole(b"x"))
                .await
                .unwrap_err();
        }
    }
    assert!(rig.as_it_was());
}

#[cfg(unix)]
#[tokio::test]
async fn no_link_is_followed_or_written_onto() {
    let rig = Rig::new();
    let secret = rig.outside.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    for (target, link) in [
        (secret.as_path(), "link"),
        (rig.outside.path(), "door"),
        (Path::new("notes"), "inner"),
        (Path::new("there.md"), "same"),
        (Path::new("nowhere"), "dangling"),
    ] {
        std::os::unix::fs::symlink(target, rig.path(link)).unwrap();
    }
    let before = listing(rig.folder.path());
    for path in ["link", "door/x", "inner/x", "same", "dangling", "door"] {
        let fault = rig.save.look(to(path, true)).await.unwrap_err();
        assert!(
            fault.to_string().contains("symbolic link"),
            "{path}: {fault}"
        );
        rig.save
            .write(to(path, true), whole(b"x"))
            .await
            .unwrap_err();
    }
    assert_eq!(listing(rig.folder.path()), before);
    assert_eq!(listing(rig.outside.path()), ["secret"]);
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
}

#[test]
fn a_name_that_is_taken_at_the_last_moment_is_not_replaced() {
    let rig = Rig::new();
    let open = rig.save.opened().unwrap();
    let part = Part::create(&open.dir).unwrap();
    let error = part.become_named("there.md", false).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert!(rig.as_it_was());
}

#[tokio::test]
async fn what_is_cut_damaged_or_cancelled_leaves_nothing() {
    let rig = Rig::new();
    // the connection breaks
    let (sender, download) = arriving(Some(6), None);
    sender.pieces.try_send(Some(b"abc".to_vec())).unwrap();
    drop(sender.pieces);
    let fault = rig
        .save
        .write(to("a.md", false), download)
        .await
        .unwrap_err();
    assert_eq!(
        fault.fault,
        Fault::Unavailable("The connection broke.".to_owned())
    );
    assert!(rig.as_it_was());

    // fewer bytes than announced, then others than announced
    for (size, sha256) in [(Some(9), None), (None, Some("0".repeat(64)))] {
        let (sender, download) = arriving(size, sha256);
        sender.pieces.try_send(Some(b"abc".to_vec())).unwrap();
        sender.pieces.try_send(None).unwrap();
        let fault = rig
            .save
            .write(to("there.md", true), download)
            .await
            .unwrap_err();
        assert_eq!(fault.fault, Fault::Unavailable(DAMAGED.to_owned()));
        assert!(rig.as_it_was());
    }

    // the call is cancelled between two pieces
    let (mut sender, download) = arriving(Some(6), None);
    {
        let mut saving = std::pin::pin!(rig.save.write(to("a.md", false), download));
        let half = async {
            sender.asked.recv().await.unwrap();
            sender.pieces.send(Some(b"abc".to_vec())).await.unwrap();
            sender.asked.recv().await.unwrap();
        };
        tokio::select! {
            ended = &mut saving => panic!("it cannot end: {ended:?}"),
            () = half => {}
        }
        assert_eq!(
            listing(rig.folder.path()).len(),
            3,
            "a part is there while it arrives"
        );
    }
    assert!(rig.as_it_was());
}

#[tokio::test]
async fn the_root_and_a_missing_folder_take_nothing() {
    for folder in ["/", "/nonexistent-folder"] {
        let save = EditorFolder::open(Path::new(folder), Vec::new());
        let fault = save.look(to("a.md", false)).await.unwrap_err();
        assert!(fault.to_string().contains("start the editor"), "{fault}");
    }
}
