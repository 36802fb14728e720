//! `POST write/files`: a file is saved whole, once, undoably, or not at all.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_hub_api::{Kind, limits};
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::support::Answer;

const UPLOAD: &str = "/api/bridge/write/files";

async fn upload(bench: &Bench, body: &Value) -> Answer {
    bench.rig.write("POST", &bench.key, UPLOAD, body).await
}

fn with(name: &str, bytes: &[u8]) -> Value {
    json!({ "filename": name, "dataBase64": STANDARD.encode(bytes) })
}

/// Everything below the originals' folder.
fn originals(bench: &Bench) -> Vec<String> {
    fn walk(folder: &Path, into: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, into);
            } else {
                into.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let mut all = Vec::new();
    walk(&bench.rig.folder.path().join("originals"), &mut all);
    all
}

#[tokio::test]
async fn an_upload_is_a_file_with_its_text_and_undo_puts_it_in_trash() {
    let bench = Bench::new().await;
    let before = bench.picture().await;
    let answer = upload(&bench, &with("notes.md", b"# Hi\r\n\r\nwalrus")).await;
    assert_eq!(answer.status, 201, "{:?}", answer.body);
    let body = &answer.body;
    let hash = "d4ffcb3644cc8e53bad8a476047c82c03f1b3aefc2f444aad17505181037431e";
    assert_eq!(
        (&body["size"], &body["sha256"], &body["undoable"]),
        (&json!(14), &json!(hash), &json!(true))
    );
    assert_eq!(body["file"]["format"], "Markdown");
    assert_eq!(originals(&bench), [hash]);
    let id = body["file"]["id"].as_str().unwrap();
    let text = bench.rig.store().file_text(&bench.rig.home, id).await;
    assert_eq!(text.unwrap().as_deref(), Some("# Hi\n\nwalrus"));
    let ledger = bench.rig.store().ledger_of(&bench.rig.home, id).await;
    assert_eq!(ledger.unwrap()[0].action, "bridge.file.upload");
    bench.undo(body["changeId"].as_str().unwrap()).await;
    assert_eq!(bench.picture().await, before);
}

#[tokio::test]
async fn a_file_hangs_on_the_record_it_is_for_and_undo_takes_it_off_again() {
    let bench = Bench::new().await;
    let furniture = bench.rig.furnish().await;
    let page = bench.rig.add(Kind::Page, "Plan", json!({})).await;
    for record in [&furniture.task, &page, &furniture.project, &furniture.ana] {
        let before = bench.picture().await;
        let mut body = with("a.txt", b"x");
        body["attachTo"] = json!(record.handle());
        let answer = upload(&bench, &body).await;
        assert_eq!(answer.status, 201, "{:?}", answer.body);
        let file = answer.body["file"]["id"].as_str().unwrap();
        let after = bench.rig.store().record(&bench.rig.home, &record.id).await;
        let after = after.unwrap().unwrap();
        let line = format!("[@file](ensemble://file/{file})");
        match record.kind {
            Kind::Task => assert_eq!(after.body, format!("{}\n\n{line}", record.body)),
            Kind::Page => assert_eq!(after.body, line),
            _ => assert_eq!(after.body, record.body),
        }
        let list = format!("/api/bridge/files?on={}", record.handle());
        let list = bench.rig.get(&bench.reader, &list).await;
        assert_eq!(list.body["total"], 1, "{:?}", list.body);
        bench.undo(answer.body["changeId"].as_str().unwrap()).await;
        assert_eq!(bench.picture().await, before);
    }
}

