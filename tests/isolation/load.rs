//! What is refused before it runs, and with which sentence.

use std::fs;

use ensemble_model::{Digest, Manifest};
use ensemble_runtime::{Bytes, LoadError, LoadState, Plugin, Registry, RegistryError};

use crate::bench::{Bench, import, manifest, plugin, probe_manifest, runtime};

fn reader() -> Manifest {
    manifest("reader", &import("ensemble:hub/read"))
}

fn from_text(manifest: Manifest, wat: &str) -> Plugin {
    let bytes = wat::parse_str(wat).unwrap();
    plugin(manifest, bytes.leak())
}

/// Loads a component written as text, and returns the sentence with which it is refused.
async fn refused(manifest: Manifest, wat: &str) -> String {
    let bench = Bench::with(runtime(), from_text(manifest, wat));
    let error = bench.load().await.expect_err(wat).to_string();
    let remembered = bench.registry.state(&bench.id);
    assert_eq!(remembered, LoadState::Refused(error.clone()));
    error
}

fn importing(name: &str) -> String {
    format!("(component (import \"{name}\" (instance)))")
}

#[tokio::test]
async fn an_import_of_another_version_names_both() {
    for (import, sentence) in [
        (
            "ensemble:hub/read@0.2.0",
            "The plugin probe wants ensemble:hub/read@0.2.0, this host gives 0.1.0.",
        ),
        (
            "ensemble:run/run@1.0.0",
            "The plugin probe wants ensemble:run/run@1.0.0, this host gives 0.1.0.",
        ),
        (
            "ensemble:hub/read",
            "The plugin probe wants ensemble:hub/read, this host gives 0.1.0.",
        ),
        (
            "wasi:io/poll@0.3.0",
            "The plugin probe wants wasi:io/poll@0.3.0, this host gives 0.2.",
        ),
        (
            "ensemble:hub/erase@0.1.0",
            "The plugin probe wants ensemble:hub/erase@0.1.0, this host gives nothing of that name.",
        ),
        (
            "evil:thing/x@1.0.0",
            "The plugin probe wants evil:thing/x@1.0.0, this host gives nothing of that name.",
        ),
    ] {
        assert_eq!(refused(reader(), &importing(import)).await, sentence);
    }
    let function = "(component (import \"now\" (func)))";
    assert!(refused(reader(), function).await.contains("wants now"));
}

#[tokio::test]
async fn the_hosts_files_and_network_are_never_given() {
    for import in [
        "wasi:filesystem/types@0.2.6",
        "wasi:filesystem/preopens@0.2.0",
        "wasi:sockets/tcp@0.2.6",
        "wasi:http/outgoing-handler@0.2.0",
    ] {
        assert_eq!(
            refused(reader(), &importing(import)).await,
            format!(
                "The plugin probe imports {import}: no plugin is given the computer's files or network."
            )
        );
    }
}

#[tokio::test]
async fn what_is_not_declared_is_not_given() {
    for import in [
        "ensemble:hub/act@0.1.0",
        "ensemble:workspace/repository@0.1.0",
        "wasi:random/random@0.2.6",
    ] {
        let sentence = refused(reader(), &importing(import)).await;
        assert!(sentence.contains("does not declare"), "{sentence}");
    }
}

#[tokio::test]
async fn what_this_host_does_not_link_yet_is_refused_by_name() {
    let apps = manifest("app-user", &import("ensemble:hub/apps"));
    assert_eq!(
        refused(apps, "(component)").await,
        "The plugin probe needs ensemble:hub/apps, which this version of the host does not offer yet."
    );
    let egress = manifest("extension", &import("ensemble:egress/egress"));
    assert!(
        refused(egress, "(component)")
            .await
            .contains("does not offer yet")
    );
}

#[tokio::test]
async fn there_must_be_something_to_call_and_it_must_fit() {
    let exporting = |name: &str| {
        format!("(component (instance $nothing) (export \"{name}\" (instance $nothing)))")
    };
    for (wat, sentence) in [
        ("(component)".to_owned(), "there is nothing to call"),
        (
            exporting("ensemble:tools/completion@0.1.0"),
            "there is nothing to call",
        ),
        (
            exporting("ensemble:tools/tools@0.2.0"),
            "wants ensemble:tools/tools@0.2.0, this host gives 0.1.0",
        ),
        (
            exporting("ensemble:tools/tools@0.1.0"),
            "does not fit this host's contract",
        ),
    ] {
        let found = refused(reader(), &wat).await;
        assert!(found.contains(sentence), "{found}");
    }
}

