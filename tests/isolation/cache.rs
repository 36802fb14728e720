//! Kept code that is not proven is compiled again and replaced; it is never run, and never an error.

use std::fs;
use std::path::{Path, PathBuf};

use ensemble_runtime::{CacheConfig, LoadState, Runtime, RuntimeConfig};

use crate::bench::{Bench, probe_manifest};

fn bench(directory: &Path, key: u8) -> Bench {
    let config = RuntimeConfig {
        cache: Some(CacheConfig {
            directory: directory.to_path_buf(),
            key: [key; 32],
        }),
        max_live: 1,
        ..RuntimeConfig::default()
    };
    Bench::on(Runtime::new(config).unwrap(), probe_manifest(""))
}

/// Loads on a new engine, and says whether the code came from the folder. The component answers in any case.
async fn from_cache(directory: &Path, key: u8) -> bool {
    let bench = bench(directory, key).ready().await;
    bench.answers().await;
    let LoadState::Loaded(facts) = bench.registry.state(&bench.id) else {
        panic!("it is not loaded")
    };
    facts.from_cache
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn code_is_kept_privately_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("a/b");
    assert!(!from_cache(&directory, 1).await);
    assert!(from_cache(&directory, 1).await);
    let files = files(&directory);
    assert_eq!(files.len(), 1, "{files:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&files[0]), 0o600);
        assert_eq!(mode(&directory), 0o700);
    }
}

#[tokio::test]
async fn code_of_another_key_is_compiled_again_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!from_cache(folder.path(), 1).await);
    assert!(!from_cache(folder.path(), 2).await);
    assert!(from_cache(folder.path(), 2).await);
    assert_eq!(files(folder.path()).len(), 1);
}

#[tokio::test]
async fn a_damaged_file_is_compiled_again_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!from_cache(folder.path(), 1).await);
    let file = files(folder.path()).remove(0);
    let whole = fs::read(&file).unwrap();
    let middle = whole.len() / 2;
    let mut flipped = whole.clone();
    flipped[middle] ^= 0x10;
    let cases = [
        Vec::new(),
        whole[..32].to_vec(),
        whole[..middle].to_vec(),
        flipped,
        (0_u8..=255).cycle().take(100_000).collect(),
    ];
    for damaged in cases {
        let length = damaged.len();
        fs::write(&file, damaged).unwrap();
        assert!(!from_cache(folder.path(), 1).await, "{length} bytes");
        assert_eq!(fs::read(&file).unwrap().len(), whole.len());
    }
    assert!(from_cache(folder.path(), 1).await);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_costs_time_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    assert!(!from_cache(&file, 1).await);
    assert!(!from_cache(&file.join("below"), 1).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_that_compile_at_once_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (bench(folder.path(), 1), bench(folder.path(), 1));
    let loaded = tokio::join!(one.load(), two.load());
    assert_eq!(loaded, (Ok(()), Ok(())));
    one.answers().await;
    two.answers().await;
    let left = files(folder.path());
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(from_cache(folder.path(), 1).await);
}
