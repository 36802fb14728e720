//! Files: into the conversation as what they are, into the working folder whatever their size, and nowhere else.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_hub_server::demo;
use ensemble_hub_server::files::{About, Source};
use ensemble_model::Digest;
use ensemble_test_harness::{Bridge, Grants, PATIENCE};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{World, answer, end, names, program, refusal, text};

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Digest::of(bytes).to_string()
}

/// Bytes that compress to nothing and repeat nowhere.
pub(crate) fn noise(size: u32) -> Vec<u8> {
    (0..size)
        .map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[3])
        .collect()
}

/// Adds a file to the hub; gives its id.
pub(crate) async fn add(world: &World, space: Option<&str>, name: &str, bytes: Vec<u8>) -> String {
    let about = About {
        name: name.to_owned(),
        ..About::default()
    };
    let admin = world.hub.hub().admin();
    let added = admin.add_file(space, Source::Bytes(bytes), about).await;
    added.unwrap().record.id
}

/// The id of the demo's file of this name.
async fn demo_file(bridge: &mut Bridge, name: &str) -> String {
    let list = bridge.call("ensemble_files", json!({"query": name})).await;
    let list = answer(&list);
    assert_eq!(names(&list["files"], "name"), [name]);
    list["files"][0]["ref"].as_str().unwrap().to_owned()
}

/// Everything below the folder, but for what the bridge itself is started with.
pub(crate) fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