#[tokio::test]
async fn what_is_wrong_about_an_upload_is_said_and_nothing_is_saved() {
    let bench = Bench::new().await;
    let before = bench.picture().await;
    let good = STANDARD.encode(b"hello");
    let data = |text: &str| json!({ "filename": "a.txt", "dataBase64": text });
    let key = ["mine:\n-----BEGIN", "PRIVATE KEY-----\nAA"].join(" ");
    let more = |name: &str, value: Value| {
        let mut body = data(&good);
        body[name] = value;
        body
    };
    let cases = [
        (data("aGVsbG8"), "is cut"),
        (data("aGVs\nbG8="), "white space"),
        (data(" aGVsbG8="), "white space"),
        (data("aGVsbG9="), "not base64"),
        (data("aGVsb_8="), "not base64"),
        (with("../a.txt", b"x"), "no path"),
        (with("a\\b.txt", b"x"), "no path"),
        (with("a\u{7}.txt", b"x"), "control characters"),
        (with("COM1.txt", b"x"), "device on Windows"),
        (with("", b"x"), "1 to 255"),
        (with(".env", b"A=b"), "secret by its name"),
        (with("Prod.ENV", b"A=b"), "secret by its name"),
        (with("id_rsa", b"x"), "secret by its name"),
        (with("notes.md", key.as_bytes()), "private key is in it"),
        (more("mediaType", json!("text")), "media type"),
        (more("mediaType", json!("image/png")), "are not what"),
        (more("attachTo", json!("Nobody")), "with that id or handle"),
        (more("path", json!("/etc/passwd")), "unknown field"),
        (json!({ "filename": "a.txt" }), "dataBase64"),
    ];
    for (body, words) in cases {
        let answer = upload(&bench, &body).await;
        assert!(
            [400, 404].contains(&answer.status.as_u16()),
            "{words}: {:?}",
            answer.body
        );
        assert!(
            answer.error().contains(words),
            "{words}: {}",
            answer.error()
        );
    }
    let body = data(&good);
    let refused = bench.rig.write("POST", &bench.reader, UPLOAD, &body).await;
    assert_eq!(refused.status, 403);
    // A connection that broke in the middle of the bytes.
    let authorization = crate::support::bearer(&bench.key);
    let headers = [("authorization", authorization.as_str())];
    let cut = r#"{"filename":"a.txt","dataBase64":"aGVsbG8="#;
    let answer = bench.rig.send("POST", UPLOAD, &headers, cut).await;
    assert_eq!(answer.status, 400);
    assert!(answer.error().contains("ends too early"));
    assert_eq!(bench.picture().await, before);
    assert_eq!(originals(&bench), Vec::<String>::new());
}

#[tokio::test]
async fn twenty_five_megabytes_are_saved_and_one_byte_more_is_not() {
    let bench = Bench::new().await;
    // Four characters are three bytes.
    let most = usize::try_from(limits::UPLOAD_MAX).unwrap();
    let base64 = |bytes: usize, rest: &str| format!("{}{rest}", "AAAA".repeat(bytes / 3));
    let body = |text: String| json!({ "filename": "a.bin", "dataBase64": text });
    assert_eq!(most % 3, 1);
    let answer = upload(&bench, &body(base64(most, "AA=="))).await;
    assert_eq!(answer.status, 201, "{}", answer.error());
    assert_eq!(answer.body["size"], json!(most));
    for text in [base64(most, "AAA="), base64(most + 200_000, "")] {
        let answer = upload(&bench, &body(text)).await;
        assert_eq!(answer.status, 413);
        assert!(answer.error().contains("26,214,400"), "{}", answer.error());
    }
    assert_eq!(originals(&bench).len(), 1);
}

#[tokio::test]
async fn a_repeated_upload_saves_once() {
    let bench = Bench::new().await;
    let body = with("a.txt", b"once");
    let send = async |body: &Value| {
        let authorization = crate::support::bearer(&bench.key);
        let headers = [
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
            ("idempotency-key", "k1"),
        ];
        let body = body.to_string();
        bench.rig.send("POST", UPLOAD, &headers, body).await
    };
    let first = send(&body).await;
    let again = send(&body).await;
    assert_eq!((first.status.as_u16(), &first.body), (201, &again.body));
    let files = bench.rig.get(&bench.reader, "/api/bridge/files").await;
    assert_eq!(files.body["total"], 1);
    assert_eq!(send(&with("a.txt", b"twice")).await.status, 409);
    assert_eq!(originals(&bench).len(), 1);
}
