//! `saveTo`: into the working folder, whatever the size of the file, and no further.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_test_harness::Grants;
use serde_json::json;

use crate::files::{add, listing, noise, sha256};
use crate::support::{World, answer, end, refusal};

/// How many requests about files the decision log holds.
fn asked(world: &World) -> usize {
    let log = std::fs::read_to_string(world.home.decisions()).unwrap_or_default();
    log.lines()
        .filter(|line| line.contains("GET /api/bridge/files"))
        .count()
}

#[tokio::test]
async fn a_large_file_is_named_with_what_to_do_and_saved_whole() {
    let world = World::new(Grants::READ).await;
    let bytes = noise(25 << 20);
    let hash = sha256(&bytes);
    let large = add(&world, None, "large.bin", bytes).await;
    let most = noise(20 << 20);
    let fits = add(&world, None, "fits.bin", most.clone()).await;
    let mut bridge = world.bridge().await;

    let shown = bridge.call("ensemble_get_file", json!({"id": large})).await;
    assert_eq!(shown["content"].as_array().unwrap().len(), 1);
    let reason = answer(&shown)["notShown"].as_str().unwrap();
    assert!(
        reason.contains("saveTo") && reason.contains("26214400"),
        "{reason}"
    );

    let saved = bridge
        .call(
            "ensemble_get_file",
            json!({"id": large, "saveTo": "large.bin"}),
        )
        .await;
    let saved = &answer(&saved)["saved"];
    assert_eq!(
        *saved,
        json!({"path": "large.bin", "bytes": 26_214_400, "sha256": hash})
    );
    let written = std::fs::read(world.home.work().join("large.bin")).unwrap();
    assert_eq!(sha256(&written), hash);

    let whole = bridge.call("ensemble_get_file", json!({"id": fits})).await;
    let blob = whole["content"][1]["resource"]["blob"].as_str().unwrap();
    assert!(STANDARD.decode(blob).unwrap() == most);
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn a_file_is_saved_inside_the_working_folder() {
    let world = World::new(Grants::READ).await;
    let id = add(&world, None, "a.md", b"# Hello\n".to_vec()).await;
    let folder = world.home.work();
    std::fs::create_dir(folder.join("notes")).unwrap();
    let mut bridge = world.bridge().await;
    let absolute = folder.join("notes/absolute.md");
    for path in ["a.md", "./notes/b.md", absolute.to_str().unwrap()] {
        let asked = json!({"id": id, "saveTo": path});
        let result = bridge.call("ensemble_get_file", asked.clone()).await;
        let at = folder.join(answer(&result)["saved"]["path"].as_str().unwrap());
        assert_eq!(std::fs::read(at).unwrap(), b"# Hello\n");
        // a second time only when that is said
        let again = bridge.call("ensemble_get_file", asked).await;
        assert!(refusal(&again).contains("overwrite: true"), "{again}");
        let asked = json!({"id": id, "saveTo": path, "overwrite": true});
        answer(&bridge.call("ensemble_get_file", asked).await);
    }
    assert_eq!(listing(&folder).len(), 2);
    assert_eq!(listing(&folder.join("notes")).len(), 2);
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn no_path_leads_out_and_no_request_is_sent_for_one_that_would() {
    let world = World::new(Grants::READ).await;
    // the name that the hub gives is no path, whatever stands in it
    let id = add(&world, None, "../../.bashrc", b"evil".to_vec()).await;
    let folder = world.home.work();
    std::fs::write(folder.join("there.md"), "old").unwrap();
    std::fs::create_dir(folder.join("notes")).unwrap();
    let outside = world.home.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.join("door")).unwrap();
        std::os::unix::fs::symlink(outside.join("x"), folder.join("link")).unwrap();
    }
    let mut bridge = world.bridge().await;
    let home = world.home.path().join("x");
    let long = "x".repeat(300);
    for path in [
        "../x",
        "/etc/x",
        "a/../../x",
        "~/x",
        "$HOME/x",
        "a\u{0}b",
        " ",
        ".",
        "notes",
        "notes/",
        home.to_str().unwrap(),
        long.as_str(),
        "there.md",
        "door/x",
        "link",
        "missing/x",
        "CON",
        "x.",
        "C:\\x",
        ".git/hooks/post-checkout",
    ] {
        let result = bridge
            .call("ensemble_get_file", json!({"id": id, "saveTo": path}))
            .await;
        let sentence = refusal(&result);
        assert!(sentence.contains("working folder"), "{path}: {sentence}");
    }
    // an empty path is refused by the schema, before anything runs
    let empty = bridge
        .call("ensemble_get_file", json!({"id": id, "saveTo": ""}))
        .await;
    assert!(refusal(&empty).contains("saveTo"), "{empty}");
    end(bridge).await;
    assert_eq!(
        asked(&world),
        0,
        "the hub was asked for a file that has no place"
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("there.md")).unwrap(),
        "old"
    );
    assert_eq!(listing(&outside), Vec::<PathBuf>::new());
    let expected = if cfg!(unix) { 4 } else { 2 };
    assert_eq!(listing(&folder).len(), expected);
    world.hub.stop().await;
}
