//! Actions and uploads from the editor's side, with a hub that answers as the test says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_test_harness::{Bridge, Home, LATEST};
use serde_json::{Value, json};

use crate::fake::{FakeHub, Reply};
use crate::files::{noise, sha256};
use crate::support::{Editor, answer, end, home, program, refusal, text};

async fn bridge(home: &Home, hub: &FakeHub) -> Bridge {
    let mut command = home.command(program());
    command
        .env("HUB_API_URL", hub.base())
        .env("ENSEMBLE_BRIDGE_TOKEN", "ens_canary0canary0canary");
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    bridge
}

/// Actions and uploads: what is wrong with a call is said in words, whatever the version.
pub(crate) async fn said_in_words(editor: &Editor) {
    for (tool, arguments, says) in [
        (
            "ensemble_actions",
            json!({"names": ["Not A Name"]}),
            "“Not A Name”",
        ),
        (
            "ensemble_act",
            json!({"action": "../tasks"}),
            "ensemble_actions lists",
        ),
        (
            "ensemble_upload_file",
            json!({"filename": "a.md", "dataBase64": "aGVsbG8"}),
            "cut or changed",
        ),
    ] {
        let refused = editor.call(tool, arguments).await;
        assert!(refusal(&refused).contains(says), "{tool}: {refused}");
    }
}

fn ran() -> Reply {
    Reply::Json(
        200,
        json!({"action": "hub_create_tasks", "result": {"created": 1}, "undoable": true, "changeId": "c1"}),
    )
}

#[tokio::test]
async fn an_action_runs_with_its_input_also_where_that_came_as_text() {
    let (home, hub) = (home(), FakeHub::with([ran(), ran(), ran()]).await);
    let mut bridge = bridge(&home, &hub).await;
    let input = json!({"tasks": [{"title": "Ä", "due": null}], "n": 1});
    for given in [input.clone(), Value::from(input.to_string())] {
        let asked = json!({"action": "hub_create_tasks", "input": given});
        let done = bridge.call("ensemble_act", asked).await;
        assert_eq!(answer(&done)["changeId"], "c1");
    }
    let done = bridge
        .call("ensemble_act", json!({"action": "hub_list_boards"}))
        .await;
    assert_eq!(answer(&done)["result"]["created"], 1);
    for wrong in [json!("not json"), json!("[1]"), json!([1]), json!(5)] {
        let asked = json!({"action": "hub_create_tasks", "input": wrong});
        let refused = bridge.call("ensemble_act", asked).await;
        assert!(refusal(&refused).contains("“input” has to be an object"));
    }
    let asked = hub.asked();
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert_eq!(asked[0].what, "POST /api/bridge/act/hub_create_tasks");
    assert_eq!(asked[0].body, json!({"input": input}));
    assert_eq!(asked[1].body, asked[0].body);
    assert_eq!(asked[2].body, json!({"input": {}}));
    end(bridge).await;
    let log = std::fs::read_to_string(home.decisions()).unwrap();
    assert!(
        log.contains("POST /api/bridge/act/hub_create_tasks"),
        "{log}"
    );
    assert!(!log.contains("tasks\":[") && !log.contains('Ä'), "{log}");
}

#[tokio::test]
async fn a_lost_reply_does_not_run_an_action_twice() {
    let replies = [Reply::Lost, ran(), ran(), Reply::Lost, Reply::Lost];
    let (home, hub) = (home(), FakeHub::with(replies).await);
    let mut bridge = bridge(&home, &hub).await;
    let act = json!({"action": "hub_create_tasks", "input": {"tasks": []}});
    for _ in 0..2 {
        let done = bridge.call("ensemble_act", act.clone()).await;
        assert_eq!(answer(&done)["changeId"], "c1");
    }
    // where no reply comes at all, nobody guesses what became of it
    let unknown = bridge.call("ensemble_act", act).await;
    assert!(refusal(&unknown).contains("may"), "{unknown}");
    let keys: Vec<_> = hub.asked().into_iter().map(|a| a.idempotency_key).collect();
    assert_eq!(keys.len(), 5);
    assert!(keys[0].is_some());
    assert_eq!(keys[0], keys[1], "the same call");
    assert_ne!(keys[1], keys[2], "another call");
    assert_eq!(keys[3], keys[4]);
    end(bridge).await;
}

