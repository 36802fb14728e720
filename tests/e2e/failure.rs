//! Every row of the table of failures, with its sentence: never an empty answer where there was an error, and nothing falls
//! back.

use std::net::TcpListener;

use ensemble_test_harness::{Bridge, Grants, LATEST, Repository, TestHub};
use serde_json::{Value, json};

use crate::gate::Gate;
use crate::support::{World, answer, end, home, program, refusal, text};

/// One call of each tool that a reading key has, with arguments that it takes.
fn calls() -> [(&'static str, Value); 10] {
    [
        ("ensemble_brief", json!({})),
        (
            "ensemble_brief",
            json!({"task": "Document the default timeout"}),
        ),
        ("ensemble_search", json!({"query": "timeout"})),
        ("ensemble_read", json!({"id": "ensemble://task/x"})),
        ("ensemble_today", json!({})),
        ("ensemble_decisions", json!({})),
        ("ensemble_gaps", json!({})),
        ("ensemble_tasks", json!({"space": "Side projects"})),
        ("ensemble_spaces", json!({})),
        ("ensemble_docs", json!({"query": "key"})),
    ]
}

/// What every tool and resource says under these variables.
async fn all_say(variables: &[(&str, &str)]) -> String {
    let home = home();
    let mut command = home.command(program());
    command.envs(variables.iter().copied());
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    let mut sentences = Vec::new();
    for (tool, arguments) in calls() {
        let result = bridge.call(tool, arguments).await;
        sentences.push(refusal(&result).to_owned());
    }
    for uri in [
        "ensemble://tasks",
        "ensemble://today",
        "ensemble://items/task/x",
    ] {
        let read = bridge.request("resources/read", json!({"uri": uri})).await;
        sentences.push(read["error"]["message"].as_str().unwrap().to_owned());
    }
    sentences.dedup();
    assert_eq!(sentences.len(), 1, "{variables:?}: {sentences:?}");
    let ended = bridge.close().await;
    assert!(ended.status.success());
    let sentence = sentences.remove(0);
    for shown in [&ended.stderr, &sentence] {
        assert!(!shown.contains("canary"), "{shown}");
    }
    sentence
}

#[tokio::test]
async fn a_hub_that_is_down() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let variables = [
        ("HUB_API_URL", base.as_str()),
        ("ENSEMBLE_BRIDGE_TOKEN", "ens_canarykey"),
    ];
    assert_eq!(
        all_say(&variables).await,
        "Ensemble is not running. Start it with `ensemble hub serve`."
    );
}

/// Every way in which a key is none. The gate counts what is sent: nothing.
#[tokio::test]
async fn a_key_that_is_none_is_a_configuration_error_and_nothing_is_sent() {
    let gate = Gate::silent().await;
    let cases: [(&str, &[(&str, &str)]); 12] = [
        ("ENSEMBLE_BRIDGE_TOKEN is not set", &[]),
        ("is set but empty", &[("ENSEMBLE_BRIDGE_TOKEN", "  ")]),
        (
            "does not start with ens_",
            &[("ENSEMBLE_BRIDGE_TOKEN", "canary")],
        ),
        (
            "variable that was not filled in",
            &[("ENSEMBLE_BRIDGE_TOKEN", "${ENS_KEY}")],
        ),
        (
            "variable that was not filled in",
            &[("ENSEMBLE_BRIDGE_TOKEN", "$ENS_KEY")],
        ),
        (
            "variable that was not filled in",
            &[("ENSEMBLE_BRIDGE_TOKEN", "${env:ENSEMBLE_BRIDGE_TOKEN}")],
        ),
        (
            "quotes around the key",
            &[("ENSEMBLE_BRIDGE_TOKEN", "\"ens_canary\"")],
        ),
        (
            "starts with “Bearer”",
            &[("ENSEMBLE_BRIDGE_TOKEN", "Bearer ens_canary")],
        ),
        (
            "default internal token",
            &[("ENSEMBLE_BRIDGE_TOKEN", "dev-internal-token")],
        ),
        (
            "default internal token is refused",
            &[("ENSEMBLE_BRIDGE_USE_INTERNAL_TOKEN", "true")],
        ),
        (
            "default internal token is refused",
            &[
                ("ENSEMBLE_BRIDGE_USE_INTERNAL_TOKEN", "true"),
                ("ENSEMBLE_INTERNAL_TOKEN", "dev-internal-token"),
            ],
        ),
        // the default is never fallen back to
        (
            "ENSEMBLE_BRIDGE_TOKEN is not set",
            &[
                ("ENSEMBLE_BRIDGE_ALLOW_DEFAULT_INTERNAL_TOKEN", "true"),
                ("ENSEMBLE_INTERNAL_TOKEN", "canary"),
            ],
        ),
    ];
    for (expected, variables) in cases {
        let mut all = vec![("HUB_API_URL", gate.base())];
        all.extend(variables);
        let sentence = all_say(&all).await;
        assert!(sentence.contains(expected), "{variables:?}: {sentence}");
    }
    assert_eq!(gate.requests(), 0);
}

