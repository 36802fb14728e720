//! The targets without a fuzzer: the corpus, then what edits make of it, for `ENSEMBLE_FUZZ_SECONDS` each (half a second where nothing is said).
//! What fails is made small, and printed in the form in which it goes into the corpus.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
#![expect(
    clippy::print_stdout,
    reason = "how much was tried is what a person wants to know"
)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ensemble_test_fuzz::{TARGETS, run};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

/// Cases between two looks at the time.
const ROUND: u32 = 32;

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

/// One change of an input.
#[derive(Debug, Clone)]
enum Edit {
    Put(Index, Vec<u8>),
    Over(Index, Vec<u8>),
    Cut(Index, usize),
    Twice(Index, Index),
    From(Index, Index),
}

/// What breaks readers: the words of these formats, ends of ranges, broken and unusual characters.
const WORDS: [&[u8]; 28] = [
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\\",
    b"\n",
    b"\r\n",
    b"\0",
    b"/",
    b"../",
    b"%2e",
    b"null",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"\\ud800",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    "\u{202e}".as_bytes(),
    "e\u{301}".as_bytes(),
    "中文".as_bytes(),
    "👩‍👩‍👧".as_bytes(),
    b"\"id\"",
    b"\"method\"",
    b"\"$ref\"",
    b"NEAR(",
    b"{id}",
];

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let bytes = || {
        prop_oneof![
            proptest::sample::select(WORDS.to_vec()).prop_map(<[u8]>::to_vec),
            vec(any::<u8>(), 1..6),
        ]
    };
    let at = any::<Index>;
    vec(
        prop_oneof![
            (at(), bytes()).prop_map(|(at, bytes)| Edit::Put(at, bytes)),
            (at(), bytes()).prop_map(|(at, bytes)| Edit::Over(at, bytes)),
            (at(), 1..40_usize).prop_map(|(at, many)| Edit::Cut(at, many)),
            (at(), at()).prop_map(|(from, to)| Edit::Twice(from, to)),
            (at(), at()).prop_map(|(other, at)| Edit::From(other, at)),
        ],
        0..8,
    )
}

fn edited(corpus: &[Vec<u8>], of: Index, edits: &[Edit]) -> Vec<u8> {
    let mut bytes = of.get(corpus).clone();
    for edit in edits {
        let length = bytes.len();
        let place = |at: &Index| at.index(length + 1);
        match edit {
            Edit::Put(at, new) => {
                let at = place(at);
                bytes.splice(at..at, new.iter().copied());
            }
            Edit::Over(at, new) => {
                let at = place(at);
                bytes.splice(at..length.min(at + new.len()), new.iter().copied());
            }
            Edit::Cut(at, many) => {
                let at = place(at);
                bytes.drain(at..length.min(at + many));
            }
            Edit::Twice(from, to) => {
                let (from, to) = (place(from).min(place(to)), place(from).max(place(to)));
                let part = bytes[from..to].to_vec();
                bytes.splice(to..to, part);
            }
            Edit::From(other, at) => {
                let (other, at) = (other.get(corpus), place(at));
                bytes.truncate(at);
                bytes.extend_from_slice(&other[at.min(other.len())..]);
            }
        }
    }
    bytes
}

fn seconds() -> Duration {
    let said = std::env::vars().find(|(name, _)| name == "ENSEMBLE_FUZZ_SECONDS");
    Duration::from_secs_f64(said.map_or(0.5, |(_, seconds)| seconds.parse().unwrap()))
}

fn fuzz(target: &str) {
    let corpus = corpus(target);
    for input in &corpus {
        run(target, input);
    }
    let (began, mut round, mut cases) = (Instant::now(), 0, 0_u64);
    while began.elapsed() < seconds() {
        // the same inputs in the same order each time, so that what failed here fails elsewhere
        let config = Config {
            cases: ROUND,
            failure_persistence: None,
            max_shrink_iters: 512,
            rng_seed: RngSeed::Fixed(round),
            ..Config::default()
        };
        let outcome = TestRunner::new(config).run(&(any::<Index>(), edits()), |(of, edits)| {
            let input = edited(&corpus, of, &edits);
            let found = std::panic::catch_unwind(|| run(target, &input));
            found.map_err(|_| TestCaseError::fail("something does not hold"))
        });
        if let Err(TestError::Fail(_, (of, edits))) = outcome {
            let input = edited(&corpus, of, &edits);
            panic!(
                "{target} fails for b\"{}\": mend it, and put the input into its corpus",
                input.escape_ascii()
            );
        }
        outcome.unwrap();
        round += 1;
        cases += u64::from(ROUND);
    }
    println!("{target}: {} of the corpus, {cases} edited", corpus.len());
}

macro_rules! each {
    ($($target:ident)*) => {
        $(#[test] fn $target() { fuzz(stringify!($target)); })*

        #[test]
        fn every_target_is_run() {
            let run = [$(stringify!($target)),*];
            assert_eq!(TARGETS.map(|target| target.name), run);
        }
    };
}

each!(wire manifest routes guest schemas paths search policy);
