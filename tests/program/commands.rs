//! The other commands: what they print, where, and with which exit code.

use std::process::Stdio;

use ensemble_first_party::BUNDLED;
use ensemble_test_harness::{Grants, Home, PATIENCE, Repository, TestHub};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::time::timeout;

use crate::support::{command, failure, home, printed, run};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The row of this plugin in a list of plugins.
fn row<'a>(rows: &'a Value, id: &str) -> &'a Value {
    let mut rows = rows.as_array().unwrap().iter();
    rows.find(|row| row["id"] == id).unwrap()
}

#[tokio::test]
async fn keys_are_made_listed_and_revoked_beside_a_running_hub() {
    let (home, hub) = (home(), TestHub::start().await);
    let data = hub.data().to_str().unwrap();
    let made = run(
        &home,
        &[
            "hub",
            "key",
            "create",
            "--data",
            data,
            "--name",
            "my editor",
            "--changes",
        ],
    )
    .await;
    let value = printed(&made);
    assert!(
        value.starts_with("ens_") && value.ends_with('\n'),
        "{value}"
    );
    assert_eq!(
        value.lines().count(),
        1,
        "standard output has the key alone"
    );
    assert!(!String::from_utf8_lossy(&made.stderr).contains(value.trim()));

    let listed = run(&home, &["hub", "key", "list", "--data", data, "--json"]).await;
    let text = printed(&listed);
    assert!(!text.contains(value.trim()));
    let key = json(&text)
        .as_array()
        .unwrap()
        .iter()
        .find(|k| k["name"] == "my editor")
        .cloned()
        .unwrap();
    assert_eq!(
        (&key["changes"], &key["apps"]),
        (&true.into(), &false.into())
    );

    let id = key["id"].as_str().unwrap();
    printed(&run(&home, &["hub", "key", "revoke", id, "--data", data]).await);
    let again = run(&home, &["hub", "key", "revoke", id, "--data", data]).await;
    assert!(failure(&again).contains("revoked already"));
    let nowhere = run(
        &home,
        &[
            "hub", "key", "create", "--data", data, "--name", "x", "--space", "Nowhere",
        ],
    )
    .await;
    assert!(failure(&nowhere).contains("There is no space called “Nowhere”"));
    hub.stop().await;
}

#[tokio::test]
async fn plugins_are_listed_with_the_reason_for_the_key_in_use() {
    let (home, hub) = (home(), TestHub::start().await);
    for (grants, loaded, reason) in [
        (Grants::READ, false, "needs a key with changes allowed"),
        (Grants::CHANGES, true, "has changes allowed"),
    ] {
        let key = hub.key(&format!("{grants:?}"), grants).await;
        let listed = command(&home, &["plugin", "list", "--json"])
            .env("HUB_API_URL", hub.base())
            .env("ENSEMBLE_BRIDGE_TOKEN", key)
            .output()
            .await
            .unwrap();
        let rows = json(&printed(&listed));
        let ids: Vec<&str> = rows
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["id"].as_str().unwrap())
            .collect();
        let known: Vec<&str> = BUNDLED.iter().map(|plugin| plugin.id).collect();
        assert_eq!(ids, known);
        let changes = row(&rows, "task-changes");
        assert_eq!(changes["loaded"], loaded, "{changes}");
        assert!(
            changes["reason"].as_str().unwrap().contains(reason),
            "{changes}"
        );
        assert_eq!(rows[0]["loaded"], true, "{rows}");
        for row in rows.as_array().unwrap() {
            assert_eq!(row["digest"].as_str().unwrap().len(), 64);
            assert!(
                row["imports"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|i| !i.as_str().unwrap().starts_with("wasi:sockets"))
            );
            assert!(
                row["version"].is_string() && row["world"].is_string() && row["grant"].is_string()
            );
        }
    }
    hub.stop().await;

    let nobody = run(&home, &["plugin", "list", "--json"]).await;
    let rows = json(&printed(&nobody));
    let changes = row(&rows, "task-changes");
    assert_eq!(changes["loaded"], false);
    assert!(
        changes["reason"]
            .as_str()
            .unwrap()
            .contains("no hub could be asked"),
        "{rows}"
    );
    assert!(
        rows[0]["reason"]
            .as_str()
            .unwrap()
            .contains("calls will fail"),
        "{rows}"
    );
}

