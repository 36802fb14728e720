//! The groups that only read: guides, calendar, runs, agents, code, settings, layouts, imports, relationships.

use ensemble_hub_api::Kind;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::bench::Bench;

async fn read(bench: &Bench, action: &str, input: Value) -> Value {
    let answer = bench.act_with(&bench.reader, action, &input).await;
    Bench::ok(&answer).clone()
}

#[tokio::test]
async fn a_guide_is_a_text_and_without_a_topic_the_list_of_them() {
    let bench = Bench::new().await;
    let list = read(&bench, "hub_how_to", json!({})).await;
    let topics = list["topics"].as_array().unwrap();
    assert_eq!(topics.len(), 7);
    for topic in topics {
        let name = topic["topic"].as_str().unwrap();
        let guide = read(&bench, "hub_how_to", json!({ "topic": name })).await;
        assert!(guide["text"].as_str().unwrap().starts_with("# "), "{name}");
    }
    bench
        .wrong("hub_how_to", &json!({ "topic": "tea" }), "topic")
        .await;
}

#[tokio::test]
async fn events_are_listed_by_their_start() {
    let bench = Bench::new().await;
    let at = |start: &str| json!({ "start": start, "end": start });
    bench
        .rig
        .add(Kind::Event, "Sync", at("2026-03-03T10:00:00Z"))
        .await;
    bench
        .rig
        .add(Kind::Event, "Later", at("2026-05-03T10:00:00Z"))
        .await;
    let events = read(&bench, "hub_list_events", json!({})).await;
    assert_eq!(
        (&events["total"], &events["meetings"][0]["title"]),
        (&json!(1), &json!("Sync"))
    );
    let may = json!({ "from": "2026-05-01", "to": "2026-05-31" });
    assert_eq!(read(&bench, "hub_list_events", may).await["total"], 1);
    bench
        .wrong("hub_list_events", &json!({ "from": "soon" }), "from")
        .await;
}

#[tokio::test]
async fn a_week_is_counted_without_what_was_undone() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let event = json!({ "start": "2026-03-04T10:00:00Z", "end": "2026-03-04T11:00:00Z" });
    bench.rig.add(Kind::Event, "Sync", event).await;
    let done = json!({ "task": task.id, "status": "done" });
    let finished = bench.act("hub_update_task", &done).await;
    let added = bench
        .act(
            "hub_create_tasks",
            &json!({ "tasks": [{ "title": "Mistake" }] }),
        )
        .await;
    bench.undo(added.body["changeId"].as_str().unwrap()).await;

    let week = read(&bench, "hub_weekly_recap", json!({})).await;
    assert_eq!(
        (&week["from"], &week["to"]),
        (&json!("2026-03-02"), &json!("2026-03-08"))
    );
    assert_eq!(week["tasksDone"]["total"], 1, "{week}");
    assert_eq!(week["tasksDone"]["records"][0]["id"], json!(task.id));
    assert_eq!(week["met"]["total"], 1);
    let tasks = week["created"]
        .as_array()
        .unwrap()
        .iter()
        .find(|made| made["kind"] == "task")
        .unwrap();
    assert_eq!(tasks["count"], 1, "{week}");
    assert_eq!(week["imported"], json!([]));

    let before = read(&bench, "hub_weekly_recap", json!({ "week": "2026-03-01" })).await;
    assert_eq!(
        (&before["to"], &before["tasksDone"]["total"]),
        (&json!("2026-03-01"), &json!(0))
    );
    bench
        .undo(finished.body["changeId"].as_str().unwrap())
        .await;
    let week = read(&bench, "hub_weekly_recap", json!({ "week": "2026-03-08" })).await;
    assert_eq!(week["tasksDone"]["total"], 0, "{week}");
    bench
        .wrong(
            "hub_weekly_recap",
            &json!({ "week": "2026-02-30" }),
            "YYYY-MM-DD",
        )
        .await;
}

