//! Files and the working folder, with a real guest: they work when granted, fail when undeclared, fail when not granted; a
//! handle is worth nothing elsewhere; and the host shows a file as what it can be shown as.

use std::time::Duration;

use ensemble_broker::Fault;
use ensemble_model::Manifest;
use ensemble_runtime::CallError;
use ensemble_runtime::offer::{Block, Body, ToolStep};

use crate::bench::{Bench, import, manifest, plugin, runtime};

const CAPABILITIES: [&str; 2] = ["ensemble:hub/files", "ensemble:workspace/folder"];

fn route(path: &str) -> String {
    format!("[[routes]]\nmethod = \"GET\"\npath = \"{path}\"\nreason = \"a test\"\n")
}

/// The manifest of a plugin that gives files out, with these capabilities.
fn giver(capabilities: &[&str]) -> Manifest {
    let mut rest = import("ensemble:hub/read");
    for capability in capabilities {
        rest += &import(capability);
    }
    rest += &route("/api/bridge/files/{id}");
    rest += &route("/api/bridge/files/{id}/original");
    manifest("file-giver", &rest)
}

fn bench_without(interface: Option<&str>) -> Bench {
    let bytes = ensemble_test_artifacts::wasm("probe-files");
    let mut plugin = plugin(giver(&CAPABILITIES), bytes);
    if let Some(interface) = interface {
        assert!(plugin.granted.interfaces.remove(interface));
    }
    Bench::with(runtime(), plugin)
}

fn holding(bytes: Vec<u8>) -> Bench {
    let bench = bench_without(None);
    *bench.hub.original.lock().unwrap() = bytes;
    bench
}

