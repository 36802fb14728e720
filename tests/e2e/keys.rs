//! What a key may do decides what exists, and a space's records stay in it.

use ensemble_hub_server::CreateKey;
use ensemble_test_harness::{Bridge, Grants, LATEST};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{
    CHANGING, READING, World, all_tools, answer, end, names, refusal, text, tools,
};

#[tokio::test]
async fn for_a_key_that_reads_the_changing_tools_do_not_exist() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    let listed = tools(&mut bridge).await;
    assert_eq!(listed, READING);
    let task = bridge.call("ensemble_tasks", json!({})).await;
    let before = answer(&task).clone();
    for stateless in [false, true] {
        for tool in CHANGING {
            assert!(!listed.iter().any(|name| name == tool));
            let arguments = json!({"title": "x", "id": before["tasks"][0]["id"], "status": "done"});
            let hidden = by_name(&mut bridge, stateless, tool, &arguments).await;
            let unknown =
                by_name(&mut bridge, stateless, "ensemble_no_such_tool", &arguments).await;
            let renamed = unknown.to_string().replace("ensemble_no_such_tool", tool);
            assert_eq!(hidden.to_string(), renamed);
            assert_eq!(hidden["code"], -32602, "{hidden}");
        }
    }
    let after = bridge.call("ensemble_tasks", json!({})).await;
    assert_eq!(answer(&after), &before);
    end(bridge).await;
    let listed = world.command().args(["plugin", "list", "--json"]).output();
    let listed: Value = serde_json::from_slice(&listed.await.unwrap().stdout).unwrap();
    let row = |id: &str| {
        let rows = listed.as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).unwrap()
    };
    assert_eq!(row("task-changes")["loaded"], false);
    for row in listed.as_array().unwrap() {
        assert_eq!(row["loaded"], row["grant"] == "read", "{row}");
    }
    world.hub.stop().await;
}

/// The error of a call by name.
async fn by_name(bridge: &mut Bridge, stateless: bool, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let mut answer = if stateless {
        bridge.stateless("tools/call", params).await
    } else {
        bridge.request("tools/call", params).await
    };
    answer["error"].take()
}

