//! Files: their details as the database has them, their text in parts, and their bytes, in the conversation and in the working folder, the
//! same as the original's.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_hub_api::Kind;
use ensemble_hub_server::Hub;
use ensemble_hub_server::store::Record;
use serde_json::{Value, json};

use super::probe::Probe;
use super::reads::shown;
use super::rows::{Rows, handle};
use crate::files::sha256;
use crate::support::{World, answer};

pub(super) async fn get_file(probe: &Probe, world: &World, home: &Rows, second: &Rows) {
    for rows in [home, second] {
        let files = rows.all(&[Kind::File, Kind::Document]);
        assert!(!files.is_empty());
        for file in files {
            details(probe, rows, file).await;
            text_in_parts(probe, world.hub.hub(), rows, file).await;
            saved(probe, world, rows, file).await;
        }
    }
    let foreign = &second.all(&[Kind::File])[0];
    let refused = probe
        .refused(home, "ensemble_get_file", json!({"id": handle(foreign)}))
        .await;
    assert!(refused.contains("no file with that id"), "{refused}");
}

/// The bytes that stand beside the details.
#[track_caller]
fn bytes(block: &Value) -> Vec<u8> {
    let decoded = |text: &Value| STANDARD.decode(text.as_str().unwrap()).unwrap();
    match block["type"].as_str().unwrap() {
        "text" => block["text"].as_str().unwrap().as_bytes().to_vec(),
        "image" => decoded(&block["data"]),
        _ => decoded(&block["resource"]["blob"]),
    }
}

async fn details(probe: &Probe, rows: &Rows, file: &Record) {
    for id in [file.id.clone(), handle(file)] {
        let result = probe
            .call(
                rows,
                "ensemble_get_file",
                json!({"id": id, "content": true}),
            )
            .await;
        let found = answer(&result);
        for field in [
            "format",
            "mediaType",
            "size",
            "sha256",
            "summary",
            "pages",
            "tags",
        ] {
            assert_eq!(found.get(field), file.fields.get(field), "{field}: {found}");
        }
        assert_eq!(found["hasOriginal"], true);
        let [_, block] = result["content"].as_array().unwrap().as_slice() else {
            panic!("{result}");
        };
        let original = bytes(block);
        assert_eq!(
            json!(sha256(&original)),
            file.fields["sha256"],
            "{}",
            file.title
        );
        assert_eq!(json!(original.len()), file.fields["size"]);
    }
    let alone = json!({"id": file.id, "content": false});
    let alone = probe.call(rows, "ensemble_get_file", alone).await;
    assert_eq!(
        alone["content"].as_array().unwrap().len(),
        1,
        "no bytes: {alone}"
    );
    assert_eq!(answer(&alone).get("text"), None);
}

async fn text_in_parts(probe: &Probe, hub: &Hub, rows: &Rows, file: &Record) {
    let kept = hub.store().file_text(&rows.space, &file.id).await.unwrap();
    let (mut parts, mut at) = (String::new(), json!(0));
    while !at.is_null() {
        let asked =
            json!({"id": file.id, "text": true, "content": false, "offset": at, "limit": 211});
        let found = probe.ask(rows, "ensemble_get_file", asked).await;
        let Some(text) = found.get("text") else {
            assert_eq!(kept, None, "{}", file.title);
            assert!(
                found["notes"].as_array().unwrap().len() > 1,
                "says nothing: {found}"
            );
            return;
        };
        assert_eq!(text["trust"], "untrusted");
        assert!(text["text"].as_str().unwrap().chars().count() <= 211);
        parts.push_str(text["text"].as_str().unwrap());
        at = text["nextOffset"].clone();
    }
    assert_eq!(Some(parts), kept.as_deref().map(shown), "{}", file.title);
    let without = json!({"id": file.id, "text": false, "content": false});
    let without = probe.ask(rows, "ensemble_get_file", without).await;
    assert_eq!(without.get("text"), None);
}

async fn saved(probe: &Probe, world: &World, rows: &Rows, file: &Record) {
    let name = format!("{}.saved", file.id);
    let path = world.home.work().join(&name);
    let asked = json!({"id": file.id, "saveTo": name});
    let found = probe.ask(rows, "ensemble_get_file", asked.clone()).await;
    let expected =
        json!({"path": name, "bytes": file.fields["size"], "sha256": file.fields["sha256"]});
    assert_eq!(found["saved"], expected, "{}", file.title);
    assert_eq!(
        json!(sha256(&std::fs::read(&path).unwrap())),
        file.fields["sha256"]
    );
    // what a person has there stays, until they say otherwise
    std::fs::write(&path, "mine").unwrap();
    probe.refused(rows, "ensemble_get_file", asked).await;
    let asked = json!({"id": file.id, "saveTo": name, "overwrite": false});
    probe.refused(rows, "ensemble_get_file", asked).await;
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    let asked = json!({"id": file.id, "saveTo": name, "overwrite": true});
    probe.ask(rows, "ensemble_get_file", asked).await;
    assert_eq!(
        json!(sha256(&std::fs::read(&path).unwrap())),
        file.fields["sha256"]
    );
}
