//! Whatever is done to a line is found, at once and after the log went on.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::Index;

use super::{appender, bodies, checked, place, problems, routes};
use crate::check::{Problem, Seal, check};
use crate::head::{self, Found, SealKey};
use crate::line::Position;

/// Several files, with every kind of line: from before the chain, torn, lost, decisions.
fn filled(folder: &Path) {
    std::fs::write(
        place(folder).current(),
        "{\"route\":\"old\"}\n{\"route\":\"er\"}\n",
    )
    .unwrap();
    let appender = appender(folder, 1_500);
    for n in 0..20 {
        appender
            .append(&bodies(n..n + 1), u64::from(n == 7))
            .unwrap();
        if n % 9 == 4 {
            let mut text = std::fs::read(place(folder).current()).unwrap();
            text.extend_from_slice(b"{\"seq\":");
            std::fs::write(place(folder).current(), text).unwrap();
        }
    }
    let seen = checked(folder);
    assert!(seen.intact && seen.files.len() > 2, "{seen:?}");
    assert_eq!((seen.before, seen.torn, seen.lost), (2, 2, 1));
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let parts = place(folder).parts().unwrap();
    parts.into_iter().map(|part| part.path).collect()
}

/// What somebody does to a log.
#[derive(Debug, Clone)]
enum Deed {
    Edit { byte: Index, to: u8 },
    Remove { line: Index, lines: usize },
    Swap { one: Index, other: Index },
    Repeat { line: Index, at: Index },
    Insert { text: String, at: Index },
    RemoveFile,
}

fn deed() -> impl Strategy<Value = Deed> {
    let index = any::<Index>;
    prop_oneof![
        4 => (index(), any::<u8>()).prop_map(|(byte, to)| Deed::Edit { byte, to }),
        2 => (index(), 1..4_usize).prop_map(|(line, lines)| Deed::Remove { line, lines }),
        2 => (index(), index()).prop_map(|(one, other)| Deed::Swap { one, other }),
        2 => (index(), index()).prop_map(|(line, at)| Deed::Repeat { line, at }),
        2 => ("[ -~]{0,40}", index()).prop_map(|(text, at)| Deed::Insert { text, at }),
        1 => Just(Deed::RemoveFile),
    ]
}

/// The file afterwards; `None` where it is gone.
fn done(deed: &Deed, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let count = lines.len();
    match deed {
        Deed::Edit { byte, to } => {
            let mut bytes = bytes.to_vec();
            let byte = byte.index(bytes.len());
            bytes[byte] = *to;
            return Some(bytes);
        }
        Deed::Remove { line, lines: gone } => {
            let line = line.index(count);
            lines.drain(line..(line + gone).min(count));
        }
        Deed::Swap { one, other } => lines.swap(one.index(count), other.index(count)),
        Deed::Repeat { line, at } => {
            let line = lines[line.index(count)].clone();
            lines.insert(at.index(count + 1), line);
        }
        Deed::Insert { text, at } => {
            let line = format!("{text}\n").into_bytes();
            lines.insert(at.index(count + 1), line);
        }
        Deed::RemoveFile => return None,
    }
    Some(lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_deed_is_found_now_and_later(deed in deed(), file in any::<Index>()) {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let paths = paths(folder.path());
        let path = &paths[file.index(paths.len())];
        let before = std::fs::read(path).unwrap();
        let after = done(&deed, &before);
        prop_assume!(after.as_ref() != Some(&before));
        match after {
            Some(after) => std::fs::write(path, after).unwrap(),
            None => std::fs::remove_file(path).unwrap(),
        }
        let seen = checked(folder.path());
        prop_assert!(!seen.intact && seen.found > 0, "{:?}", seen);
        // the log goes on, and it is still found
        appender(folder.path(), 1 << 20).append(&bodies(100..103), 0).unwrap();
        let seen = checked(folder.path());
        prop_assert!(!seen.intact, "{:?}", seen);
    }
}

#[test]
fn no_byte_of_a_log_can_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let current = place(folder.path()).current().to_owned();
    std::fs::write(&current, "{\"route\":\"old\"}\n").unwrap();
    appender(folder.path(), 1 << 20)
        .append(&bodies(0..4), 0)
        .unwrap();
    let bytes = std::fs::read(&current).unwrap();
    for at in 0..bytes.len() {
        for to in [bytes[at] ^ 1, b'\n', b' '] {
            let mut changed = bytes.clone();
            changed[at] = to;
            std::fs::write(&current, &changed).unwrap();
            let seen = checked(folder.path());
            assert!(changed == bytes || !seen.intact, "byte {at}: {seen:?}");
        }
        std::fs::write(&current, &bytes[..at]).unwrap();
        let seen = checked(folder.path());
        assert!(!seen.intact, "cut at {at}: {seen:?}");
    }
}

type Change<'a> = &'a dyn Fn(&mut Vec<String>);