#[tokio::test]
async fn a_week_begins_at_the_persons_midnight() {
    let bench = Bench::new().await;
    let owner = bench.rig.store().owner().await.unwrap().unwrap();
    let set = bench
        .rig
        .store()
        .set_setting(&owner.id, "timeZone", "Pacific/Auckland");
    set.await.unwrap();
    let task = bench.rig.furnish().await.task;
    // Sunday 8 March 23:59 in Auckland, then Monday 00:01.
    let to_sunday: SignedDuration = "2026-03-08T10:59:00Z"
        .parse::<jiff::Timestamp>()
        .unwrap()
        .duration_since(bench.rig.store().now());
    bench.rig.clock.advance(to_sunday);
    bench
        .act(
            "hub_update_task",
            &json!({ "task": task.id, "status": "waiting_approval" }),
        )
        .await;
    bench.rig.clock.advance(SignedDuration::from_mins(2));
    bench
        .act(
            "hub_update_task",
            &json!({ "task": task.id, "status": "done" }),
        )
        .await;
    let first = read(&bench, "hub_weekly_recap", json!({ "week": "2026-03-08" })).await;
    assert_eq!(first["tasksDone"]["total"], 0, "{first}");
    let second = read(&bench, "hub_weekly_recap", json!({})).await;
    assert_eq!(
        (&second["from"], &second["tasksDone"]["total"]),
        (&json!("2026-03-09"), &json!(1))
    );
}

#[tokio::test]
async fn what_happened_is_listed_page_by_page_and_by_whom() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let changed = bench
        .act(
            "hub_update_task",
            &json!({ "task": task.id, "status": "done" }),
        )
        .await;
    let agents = read(&bench, "hub_list_activity", json!({ "by": "agent" })).await;
    let row = &agents["changes"][0];
    assert_eq!((&agents["total"], &row["by"]), (&json!(1), &json!("Zed")));
    assert_eq!(
        (&row["changeId"], &row["ref"]),
        (&changed.body["changeId"], &json!(task.handle()))
    );
    assert_eq!(
        read(&bench, "hub_list_agent_changes", json!({})).await,
        agents
    );
    let all = read(&bench, "hub_list_activity", json!({})).await;
    let mut seen = 0;
    let mut asked = json!({ "limit": 3 });
    loop {
        let part = read(&bench, "hub_list_activity", asked.clone()).await;
        seen += part["changes"].as_array().unwrap().len();
        if part["hasMore"] == false {
            break;
        }
        asked["before"] = part["nextBefore"].clone();
    }
    assert_eq!(json!(seen), all["total"]);
    bench
        .wrong("hub_list_activity", &json!({ "by": "nobody" }), "by")
        .await;
    bench
        .wrong("hub_list_agent_changes", &json!({ "limit": 0 }), "limit")
        .await;
}

#[tokio::test]
async fn the_runs_are_the_imports() {
    let bench = Bench::new().await;
    let none = read(&bench, "hub_list_runs", json!({})).await;
    assert_eq!(none["runs"], json!([]));
    assert!(none["notes"][0].as_str().unwrap().contains("no agents"));
    let mut change = bench
        .rig
        .store()
        .change(ensemble_hub_server::store::Actor::person("You"))
        .await
        .unwrap();
    let new =
        ensemble_hub_server::store::NewRecord::new(bench.rig.home.as_str(), Kind::Event, "Sync");
    change.create("import.ics", new).await.unwrap();
    change.commit().await.unwrap();
    let run = read(&bench, "hub_get_run", json!({ "run": "import.ics" })).await;
    assert_eq!(
        (&run["run"]["records"], &run["run"]["kinds"]),
        (&json!(1), &json!([{ "kind": "event", "records": 1 }]))
    );
    let import = read(&bench, "hub_read_import", json!({ "source": "ics" })).await;
    assert_eq!(import["imports"][0], run["run"]);
    assert_eq!(
        read(&bench, "hub_read_import", json!({ "source": "csv" })).await["total"],
        0
    );
    let week = read(&bench, "hub_weekly_recap", json!({})).await;
    assert_eq!(week["imported"], json!([{ "kind": "event", "count": 1 }]));
    assert_eq!(
        bench
            .act("hub_get_run", &json!({ "run": "import.x" }))
            .await
            .status,
        404
    );
    bench.wrong("hub_get_run", &json!({}), "run").await;
    bench
        .wrong("hub_read_import", &json!({ "source": "x" }), "source")
        .await;
}

