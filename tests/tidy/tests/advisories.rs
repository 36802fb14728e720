//! SECURITY.md says of each advisory of wasmtime why it is none here. What it says is compared with what is built in.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use ensemble_test_tidy::root;

/// The rows of the table: advisory, what it is, fixed in, within reach.
fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with("| CVE-"));
    let cells = |row: &str| {
        row.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    rows.map(cells).collect()
}

fn version(text: &str) -> Vec<u32> {
    text.split('.').map(|part| part.parse().unwrap()).collect()
}

/// The version of a package in the lock file.
fn locked(lock: &str, name: &str) -> Vec<u32> {
    let (_, after) = lock
        .split_once(&format!("name = \"{name}\"\nversion = \""))
        .unwrap();
    version(after.split_once('"').unwrap().0)
}

/// The names of features and packages, which stand between asterisks: what stands in backquotes is a proof.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.split('*').skip(1).step_by(2)
}

#[test]
fn every_advisory_is_fixed_in_what_is_built_in() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let (text, lock, manifest) = (read("SECURITY.md"), read("Cargo.lock"), read("Cargo.toml"));
    let engine = read("host/runtime/src/engine.rs");
    let world = read("host/model/src/world.rs");
    let rows = rows(&text);
    assert!(rows.len() >= 20, "{} rows", rows.len());
    let built_in = locked(&lock, "wasmtime");
    let features: Vec<&str> = manifest
        .lines()
        .filter(|line| line.starts_with("wasmtime"))
        .collect();
    for row in &rows {
        let [advisory, _, fixed, reach] = row.as_slice() else {
            panic!("{row:?}")
        };
        assert!(
            version(fixed) <= built_in,
            "{advisory} is fixed in {fixed}, and {built_in:?} is built in"
        );
        for word in named(reach) {
            let off = engine.contains(&format!("\"{word}\""));
            let never = world.contains(word) && reach.contains("never linked");
            let absent = reach.contains("not built in")
                && features
                    .iter()
                    .all(|line| !line.contains(&format!("\"{word}\"")));
            assert!(
                off || never || absent,
                "{advisory}: {word} is neither switched off, never linked, nor left out"
            );
        }
    }
}
