//! Files that go to the hub, with a real guest: they work when granted, fail when undeclared, fail when not granted; the largest
//! fits through, and what is cut does not.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_broker::Fault;
use ensemble_model::limits::MAX_UPLOAD_BYTES;
use ensemble_model::{Digest, Manifest};
use ensemble_runtime::CallError;

use crate::bench::{Bench, import, manifest, plugin, runtime};

const CAPABILITIES: [&str; 2] = ["ensemble:hub/uploads", "ensemble:workspace/folder"];
const ROUTE: &str =
    "[[routes]]\nmethod = \"POST\"\npath = \"/api/bridge/write/files\"\nreason = \"a test\"\n";

fn taker(capabilities: &[&str]) -> Manifest {
    let imports: String = capabilities.iter().copied().map(import).collect();
    let route = if capabilities.contains(&CAPABILITIES[0]) {
        ROUTE
    } else {
        ""
    };
    manifest("file-taker", &[imports.as_str(), route].concat())
}

fn bench_without(granted: Option<&str>) -> Bench {
    let bytes = ensemble_test_artifacts::wasm("probe-uploads");
    let mut plugin = plugin(taker(&CAPABILITIES), bytes);
    if let Some(missing) = granted {
        let granted = &mut plugin.granted;
        assert!(granted.interfaces.remove(missing) || granted.routes.remove(missing));
    }
    Bench::with(runtime(), plugin)
}

fn given(text: &str) -> String {
    format!(r#"{{"given":"{text}"}}"#)
}

#[tokio::test]
async fn uploads_work_when_granted() {
    let bench = bench_without(None);
    for (tool, text, bytes) in [
        ("data", "aGVsbG8=", &b"hello"[..]),
        ("path", "notes/a.md", b"a file"),
    ] {
        let answer = bench.call(tool, &given(text)).await.unwrap();
        let expected = format!(
            r#"{{"size":{},"sha256":"{}"}}"#,
            bytes.len(),
            Digest::of(bytes)
        );
        assert_eq!(answer, expected);
    }
    assert_eq!(bench.hub.paths(), ["/api/bridge/write/files"; 2]);
}

#[tokio::test]
async fn uploads_fail_when_undeclared() {
    let bytes = ensemble_test_artifacts::wasm("probe-uploads");
    for (declared, missing) in [
        (CAPABILITIES[0], CAPABILITIES[1]),
        (CAPABILITIES[1], CAPABILITIES[0]),
    ] {
        let bench = Bench::with(runtime(), plugin(taker(&[declared]), bytes));
        assert_eq!(
            bench.load().await.unwrap_err().to_string(),
            format!(
                "The plugin probe imports {missing}@0.1.0, which its plugin.toml does not declare: only what is declared is given."
            )
        );
    }
}

#[tokio::test]
async fn uploads_fail_when_not_granted() {
    for (missing, tool) in [
        (CAPABILITIES[0], "data"),
        (CAPABILITIES[0], "path"),
        (CAPABILITIES[1], "path"),
        ("POST /api/bridge/write/files", "data"),
    ] {
        let bench = bench_without(Some(missing));
        let error = bench.call(tool, &given("aGVsbG8=")).await.unwrap_err();
        assert!(error.to_string().contains("your grant of"), "{error}");
        assert_eq!(bench.hub.paths(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn what_is_cut_leads_out_or_was_never_given_is_not_sent() {
    let bench = bench_without(None);
    for (tool, text) in [
        ("data", "aGVsbG8"),
        ("data", "data:,aGVsbG8="),
        ("path", "../a.md"),
        ("name", "file-0"),
        ("name", ""),
    ] {
        let error = bench.call(tool, &given(text)).await.unwrap_err();
        assert!(
            matches!(
                error,
                CallError::Guest(Fault::Invalid(_) | Fault::NotFound(_))
            ),
            "{text}: {error}"
        );
    }
    assert_eq!(bench.hub.paths(), Vec::<String>::new());
}

#[tokio::test]
async fn the_largest_file_fits_through_a_guest() {
    let bench = bench_without(None);
    let bytes = vec![7; MAX_UPLOAD_BYTES];
    let answer = bench.call("data", &given(&STANDARD.encode(&bytes))).await;
    let expected = format!(
        r#"{{"size":{MAX_UPLOAD_BYTES},"sha256":"{}"}}"#,
        Digest::of(&bytes)
    );
    assert_eq!(answer, Ok(expected));
    // one more is refused in words, and by no limit of the sandbox
    let more = STANDARD.encode(vec![7; MAX_UPLOAD_BYTES + 1]);
    let error = bench.call("data", &given(&more)).await.unwrap_err();
    assert!(error.to_string().contains("25 MB"), "{error}");
}
