//! The bytes on the pipe. [`Bridge::message`] checks every line of standard output: one JSON-RPC message and one LF.

use ensemble_test_harness::{Bridge, Grants, LATEST};
use serde_json::{Value, json};

use crate::support::{READING, World, all_tools, answer, end, home, names, program, text};

fn hello(id: &Value, version: &Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "initialize",
        "params": {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "Клиент", "version": "1"}},
    })
}

/// A bridge without a hub, not greeted yet.
fn fresh() -> Bridge {
    Bridge::start(home().command(program()))
}

/// Sends these bytes and gives the next message.
async fn exchange(bridge: &mut Bridge, bytes: &[u8]) -> Value {
    bridge.raw(bytes).await;
    bridge.message().await
}

async fn send(bridge: &mut Bridge, message: &Value) -> Value {
    exchange(bridge, format!("{message}\n").as_bytes()).await
}

/// A line that is no message gets one -32700, whatever came before; what follows is read as if it had not been there.
#[tokio::test]
async fn unreadable_lines_cost_one_error_each_and_nothing_else() {
    let mut bridge = fresh();
    let hello = hello(&json!(0), &json!(LATEST)).to_string();
    for line in [
        &b"not json\n"[..],
        b"\xFF\xFE\n",
        b"{\"a\":\"\xC3\x28\"}\n",
        b"{\n",
    ] {
        let error = exchange(&mut bridge, line).await;
        assert_eq!(error["error"]["code"], -32700, "{error}");
        assert_eq!(error["id"], Value::Null);
    }
    let marked = [b"\xEF\xBB\xBF", hello.as_bytes(), b"\n"].concat();
    let greeted = exchange(&mut bridge, &marked).await;
    assert_eq!(greeted["result"]["protocolVersion"], LATEST, "{greeted}");
    bridge.raw(&b"garbage\n".repeat(1000)).await;
    bridge
        .raw(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .await;
    // the answer to the ping may overtake: nobody waits behind garbage
    let (mut errors, mut pongs) = (0, 0);
    while errors < 1000 || pongs < 1 {
        let message = bridge.message().await;
        if message["id"] == 1 {
            assert_eq!(message["result"], json!({}));
            pongs += 1;
        } else {
            assert_eq!(message["error"]["code"], -32700, "{message}");
            errors += 1;
        }
    }
    assert_eq!((errors, pongs), (1000, 1));
    end(bridge).await;
}

/// A client that sends back all that it gets starts no endless exchange.
#[tokio::test]
async fn a_response_is_never_answered() {
    let mut bridge = fresh();
    bridge.initialize(LATEST).await;
    let error = exchange(&mut bridge, b"garbage\n").await;
    for echoed in [
        error,
        json!({"jsonrpc": "2.0", "id": 7, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 8, "error": {"code": 1, "message": "x"}}),
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "x"}}),
    ] {
        bridge.raw(format!("{echoed}\n").as_bytes()).await;
    }
    let pong = send(
        &mut bridge,
        &json!({"jsonrpc": "2.0", "id": 9, "method": "ping"}),
    )
    .await;
    assert_eq!((&pong["id"], &pong["result"]), (&json!(9), &json!({})));
    end(bridge).await;
}

#[tokio::test]
async fn a_level_may_be_set_before_the_client_says_that_it_is_ready() {
    let mut bridge = fresh();
    send(&mut bridge, &hello(&json!(0), &json!(LATEST))).await;
    let level = |id: u32, level: &str| json!({"jsonrpc": "2.0", "id": id, "method": "logging/setLevel", "params": {"level": level}});
    assert_eq!(
        send(&mut bridge, &level(1, "info")).await["result"],
        json!({})
    );
    assert_eq!(
        send(&mut bridge, &level(2, "loud")).await["error"]["code"],
        -32602
    );
    bridge.notify("notifications/initialized", json!({})).await;
    let listed = send(
        &mut bridge,
        &json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"}),
    )
    .await;
    assert_eq!(listed["id"], 3);
    assert_eq!(
        names(&listed["result"]["tools"], "name")[0],
        "ensemble_brief"
    );
    end(bridge).await;
}

/// Clients of the newer generation probe first, and then fall back.
#[tokio::test]
async fn what_comes_before_initialize_does_not_spoil_it() {
    let mut bridge = fresh();
    for (id, method) in [(1, "server/discover"), (2, "tools/list")] {
        let early = send(
            &mut bridge,
            &json!({"jsonrpc": "2.0", "id": id, "method": method}),
        )
        .await;
        assert_eq!(early["id"], id);
        assert!(early["error"]["code"].is_i64(), "{early}");
    }
    bridge
        .notify("notifications/cancelled", json!({"requestId": 2}))
        .await;
    let greeted = send(&mut bridge, &hello(&json!(3), &json!(LATEST))).await;
    assert_eq!(
        (&greeted["id"], &greeted["result"]["protocolVersion"]),
        (&json!(3), &json!(LATEST))
    );
    end(bridge).await;
}

