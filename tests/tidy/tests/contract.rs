//! A released contract never changes: `wit/released.lock` has the hash of every file. `BLESS=1` adds files that are not in
//! it yet; a file whose hash differs is a new version, in a new folder, and never a new hash.
#![expect(clippy::unwrap_used, reason = "a test may fail at any line")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ensemble_model::World;
use ensemble_test_tidy::{files, root, text};
use sha2::{Digest as _, Sha256};

fn hashes() -> BTreeMap<String, String> {
    let hash = |path: &std::path::PathBuf| {
        let mut hex = String::new();
        for byte in Sha256::digest(text(path)) {
            write!(hex, "{byte:02x}").unwrap();
        }
        (path.to_str().unwrap().to_owned(), hex)
    };
    files("wit", &[".wit"]).iter().map(hash).collect()
}

#[test]
fn released_files_are_as_they_were_released() {
    let path = root().join("wit/released.lock");
    let lock = std::fs::read_to_string(&path).unwrap_or_default();
    let mut released: BTreeMap<String, String> = lock
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once("  "))
        .map(|(hash, path)| (path.to_owned(), hash.to_owned()))
        .collect();
    let now = hashes();
    for (path, hash) in &released {
        assert_eq!(
            now.get(path),
            Some(hash),
            "{path} was released: make a new version beside it"
        );
    }
    if std::env::var_os("BLESS").is_some() {
        released.extend(now.clone());
        let mut lock =
            "# sha256 of every released file of the contract. A line here never changes.\n"
                .to_owned();
        for (path, hash) in &released {
            writeln!(lock, "{hash}  {path}").unwrap();
        }
        std::fs::write(path, lock).unwrap();
    }
    for path in now.keys() {
        assert!(
            released.contains_key(path),
            "{path} is not in wit/released.lock: run the tests with BLESS=1"
        );
    }
}

#[test]
fn the_worlds_of_the_model_are_those_of_the_contract() {
    let worlds = text("wit/worlds.wit".as_ref());
    for world in World::ALL {
        let body = worlds
            .split_once(&format!("world {world} {{"))
            .and_then(|(_, rest)| rest.split_once('}'))
            .unwrap_or_else(|| panic!("wit/worlds.wit has no world {world}"))
            .0;
        let mut imports: Vec<&str> = body
            .lines()
            .filter_map(|line| line.trim().strip_prefix("import "))
            .filter_map(|line| line.split('@').next())
            .filter(|name| *name != "ensemble:run/run")
            .collect();
        imports.sort_unstable();
        let mut known = world.interfaces().to_vec();
        known.sort_unstable();
        assert_eq!(imports, known, "{world}");
    }
    assert_eq!(worlds.matches("\nworld ").count(), World::ALL.len());
}
