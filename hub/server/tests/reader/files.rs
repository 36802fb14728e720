//! Files over the wire: lists, details, text in parts, and the original byte for byte.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use ensemble_hub_api::Kind;
use ensemble_hub_server::clock::StillClock;
use ensemble_hub_server::files::originals::Originals;
use ensemble_hub_server::files::{About, Source};
use ensemble_hub_server::{CreateKey, Hub, demo};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tower::ServiceExt as _;

use crate::support::NOW;

struct Rig {
    hub: Hub,
    space: String,
    key: String,
    folder: TempDir,
}

impl Rig {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(StillClock::at(NOW.parse().unwrap()));
        let hub = Hub::open(folder.path(), clock).await.unwrap();
        demo::fill(hub.store()).await.unwrap();
        let asked = CreateKey {
            name: "reader".into(),
            ..CreateKey::default()
        };
        let made = hub.admin().create_key(asked).await.unwrap();
        let space = hub.admin().spaces().await.unwrap()[0].id.clone();
        let key = made.value.expose().to_owned();
        Self {
            hub,
            space,
            key,
            folder,
        }
    }

    async fn raw(&self, path: &str, more: &[(&str, &str)]) -> (StatusCode, HeaderMap, Bytes) {
        let mut request = Request::get(format!("/api/bridge/{path}"))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key));
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        let response = self.hub.router().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 64 << 20).await.unwrap();
        (parts.status, parts.headers, bytes)
    }

    async fn get(&self, path: &str) -> Value {
        let (status, _, bytes) = self.raw(path, &[]).await;
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).unwrap()
    }

    async fn refused(&self, path: &str) -> (u16, String) {
        let (status, _, bytes) = self.raw(path, &[]).await;
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        (status.as_u16(), body["error"].as_str().unwrap().to_owned())
    }

    async fn id(&self, kind: Kind, title: &str) -> String {
        let found = self
            .hub
            .store()
            .find_by_title(&self.space, kind, title)
            .await
            .unwrap();
        assert_eq!(found.len(), 1, "{title}");
        found[0].id.clone()
    }

    async fn add(&self, name: &str, bytes: &[u8]) -> String {
        let about = About {
            name: name.to_owned(),
            ..About::default()
        };
        let source = Source::Bytes(bytes.to_vec());
        let added = self.hub.admin().add_file(None, source, about).await;
        added.unwrap().record.id
    }
}