#[tokio::test]
async fn a_known_version_comes_back_and_no_other_is_echoed() {
    for (asked, agreed) in [
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-11-25"), "2025-11-25"),
        (json!("2099-01-01"), "2025-11-25"),
        (json!(""), "2025-11-25"),
    ] {
        let mut bridge = fresh();
        let greeted = send(&mut bridge, &hello(&json!("first"), &asked)).await;
        assert_eq!(
            greeted["result"]["protocolVersion"], agreed,
            "{asked}: {greeted}"
        );
        end(bridge).await;
    }
    let mut bridge = fresh();
    for asked in [json!(20_251_125), Value::Null] {
        let mut hello = hello(&json!(1), &asked);
        if asked.is_null() {
            hello["params"]
                .as_object_mut()
                .unwrap()
                .remove("protocolVersion");
        }
        let refused = send(&mut bridge, &hello).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    end(bridge).await;
}

#[tokio::test]
async fn windows_line_ends_blank_lines_and_trailing_blanks() {
    let mut bridge = fresh();
    let greeted = format!("\r\n  \r\n{}  \r\n\r\n", hello(&json!(1), &json!(LATEST)));
    assert_eq!(exchange(&mut bridge, greeted.as_bytes()).await["id"], 1);
    bridge
        .raw(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\r\n")
        .await;
    let listed = exchange(
        &mut bridge,
        b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\r\n",
    )
    .await;
    assert_eq!(names(&listed["result"]["tools"], "name"), READING);
    end(bridge).await;
}

#[tokio::test]
async fn a_batch_is_answered_where_there_are_batches_and_refused_elsewhere() {
    let ping = |id: u32| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let mut bridge = fresh();
    bridge.initialize("2025-03-26").await;
    let answers = send(&mut bridge, &json!([ping(11), 1, ping(12)])).await;
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), 3);
    for id in [11, 12] {
        let of = answers.iter().find(|answer| answer["id"] == id).unwrap();
        assert_eq!(of["result"], json!({}));
    }
    let empty = send(&mut bridge, &json!([])).await;
    assert_eq!(empty["error"]["code"], -32600, "{empty}");
    end(bridge).await;
    for version in ["2025-06-18", "2024-11-05"] {
        let mut bridge = fresh();
        bridge.initialize(version).await;
        for batch in [json!([ping(1), ping(2)]), json!([]), json!([1])] {
            let refused = send(&mut bridge, &batch).await;
            assert_eq!(refused["error"]["code"], -32600, "{batch}: {refused}");
        }
        assert_eq!(send(&mut bridge, &ping(3)).await["id"], 3);
        end(bridge).await;
    }
}

#[tokio::test]
async fn an_id_comes_back_as_it_was() {
    let mut bridge = fresh();
    bridge.initialize(LATEST).await;
    for id in [
        "-1",
        "0",
        "4294967296",
        "9007199254740993",
        "\"abc\"",
        "\"\"",
        "\"1\"",
    ] {
        let ping = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
        let pong = exchange(&mut bridge, ping.as_bytes()).await;
        assert_eq!(pong["id"].to_string(), id);
        assert_eq!(pong["result"], json!({}));
    }
    for id in ["null", "1.5", "{}", "true"] {
        let ping = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
        let refused = exchange(&mut bridge, ping.as_bytes()).await;
        assert_eq!(refused["error"]["code"], -32600, "{id}: {refused}");
    }
    end(bridge).await;
}

/// Nothing but protocol on standard output, however loud the log is, whether a call works or not. A first run makes its folders.
#[tokio::test]
async fn the_log_stays_off_standard_output() {
    let world = World::new(Grants::CHANGES).await;
    let wrong = format!("ens_{}", "0".repeat(40));
    for (variable, value) in [
        ("RUST_LOG", "trace"),
        ("ENSEMBLE_BRIDGE_TOKEN", wrong.as_str()),
        ("ENSEMBLE_BRIDGE_TOKEN", "no key at all"),
        ("HUB_API_URL", "http://127.0.0.1:1"),
    ] {
        let mut command = world.command();
        command.env("RUST_LOG", "trace").env(variable, value);
        let mut bridge = Bridge::start(command);
        bridge.initialize(LATEST).await;
        for tool in all_tools() {
            let arguments = match tool {
                "ensemble_create_task" => json!({"title": "canary title"}),
                "ensemble_search" | "ensemble_docs" => json!({"query": "key"}),
                _ => json!({}),
            };
            let params = json!({"name": tool, "arguments": arguments});
            let called = bridge.request("tools/call", params).await;
            assert!(
                called["result"].is_object() || called["error"].is_object(),
                "{called}"
            );
        }
        // it reads each line as a message, or fails
        let ended = bridge.close().await;
        assert!(ended.status.success() && !ended.stderr.is_empty());
        assert!(!ended.stderr.contains(&world.key), "the key is in the log");
    }
    world.hub.stop().await;
}

#[tokio::test]
async fn text_of_every_script_survives_a_locale_that_knows_none() {
    let world = World::new(Grants::CHANGES).await;
    let folder = world.home.path().join("Ünï 漢字");
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = world.command();
    command
        .env("LANG", "C")
        .env("LC_ALL", "C")
        .env("XDG_STATE_HOME", &folder)
        .current_dir(&folder);
    let mut bridge = Bridge::start(command);
    send(&mut bridge, &hello(&json!("Ж"), &json!(LATEST))).await;
    bridge.notify("notifications/initialized", json!({})).await;
    let title = "日本語 🚀 é e\u{301} Клиент مرحبا 👩‍👩‍👧‍👦";
    let page = "Zeile\u{2028}eins\n\"quotes\" \\ \t 漢字";
    let made = json!({"title": title, "page": page});
    let made = bridge.call("ensemble_create_task", made).await;
    let handle = answer(&made)["task"]["ref"].clone();
    let read = bridge.call("ensemble_read", json!({"id": handle})).await;
    assert_eq!(answer(&read)["title"], title);
    assert_eq!(answer(&read)["body"]["text"], page);
    assert!(text(&read).contains(title));
    end(bridge).await;
    assert!(folder.join("ensemble/decisions.jsonl").is_file());
    world.hub.stop().await;
}
