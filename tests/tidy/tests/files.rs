//! What every file keeps: a head that says its rule, a size that a person can read, and no word about how it was made.

use std::collections::BTreeMap;
use std::path::Path;

use ensemble_test_tidy::{files, root, text};

/// Lines in one file; what is longer stands in `oversize.txt` with its size, which may only shrink.
const LINES: usize = 400;

fn sources() -> Vec<std::path::PathBuf> {
    files("", &[".rs"])
}

#[test]
fn every_module_opens_with_its_rule() {
    for path in sources() {
        let head = text(&path);
        let first = head
            .lines()
            .find(|line| !line.starts_with("#!") && !line.is_empty());
        assert!(
            first.is_some_and(|line| line.starts_with("//!")),
            "{} does not open with //!",
            path.display()
        );
    }
}

#[test]
fn no_file_is_longer_than_a_person_reads() {
    let list = text("tests/tidy/oversize.txt".as_ref());
    let mut known: BTreeMap<&str, usize> = list
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .filter_map(|line| line.split_once(' '))
        .map(|(lines, path)| (path, lines.parse().unwrap()))
        .collect();
    for path in sources() {
        let lines = text(&path).lines().count();
        let name = path.to_str().unwrap();
        match known.remove(name) {
            None => assert!(
                lines <= LINES,
                "{name} has {lines} lines, more than {LINES}: split it"
            ),
            Some(allowed) => {
                assert!(
                    lines <= allowed,
                    "{name} grew from {allowed} to {lines} lines: split it"
                );
                assert!(
                    lines > LINES,
                    "{name} is short enough now: take it out of oversize.txt"
                );
            }
        }
    }
    assert!(
        known.is_empty(),
        "oversize.txt lists files that are gone: {known:?}"
    );
}

#[test]
fn there_is_no_mod_rs() {
    let found = files("", &["mod.rs"]);
    let found: Vec<_> = found
        .iter()
        .filter(|p| p.file_name().is_some_and(|n| n == "mod.rs"))
        .collect();
    assert!(found.is_empty(), "write foo.rs beside foo/: {found:?}");
}

/// Every relative link in the documents leads to a file.
#[test]
fn links_in_documents_lead_somewhere() {
    for path in files("", &[".md"]) {
        let folder = path.parent().unwrap_or(Path::new(""));
        for target in text(&path)
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let target = target.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let found = root().join(folder).join(target).exists()
                || root().join(target.trim_start_matches('/')).exists();
            assert!(
                found,
                "{} links to {target}, which does not exist",
                path.display()
            );
        }
    }
}

/// A proof that SECURITY.md names is a test that exists.
#[test]
fn every_named_proof_exists() {
    let tests: String = sources().iter().map(|path| text(path)).collect();
    let security = text("SECURITY.md".as_ref());
    let rows = security
        .lines()
        .filter(|line| line.starts_with("| ") && line.ends_with(" |"));
    let proofs: Vec<&str> = rows
        .filter_map(|row| row.trim_end_matches(" |").rsplit(" | ").next())
        .flat_map(|proofs| proofs.split('`').skip(1).step_by(2))
        .collect();
    assert!(
        proofs.len() > 30,
        "the table of SECURITY.md was not found: {proofs:?}"
    );
    for proof in proofs {
        assert!(
            tests.contains(&format!("fn {proof}(")),
            "SECURITY.md names {proof}, which no test is called"
        );
    }
}

/// The documents that every reader is promised.
#[test]
fn the_documents_are_there() {
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "SECURITY.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        ".ci/run",
    ] {
        assert!(root().join(name).is_file(), "{name} is missing");
    }
}