fn names(list: &Value) -> Vec<&str> {
    list["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["name"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn files_are_found_by_name_summary_and_the_words_inside_them() {
    let rig = Rig::new().await;
    for (query, found) in [
        ("LATENCY-readout", vec!["latency-readout.md"]),
        ("slowest rise", vec!["timeout-chart.png"]),
        // these words stand in the texts alone
        ("billing contracts", vec!["onboarding-brief.docx"]),
        ("staging environment", vec!["latency-readout.md"]),
        (
            "question default client",
            vec!["Timeout survey of partners"],
        ),
        ("nunez", vec!["onboarding-brief.docx"]),
        ("\" OR NEAR(", vec![]),
        ("100% sure", vec![]),
    ] {
        let mut url = String::from("files?query=");
        url.extend(query.bytes().map(|byte| format!("%{byte:02x}")));
        assert_eq!(names(&rig.get(&url).await), found, "{query}");
    }
}

#[tokio::test]
async fn the_text_of_a_file_is_in_no_search_brief_or_read() {
    let rig = Rig::new().await;
    let search = rig.get("search?q=billing").await;
    assert!(!search.to_string().contains("onboarding-brief"), "{search}");
    let id = rig.id(Kind::File, "onboarding-brief.docx").await;
    let read = rig.get(&format!("read?kind=document&id={id}")).await;
    assert!(!read.to_string().contains("billing"), "{read}");
    let brief = rig
        .get("brief?repo=encode/httpx&branch=docs/default-timeout")
        .await;
    assert!(!brief.to_string().contains("Raw numbers"), "{brief}");
}

#[tokio::test]
async fn the_files_on_a_record_are_listed_from_both_ends_of_a_link() {
    let rig = Rig::new().await;
    let task = rig.id(Kind::Task, "Document the default timeout").await;
    let list = rig.get(&format!("files?on=ensemble://task/{task}")).await;
    assert_eq!(names(&list).len(), 2, "{list}");
    let project = rig.id(Kind::Project, "Partner onboarding").await;
    let list = rig
        .get(&format!("files?on=ensemble://project/{project}"))
        .await;
    let mut found = names(&list);
    found.sort_unstable();
    assert_eq!(
        found,
        ["Timeout survey of partners", "onboarding-brief.docx"]
    );
    let (status, _) = rig
        .refused(&format!("files?on=ensemble://page/{task}"))
        .await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn every_page_gives_each_file_once() {
    let rig = Rig::new().await;
    for number in 0..30 {
        rig.add(&format!("file {number}.txt"), b"x").await;
    }
    let (mut seen, mut offset) = (Vec::new(), Some(0));
    while let Some(at) = offset {
        let list = rig.get(&format!("files?limit=7&offset={at}")).await;
        assert_eq!(list["total"], 34);
        seen.extend(names(&list).into_iter().map(str::to_owned));
        assert_eq!(list["hasMore"], list.get("nextOffset").is_some());
        offset = list["nextOffset"].as_u64();
    }
    assert_eq!(seen.len(), 34);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 34);
}

/// New files come first, so a number of files to skip would give some of them twice.
#[tokio::test]
async fn each_file_comes_once_while_files_are_added() {
    let rig = Rig::new().await;
    for number in 0..10 {
        rig.add(&format!("old {number}.txt"), b"x").await;
    }
    let before = names(&rig.get("files?limit=50").await).len();
    let (mut seen, mut next) = (Vec::new(), Some(String::new()));
    while let Some(after) = next {
        let list = rig.get(&format!("files?limit=4&after={after}")).await;
        seen.extend(names(&list).into_iter().map(str::to_owned));
        rig.add(&format!("new {}.txt", seen.len()), b"x").await;
        assert_eq!(list["hasMore"], list.get("next").is_some());
        next = list["next"].as_str().map(str::to_owned);
    }
    assert!(
        seen.iter().all(|name| !name.starts_with("new ")),
        "{seen:?}"
    );
    assert_eq!(seen.len(), before);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), before);
    let people = rig.get("people?limit=1").await;
    let other = people["next"].as_str().unwrap();
    assert_eq!(rig.refused(&format!("files?after={other}")).await.0, 400);
}

#[tokio::test]
async fn a_list_stays_small_whatever_the_files_are_called() {
    let rig = Rig::new().await;
    for _ in 0..50 {
        rig.add(&"漢".repeat(500), b"x").await;
    }
    let (_, _, bytes) = rig.raw("files?limit=50", &[]).await;
    assert!(bytes.len() < 80_000, "{}", bytes.len());
    let list: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(list["hasMore"], true);
    assert_eq!(list["nextOffset"].as_u64(), Some(names(&list).len() as u64));
}

#[tokio::test]
async fn a_text_is_read_in_parts_that_fit_together() {
    let rig = Rig::new().await;
    let whole = "Zeile é 漢字 👩‍👩‍👧‍👦 <untrusted> ende.\n".repeat(2_000);
    let id = rig.add("long.txt", whole.as_bytes()).await;
    let (mut text, mut offset) = (String::new(), Some(0));
    while let Some(at) = offset {
        let part = rig
            .get(&format!("files/{id}?text=true&limit=20000&offset={at}"))
            .await;
        let part = &part["text"];
        assert_eq!(part["trust"], "untrusted");
        let window = part["text"].as_str().unwrap();
        assert!(window.chars().count() <= 20_000);
        text.push_str(window);
        offset = part["nextOffset"].as_u64();
    }
    assert!(!text.contains("<untrusted>"), "a forged frame is opened up");
    assert_eq!(text.chars().count(), whole.trim_end().chars().count());
    let details = rig.get(&format!("files/{id}")).await;
    assert!(details.get("text").is_none());
}

