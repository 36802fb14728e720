//! The log as a whole: what it writes, how it goes on, and that it is one chain whoever writes.

mod kill;
mod tamper;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ensemble_broker::{Decision, DecisionSink as _, Verdict};
use ensemble_model::Clock;
use ensemble_plain_file::private;
use jiff::Timestamp;
use serde_json::Value;

use crate::append::Appender;
use crate::check::{Checked, Problem, Seal, check};
use crate::files::Place;
use crate::head::{self, SealKey};
use crate::sink::DecisionLog;

#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    fn instant(&self) -> Instant {
        Instant::now()
    }
}

fn key() -> SealKey {
    SealKey::of(&[7; 32])
}

fn place(folder: &Path) -> Place {
    Place::of(folder.join("decisions.jsonl"))
}

/// One that sets files aside after a few lines.
fn appender(folder: &Path, file_bytes: u64) -> Appender {
    let mut appender = Appender::new(place(folder), Some(key()), Arc::new(Still));
    appender.file_bytes = file_bytes;
    appender
}

fn bodies(numbers: std::ops::Range<u32>) -> Vec<String> {
    numbers.map(|n| format!("{{\"route\":\"{n}\"}}")).collect()
}

fn checked(folder: &Path) -> Checked {
    check(&place(folder), Some(&key())).unwrap()
}

fn problems(checked: &Checked) -> Vec<Problem> {
    checked.findings.iter().map(|it| it.problem).collect()
}

fn decision(route: &str) -> Decision {
    Decision {
        time: Timestamp::UNIX_EPOCH,
        plugin: Some("context".parse().unwrap()),
        digest: None,
        tool: Some("ensemble_search".to_owned()),
        key: Some("editor".to_owned()),
        key_id: Some("k1".to_owned()),
        space: None,
        route: route.to_owned(),
        verdict: Verdict::Permitted,
        reason: None,
        duration_ms: 3,
        bytes_out: 0,
        bytes_in: 9,
    }
}

fn sink(folder: &Path, file_bytes: u64) -> DecisionLog {
    let mut appender = appender(folder, file_bytes);
    appender.kept = 1_000;
    DecisionLog::with(appender)
}

/// The routes of all decisions in their order.
fn routes(folder: &Path) -> Vec<String> {
    let found = crate::newest(&place(folder), usize::MAX, |line| {
        line.get("route").is_some()
    });
    let route = |line: &Value| line["route"].as_str().unwrap().to_owned();
    found.unwrap().lines.iter().map(route).collect()
}

#[test]
fn lines_are_whole_in_order_chained_and_the_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let log = sink(&state, 1 << 20);
    for n in 0..500 {
        log.record(&decision(&n.to_string()));
    }
    log.close();
    log.record(&decision("late"));
    let expected: Vec<String> = (0..500).map(|n| n.to_string()).collect();
    assert_eq!(routes(&state), expected);
    let checked = checked(&state);
    assert!(checked.intact, "{checked:?}");
    assert_eq!((checked.lines, checked.first), (501, Some(1)));
    assert_eq!(checked.seal, Seal::Right);
    for path in [place(&state).current().to_owned(), place(&state).head()] {
        let (file, _) = ensemble_plain_file::open(&path).unwrap();
        assert!(private::is_private(&file).unwrap(), "{path:?}");
    }
}

#[test]
fn many_writers_and_a_reader_share_one_whole_chain() {
    const WRITERS: usize = 6;
    const LINES: usize = 200;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                scope.spawn(move || {
                    let log = sink(folder, 20_000);
                    for n in 0..LINES {
                        log.record(&decision(&format!("{writer}-{n}")));
                    }
                })
            })
            .collect();
        while !writers
            .iter()
            .all(std::thread::ScopedJoinHandle::is_finished)
        {
            let seen = checked(folder);
            assert!(seen.found == 0, "{seen:?}");
        }
    });
    let seen = checked(folder);
    assert!(seen.intact, "{seen:?}");
    assert_eq!(seen.lines, (WRITERS * LINES + 1) as u64);
    assert!(seen.files.len() > 5, "{:?}", seen.files);
    let all = routes(folder);
    for writer in 0..WRITERS {
        let own = format!("{writer}-");
        let own: Vec<&String> = all.iter().filter(|it| it.starts_with(&own)).collect();
        let expected: Vec<String> = (0..LINES).map(|n| format!("{writer}-{n}")).collect();
        assert!(own.iter().copied().eq(expected.iter()), "{own:?}");
    }
}

