//! The process ends whenever its client does, with 0, and leaves nothing behind.

use std::process::Stdio;
use std::time::Duration;

use ensemble_test_harness::{Bridge, Grants, LATEST, PATIENCE};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

use crate::gate::Gate;
use crate::support::{World, answer, home, program};

/// Far more than it takes, and far less than any wait inside the bridge for a hub.
const SOON: Duration = Duration::from_secs(10);

async fn ends_soon(bridge: Bridge) {
    let ended = timeout(SOON, bridge.close()).await;
    let ended = ended.unwrap_or_else(|late| panic!("the bridge did not end ({late})"));
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
}

#[tokio::test]
async fn without_any_input() {
    let home = home();
    let mut command = home.command(program());
    let child = command.arg("mcp").stdin(Stdio::null()).output();
    let output = timeout(SOON, child).await.unwrap().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
}

#[tokio::test]
async fn at_every_stage_of_a_conversation() {
    let world = World::new(Grants::READ).await;
    for stage in 0..5 {
        let mut bridge = Bridge::start(world.command());
        match stage {
            0 => {}
            1 => bridge.raw(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"meth").await,
            2 => {
                bridge.stateless("server/discover", json!({})).await;
            }
            3 => {
                bridge.initialize(LATEST).await;
            }
            _ => {
                bridge.initialize(LATEST).await;
                answer(&bridge.call("ensemble_today", json!({})).await);
                let listen = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}, "notifications": {"toolsListChanged": true}});
                bridge.begin("subscriptions/listen", listen).await;
                bridge.message().await;
            }
        }
        ends_soon(bridge).await;
    }
    world.hub.stop().await;
}

#[tokio::test]
async fn while_calls_wait_for_a_hub_that_never_answers() {
    let world = World::new(Grants::READ).await;
    let gate = Gate::before(world.hub.base(), "neverword").await;
    let mut command = world.command();
    command.env("HUB_API_URL", gate.base());
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    for _ in 0..3 {
        let call = json!({"name": "ensemble_search", "arguments": {"query": "neverword"}});
        bridge.begin("tools/call", call).await;
    }
    gate.holds(3).await;
    ends_soon(bridge).await;
    gate.holds(0).await;
    world.hub.stop().await;

    let silent = Gate::silent().await;
    let home = home();
    let mut command = home.command(program());
    command
        .env("HUB_API_URL", silent.base())
        .env("ENSEMBLE_BRIDGE_TOKEN", "ens_si1entsi1ent");
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    let call = json!({"name": "ensemble_today", "arguments": {}});
    bridge.begin("tools/call", call).await;
    silent.holds(1).await;
    ends_soon(bridge).await;
}

/// A client that has closed its end of standard output has left, too.
#[tokio::test]
async fn when_nobody_reads_any_more() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    bridge.begin("tools/list", json!({})).await;
    let mut child = bridge.deaf();
    let mut input = child.stdin.take().unwrap();
    let asked = async {
        use tokio::io::AsyncWriteExt as _;
        // until the pipe is gone: the first answer that meets the closed end is noticed
        while input
            .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
            .await
            .is_ok()
        {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, asked).await.unwrap();
    let status = timeout(SOON, child.wait()).await.unwrap().unwrap();
    assert_eq!(status.code(), Some(0));
    world.hub.stop().await;
}

/// An editor that is killed says nothing: only its pipes close. The shell stands for the editor.
#[cfg(unix)]
#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "the shell and `kill` are the editor and its end"
)]
async fn when_its_parent_is_killed() {
    let world = World::new(Grants::READ).await;
    let script = r#"mkfifo pipe; exec 3<>pipe; "$0" mcp <pipe 3>&- & printf '%s\n' "$1" >&3; wait"#;
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": LATEST, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    let mut shell = world.home.command("/bin/sh".as_ref());
    shell
        .env("PATH", "/usr/bin:/bin")
        .env("HUB_API_URL", world.hub.base())
        .env("ENSEMBLE_BRIDGE_TOKEN", &world.key)
        .args(["-c", script])
        .arg(program())
        .arg(hello.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    let mut output = BufReader::new(shell.stdout.take().unwrap());
    let mut line = String::new();
    let greeted = timeout(PATIENCE, output.read_line(&mut line));
    greeted.await.unwrap().unwrap();
    assert!(line.contains("\"protocolVersion\""), "{line}");
    let killed = Command::from(std::process::Command::new("kill"))
        .args(["-KILL", &shell.id().unwrap().to_string()])
        .status();
    assert!(killed.await.unwrap().success());
    shell.wait().await.unwrap();
    // the bridge alone still holds the other end of this pipe
    let mut rest = String::new();
    let ended = timeout(SOON, output.read_to_string(&mut rest)).await;
    assert!(ended.is_ok(), "the bridge outlived its editor");
    world.hub.stop().await;
}

/// Standard error that is closed, or that nobody reads, neither ends the bridge nor holds it up.
#[cfg(unix)]
#[tokio::test]
async fn when_nobody_reads_standard_error() {
    for closed in [true, false] {
        let home = home();
        let mut command = home.command(program());
        command
            .arg("mcp")
            // every call logs, and the log says much
            .env("ENSEMBLE_BRIDGE_TOKEN", "no key at all")
            .env("RUST_LOG", "trace")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let error = child.stderr.take().unwrap();
        let unread = (!closed).then_some(error);
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": LATEST, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
        let mut lines = format!(
            "{hello}\n{}\n",
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
        );
        for id in 1..=200 {
            let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "ensemble_today", "arguments": {}}});
            lines.push_str(&call.to_string());
            lines.push('\n');
        }
        let talk = async {
            input.write_all(lines.as_bytes()).await.unwrap();
            let mut answers = 0;
            let mut line = String::new();
            while answers <= 200 {
                line.clear();
                assert!(
                    output.read_line(&mut line).await.unwrap() > 0,
                    "after {answers} answers"
                );
                answers += usize::from(line.contains("\"id\":"));
            }
        };
        timeout(PATIENCE, talk).await.unwrap();
        drop(input);
        let status = timeout(SOON, child.wait()).await.unwrap().unwrap();
        assert_eq!(status.code(), Some(0), "closed: {closed}");
        drop(unread);
    }
}