#[tokio::test]
async fn a_key_with_changes_creates_moves_and_notes() {
    let world = World::new(Grants::CHANGES).await;
    let mut bridge = world.bridge().await;
    let weekly = json!({"query": "reliability weekly", "kinds": ["meeting"]});
    let weekly = bridge.call("ensemble_search", weekly).await;
    let from = answer(&weekly)["results"][0]["ref"].clone();
    let asked = json!({"title": "Measure the pool", "page": "Ask Dev first.", "from": from});
    let made = bridge.call("ensemble_create_task", asked).await;
    let task = &answer(&made)["task"];
    assert_eq!(task["status"], "proposed");
    let id = task["id"].as_str().unwrap().to_owned();

    let refused = json!({"id": id, "status": "done"});
    let refused = bridge.call("ensemble_update_task", refused).await;
    assert_eq!(
        refusal(&refused),
        "A task that is proposed cannot become done: it can become todo, in_progress."
    );
    let other = json!({"id": id, "status": "todo", "note": "never", "matchTitle": "Another"});
    let other = bridge.call("ensemble_update_task", other).await;
    assert_eq!(
        refusal(&other),
        "That task is called “Measure the pool”: nothing was changed."
    );
    for (status, note) in [
        ("todo", ""),
        ("in_progress", ""),
        ("waiting_approval", "Measured:\n# 4 ms"),
        ("done", ""),
    ] {
        let step = json!({"id": format!("ensemble://task/{id}"), "status": status, "note": note, "matchTitle": "Measure the pool"});
        let moved = bridge.call("ensemble_update_task", step).await;
        assert_eq!(answer(&moved)["task"]["status"], status);
    }
    let read = json!({"kind": "task", "id": id});
    let read = bridge.call("ensemble_read", read).await;
    let read = answer(&read);
    assert_eq!(read["status"], "done");
    let body = read["body"]["text"].as_str().unwrap();
    let related = format!(
        "Related: [Client reliability weekly]({})",
        from.as_str().unwrap()
    );
    assert_eq!(
        body,
        format!(
            "Ask Dev first.\n\n{related}\n\n> [!AGENT] Update from editor\n> Measured:\n> # 4 ms"
        )
    );
    let nobody = json!({"title": "x", "people": ["Nobody At All"]});
    let nobody = bridge.call("ensemble_create_task", nobody).await;
    assert!(refusal(&nobody).contains("“Nobody At All”"), "{nobody}");
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn a_revoked_key_says_what_to_do_and_its_tools_are_gone() {
    let world = World::new(Grants::CHANGES).await;
    let mut bridge = world.bridge().await;
    assert_eq!(tools(&mut bridge).await, all_tools());
    world.hub.revoke("editor").await;
    let refused = json!({"title": "too late"});
    let refused = bridge.call("ensemble_create_task", refused).await;
    assert_eq!(
        refusal(&refused),
        "This key is not valid or was revoked: make a new one with `ensemble hub key create`."
    );
    let told = async {
        loop {
            let message = bridge.message().await;
            if message["method"] == "notifications/tools/list_changed" {
                break;
            }
        }
    };
    timeout(ensemble_test_harness::PATIENCE, told)
        .await
        .unwrap();
    assert_eq!(tools(&mut bridge).await, READING);
    let again = bridge.call(CHANGING[0], json!({"title": "x"})).await;
    assert!(refusal(&again).contains("revoked"), "{again}");
    end(bridge).await;
    world.hub.stop().await;
}

#[tokio::test]
async fn a_call_acts_in_the_space_that_it_names() {
    let world = World::new(Grants::CHANGES).await;
    let theirs = share_one(&world).await;
    let mut bridge = world.bridge().await;
    let spaces = bridge.call("ensemble_spaces", json!({})).await;
    let spaces = answer(&spaces)["spaces"].clone();
    let named = names(&spaces, "name");
    assert_eq!(named, ["Personal", "Side projects", "Greenhouse"]);
    assert_eq!(spaces[2]["usable"], false);
    let first = bridge.call("ensemble_tasks", json!({})).await;
    let first = answer(&first).clone();
    let side = ["Repair the shed's roof", "Timeout for the pump"];
    let id = spaces[1]["id"].as_str().unwrap();
    for space in [id, "Side projects", "side projects"] {
        let listed = bridge.call("ensemble_tasks", json!({"space": space})).await;
        assert_eq!(names(&answer(&listed)["tasks"], "title"), side, "{space}");
    }
    for (space, sentence) in [
        (
            "Greenhouse",
            "“Greenhouse” is shared with you, and keys act only in your own spaces: work there in Ensemble.",
        ),
        (
            &theirs,
            "“Greenhouse” is shared with you, and keys act only in your own spaces: work there in Ensemble.",
        ),
        (
            "Side project",
            "This key's account cannot open that space: ensemble_spaces lists the ones it can.",
        ),
        (
            "Elsewhere",
            "This key's account cannot open that space: ensemble_spaces lists the ones it can.",
        ),
    ] {
        for tool in ["ensemble_tasks", "ensemble_today", "ensemble_brief"] {
            let refused = bridge.call(tool, json!({"space": space})).await;
            assert_eq!(refusal(&refused), sentence, "{tool} {space}");
        }
        let refused = json!({"title": "x", "space": space});
        let refused = bridge.call("ensemble_create_task", refused).await;
        assert_eq!(refusal(&refused), sentence);
    }
    mixes_nothing(&mut bridge, &first, id).await;
    end(bridge).await;
    world.hub.stop().await;
}

/// A space of another account, shared with the key's; gives its id.
async fn share_one(world: &World) -> String {
    let store = world.hub.hub().store();
    let owner = store.owner().await.unwrap().unwrap();
    let (_, space) = store.create_account("Ines", "Greenhouse").await.unwrap();
    store
        .share_space(&space.id, &owner.id, "member")
        .await
        .unwrap();
    space.id
}

/// Nothing of one space is found, read, changed or linked from the other.
async fn mixes_nothing(bridge: &mut Bridge, first: &Value, side: &str) {
    let here = &first["tasks"][0];
    let made = json!({"title": "Canary in the shed", "space": side});
    let made = bridge.call("ensemble_create_task", made).await;
    let there = answer(&made)["task"].clone();
    let tasks = bridge.call("ensemble_tasks", json!({})).await;
    assert_eq!(answer(&tasks), first);
    for (words, space, foreign) in [
        ("canary shed roof", None, "shed"),
        ("httpx retry", Some(side), "retry"),
    ] {
        let found = json!({"query": words, "space": space});
        let found = bridge.call("ensemble_search", found).await;
        let hits = names(&answer(&found)["results"], "label");
        let leaks = |hit: &&str| hit.to_lowercase().contains(foreign);
        assert!(!hits.iter().any(leaks), "{hits:?}");
    }
    for (handle, space) in [(&there["ref"], None), (&here["ref"], Some(side))] {
        for tool in ["ensemble_read", "ensemble_update_task"] {
            let asked = json!({"id": handle, "note": "x", "space": space});
            let mut asked = asked.as_object().unwrap().clone();
            if tool == "ensemble_read" {
                asked.remove("note");
            }
            let refused = bridge.call(tool, asked.into()).await;
            assert_eq!(
                refusal(&refused),
                "There is no task with that id in this space.",
                "{tool}"
            );
        }
        let refused = json!({"task": handle, "space": space});
        let refused = bridge.call("ensemble_brief", refused).await;
        assert!(refusal(&refused).contains("There is no task"), "{refused}");
    }
    let linked = json!({"title": "x", "from": here["ref"], "space": side});
    let linked = bridge.call("ensemble_create_task", linked).await;
    assert!(refusal(&linked).contains("in this space"), "{linked}");
}

#[tokio::test]
async fn a_key_of_the_other_space_starts_there() {
    let world = World::new(Grants::READ).await;
    let asked = CreateKey {
        name: "shed".to_owned(),
        space: Some("Side projects".to_owned()),
        changes: false,
        apps: false,
    };
    let key = world.hub.hub().admin().create_key(asked).await.unwrap();
    let mut command = world.command();
    command.env("ENSEMBLE_BRIDGE_TOKEN", key.value.expose());
    let mut bridge = Bridge::start(command);
    bridge.initialize(LATEST).await;
    let brief = json!({"repo": "robin/watering", "branch": "pump-timeout"});
    let brief = bridge.call("ensemble_brief", brief).await;
    assert_eq!(
        answer(&brief)["resolved"]["task"]["title"],
        "Timeout for the pump"
    );
    let foreign = json!({"repo": "encode/httpx", "branch": "docs/default-timeout"});
    let foreign = bridge.call("ensemble_brief", foreign).await;
    assert_eq!(answer(&foreign)["resolution"], "untracked_repo");
    assert!(!text(&foreign).contains("Document the default timeout"));
    let own = json!({"space": "Personal", "query": "default timeout"});
    let own = bridge.call("ensemble_tasks", own).await;
    assert_eq!(answer(&own)["total"], 2);
    let resource = json!({"uri": "ensemble://tasks"});
    let resource = bridge.request("resources/read", resource).await;
    let resource = resource["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(resource.contains("Timeout for the pump") && !resource.contains("httpx"));
    end(bridge).await;
    world.hub.stop().await;
}