#[tokio::test]
async fn each_file_is_shown_as_what_it_is() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    for (name, kind, media_type) in [
        ("latency-readout.md", "text", ""),
        ("timeout-chart.png", "image", "image/png"),
        ("Timeout survey of partners", "resource", "application/pdf"),
        (
            "onboarding-brief.docx",
            "resource",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
    ] {
        let id = demo_file(&mut bridge, name).await;
        let file = bridge.call("ensemble_get_file", json!({"id": id})).await;
        let details = answer(&file);
        assert_eq!(details["name"], name);
        let block = &file["content"][1];
        assert_eq!(block["type"], kind, "{block}");
        let bytes = match kind {
            "text" => block["text"].as_str().unwrap().as_bytes().to_vec(),
            "image" => {
                assert_eq!(block["mimeType"], media_type);
                STANDARD.decode(block["data"].as_str().unwrap()).unwrap()
            }
            _ => {
                let resource = &block["resource"];
                assert_eq!(resource["mimeType"], media_type);
                assert!(
                    resource["uri"]
                        .as_str()
                        .unwrap()
                        .starts_with("ensemble://file/")
                );
                STANDARD.decode(resource["blob"].as_str().unwrap()).unwrap()
            }
        };
        // what arrives is what the hub has, byte for byte
        assert_eq!(details["size"], bytes.len());
        assert_eq!(details["sha256"], sha256(&bytes));
    }
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn the_text_of_a_document_comes_in_parts_and_without_the_file_when_that_is_asked() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    let id = demo_file(&mut bridge, "Timeout survey of partners").await;
    let asked = json!({"id": id, "text": true, "content": false, "limit": 100});
    let part = bridge.call("ensemble_get_file", asked).await;
    assert_eq!(part["content"].as_array().unwrap().len(), 1);
    let part = &answer(&part)["text"];
    assert_eq!(part["trust"], "untrusted");
    let next = part["nextOffset"].as_u64().unwrap();
    assert_eq!(next, 100);
    let asked = json!({"id": id, "text": true, "content": false, "offset": next, "limit": 20000});
    let rest = bridge.call("ensemble_get_file", asked).await;
    let rest = &answer(&rest)["text"];
    let whole = format!(
        "{}{}",
        part["text"].as_str().unwrap(),
        rest["text"].as_str().unwrap()
    );
    assert!(whole.starts_with("Timeout survey of partners"), "{whole}");
    assert!(
        whole.contains("Nine did not know that there is one."),
        "{whole}"
    );
    assert!(rest.get("nextOffset").is_none());
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn bytes_fill_a_conversation_only_where_they_are_asked_for() {
    let world = World::new(Grants::READ).await;
    let mut files = Vec::new();
    for name in ["a.bin", "a.txt", "a.pdf"] {
        files.push(add(&world, None, name, noise(200_000)).await);
    }
    let mut bridge = world.bridge().await;
    for id in &files {
        for more in [
            json!({"content": false}),
            json!({"saveTo": format!("{id}.out")}),
        ] {
            let mut asked = more;
            asked["id"] = json!(id);
            let result = bridge.call("ensemble_get_file", asked).await;
            assert_eq!(answer(&result)["size"], 200_000);
            assert!(result.to_string().len() < 5_000, "{result}");
        }
    }
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn what_cannot_be_had_is_a_sentence_without_an_address() {
    let world = World::new(Grants::READ).await;
    let other = add(
        &world,
        Some(demo::SECOND_SPACE),
        "other.md",
        b"secret".to_vec(),
    )
    .await;
    let mut bridge = world.bridge().await;
    let unknown = "00000000-0000-7000-8000-000000000000";
    let mut sentences = Vec::new();
    for id in [
        unknown,
        other.as_str(),
        "../keys",
        "ensemble://task/1",
        "a b",
        "..",
    ] {
        let result = bridge
            .call("ensemble_get_file", json!({"id": id, "saveTo": "x.md"}))
            .await;
        let sentence = refusal(&result).to_owned();
        for hidden in ["http", "127.0.0.1", "/api/", "SELECT", "<html", "secret"] {
            assert!(!sentence.contains(hidden), "{sentence}");
        }
        sentences.push(sentence);
    }
    // another space's file looks like one that is not there
    assert_eq!(sentences[0], sentences[1]);
    // and is there when its space is named
    let asked = json!({"id": other, "space": demo::SECOND_SPACE});
    let file = bridge.call("ensemble_get_file", asked).await;
    assert_eq!(file["content"][1]["text"], "secret");
    world.hub.revoke("editor").await;
    let result = bridge.call("ensemble_get_file", json!({"id": other})).await;
    assert!(!refusal(&result).contains("http"), "{result}");
    assert_eq!(listing(&world.home.work()), Vec::<PathBuf>::new());
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn a_tool_that_can_write_does_not_say_that_it_only_reads() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    let listed = bridge.request("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let hints = |name: &str| -> Value {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        tool["annotations"].clone()
    };
    assert_eq!(hints("ensemble_files")["readOnlyHint"], true);
    assert_eq!(hints("ensemble_get_file")["readOnlyHint"], false);
    assert_eq!(hints("ensemble_get_file")["destructiveHint"], true);
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn a_file_added_at_the_command_line_is_there_at_once() {
    let world = World::new(Grants::READ).await;
    let path = world.home.work().join("plan.csv");
    std::fs::write(&path, "task,days\nwrite,3\n").unwrap();
    let data = world.hub.data().to_str().unwrap();
    let run = |arguments: Vec<String>| {
        let mut command = world.home.command(program());
        command
            .args(["hub", "file", "add", "--data", data])
            .args(arguments);
        async move { timeout(PATIENCE, command.output()).await.unwrap().unwrap() }
    };
    let added = run(vec![
        "plan.csv".into(),
        "--summary".into(),
        "Who does what.".into(),
        "--tag".into(),
        "plan".into(),
        "--json".into(),
    ])
    .await;
    assert!(added.status.success(), "{added:?}");
    let added: Value = serde_json::from_slice(&added.stdout).unwrap();
    assert_eq!(
        (&added["format"], &added["size"]),
        (&json!("CSV"), &json!(18))
    );
    let mut bridge = world.bridge().await;
    let file = bridge
        .call("ensemble_get_file", json!({"id": added["handle"]}))
        .await;
    let details = answer(&file);
    assert_eq!(
        (&details["summary"], &details["tags"]),
        (&json!("Who does what."), &json!(["plan"]))
    );
    assert_eq!(file["content"][1]["text"], "task,days\nwrite,3\n");
    assert!(text(&file).contains("plan.csv"));
    for wrong in ["missing.csv", "."] {
        let refused = run(vec![wrong.into(), "--name".into(), "x".into()]).await;
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains("give the path of one file"), "{said}");
    }
    end(bridge).await;
    world.hub.stop().await;
}