/// What the hub puts off is sent again after the pause, by who still wants it.
#[tokio::test]
async fn a_call_that_waits_for_the_hubs_limit_can_be_given_up() {
    let replies = [Reply::Later(2), Reply::Later(2), ran(), Reply::Later(3600)];
    let (home, hub) = (home(), FakeHub::with(replies).await);
    let mut bridge = bridge(&home, &hub).await;
    let act = json!({"action": "hub_create_tasks", "input": {"tasks": []}});
    let call = json!({"name": "ensemble_act", "arguments": act});
    let given_up = bridge.begin("tools/call", call).await;
    while hub.asked().is_empty() {
        tokio::task::yield_now().await;
    }
    let stop = json!({"requestId": given_up});
    bridge.notify("notifications/cancelled", stop).await;
    // the second one's pause ends after that of the first would have
    answer(&bridge.call("ensemble_act", act.clone()).await);
    let keys: Vec<_> = hub.asked().into_iter().map(|a| a.idempotency_key).collect();
    assert_eq!(keys.len(), 3, "{keys:?}");
    assert_ne!(keys[0], keys[1]);
    assert_eq!(keys[1], keys[2]);
    // a pause that is longer than a call is the caller's
    let refused = bridge.call("ensemble_act", act).await;
    assert!(refusal(&refused).contains("3600"), "{refused}");
    assert_eq!(hub.asked().len(), 4);
    end(bridge).await;
}

#[tokio::test]
async fn a_wrong_input_is_answered_with_what_is_right() {
    let property = json!({"type": "string", "description": "x".repeat(2_000)});
    let schema =
        json!({"type": "object", "properties": {"title": property}, "required": ["title"]});
    let refused = json!({"error": "The input needs “title”.", "inputSchema": schema});
    let replies = [Reply::Json(400, refused)];
    let (home, hub) = (home(), FakeHub::with(replies).await);
    let mut bridge = bridge(&home, &hub).await;
    let act = json!({"action": "hub_create_page", "input": {}});
    let refused = bridge.call("ensemble_act", act).await;
    let told = refusal(&refused);
    let (sentence, rest) = told.split_once("\n\n").unwrap();
    assert_eq!(sentence, "The input needs “title”.");
    let (lead, told) = rest.split_once('\n').unwrap();
    assert_eq!(lead, "The input has to keep this JSON Schema:");
    assert_eq!(serde_json::from_str::<Value>(told).unwrap(), schema);
    end(bridge).await;
}

#[tokio::test]
async fn a_key_that_is_revoked_meanwhile_does_nothing_more_and_says_so() {
    let (home, hub) = (home(), FakeHub::with([ran()]).await);
    std::fs::write(home.work().join("a.md"), "hello").unwrap();
    let mut bridge = bridge(&home, &hub).await;
    let act = json!({"action": "hub_create_tasks"});
    answer(&bridge.call("ensemble_act", act.clone()).await);
    hub.revoke();
    for _ in 0..2 {
        for (tool, asked) in [
            ("ensemble_act", act.clone()),
            ("ensemble_upload_file", json!({"path": "a.md"})),
        ] {
            let refused = bridge.call(tool, asked).await;
            let sentence = refusal(&refused);
            assert!(sentence.contains("ensemble hub key create"), "{sentence}");
            assert!(!sentence.contains("canary"), "{sentence}");
        }
    }
    // the first refusal made the host ask who is calling, and since then nothing else was sent
    assert_eq!(hub.asked().len(), 2, "{:?}", hub.asked());
    end(bridge).await;
}

#[tokio::test]
async fn a_file_is_added_by_its_path_and_by_its_bytes() {
    let sizes = [1_u32, 12 << 10, 100 << 10, 1 << 20];
    let hub = FakeHub::with(vec![Reply::Kept; 2 * sizes.len()]).await;
    let home = home();
    std::fs::create_dir(home.work().join("notes")).unwrap();
    let mut bridge = bridge(&home, &hub).await;
    for size in sizes {
        let bytes = noise(size);
        std::fs::write(home.work().join("notes/a.bin"), &bytes).unwrap();
        let data =
            json!({"dataBase64": STANDARD.encode(&bytes), "filename": "b.bin", "mediaType": "x/y"});
        let path =
            json!({"path": "notes/a.bin", "attachTo": "ensemble://task/t1", "summarize": true});
        for (asked, name) in [(data, "b.bin"), (path, "a.bin")] {
            let added = bridge.call("ensemble_upload_file", asked).await;
            let added = answer(&added);
            assert_eq!(added["size"], size);
            assert_eq!(added["sha256"], sha256(&bytes));
            assert_eq!(added["file"]["name"], name);
        }
    }
    let asked = hub.asked();
    assert_eq!(asked[0].what, "POST /api/bridge/write/files");
    assert_eq!(asked[0].body["mediaType"], "x/y");
    assert_eq!(asked[1].body["attachTo"], "ensemble://task/t1");
    assert_eq!(asked[1].body["summarize"], true);
    assert!(asked.iter().all(|asked| asked.idempotency_key.is_some()));
    end(bridge).await;
}