#[tokio::test]
async fn the_original_comes_as_it_was_with_its_hash_and_never_to_be_shown() {
    let rig = Rig::new().await;
    // sizes around the pieces in which it is read, and one of several megabytes
    for size in [0, 1, 12_000, 262_143, 262_144, 262_145, 3_000_000] {
        let bytes: Vec<u8> = (0..size)
            .map(|n: u32| n.wrapping_mul(2_654_435_761).to_le_bytes()[3])
            .collect();
        let id = rig.add("<script>.html", &bytes).await;
        let (status, headers, got) = rig.raw(&format!("files/{id}/original"), &[]).await;
        assert_eq!(status, 200);
        assert!(got == bytes, "{size} bytes came as {}", got.len());
        let mut hash = String::new();
        for byte in Sha256::digest(&bytes) {
            write!(hash, "{byte:02x}").unwrap();
        }
        let header = |name: &str| headers[name].to_str().unwrap();
        assert_eq!(header("etag"), format!("\"{hash}\""));
        assert_eq!(header("content-length"), size.to_string());
        assert_eq!(header("content-type"), "text/html");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert!(
            header("content-disposition").starts_with("attachment; filename=\"_script_.html\"")
        );
        let details = rig.get(&format!("files/{id}")).await;
        assert_eq!(details["size"], size);
        assert_eq!(details["sha256"], hash);
    }
}

#[tokio::test]
async fn a_part_of_the_original_is_that_part() {
    let rig = Rig::new().await;
    let id = rig.add("a.bin", b"0123456789").await;
    let path = format!("files/{id}/original");
    let (status, headers, bytes) = rig.raw(&path, &[("range", "bytes=3-5")]).await;
    assert_eq!((status.as_u16(), &bytes[..]), (206, &b"345"[..]));
    assert_eq!(headers["content-range"], "bytes 3-5/10");
    let (status, _, bytes) = rig.raw(&path, &[("range", "bytes=10-")]).await;
    assert_eq!(status, 416, "{}", String::from_utf8_lossy(&bytes));
}

#[tokio::test]
async fn what_is_not_there_or_not_a_file_is_said() {
    let rig = Rig::new().await;
    let task = rig.id(Kind::Task, "Document the default timeout").await;
    assert_eq!(
        rig.refused(&format!("files/{task}")).await,
        (400, "That id is a task, not a file.".to_owned())
    );
    assert_eq!(rig.refused("files/none/original").await.0, 404);
    // a file of the other space looks like none
    let about = About {
        name: "other.txt".to_owned(),
        ..About::default()
    };
    let source = Source::Bytes(b"x".to_vec());
    let admin = rig.hub.admin();
    let added = admin
        .add_file(Some(demo::SECOND_SPACE), source, about)
        .await
        .unwrap();
    let id = added.record.id;
    for path in [
        format!("files/{id}"),
        format!("files/{id}/original"),
        format!("files/{id}?text=true"),
    ] {
        assert_eq!(
            rig.refused(&path).await,
            (
                404,
                "There is no file with that id in this space.".to_owned()
            )
        );
    }
}

#[tokio::test]
async fn a_lost_or_shortened_original_is_an_error_without_a_path() {
    let rig = Rig::new().await;
    let id = rig.add("a.txt", b"hello").await;
    let details = rig.get(&format!("files/{id}")).await;
    let hash = details["sha256"].as_str().unwrap();
    let place = rig
        .folder
        .path()
        .join("originals")
        .join(hash.get(..2).unwrap())
        .join(hash);
    assert!(Originals::of(rig.folder.path()).open(hash, 5).is_ok());
    std::fs::write(&place, "hell").unwrap();
    let (status, sentence) = rig.refused(&format!("files/{id}/original")).await;
    assert_eq!(status, 500);
    assert!(
        sentence.contains("backup") && !sentence.contains("originals"),
        "{sentence}"
    );
    std::fs::remove_file(&place).unwrap();
    assert_eq!(rig.refused(&format!("files/{id}/original")).await.0, 500);
    // the details are there all the same
    assert_eq!(
        rig.get(&format!("files/{id}?text=true")).await["text"]["text"],
        "hello"
    );
}

#[tokio::test]
async fn without_a_key_nothing_of_a_file_is_given() {
    let rig = Rig::new().await;
    let id = rig.add("a.txt", b"hello").await;
    for path in [
        "files".to_owned(),
        format!("files/{id}"),
        format!("files/{id}/original"),
    ] {
        let request = Request::get(format!("/api/bridge/{path}"))
            .body(Body::empty())
            .unwrap();
        let response = rig.hub.router().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 401, "{path}");
    }
}
