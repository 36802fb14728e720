//! The commands beside a running hub that is a process of its own, and what the decision log holds.

use std::path::Path;
use std::process::Stdio;

use ensemble_test_harness::{Bridge, Grants, Home, LATEST, PATIENCE, Repository};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout};
use tokio::time::timeout;

use crate::support::{World, all_tools, answer, end, home, program, refusal, tools};

/// Runs the program; gives its standard output, which has to be a success.
async fn run(home: &Home, arguments: &[&str]) -> String {
    let output = home.command(program()).args(arguments).output();
    let output = timeout(PATIENCE, output).await.unwrap().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// `ensemble hub serve`, and its own words about where it is.
struct Serving {
    child: Child,
    base: String,
    _lines: Lines<BufReader<ChildStdout>>,
}

async fn serve(home: &Home, more: &[&str]) -> Serving {
    let mut child = home
        .command(program())
        .args(["hub", "serve", "--listen", "127.0.0.1:0"])
        .args(more)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = timeout(PATIENCE, lines.next_line()).await.unwrap();
    let line = line.unwrap().unwrap();
    let base = line.split(' ').find(|word| word.starts_with("http://"));
    let base = base.unwrap_or_else(|| panic!("{line}")).to_owned();
    Serving {
        child,
        base,
        _lines: lines,
    }
}

#[tokio::test]
async fn a_key_made_beside_a_running_hub_works_at_once_until_it_is_revoked() {
    let home = home();
    let mut hub = serve(&home, &["--demo"]).await;
    let made = home
        .command(program())
        .args(["hub", "key", "create", "--name", "laptop", "--changes"])
        .output()
        .await
        .unwrap();
    let key = String::from_utf8(made.stdout).unwrap();
    assert_eq!(key.matches("ens_").count(), 1);
    let key = key.strip_suffix('\n').unwrap();
    assert!(key.starts_with("ens_") && !key.contains(char::is_whitespace));
    assert!(!String::from_utf8_lossy(&made.stderr).contains(key));

    let mut command = home.command(program());
    command
        .env("HUB_API_URL", &hub.base)
        .env("ENSEMBLE_BRIDGE_TOKEN", key);
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    assert_eq!(tools(&mut bridge).await, all_tools());
    answer(
        &bridge
            .call("ensemble_create_task", json!({"title": "From the laptop"}))
            .await,
    );

    let listed = run(&home, &["hub", "key", "list", "--json"]).await;
    assert!(!listed.contains(key));
    let listed = parse(&listed);
    let row = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"] == "laptop");
    let row = row.unwrap_or_else(|| panic!("{listed}"));
    assert_eq!(
        (&row["changes"], &row["apps"]),
        (&json!(true), &json!(false))
    );
    assert!(!run(&home, &["hub", "key", "list"]).await.contains(key));
    run(&home, &["hub", "key", "revoke", "laptop"]).await;
    let refused = bridge.call("ensemble_today", json!({})).await;
    assert!(
        refusal(&refused).contains("ensemble hub key create"),
        "{refused}"
    );
    end(bridge).await;

    // nothing of the key is anywhere on disk but as a hash
    holds_no(&home.hub_data(), key.as_bytes());
    holds_no(&home.path().join("state"), key.as_bytes());
    hub.child.kill().await.unwrap();
}

/// No file below `folder` holds these bytes.
fn holds_no(folder: &Path, bytes: &[u8]) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holds_no(&path, bytes);
        } else {
            let content = std::fs::read(&path).unwrap();
            let found = content.windows(bytes.len()).any(|part| part == bytes);
            assert!(!found, "{}", path.display());
        }
    }
}