/// A key with the outer blanks and line end that a copy brings along is a key.
#[tokio::test]
async fn a_key_with_a_line_end_works() {
    let world = World::new(Grants::READ).await;
    let mut command = world.command();
    command.env("ENSEMBLE_BRIDGE_TOKEN", format!(" {}\r\n", world.key));
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    answer(&bridge.call("ensemble_today", json!({})).await);
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn a_key_that_the_hub_does_not_know() {
    let hub = TestHub::start().await;
    let variables = [
        ("HUB_API_URL", hub.base()),
        (
            "ENSEMBLE_BRIDGE_TOKEN",
            "ens_canaryPrmVxHm2vJYvYX1dD0kQ8WcQ3oZ",
        ),
    ];
    assert_eq!(
        all_say(&variables).await,
        "This key is not valid or was revoked: make a new one with `ensemble hub key create`."
    );
    hub.stop().await;
}

#[tokio::test]
async fn what_answers_is_no_hub() {
    let world = World::new(Grants::READ).await;
    let mut bridge = Bridge::start({
        let mut command = world.command();
        command.env("HUB_API_URL", format!("{}/elsewhere", world.hub.base()));
        command
    });
    bridge.initialize(LATEST).await;
    let refused = bridge.call("ensemble_today", json!({})).await;
    let sentence = refusal(&refused);
    assert!(
        !sentence.contains("http") && sentence.ends_with('.'),
        "{sentence}"
    );
    end(bridge).await;
    world.hub.stop().await;
}

/// Rows about a repository: what is said, and that no task is guessed.
#[tokio::test]
async fn places_that_lead_to_no_one_task() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    for (asked, resolution, says) in [
        (
            json!({"repo": "nobody/nothing", "branch": "docs/default-timeout"}),
            "untracked_repo",
            "The repository “nobody/nothing” is not tracked in this space. Nothing was searched: pass `query` to search this space.",
        ),
        (
            json!({"repo": "nobody/nothing", "query": "default timeout"}),
            "untracked_repo",
            "The repository “nobody/nothing” is not tracked in this space.",
        ),
        (
            json!({"repo": "encode/httpx", "branch": "docs/default-timeou"}),
            "branch_unmatched",
            "No open task has the branch “docs/default-timeou”: none was chosen.",
        ),
        (
            json!({"repo": "encode/httpx", "branch": "retry-helper"}),
            "ambiguous",
            "2 open tasks have the branch “retry-helper”: none was chosen, pass the `ref` of one as `task`.",
        ),
        (
            json!({"task": "Document the default"}),
            "no_anchor",
            "No open task is called exactly “Document the default”",
        ),
        (
            json!({}),
            "no_anchor",
            "Nothing says which task this is about: pass `task`, or `repo` and `branch`.",
        ),
    ] {
        let result = bridge.call("ensemble_brief", asked.clone()).await;
        let brief = answer(&result);
        assert_eq!(brief["resolution"], resolution, "{asked}");
        assert!(
            brief["message"].as_str().unwrap().starts_with(says),
            "{brief}"
        );
        assert!(text(&result).contains(says), "{}", text(&result));
        assert_eq!(brief["resolved"].get("task"), None, "{asked}");
        assert_eq!(brief.get("workContext"), None, "{asked}");
        assert_eq!(brief.get("search").is_some(), asked.get("query").is_some());
        let candidates = if resolution == "ambiguous" { 2 } else { 0 };
        assert_eq!(brief["candidates"].as_array().unwrap().len(), candidates);
        let knows = asked["repo"] == "encode/httpx";
        assert_eq!(
            brief["resolved"]["project"]["name"] == "HTTP client reliability",
            knows,
            "{brief}"
        );
    }
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn nothing_relevant_says_so() {
    let world = World::new(Grants::READ).await;
    Repository::new()
        .remote("origin", "https://github.com/nobody/nothing")
        .create(&world.home.work());
    let mut bridge = world.bridge().await;
    let result = bridge
        .call("ensemble_brief", json!({"query": "zzzqqq"}))
        .await;
    let brief = answer(&result);
    assert_eq!(brief["nothingFound"], true, "{brief}");
    assert_eq!(brief["search"]["empty"], true);
    assert!(
        text(&result).contains("Nothing in this space matches “zzzqqq”"),
        "{}",
        text(&result)
    );
    for (tool, says) in [
        ("ensemble_search", "Nothing in this space matches “zzzqqq”"),
        (
            "ensemble_docs",
            "No page of the documentation matches these words. Try others, or start at https://docs.ensemblework.com.",
        ),
    ] {
        let result = bridge.call(tool, json!({"query": "zzzqqq"})).await;
        assert!(
            answer(&result)["message"]
                .as_str()
                .unwrap()
                .starts_with(says),
            "{result}"
        );
    }
    end(bridge).await;
    world.hub.stop().await;
}

/// A record that is not there is an error, not an empty record.
#[tokio::test]
async fn a_record_that_is_not_there() {
    let world = World::new(Grants::CHANGES).await;
    let mut bridge = world.bridge().await;
    for (tool, arguments, says) in [
        (
            "ensemble_read",
            json!({"id": "ensemble://person/none"}),
            "There is no person with that id in this space.",
        ),
        (
            "ensemble_read",
            json!({"id": "not a handle at all"}),
            "handle",
        ),
        ("ensemble_read", json!({}), "Say which record: give “ref”"),
        (
            "ensemble_read",
            json!({"kind": "secret", "id": "x"}),
            "“kind” has to be one of",
        ),
        (
            "ensemble_brief",
            json!({"task": "ensemble://task/none"}),
            "There is no task with that id in this space.",
        ),
        (
            "ensemble_search",
            json!({"query": "x", "near": "ensemble://task/none"}),
            "There is no task with that id in this space.",
        ),
        (
            "ensemble_update_task",
            json!({"id": "none", "status": "done"}),
            "There is no task with that id in this space.",
        ),
        (
            "ensemble_create_task",
            json!({"title": "x", "projectName": "None"}),
            "No project is called “None” in this space.",
        ),
        (
            "ensemble_create_task",
            json!({"title": "x", "due": "2031-02-30"}),
            "calendar date",
        ),
    ] {
        let result = bridge.call(tool, arguments.clone()).await;
        assert!(refusal(&result).contains(says), "{arguments}: {result}");
    }
    end(bridge).await;
    world.hub.stop().await;
}

/// A long body comes in parts that join without loss, and the brief names where the rest is.
#[tokio::test]
async fn a_long_body_is_an_excerpt_and_the_rest_is_read() {
    let world = World::new(Grants::CHANGES).await;
    let mut bridge = world.bridge().await;
    let page = "Zeile mit Ümläuten 👩‍👩‍👧‍👦 und 漢字。\n".repeat(700);
    let made = json!({"title": "A long one", "page": page, "status": "todo"});
    let made = bridge.call("ensemble_create_task", made).await;
    let handle = answer(&made)["task"]["ref"].as_str().unwrap().to_owned();
    let brief = bridge.call("ensemble_brief", json!({"task": handle})).await;
    let packet = answer(&brief)["workContext"].as_str().unwrap();
    assert!(packet.chars().count() <= 7_000);
    assert!(
        packet.contains("ensemble_read") && packet.contains(&handle),
        "{packet}"
    );
    let mut whole = String::new();
    let mut offset = json!(0);
    while offset.is_u64() {
        let asked = json!({"ref": handle, "offset": offset, "limit": 3000});
        let part = bridge.call("ensemble_read", asked).await;
        let body = &answer(&part)["body"];
        let text = body["text"].as_str().unwrap();
        assert!(text.chars().count() <= 3_000);
        assert_eq!(body["truncated"], body["nextOffset"].is_u64(), "{body}");
        whole.push_str(text);
        offset = body["nextOffset"].clone();
    }
    assert_eq!(whole.trim_end(), page.trim_end());
    end(bridge).await;
    world.hub.stop().await;
}