/// The last block of an answer.
async fn shown(bench: &Bench, tool: &str, presentation: &str) -> Result<Block, CallError> {
    let arguments = format!(r#"{{"id":"f1","as":"{presentation}","type":"image/png"}}"#);
    match bench.step(tool, &arguments).await? {
        ToolStep::Done(output) => Ok(output.content.into_iter().next_back().unwrap()),
        ToolStep::Ask(_) => panic!("a question"),
    }
}

fn is_blob(block: &Block, size: usize) -> bool {
    matches!(block, Block::Embedded(file) if file.uri == "ensemble://file/f1"
        && matches!(&file.body, Body::Blob(bytes) if bytes.len() == size))
}

#[tokio::test]
async fn files_work_when_granted() {
    let bench = holding(b"hello".to_vec());
    let block = shown(&bench, "show", "image").await.unwrap();
    assert!(
        matches!(block, Block::Image(image) if image.data == b"hello" && image.mime_type == "image/png")
    );
    let block = shown(&bench, "show", "text").await.unwrap();
    assert!(matches!(block, Block::Text(text) if text.text == "hello"));
    let block = shown(&bench, "show", "embedded").await.unwrap();
    assert!(is_blob(&block, 5), "{block:?}");
    let bytes = bench
        .call("bytes", r#"{"id":"f1","offset":2}"#)
        .await
        .unwrap();
    assert!(bytes.ends_with(" 3"), "{bytes}");
    let saved = bench
        .call("save", r#"{"id":"f1","path":"a/b.md"}"#)
        .await
        .unwrap();
    assert!(saved.contains(r#""bytes":5"#), "{saved}");
    assert_eq!(*bench.folder.0.lock().unwrap(), [("a/b.md".to_owned(), 5)]);
}

#[tokio::test]
async fn files_fail_when_undeclared() {
    let bytes = ensemble_test_artifacts::wasm("probe-files");
    for (declared, missing) in [
        (CAPABILITIES[0], CAPABILITIES[1]),
        (CAPABILITIES[1], CAPABILITIES[0]),
    ] {
        let bench = Bench::with(runtime(), plugin(giver(&[declared]), bytes));
        assert_eq!(
            bench.load().await.unwrap_err().to_string(),
            format!(
                "The plugin probe imports {missing}@0.1.0, which its plugin.toml does not declare: only what is declared is given."
            )
        );
    }
}

#[tokio::test]
async fn files_fail_when_not_granted() {
    let bench = bench_without(Some(CAPABILITIES[0]));
    for tool in ["show", "bytes", "save"] {
        let error = bench
            .call(tool, r#"{"id":"f1","path":"a.md"}"#)
            .await
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("your grant of ensemble:hub/files"),
            "{error}"
        );
    }
    let bench = bench_without(Some(CAPABILITIES[1]));
    for tool in ["check", "save"] {
        let error = bench
            .call(tool, r#"{"id":"f1","path":"a.md"}"#)
            .await
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("your grant of ensemble:workspace/folder"),
            "{error}"
        );
    }
    assert!(bench.hub.downloads.lock().unwrap().is_empty());
    assert!(bench.folder.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_handle_of_an_earlier_call_shows_nothing() {
    let bench = holding(b"hello".to_vec());
    let bytes = bench.call("bytes", r#"{"id":"f1"}"#).await.unwrap();
    let earlier = bytes.split_once(' ').unwrap().0.to_owned();
    bench.hub.downloads.lock().unwrap().clear();
    for name in [earlier.as_str(), "file-0", "f1", "../f1", ""] {
        let arguments = format!(r#"{{"name":"{name}"}}"#);
        let error = bench.call("show_name", &arguments).await.unwrap_err();
        assert!(
            matches!(error, CallError::BadOutput { .. }),
            "{name}: {error}"
        );
    }
    assert!(bench.hub.downloads.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_bad_path_is_refused_before_the_hub_is_asked_for_the_file() {
    let bench = holding(b"hello".to_vec());
    let error = bench.call("check", r#"{"path":"../x"}"#).await.unwrap_err();
    assert_eq!(
        error,
        CallError::Guest(Fault::Invalid("That leads out.".to_owned()))
    );
    assert_eq!(bench.hub.paths(), Vec::<String>::new());
    bench
        .call("save", r#"{"id":"f1","path":"../x"}"#)
        .await
        .unwrap_err();
    assert!(bench.hub.downloads.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_does_not_fit_is_shown_as_its_bytes_or_not_at_all() {
    const MB: usize = 1 << 20;
    // a picture of five megabytes is one, of a byte more is none
    let bench = holding(vec![1; 5 * MB]);
    assert!(matches!(
        shown(&bench, "show", "image").await.unwrap(),
        Block::Image(_)
    ));
    let bench = holding(vec![1; 5 * MB + 1]);
    assert!(is_blob(
        &shown(&bench, "show", "image").await.unwrap(),
        5 * MB + 1
    ));
    // 200,000 characters are a text, one more is not; nor are bytes that are no text
    let bench = holding("é".repeat(200_000).into_bytes());
    assert!(matches!(
        shown(&bench, "show", "text").await.unwrap(),
        Block::Text(_)
    ));
    let bench = holding("é".repeat(200_001).into_bytes());
    assert!(is_blob(
        &shown(&bench, "show", "text").await.unwrap(),
        400_002
    ));
    let bench = holding(vec![0xff; 10]);
    assert!(is_blob(&shown(&bench, "show", "text").await.unwrap(), 10));
    // twenty megabytes fit into an answer, and no more, also in two pieces
    let bench = holding(vec![1; 20 * MB]);
    assert!(is_blob(
        &shown(&bench, "show", "embedded").await.unwrap(),
        20 * MB
    ));
    let bench = holding(vec![1; 20 * MB + 1]);
    let error = shown(&bench, "show", "embedded").await.unwrap_err();
    assert!(error.to_string().contains("saveTo"), "{error}");
    let bench = holding(vec![1; 11 * MB]);
    let error = shown(&bench, "show_twice", "embedded").await.unwrap_err();
    assert!(
        matches!(error, CallError::Guest(Fault::TooLarge(_))),
        "{error}"
    );
}

#[tokio::test]
async fn a_guest_gets_a_megabyte_at_once() {
    let bench = holding(vec![1; 3 << 20]);
    let bytes = bench.call("bytes", r#"{"id":"f1"}"#).await.unwrap();
    assert!(bytes.ends_with(" 1048576"), "{bytes}");
}

/// A file of any size is saved for as long as its bytes arrive, and not for longer.
#[tokio::test]
async fn a_save_outlasts_the_deadline_while_bytes_arrive() {
    let bytes = ensemble_test_artifacts::wasm("probe-files");
    let mut manifest = giver(&CAPABILITIES);
    manifest.limits.deadline_ms = Some(2_000);
    let bench = Bench::with(runtime(), plugin(manifest, bytes));
    *bench.hub.original.lock().unwrap() = vec![7; 4 << 20];
    *bench.hub.piece_takes.lock().unwrap() = Duration::from_secs(1);
    let asked = r#"{"id":"f1","path":"a.bin"}"#;
    let saved = bench.call("save", asked).await.unwrap();
    assert!(saved.contains(r#""bytes":4194304"#), "{saved}");
    *bench.hub.piece_takes.lock().unwrap() = Duration::from_hours(1);
    let error = bench.call("save", asked).await.unwrap_err();
    assert!(matches!(error, CallError::Deadline { .. }), "{error}");
    assert_eq!(bench.folder.0.lock().unwrap().len(), 1);
}