#[tokio::test]
async fn sessions_are_keys_that_were_used_without_their_secrets() {
    let bench = Bench::new().await;
    let (_, unused) = bench.rig.key("never", false).await;
    let keys = bench.rig.store().keys().await.unwrap();
    let reader = keys.iter().find(|key| key.name == "reader").unwrap();
    bench.rig.store().note_key_use(reader).await.unwrap();
    let answer = read(&bench, "hub_list_agent_sessions", json!({})).await;
    let names: Vec<&Value> = answer["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["reader"]);
    let text = answer.to_string();
    assert!(
        !text.contains("ens_") && !text.contains(&unused) && !text.contains("hash"),
        "{text}"
    );
    let options = read(&bench, "hub_list_agent_options", json!({})).await;
    assert_eq!(
        (
            &options["agents"],
            options["grants"].as_array().unwrap().len()
        ),
        (&json!([]), 3)
    );
    bench
        .wrong("hub_list_agent_sessions", &json!({ "x": 1 }), "x")
        .await;
}

#[tokio::test]
async fn code_is_read_from_folders_that_were_allowed() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    let missing = bench
        .act("hub_repo_overview", &json!({ "repository": "httpx" }))
        .await;
    assert_eq!(missing.status, 404);
    assert!(
        missing.error().contains("hub repo allow"),
        "{}",
        missing.error()
    );
    assert_eq!(
        read(&bench, "hub_list_code_folders", json!({})).await["total"],
        0
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    std::fs::write(folder.path().join("README.md"), "# Client\n").unwrap();
    bench
        .rig
        .hub
        .admin()
        .allow_checkout(None, "encode/httpx", folder.path())
        .await
        .unwrap();
    let folders = read(&bench, "hub_list_code_folders", json!({})).await;
    assert_eq!(
        (&folders["total"], &folders["repositories"][0]["fullName"]),
        (&json!(1), &json!("encode/httpx"))
    );
    assert!(
        !folders
            .to_string()
            .contains(folder.path().to_str().unwrap())
    );
    let overview = read(
        &bench,
        "hub_repo_overview",
        json!({ "repository": "encode/httpx" }),
    )
    .await;
    assert_eq!(overview["tree"], json!(["README.md"]));
    let file = json!({ "repository": "encode/httpx", "path": "README.md" });
    assert!(
        read(&bench, "hub_repo_read_file", file)
            .await
            .to_string()
            .contains("# Client")
    );
    let out = json!({ "repository": "encode/httpx", "path": "../x" });
    bench.wrong("hub_repo_read_file", &out, "").await;
}

#[tokio::test]
async fn settings_layouts_and_connections_say_what_there_is() {
    let bench = Bench::new().await;
    let all = read(&bench, "hub_get_settings", json!({})).await;
    assert_eq!(all["settings"][0]["value"], "UTC");
    let found = read(&bench, "hub_find_setting", json!({ "query": "time zone" })).await;
    assert_eq!(
        (&found["total"], &found["settings"][0]["name"]),
        (&json!(1), &json!("timeZone"))
    );
    bench
        .wrong("hub_find_setting", &json!({ "query": "" }), "query")
        .await;
    let models = read(&bench, "hub_list_model_choices", json!({})).await;
    assert!(models["notes"][0].as_str().unwrap().contains("no model"));
    let layout = read(&bench, "hub_read_layout", json!({ "screen": "board" })).await;
    assert_eq!(layout["layouts"][0]["columns"].as_array().unwrap().len(), 7);
    let today = read(&bench, "hub_read_surface", json!({ "surface": "today" })).await;
    let sections = &read(&bench, "hub_read_layout", json!({ "screen": "today" })).await["layouts"]
        [0]["sections"];
    for section in sections.as_array().unwrap() {
        assert!(today.get(section.as_str().unwrap()).is_some(), "{section}");
    }
    bench
        .wrong("hub_read_layout", &json!({ "screen": "moon" }), "screen")
        .await;
    let none = read(&bench, "hub_list_connections", json!({})).await;
    assert_eq!(
        (
            &none["connections"],
            none["notes"].as_array().unwrap().len()
        ),
        (&json!([]), 1)
    );
    let task = bench.rig.furnish().await.task;
    let of = read(
        &bench,
        "hub_list_app_relationships",
        json!({ "record": task.handle() }),
    )
    .await;
    assert_eq!(
        (&of["relationships"], &of["record"]["id"]),
        (&json!([]), &json!(task.id))
    );
    bench
        .wrong("hub_list_app_relationships", &json!({ "app": "x" }), "app")
        .await;
}