#[tokio::test]
async fn status_says_what_would_be_used_here() {
    let (home, hub) = (home(), TestHub::start().await);
    let key = hub.key("editor", Grants::CHANGES).await;
    Repository::new()
        .branch("b")
        .remote("origin", "https://github.com/encode/httpx")
        .create(&home.work());
    let shown = command(&home, &["status", "--json"])
        .env("HUB_API_URL", hub.base())
        .env("ENSEMBLE_BRIDGE_TOKEN", &key)
        .output()
        .await
        .unwrap();
    let status = json(&printed(&shown));
    assert_eq!(status["hub"]["answers"], true);
    assert_eq!(status["key"]["name"], "editor");
    assert_eq!(status["key"]["owner"], false);
    assert_eq!(status["key"]["changes"], true);
    assert_eq!(status["repository"]["repo"], "encode/httpx");
    assert_eq!(status["repository"]["branch"], "b");
    // Every tool of every first-party plugin: this key may do all of it.
    assert_eq!(status["tools"], 27);
    assert!(!status.to_string().contains(&key));
    hub.stop().await;
    let shown = run(&home, &["status"]).await;
    assert!(failure(&shown).contains("ENSEMBLE_BRIDGE_TOKEN is not set and no hub runs"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_hub_says_where_it_is_and_ends_when_it_is_asked_to() {
    let home = home();
    let mut child = command(
        &home,
        &["hub", "serve", "--listen", "127.0.0.1:0", "--demo"],
    )
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = Vec::new();
    // the command that makes a key is said after the address
    while !said
        .last()
        .is_some_and(|line: &String| line.contains("ensemble hub key create"))
    {
        let line = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap();
        said.push(line.unwrap());
    }
    let address = said[0].strip_prefix("Ensemble hub on http://").unwrap();

    let taken = run(
        &home,
        &["hub", "serve", "--listen", address, "--data", "other"],
    )
    .await;
    assert!(failure(&taken).contains("is in use"), "{taken:?}");
    found(&home).await;

    interrupt(child.id().unwrap()).await;
    let status = timeout(PATIENCE, child.wait()).await.unwrap().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(!home.hub_data().join("api.json").exists());
}

/// Without a key and an address the running hub is found through its file.
#[cfg(unix)]
async fn found(home: &Home) {
    let shown = run(home, &["status", "--json"]).await;
    let status = json(&printed(&shown));
    assert_eq!(status["hub"]["answers"], true);
    assert_eq!(status["key"]["owner"], true);
}

#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the standard library sends no signals"
)]
async fn interrupt(pid: u32) {
    let mut kill = tokio::process::Command::from(std::process::Command::new("kill"));
    assert!(
        kill.args(["-INT", &pid.to_string()])
            .status()
            .await
            .unwrap()
            .success()
    );
}

#[tokio::test]
async fn the_demo_shows_everything_and_leaves_nothing() {
    let home = home();
    let temporary = home.path().join("tmp");
    std::fs::create_dir_all(&temporary).unwrap();
    let shown = command(&home, &["demo", "--json"])
        .env("TMPDIR", &temporary)
        .output()
        .await
        .unwrap();
    let report = json(&printed(&shown));
    assert_eq!(row(&report["plugins"], "task-changes")["loaded"], true);
    assert_eq!(
        row(&report["pluginsReadOnly"], "task-changes")["loaded"],
        false
    );
    assert_eq!(report["brief"]["structured"]["resolution"], "task");
    assert!(
        !report["search"]["structured"]["results"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        report["unknownTool"]["message"],
        "Unknown tool: ensemble_create_task"
    );
    assert!(
        report["decisions"]
            .as_array()
            .unwrap()
            .iter()
            .any(|d| d["route"] == "POST /api/bridge/write/tasks")
    );
    assert!(
        report["connect"]
            .as_str()
            .unwrap()
            .starts_with("claude mcp add")
    );
    assert!(
        !report.to_string().contains("ens_"),
        "a key is in the report"
    );
    assert_eq!(temporary.read_dir().unwrap().count(), 0);
}

#[tokio::test]
async fn wrong_usage_is_2_and_help_is_0() {
    let home = home();
    for (arguments, code) in [
        (&[][..], 2),
        (&["nothing"][..], 2),
        (&["hub", "key", "create"], 2),
        (&["--help"], 0),
        (&["hub", "serve", "--help"], 0),
        (&["--version"], 0),
    ] {
        let output = run(&home, arguments).await;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert_eq!(output.stdout.is_empty(), code == 2, "{arguments:?}");
    }
}
