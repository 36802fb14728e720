//! A process is killed at any moment of its turn: what it leaves is no finding, the next one goes on, and nothing that was written is lost.

use std::collections::BTreeMap;
use std::path::Path;

use super::{appender, bodies, checked, place, routes};

type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, std::fs::read(entry.path()).unwrap())
    };
    folder.read_dir().unwrap().map(read).collect()
}

/// A folder with these files.
fn folder(files: &Files) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// What is left is in order before the next turn and after it, and that one's lines are there.
fn goes_on(left: &Files, whole: usize, at: &str) {
    let left = folder(left);
    let seen = checked(left.path());
    assert!(seen.intact, "{at}: {seen:?}");
    appender(left.path(), 1 << 20)
        .append(&bodies(100..102), 0)
        .unwrap();
    let seen = checked(left.path());
    assert!(seen.intact && seen.behind == 0, "{at}: {seen:?}");
    let all = routes(left.path());
    let numbers = (0..whole).chain(100..102).map(|n| n.to_string());
    assert!(numbers.eq(all.iter().cloned()), "{at}: {all:?}");
}

#[test]
fn a_turn_that_is_cut_at_any_byte_is_gone_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let appender = appender(folder.path(), 1 << 20);
    appender.append(&bodies(0..2), 0).unwrap();
    let before = files(folder.path());
    appender.append(&bodies(2..5), 0).unwrap();
    let after = files(folder.path());
    let name = "decisions.jsonl";
    let (from, to) = (before[name].len(), after[name].len());
    for end in from..=to {
        let mut left = before.clone();
        let bytes = &after[name][..end];
        left.insert(name.to_owned(), bytes.to_owned());
        let written = &bytes[from..];
        let ends = written.split(|byte| *byte == b'\n').count() - 1;
        // a line that lacks its end alone is whole
        let whole = ends + usize::from(written.ends_with(b"\"}"));
        goes_on(&left, 2 + whole, &format!("{end} of {from} to {to}"));
    }
    goes_on(&after, 5, "at the end");
}

#[test]
fn a_file_that_is_being_set_aside_is_gone_on_from() {
    let source = tempfile::tempdir().unwrap();
    let mut appender = appender(source.path(), 1_000);
    appender.kept = 2;
    let mut turns = 0;
    let mut n = 0;
    while turns < 4 {
        let before = files(source.path());
        appender.append(&bodies(n..n + 1), 0).unwrap();
        n += 1;
        let after = files(source.path());
        let Some(aside) = after.keys().find(|name| !before.contains_key(*name)) else {
            continue;
        };
        if before.is_empty() {
            continue;
        }
        turns += 1;
        // renamed, and nothing else
        let mut left = before.clone();
        let moved = left.remove("decisions.jsonl").unwrap();
        left.insert(aside.clone(), moved);
        for (left, at) in [
            (left, "renamed"),
            (with_the_oldest(&before, &after), "kept"),
        ] {
            let left = folder(&left);
            let seen = checked(left.path());
            assert!(seen.intact, "{at}: {seen:?}");
            let last = seen.last;
            let more = super::appender(left.path(), 1_000);
            more.append(&bodies(n..n + 1), 0).unwrap();
            let seen = checked(left.path());
            assert!(seen.intact && seen.last > last, "{at}: {seen:?}");
        }
    }
    assert!(place(source.path()).older().unwrap().len() == 2);
}

/// After it, and the oldest files did not go.
fn with_the_oldest(before: &Files, after: &Files) -> Files {
    let mut left = after.clone();
    for (name, bytes) in before {
        left.entry(name.clone()).or_insert_with(|| bytes.clone());
    }
    left
}