#[test]
fn a_bounded_number_of_files_is_kept_and_the_chain_begins_with_the_oldest() {
    let folder = tempfile::tempdir().unwrap();
    let mut appender = appender(folder.path(), 1_000);
    appender.kept = 3;
    for n in 0..60 {
        appender.append(&bodies(n..n + 1), 0).unwrap();
        let seen = checked(folder.path());
        assert!(seen.intact && seen.files.len() <= 4, "{n}: {seen:?}");
    }
    let seen = checked(folder.path());
    assert_eq!((seen.files.len(), seen.last), (4, Some(61)));
    let first = seen.first.unwrap();
    assert!(first > 1 && seen.files[0] == format!("decisions-{first}.jsonl"));
    std::fs::remove_file(place(folder.path()).aside(first)).unwrap();
    let seen = checked(folder.path());
    assert_eq!(problems(&seen), [Problem::Missing], "{seen:?}");
}

#[test]
fn a_log_from_before_the_chain_stays_and_is_committed_to() {
    for torn in ["", "{\"route\":"] {
        let folder = tempfile::tempdir().unwrap();
        let current = place(folder.path()).current().to_owned();
        let old = format!("{{\"route\":\"a\"}}\n{{\"route\":\"b\"}}\n{torn}");
        std::fs::write(&current, &old).unwrap();
        std::fs::write(folder.path().join("decisions.1.jsonl"), &old).unwrap();
        let seen = checked(folder.path());
        let lines = old.lines().count() as u64;
        assert!(seen.intact && seen.before == 2 * lines, "{seen:?}");
        appender(folder.path(), 1 << 20)
            .append(&bodies(0..3), 0)
            .unwrap();
        let seen = checked(folder.path());
        assert!(seen.intact, "{seen:?}");
        assert_eq!((seen.before, seen.lines), (2 * lines, 4));
        assert_eq!(routes(folder.path()), ["a", "b", "a", "b", "0", "1", "2"]);
        let text = std::fs::read_to_string(&current).unwrap();
        assert!(text.starts_with(&old), "{text}");
        std::fs::write(&current, text.replacen("\"b\"", "\"c\"", 1)).unwrap();
        let seen = checked(folder.path());
        assert_eq!(problems(&seen), [Problem::Changed], "{seen:?}");
    }
}

#[test]
fn a_log_that_cannot_be_written_fails_nothing_and_says_later_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    std::fs::write(&state, "in the way").unwrap();
    let log = sink(&state, 1 << 20);
    for n in 0..10 {
        log.record(&decision(&n.to_string()));
    }
    while log.lost() < 10 {
        std::thread::yield_now();
    }
    std::fs::remove_file(&state).unwrap();
    for n in 10..12 {
        log.record(&decision(&n.to_string()));
    }
    log.close();
    let seen = checked(&state);
    assert!(seen.intact && seen.lost == 10, "{seen:?}");
    assert_eq!(routes(&state), ["10", "11"]);
    DecisionLog::off().record(&decision("x"));
}

/// A process that was stopped in its turn must not keep others from ending.
#[test]
fn a_lock_that_is_held_keeps_no_process_from_ending() {
    let folder = tempfile::tempdir().unwrap();
    let held = head::lock(&place(folder.path())).unwrap();
    let log = sink(folder.path(), 1 << 20);
    log.record(&decision("x"));
    log.close_within(Duration::from_millis(20));
    assert!(!place(folder.path()).current().exists());
    drop(held);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_not_waited_for() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    for name in ["decisions.jsonl", "decisions.head"] {
        let folder = tempfile::tempdir().unwrap();
        let mode = Mode::RUSR | Mode::WUSR;
        mknodat(CWD, folder.path().join(name), FileType::Fifo, mode, 0).unwrap();
        let log = sink(folder.path(), 1 << 20);
        log.record(&decision("x"));
        // waits for the writing thread
        log.close();
        assert!(check(&place(folder.path()), None).is_err());
    }
}