#[test]
fn each_change_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let current = place(folder.path()).current().to_owned();
    appender(folder.path(), 1 << 20)
        .append(&bodies(0..6), 0)
        .unwrap();
    let text = std::fs::read_to_string(&current).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let with = |change: Change<'_>| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        change(&mut lines);
        std::fs::write(&current, lines.join("\n") + "\n").unwrap();
        let findings = checked(folder.path()).findings;
        let said: Vec<String> = findings.iter().map(ToString::to_string).collect();
        said.join("; ")
    };
    let edit = |lines: &mut Vec<String>| lines[2] = lines[2].replace("\"1\"", "\"9\"");
    let cases: [(&str, Change<'_>); 6] = [
        ("decisions.jsonl line 3: is not as it was written", &edit),
        (
            "decisions.jsonl line 3: number 3 is missing before it",
            &|l| {
                l.remove(2);
            },
        ),
        (
            "decisions.jsonl: numbers 5 to 7 are missing at the end",
            &|l| l.truncate(4),
        ),
        ("decisions.jsonl line 4: is no line of this log", &|l| {
            l.insert(3, "{}".to_owned());
        }),
        (
            "decisions.jsonl line 4: number 2 stands behind number 3",
            &|l| {
                l.insert(3, l[1].clone());
            },
        ),
        (
            "decisions.jsonl line 2: numbers 2 to 3 are missing before it; \
             decisions.jsonl line 3: number 3 stands behind number 4; \
             decisions.jsonl line 4: number 2 stands behind number 4",
            &|l| l.swap(1, 3),
        ),
    ];
    for (expected, change) in cases {
        assert_eq!(with(change), expected);
    }
    assert_eq!(with(&|_| {}), "");
}

#[test]
fn a_head_that_is_gone_is_found_and_stays_found() {
    let folder = tempfile::tempdir().unwrap();
    let appender = appender(folder.path(), 1 << 20);
    appender.append(&bodies(0..3), 0).unwrap();
    let gone: [&dyn Fn(&Path); 3] = [
        &|head| std::fs::remove_file(head).unwrap(),
        &|head| std::fs::write(head, "x").unwrap(),
        &|head| {
            let mut file = std::fs::File::options()
                .read(true)
                .write(true)
                .open(head)
                .unwrap();
            let Found::Head(head) = head::read(&mut file, None).unwrap() else {
                panic!("no head");
            };
            head.write(&mut file, Some(&SealKey::of(&[0; 32]))).unwrap();
        },
    ];
    for (n, gone) in gone.into_iter().enumerate() {
        gone(&place(folder.path()).head());
        let seen = checked(folder.path());
        assert_eq!(seen.seal, Seal::Wrong);
        assert_eq!(problems(&seen), vec![Problem::Head; n + 1], "{seen:?}");
        appender.append(&bodies(3..4), 0).unwrap();
        let seen = checked(folder.path());
        assert_eq!(seen.seal, Seal::Right);
        assert_eq!(problems(&seen), vec![Problem::Head; n + 1], "{seen:?}");
    }
    assert_eq!(routes(folder.path()), ["0", "1", "2", "3", "3", "3"]);
}

#[test]
fn a_torn_line_is_closed_off_where_the_head_is_gone_too() {
    let folder = tempfile::tempdir().unwrap();
    let current = place(folder.path()).current().to_owned();
    let appender = appender(folder.path(), 1 << 20);
    appender.append(&bodies(0..3), 0).unwrap();
    let mut text = std::fs::read(&current).unwrap();
    text.extend_from_slice(b"{\"seq\":5");
    std::fs::write(&current, text).unwrap();
    std::fs::remove_file(place(folder.path()).head()).unwrap();
    appender.append(&bodies(3..4), 0).unwrap();
    let seen = checked(folder.path());
    assert_eq!((problems(&seen), seen.torn), (vec![Problem::Head], 1));
    assert_eq!(routes(folder.path()), ["0", "1", "2", "3"]);
}

/// Who may write the files and not read the host's key: a chain that is made anew from its first line to its last does not pass.
#[test]
fn a_chain_that_is_made_anew_is_found_by_its_head() {
    let folder = tempfile::tempdir().unwrap();
    let current = place(folder.path()).current().to_owned();
    let own = appender(folder.path(), 1 << 20);
    own.append(&bodies(0..4), 0).unwrap();
    let mut at = Position::start();
    let forged: String = bodies(10..15).iter().map(|body| at.next(body)).collect();
    std::fs::write(&current, &forged).unwrap();
    let seen = checked(folder.path());
    assert_eq!(problems(&seen), [Problem::Changed], "{seen:?}");
    // with a head of its own, which it cannot seal
    std::fs::remove_file(place(folder.path()).head()).unwrap();
    let mut file = head::lock(&place(folder.path())).unwrap();
    let head = head::Head {
        first: 1,
        begins: 1,
        bytes: forged.len() as u64,
        seq: at.seq,
        hash: at.hash,
    };
    head.write(&mut file, None).unwrap();
    drop(file);
    let seen = checked(folder.path());
    assert_eq!(problems(&seen), [Problem::Head], "{seen:?}");
    own.append(&bodies(20..21), 0).unwrap();
    assert_eq!(problems(&checked(folder.path())), [Problem::Head]);
    // without the key there is nothing to tell it by, and that is said
    head.write(&mut head::lock(&place(folder.path())).unwrap(), None)
        .unwrap();
    std::fs::write(&current, &forged).unwrap();
    let seen = check(&place(folder.path()), None).unwrap();
    assert_eq!((seen.intact, seen.seal), (true, Seal::NotChecked));
}