#[tokio::test]
async fn what_needs_more_than_a_guest_gets_is_refused_with_the_limit() {
    let with = |module: &str| {
        format!(
            "(component (core module $m {module}) (core instance (instantiate $m)) (instance $nothing) \
             (export \"ensemble:tools/tools@0.1.0\" (instance $nothing)))"
        )
    };
    for (module, word) in [
        ("(memory 65536)", "memory"),
        ("(table 9000000 funcref)", "table"),
        ("(memory i64 1)", "memory"),
        ("(memory 1 1 shared)", "threads"),
    ] {
        let sentence = refused(reader(), &with(module)).await;
        assert!(
            sentence.starts_with("The plugin probe needs more than") && sentence.contains(word),
            "{module}: {sentence}"
        );
    }
}

#[tokio::test]
async fn what_is_no_component_is_refused_and_others_load() {
    let good = ensemble_test_artifacts::wasm("probe-kit");
    let middle = good.len() / 2;
    let module = wat::parse_str("(module)").unwrap();
    let zeros = vec![0; 1 << 20];
    let cases: [&[u8]; 7] = [
        b"",
        &good[..4],
        &good[..100],
        &good[..middle],
        b"not WebAssembly at all, but long enough to look at",
        &zeros,
        &module,
    ];
    for bytes in cases {
        let bench = Bench::with(runtime(), plugin(reader(), bytes.to_vec().leak()));
        let error = bench.load().await.unwrap_err();
        assert!(
            matches!(error, LoadError::NotAComponent { .. }),
            "{} bytes: {error}",
            bytes.len()
        );
    }
    Bench::probe("").ready().await.answers().await;
}

#[tokio::test]
async fn changed_bytes_are_refused_with_both_digests() {
    let mut bytes = ensemble_test_artifacts::wasm("probe-kit").to_vec();
    let approved = Digest::of(&bytes);
    *bytes.last_mut().unwrap() ^= 1;
    let actual = Digest::of(&bytes);
    let mut changed = plugin(probe_manifest(""), bytes.leak());
    changed.digest = approved.clone();
    let error = Bench::with(runtime(), changed).load().await.unwrap_err();
    assert!(matches!(
        error,
        LoadError::Digest { expected, actual: found, .. } if expected == approved && found == actual
    ));
}

#[tokio::test]
async fn a_file_is_read_when_it_is_wanted_and_what_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probe.wasm");
    let at = |path: &std::path::Path| {
        let mut plugin = plugin(
            probe_manifest(""),
            ensemble_test_artifacts::wasm("probe-kit"),
        );
        plugin.bytes = Bytes::File(path.to_path_buf());
        Bench::with(runtime(), plugin)
    };
    let unreadable = async |bench: Bench| {
        let error = bench.load().await.unwrap_err();
        assert!(matches!(error, LoadError::Unreadable { .. }), "{error}");
        let shown = error.to_string();
        let path = folder.path().to_string_lossy().into_owned();
        assert!(!shown.contains(&path), "{shown}");
    };
    unreadable(at(&file)).await;
    unreadable(at(folder.path())).await;

    let good = ensemble_test_artifacts::wasm("probe-kit");
    fs::write(&file, good).unwrap();
    at(&file).ready().await.answers().await;

    let huge = fs::File::options().write(true).open(&file).unwrap();
    huge.set_len(500 << 20).unwrap();
    let error = at(&file).load().await.unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { .. }), "{error}");
}

#[tokio::test]
async fn a_loaded_component_does_not_change_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probe.wasm");
    let good = ensemble_test_artifacts::wasm("probe-kit");
    let at = || {
        let mut plugin = plugin(probe_manifest(""), good);
        plugin.bytes = Bytes::File(file.clone());
        Bench::with(runtime(), plugin)
    };
    fs::write(&file, good).unwrap();
    let running = at().ready().await;
    for half in [&good[..good.len() / 2], b"", b"no component"] {
        fs::write(&file, half).unwrap();
        running.answers().await;
        // who looks only now is told that it is another one
        let error = at().load().await.unwrap_err();
        assert!(matches!(error, LoadError::Digest { .. }), "{error}");
    }
    fs::remove_file(&file).unwrap();
    running.answers().await;
    fs::write(&file, good).unwrap();
    at().ready().await.answers().await;
}

#[test]
fn two_plugins_of_one_id_are_refused() {
    let one = from_text(reader(), "(component)");
    let error = Registry::new(runtime(), vec![one.clone(), one]).unwrap_err();
    assert!(matches!(error, RegistryError::Duplicate(_)));
}

#[tokio::test]
async fn an_unknown_plugin_is_said_to_be_unknown() {
    let registry = Registry::new(runtime(), Vec::new()).unwrap();
    let id = "nobody".parse().unwrap();
    assert_eq!(registry.state(&id), LoadState::NotLoaded);
    let error = registry.load(&id).await.unwrap_err();
    assert_eq!(error.to_string(), "There is no plugin nobody here.");
}