#[tokio::test]
async fn what_is_cut_secret_or_elsewhere_is_not_added() {
    let (home, hub) = (home(), FakeHub::with([]).await);
    std::fs::write(home.work().join(".env"), "A=b").unwrap();
    std::fs::write(home.path().join("outside.md"), "x").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(home.path().join("outside.md"), home.work().join("link.md"))
        .unwrap();
    let mut bridge = bridge(&home, &hub).await;
    let whole = STANDARD.encode(noise(12 << 10));
    let cut = whole.get(..whole.len() - 3).unwrap();
    for (asked, says) in [
        (
            json!({"filename": "a", "dataBase64": cut}),
            "cut or changed",
        ),
        (
            json!({"filename": "a", "dataBase64": format!("data:x;base64,{whole}")}),
            "after its comma",
        ),
        (
            json!({"filename": "a", "dataBase64": whole.replace('+', "-") + "-_"}),
            "for URLs",
        ),
        (json!({"dataBase64": whole}), "give filename"),
        (json!({"filename": "a"}), "Give the file"),
        (json!({"path": ".env"}), "taken for a secret"),
        (json!({"path": "../outside.md"}), "leads out"),
        (json!({"path": home.path().join("outside.md")}), "leads out"),
        (json!({"path": "link.md"}), "symbolic link"),
        (json!({"path": "none.md"}), "no file “none.md”"),
    ] {
        let refused = bridge.call("ensemble_upload_file", asked.clone()).await;
        assert!(
            refusal(&refused).contains(says),
            "{says}: {}",
            text(&refused)
        );
    }
    assert!(hub.asked().is_empty());
    end(bridge).await;
}

#[tokio::test]
async fn a_hub_that_keeps_other_bytes_is_found_out() {
    let other = json!({"file": {"id": "f1"}, "size": 5, "sha256": "0".repeat(64)});
    let (home, hub) = (home(), FakeHub::with([Reply::Json(201, other)]).await);
    let mut bridge = bridge(&home, &hub).await;
    let asked = json!({"filename": "a.md", "dataBase64": "aGVsbG8="});
    let refused = bridge.call("ensemble_upload_file", asked).await;
    assert!(
        refusal(&refused).contains("5 bytes that were sent"),
        "{refused}"
    );
    end(bridge).await;
}

/// The largest file goes through the editor's own pipe; one byte more is refused in words.
#[tokio::test]
async fn the_largest_file_is_added_and_a_larger_one_is_named() {
    const MOST: u32 = 25 << 20;
    let (home, hub) = (home(), FakeHub::with([Reply::Kept, Reply::Kept]).await);
    let mut bridge = bridge(&home, &hub).await;
    let bytes = noise(MOST);
    let hash = sha256(&bytes);
    std::fs::write(home.work().join("most.bin"), &bytes).unwrap();
    for asked in [
        json!({"filename": "most.bin", "dataBase64": STANDARD.encode(&bytes)}),
        json!({"path": "most.bin"}),
    ] {
        let added = bridge.call("ensemble_upload_file", asked).await;
        assert_eq!(answer(&added)["size"], MOST);
        assert_eq!(answer(&added)["sha256"], hash);
    }
    let more = noise(MOST + 1);
    std::fs::write(home.work().join("more.bin"), &more).unwrap();
    for asked in [
        json!({"filename": "more.bin", "dataBase64": STANDARD.encode(&more)}),
        json!({"path": "more.bin"}),
    ] {
        let refused = bridge.call("ensemble_upload_file", asked).await;
        assert!(refusal(&refused).contains("25 MB"), "{}", text(&refused));
    }
    assert_eq!(hub.asked().len(), 2);
    end(bridge).await;
}

#[tokio::test]
async fn the_list_of_actions_is_asked_for_as_it_was_meant_and_is_bounded() {
    let long = json!({"groups": [], "notes": ["x".repeat(90_000)]});
    let replies = [
        Reply::Json(200, json!({"groups": [], "notOffered": [], "notes": []})),
        Reply::Json(200, json!({"groups": []})),
        Reply::Json(200, long),
    ];
    let (home, hub) = (home(), FakeHub::with(replies).await);
    let mut bridge = bridge(&home, &hub).await;
    let listed = bridge.call("ensemble_actions", json!({})).await;
    assert_eq!(answer(&listed)["groups"], json!([]));
    let asked = json!({"groups": "[\"tasks\",\"pages\"]", "schema": "true"});
    answer(&bridge.call("ensemble_actions", asked).await);
    let refused = bridge
        .call("ensemble_actions", json!({"names": ["hub_get_task"]}))
        .await;
    assert!(
        refusal(&refused).contains("fewer groups"),
        "{}",
        text(&refused)
    );
    let refused = bridge
        .call("ensemble_actions", json!({"schema": true}))
        .await;
    assert!(refusal(&refused).contains("give which"), "{refused}");
    let asked: Vec<String> = hub.asked().into_iter().map(|asked| asked.what).collect();
    assert_eq!(
        asked,
        [
            "GET /api/bridge/actions",
            "GET /api/bridge/actions?groups=tasks%2Cpages&schema=true",
            "GET /api/bridge/actions?names=hub_get_task",
        ]
    );
    end(bridge).await;
}
