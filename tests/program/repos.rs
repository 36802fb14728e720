//! The files of a repository, from the command that allows them to the tool that shows them.

use ensemble_test_harness::{Bridge, Grants, LATEST, Repository, TestHub};
use serde_json::{Value, json};

use crate::support::{failure, home, printed, program, refusal, run, text};

#[tokio::test]
async fn a_checkout_is_allowed_read_and_taken_back() {
    let (home, hub) = (home(), TestHub::start().await);
    let data = hub.data().to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let allow = ["hub", "repo", "allow", path, "--data", data, "--json"];
    assert!(failure(&run(&home, &allow).await).contains("--repo owner/name"));
    Repository::new()
        .remote("origin", "git@github.com:encode/httpx.git")
        .create(folder.path());
    std::fs::write(folder.path().join("README.md"), "# Timeouts\n").unwrap();
    std::fs::write(folder.path().join("server.pem"), "x").unwrap();
    let allowed: Value = serde_json::from_str(&printed(&run(&home, &allow).await)).unwrap();
    assert_eq!(allowed["repo"], "encode/httpx");
    let of_hub = run(
        &home,
        &[
            "hub", "repo", "allow", data, "--data", data, "--repo", "a/b",
        ],
    )
    .await;
    assert!(failure(&of_hub).contains("the hub's own data"));
    let listed = printed(&run(&home, &["hub", "repo", "list", "--data", data]).await);
    assert!(
        listed.starts_with("encode/httpx  ") && listed.lines().count() == 1,
        "{listed}"
    );

    let mut command = home.command(program());
    command.env("HUB_API_URL", hub.base()).env(
        "ENSEMBLE_BRIDGE_TOKEN",
        hub.key("editor", Grants::READ).await,
    );
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    let repo = json!({ "repo": allowed["handle"] });
    let outline = bridge.call("ensemble_repo_overview", repo.clone()).await;
    let outline = &outline["structuredContent"];
    assert_eq!(outline["tree"], json!(["README.md"]), "{outline}");
    assert_eq!(outline["skipped"]["protected"], 2);
    named(&mut bridge, &outline["tree"]).await;
    let file = |path: &str| json!({ "repo": allowed["id"], "path": path });
    let readme = bridge.call("ensemble_repo_file", file("README.md")).await;
    assert!(text(&readme).contains("# Timeouts"));
    for (path, sentence) in [
        ("server.pem", "never shown"),
        ("../hub.db", "`..`"),
        ("/etc/passwd", "must be relative"),
    ] {
        let refused = bridge.call("ensemble_repo_file", file(path)).await;
        assert!(refusal(&refused).contains(sentence), "{refused}");
    }
    let forgotten = run(
        &home,
        &["hub", "repo", "forget", "encode/httpx", "--data", data],
    )
    .await;
    assert!(printed(&forgotten).contains("cannot be read any more"));
    let refused = bridge.call("ensemble_repo_overview", repo).await;
    assert!(
        refusal(&refused).contains("ensemble hub repo allow"),
        "{refused}"
    );
    let again = run(
        &home,
        &["hub", "repo", "forget", "encode/httpx", "--data", data],
    )
    .await;
    assert!(failure(&again).contains("Nothing is allowed"));
    bridge.close().await;
    hub.stop().await;
}

/// A repository is found by its name in any case, and one that is not there is not guessed.
async fn named(bridge: &mut Bridge, tree: &Value) {
    let known = json!({ "repo": "Encode/httpx" });
    let same = bridge.call("ensemble_repo_overview", known).await;
    assert_eq!(same["structuredContent"]["tree"], *tree, "{same}");
    let unknown = json!({ "repo": "encode/none" });
    let unknown = bridge.call("ensemble_repo_overview", unknown).await;
    let said = refusal(&unknown);
    assert!(
        said.contains("no repository called “encode/none”"),
        "{said}"
    );
}