/// A hub that is killed leaves its `api.json` behind; what was written is still there at the next start.
#[tokio::test]
async fn a_killed_hub_loses_nothing_that_it_confirmed() {
    let home = home();
    let mut hub = serve(&home, &["--demo"]).await;
    let key = run(&home, &["hub", "key", "create", "--name", "k", "--changes"]).await;
    let bridge = |base: &str| {
        let mut command = home.command(program());
        command
            .env("HUB_API_URL", base)
            .env("ENSEMBLE_BRIDGE_TOKEN", key.trim());
        Bridge::start(command)
    };
    let mut first = bridge(&hub.base);
    first.initialize(LATEST).await;
    for number in 0..20 {
        let made = json!({"title": format!("Kept {number:02}")});
        answer(&first.call("ensemble_create_task", made).await);
    }
    hub.child.kill().await.unwrap();
    let down = first.call("ensemble_today", json!({})).await;
    assert_eq!(
        refusal(&down),
        "Ensemble is not running. Start it with `ensemble hub serve`."
    );
    end(first).await;
    let mut hub = serve(&home, &["--demo"]).await;
    let mut second = bridge(&hub.base);
    second.initialize(LATEST).await;
    let kept = json!({"query": "Kept", "limit": 50});
    let kept = second.call("ensemble_tasks", kept).await;
    assert_eq!(answer(&kept)["total"], 20);
    end(second).await;
    hub.child.kill().await.unwrap();
}

#[tokio::test]
async fn the_list_of_plugins_names_what_each_can_do() {
    let world = World::new(Grants::READ).await;
    let listed = |changes: bool| {
        let mut command = world.command();
        if changes {
            command.env("ENSEMBLE_BRIDGE_TOKEN", "");
        }
        command.args(["plugin", "list", "--json"]).output()
    };
    let rows = parse(std::str::from_utf8(&listed(false).await.unwrap().stdout).unwrap());
    let ensemble: Vec<(&str, Vec<&str>)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let imports = row["imports"].as_array().unwrap().iter();
            let imports = imports
                .filter_map(Value::as_str)
                .filter(|i| i.starts_with("ensemble:hub/") || i.starts_with("ensemble:workspace/"));
            (row["id"].as_str().unwrap(), imports.collect())
        })
        .collect();
    let (read, folder) = ("ensemble:hub/read@0.1.0", "ensemble:workspace/folder@0.1.0");
    assert_eq!(
        ensemble,
        [
            ("context", vec![read, "ensemble:workspace/repository@0.1.0"]),
            ("tasks", vec![read]),
            ("records", vec![read]),
            ("files", vec![read, "ensemble:hub/files@0.1.0", folder]),
            ("code", vec![read]),
            ("spaces", vec![read]),
            ("docs", vec![read]),
            ("actions", vec![read, "ensemble:hub/act@0.1.0"]),
            ("task-changes", vec!["ensemble:hub/change@0.1.0"]),
            ("file-changes", vec!["ensemble:hub/uploads@0.1.0", folder]),
        ]
    );
    for row in rows.as_array().unwrap() {
        let fields: Vec<&String> = row.as_object().unwrap().keys().collect();
        let promised = [
            "id", "version", "digest", "world", "imports", "grant", "loaded", "reason",
        ];
        assert_eq!(fields, promised);
        for import in row["imports"].as_array().unwrap() {
            let import = import.as_str().unwrap();
            for closed in ["wasi:filesystem", "wasi:sockets", "wasi:http"] {
                assert!(!import.starts_with(closed), "{row}");
            }
        }
    }
    // a key that is none does not stop the listing: it says what is wrong
    let output = listed(true).await.unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows = parse(std::str::from_utf8(&output.stdout).unwrap());
    let rows = rows.as_array().unwrap().iter();
    let mut changing = rows.filter(|row| row["grant"] == "changes");
    let row = changing.next().unwrap();
    let reason = row["reason"].as_str().unwrap();
    assert!(reason.contains("ENSEMBLE_BRIDGE_TOKEN"), "{row}");
    world.hub.stop().await;
}

