//! What is installed is there whole, for its owner only, and nothing that was changed afterwards is a plugin.

use ensemble_model::{Digest, Surface};
use jiff::Timestamp;

use super::*;

const TOML: &str = "id = \"weather\"\nversion = \"1.0.0\"\ngroup = \"weather\"\ntitle = \"Weather\"\ndescription = \"D\"\n\
    world = \"reader\"\ngrant = \"read\"\nspace = false\n";

fn key(byte: u8) -> Key {
    Key::of_host(&[byte; 32])
}

fn id() -> PluginId {
    "weather".parse().unwrap()
}

fn approval() -> Approval {
    Approval::of(
        &Manifest::parse(TOML).unwrap(),
        TOML,
        Digest::of(b"component"),
        Surface::default(),
        Timestamp::UNIX_EPOCH,
    )
}

fn installed(folder: &Path) -> Installed {
    let installed = Installed::in_folder(folder.join("plugins"), key(1));
    installed
        .put(&id(), TOML, b"component", &approval())
        .unwrap();
    installed
}

#[test]
fn what_is_installed_is_there_as_it_was_approved() {
    let folder = tempfile::tempdir().unwrap();
    let installed = installed(folder.path());
    let (plugins, aside) = installed.all().unwrap();
    assert!(aside.is_empty(), "{aside:?}");
    assert_eq!(plugins[0].digest, Digest::of(b"component"));
    assert_eq!(installed.approval(&id()).unwrap(), approval());
    // and again over itself, with nothing left beside it
    installed.put(&id(), TOML, b"other", &approval()).unwrap();
    assert_eq!(
        fs::read(installed.folder_of(&id()).join(COMPONENT)).unwrap(),
        b"other"
    );
    assert_eq!(
        fs::read_dir(folder.path().join("plugins")).unwrap().count(),
        1
    );
    installed.remove(&id()).unwrap();
    assert!(installed.ids().unwrap().is_empty());
    assert_eq!(
        fs::read_dir(folder.path().join("plugins")).unwrap().count(),
        0
    );
}

#[test]
fn an_approval_that_is_not_of_this_host_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let mine = installed(folder.path());
    let file = mine.folder_of(&id()).join(APPROVED);
    let sealed = fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let (plugins, aside) = mine.all().unwrap();
        plugins.is_empty() && aside.len() == 1
    };
    assert!(!refused(&sealed));
    let text = String::from_utf8(sealed.clone()).unwrap();
    // one that grants itself a route
    assert!(refused(
        text.replace("\"routes\": []", "\"routes\": [\"GET /api/x\"]")
            .as_bytes()
    ));
    assert!(refused(&sealed[..sealed.len() - 1]));
    assert!(refused(b""));
    assert!(refused(b"\n{}"));
    assert!(refused(&approval().sealed(&key(2)).unwrap()));
    let mut other = approval();
    other.id = "climate".parse().unwrap();
    assert!(refused(&other.sealed(&key(1)).unwrap()));
    fs::remove_file(&file).unwrap();
    let (plugins, aside) = mine.all().unwrap();
    assert!(plugins.is_empty());
    assert!(aside[0].reason.contains("install it again"), "{aside:?}");
}

#[test]
fn a_changed_plugin_toml_waits_for_approval() {
    let folder = tempfile::tempdir().unwrap();
    let installed = installed(folder.path());
    let file = installed.folder_of(&id()).join(MANIFEST);
    fs::write(file, TOML.replace("1.0.0", "1.0.1")).unwrap();
    let (plugins, aside) = installed.all().unwrap();
    assert!(plugins.is_empty());
    assert!(
        aside[0].reason.contains("not the approved one"),
        "{aside:?}"
    );
}

#[cfg(unix)]
#[test]
fn what_is_installed_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let installed = installed(folder.path());
    let place = installed.folder_of(&id());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&place), 0o700);
    for name in [MANIFEST, COMPONENT, APPROVED] {
        assert_eq!(mode(&place.join(name)), 0o600, "{name}");
    }
}
