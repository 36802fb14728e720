//! The decision log of many processes: one chain, whoever is killed, and what is done to it is found. And what keeps a process's keys to itself.

use std::process::Output;

use ensemble_test_harness::{Bridge, Grants};
use serde_json::{Value, json};

use crate::support::{World, answer, end, program};

async fn log(world: &World, arguments: &[&str]) -> Output {
    let mut command = world.home.command(program());
    let output = command.arg("log").args(arguments).output();
    output.await.unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Calls until it is done; every second bridge is killed while calls of it are under way.
async fn work(mut bridge: Bridge, killed: bool) {
    for _ in 0..8 {
        answer(&bridge.call("ensemble_today", json!({})).await);
    }
    if killed {
        for _ in 0..4 {
            let call = json!({"name": "ensemble_today", "arguments": {}});
            bridge.begin("tools/call", call).await;
        }
        bridge.deaf().kill().await.unwrap();
    } else {
        end(bridge).await;
    }
}

#[tokio::test]
async fn many_processes_write_one_chain_and_a_killed_one_leaves_no_finding() {
    let world = World::new(Grants::READ).await;
    // compiles what the others then find compiled
    work(world.bridge().await, false).await;
    for _ in 0..3 {
        let mut working = tokio::task::JoinSet::new();
        for number in 0..4 {
            let bridge = world.bridge().await;
            working.spawn(work(bridge, number % 2 == 1));
        }
        while let Some(done) = working.join_next().await {
            done.unwrap();
        }
    }
    let checked = log(&world, &["verify", "--json"]).await;
    assert!(checked.status.success(), "{checked:?}");
    let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(
        (&checked["intact"], &checked["seal"], &checked["findings"]),
        (&json!(true), &json!("right"), &json!([])),
        "{checked}"
    );
    // at least those of the seven that ended: a request and the call itself, for each call
    assert!(checked["lines"].as_u64().unwrap() > 7 * 8 * 2, "{checked}");
    let said = log(&world, &["verify"]).await;
    assert!(
        text(&said.stdout).contains("each is as it was written"),
        "{said:?}"
    );

    let shown = log(
        &world,
        &[
            "show",
            "--json",
            "--tool",
            "ensemble_today",
            "--limit",
            "10",
        ],
    )
    .await;
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown.as_array().unwrap().len(), 10);
    let none = log(&world, &["show", "--verdict", "denied", "--since", "1h"]).await;
    assert!(none.status.success() && none.stdout.is_empty(), "{none:?}");
    assert!(text(&none.stderr).contains("matches"), "{none:?}");

    let path = world.home.decisions();
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, whole.replacen("permitted", "failed", 1)).unwrap();
    let changed = whole.lines().position(|line| line.contains("permitted"));
    let place = format!(
        "decisions.jsonl line {}: is not as it was written",
        changed.unwrap() + 1
    );
    let found = log(&world, &["verify"]).await;
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    assert!(text(&found.stdout).starts_with(&place), "{found:?}");
    // without its last line
    let (rest, _) = whole.trim_end().rsplit_once('\n').unwrap();
    std::fs::write(&path, format!("{rest}\n")).unwrap();
    let found = log(&world, &["verify"]).await;
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    assert!(
        text(&found.stdout).contains("is missing at the end"),
        "{found:?}"
    );
    world.hub.stop().await;
}

/// What the process says of itself to everybody; whether others may look into it is shown beside the code.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_crash_of_the_bridge_writes_no_core_file() {
    let world = World::new(Grants::READ).await;
    let bridge = world.bridge().await;
    let limits =
        std::fs::read_to_string(format!("/proc/{}/limits", bridge.pid().unwrap())).unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"));
    let core: Vec<&str> = core.unwrap().split_whitespace().skip(4).collect();
    assert_eq!(core, ["0", "0", "bytes"], "{limits}");
    end(bridge).await;
    world.hub.stop().await;
}