/// Each call has its lines, and no line has anything of what was asked or answered.
#[tokio::test]
async fn the_decision_log_has_every_call_and_no_contents() {
    let world = World::new(Grants::CHANGES).await;
    Repository::new()
        .branch("docs/default-timeout")
        .remote("origin", "git@github.com:encode/httpx.git")
        .create(&world.home.work());
    let mut bridge = world.bridge().await;
    let made = json!({"title": "canary-title", "page": "canary-page"});
    let made = bridge.call("ensemble_create_task", made).await;
    let id = answer(&made)["task"]["id"].as_str().unwrap().to_owned();
    let note = json!({"id": id, "note": "canary-note", "space": "Personal"});
    answer(&bridge.call("ensemble_update_task", note).await);
    answer(
        &bridge
            .call("ensemble_search", json!({"query": "canary-query"}))
            .await,
    );
    answer(&bridge.call("ensemble_brief", json!({})).await);
    bridge
        .call("ensemble_tasks", json!({"space": "canary-space"}))
        .await;
    let read = json!({"uri": format!("ensemble://tasks/{id}")});
    bridge.request("resources/read", read).await;
    end(bridge).await;

    let text = std::fs::read_to_string(world.home.decisions()).unwrap();
    for secret in [
        "canary",
        "ens_",
        "Document the default",
        "127.0.0.1",
        "encode/httpx",
    ] {
        assert!(!text.contains(secret), "{secret} is in the log");
    }
    let lines: Vec<Value> = text.lines().map(parse).collect();
    for (tool, route) in [
        ("ensemble_create_task", "POST /api/bridge/write/tasks"),
        ("ensemble_update_task", "PATCH /api/bridge/write/tasks/"),
        ("ensemble_search", "GET /api/bridge/search"),
        ("ensemble_brief", "GET /api/bridge/brief"),
        ("ensemble_brief", "ensemble:workspace/repository"),
        ("ensemble_brief", "call"),
    ] {
        let of = |line: &&Value| {
            line["tool"] == tool && line["route"].as_str().unwrap().starts_with(route)
        };
        let line = lines
            .iter()
            .find(of)
            .unwrap_or_else(|| panic!("{tool} {route}: {text}"));
        assert_eq!(line["verdict"], "permitted", "{line}");
        assert_eq!(line["key"], "editor", "{line}");
        assert_eq!(line["digest"].as_str().unwrap().len(), 64);
        assert!(
            line["durationMs"].is_u64() && line["bytesIn"].is_u64() && line["time"].is_string()
        );
        assert!(
            line["plugin"].is_string() && line["space"].is_string(),
            "{line}"
        );
    }
    let refused =
        |line: &&Value| line["tool"] == "ensemble_tasks" && line["verdict"] != "permitted";
    assert!(lines.iter().any(|line| refused(&line)), "{text}");
    let shown = run(&world.home, &["log", "show"]).await;
    assert!(
        shown.contains("ensemble_create_task") && !shown.contains("canary"),
        "{shown}"
    );
    world.hub.stop().await;
}

/// What a person sees, in a pipe: every part, without colours, without a key. Components are compiled in it, by a compiler
/// that a test build does not optimize: hence the long limit.
#[tokio::test]
async fn the_demo_shows_a_person_every_part_that_it_promises() {
    let home = home();
    let shown = home.command(program()).arg("demo").output();
    let shown = timeout(PATIENCE * 5, shown).await.unwrap().unwrap();
    assert_eq!(shown.status.code(), Some(0), "{shown:?}");
    let shown = String::from_utf8(shown.stdout).unwrap();
    for part in [
        "task-changes",
        "needs a key with changes allowed",
        "ensemble_brief",
        "Asked by Sofía Núñez",
        "ensemble_search",
        "ensemble_create_task",
        "Unknown tool: ensemble_create_task",
        "POST /api/bridge/write/tasks",
        "claude mcp add --transport stdio",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(
        !shown.contains("ens_") && !shown.contains('\u{1b}'),
        "{shown}"
    );
}
