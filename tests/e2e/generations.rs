//! Every tool and every resource through rmcp's own client, in every version of the protocol, with the demo workspace's
//! own records in the answers.

use ensemble_test_harness::Grants;
use rmcp::model::{ProtocolVersion, RequestMetaObject};
use serde_json::{Value, json};

use crate::support::{
    Editor, RESOURCES, TEMPLATES, World, all_tools, answer, ask, end, names, refusal, text,
};

#[tokio::test]
async fn version_2024_11_05() {
    everything(ProtocolVersion::V_2024_11_05).await;
}

#[tokio::test]
async fn version_2025_03_26() {
    everything(ProtocolVersion::V_2025_03_26).await;
}

#[tokio::test]
async fn version_2025_06_18() {
    everything(ProtocolVersion::V_2025_06_18).await;
}

#[tokio::test]
async fn version_2025_11_25() {
    everything(ProtocolVersion::V_2025_11_25).await;
}

#[tokio::test]
async fn version_2026_07_28() {
    everything(ProtocolVersion::V_2026_07_28).await;
}

async fn everything(version: ProtocolVersion) {
    let world = World::new(Grants::CHANGES).await;
    let editor = Editor::start(world.command(), version.clone()).await;
    let info = editor.client.peer_info().unwrap();
    assert_eq!(info.server_info.as_ref().unwrap().name, "ensemble");
    assert!(
        info.instructions
            .as_ref()
            .unwrap()
            .contains("ensemble_brief")
    );
    let tools = editor.client.list_all_tools().await.unwrap();
    let listed: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(listed, all_tools());
    for tool in &tools {
        let title = tool.title.as_deref().unwrap_or_default();
        assert!(!title.is_empty(), "{} has no title", tool.name);
        assert!(tool.annotations.is_some(), "{}", tool.name);
    }
    let task = reads(&editor).await;
    lists(&editor).await;
    records(&editor, &task).await;
    code(&world, &editor).await;
    resources(&editor, &task).await;
    changes(&editor).await;
    crate::acts::said_in_words(&editor).await;
    assert_eq!(editor.called(), all_tools(), "a tool is not called here");
    if version == ProtocolVersion::V_2026_07_28 {
        stateless(&editor).await;
    }
    editor.leave().await;
    world.hub.stop().await;
}

/// The brief, the search and the record that they lead to; gives that record's id.
async fn reads(editor: &Editor) -> String {
    let place = json!({"repo": "encode/httpx", "branch": "docs/default-timeout"});
    let result = editor.call("ensemble_brief", place.clone()).await;
    let brief = ask(editor, "ensemble_brief", place).await;
    assert_eq!(brief["resolution"], "task");
    let task = &brief["resolved"]["task"];
    assert_eq!(task["title"], "Document the default timeout");
    assert_eq!(task["via"], "branch");
    let handle = task["ref"].as_str().unwrap();
    let id = handle.strip_prefix("ensemble://task/").unwrap();
    assert_eq!(brief["contextRef"], handle);
    for part in [
        "Asked by Sofía Núñez (Product lead",
        "> Could you write down what the default timeout is",
        "Agree on the default timeout values",
        "latency-readout.md",
        "Timeout chapter of the guide",
        handle,
    ] {
        assert!(text(&result).contains(part), "{part}: {}", text(&result));
        let packet = brief["workContext"].as_str().unwrap();
        assert!(packet.contains(part) && packet.chars().count() <= 7_000);
    }
    assert_eq!(
        names(&brief["howIWork"], "skill"),
        ["Write documentation for client libraries"]
    );

    let found = ask(
        editor,
        "ensemble_search",
        json!({"query": "default timeout"}),
    )
    .await;
    let hits = names(&found["results"], "label");
    assert_eq!(hits[0], "Document the default timeout", "{hits:?}");
    assert_eq!(found["results"][0]["ref"], handle);
    let only = json!({"query": "timeout", "kinds": ["person", "document"], "limit": 3});
    let found = ask(editor, "ensemble_search", only).await;
    let kinds = names(&found["results"], "kind");
    assert!(kinds.iter().all(|kind| *kind == "document"), "{found}");
    assert_eq!(found["results"][0]["label"], "Timeout survey of partners");
    let none = ask(editor, "ensemble_search", json!({"query": "zzzqqq"})).await;
    assert_eq!(
        (&none["empty"], &none["results"]),
        (&json!(true), &json!([]))
    );
    assert!(none["message"].as_str().unwrap().contains("zzzqqq"));

    let read = ask(editor, "ensemble_read", json!({"id": handle})).await;
    assert_eq!(read["title"], "Document the default timeout");
    let body = read["body"]["text"].as_str().unwrap();
    assert!(body.starts_with("Users do not know"), "{body}");
    assert_eq!(
        names(&read["meeting"], "title"),
        ["Client reliability weekly"]
    );
    id.to_owned()
}

/// The tools that list.
async fn lists(editor: &Editor) {
    let tasks = ask(editor, "ensemble_tasks", json!({})).await;
    assert_eq!(tasks["total"], 12, "all but the dropped one");
    assert_eq!(tasks["tasks"][0]["title"], "Document the default timeout");
    let blocked = ask(editor, "ensemble_tasks", json!({"status": "blocked"})).await;
    assert_eq!(
        names(&blocked["tasks"], "title"),
        ["Rotate the staging certificates"]
    );
    let first = ask(editor, "ensemble_tasks", json!({"limit": 5})).await;
    let rest = json!({"limit": 50, "offset": first["nextOffset"]});
    let rest = ask(editor, "ensemble_tasks", rest).await;
    let parts = [names(&first["tasks"], "id"), names(&rest["tasks"], "id")].concat();
    assert_eq!(parts, names(&tasks["tasks"], "id"));

    let today = ask(editor, "ensemble_today", json!({})).await;
    assert_eq!(
        names(&today["review"], "title"),
        ["Agree on the default timeout values"]
    );
    assert!(names(&today["focus"], "title").contains(&"POL-358: keep audit logs for 400 days"));
    assert_eq!(today["waitingOn"].as_array().unwrap().len(), 2);
    assert_eq!(today["needsMe"]["pendingApprovals"], 1);
    assert_eq!(today["needsMe"]["pendingEditorDecisions"], 1);

    let decisions = ask(editor, "ensemble_decisions", json!({})).await;
    let waiting = &decisions["needsMe"];
    assert_eq!(
        names(&waiting["editorDecisions"], "title"),
        ["May the editor run the release script?"]
    );
    assert_eq!(
        names(&waiting["approvals"], "title"),
        ["Post the weekly update to the partner channel"]
    );

    let gaps = ask(editor, "ensemble_gaps", json!({})).await;
    let asked = names(&gaps["gaps"], "requested");
    assert!(asked.contains(&"search by meaning") && asked.contains(&"older skill bodies"));
    let spaces = ask(editor, "ensemble_spaces", json!({})).await;
    assert_eq!(
        names(&spaces["spaces"], "name"),
        ["Personal", "Side projects"]
    );
    let docs = ask(editor, "ensemble_docs", json!({"query": "make a key"})).await;
    assert_eq!(docs["found"], true);
    assert_eq!(docs["results"][0]["heading"], "Make a key");
    let miss = ask(editor, "ensemble_docs", json!({"query": "zzzqqq"})).await;
    assert_eq!(miss["found"], false);
    assert_eq!(miss["docsHome"], "https://docs.ensemblework.com");
}

/// The lists of the other records, one file, and what a record links to.
async fn records(editor: &Editor, task: &str) {
    for (list, field, first) in [
        ("projects", "name", "HTTP client reliability"),
        ("repos", "fullName", "encode/httpx"),
        ("diagrams", "title", "Where a request can wait"),
        ("plots", "title", "Slowest requests by timeout"),
        ("skills", "name", "Review a network change"),
        ("deliverables", "title", "Timeout chapter of the guide"),
        ("people", "name", "Dev Okafor"),
        ("files", "name", "latency-readout.md"),
    ] {
        let listed = ask(editor, &format!("ensemble_{list}"), json!({})).await;
        let card = &listed[list][0];
        assert_eq!(card[field], first, "{card}");
        assert!(card["ref"].as_str().unwrap().starts_with("ensemble://"));
    }
    // which one comes first depends on the hour
    let meetings = ask(editor, "ensemble_meetings", json!({})).await;
    let titles = names(&meetings["meetings"], "title");
    assert!(titles.contains(&"Client reliability weekly"), "{titles:?}");
    let item = json!({"item": format!("ensemble://task/{task}")});
    let around = ask(editor, "ensemble_context", item).await;
    assert_eq!(around["item"]["title"], "Document the default timeout");
    assert!(
        around["relations"]
            .to_string()
            .contains("Agree on the default timeout values")
    );
    let files = ask(editor, "ensemble_files", json!({"query": "latency"})).await;
    let id = json!({"id": files["files"][0]["ref"]});
    let file = editor.call("ensemble_get_file", id).await;
    assert_eq!(answer(&file)["name"], "latency-readout.md");
    let whole = file["content"][1]["text"].as_str().unwrap();
    assert!(whole.starts_with("# Latency readout"), "{whole}");
}

/// The files of a repository, from the moment at which the person allows them.
async fn code(world: &World, editor: &Editor) {
    let repos = ask(editor, "ensemble_repos", json!({})).await;
    let repo = &repos["repos"][0]["ref"];
    let refused = editor
        .call("ensemble_repo_overview", json!({"repo": repo}))
        .await;
    assert!(refusal(&refused).contains("ensemble hub repo allow"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join(".git")).unwrap();
    std::fs::write(folder.path().join("README.md"), "# Tíme\n").unwrap();
    std::fs::write(folder.path().join(".env"), "A=1").unwrap();
    let admin = world.hub.hub().admin();
    let allowed = admin.allow_checkout(None, "encode/httpx", folder.path());
    allowed.await.unwrap();
    let outline = ask(editor, "ensemble_repo_overview", json!({"repo": repo})).await;
    assert_eq!(outline["tree"], json!(["README.md"]));
    let file = |path: &str| json!({"repo": repo, "path": path});
    let readme = ask(editor, "ensemble_repo_file", file("README.md")).await;
    assert_eq!(readme["text"]["text"], "# Tíme\n");
    let secret = editor.call("ensemble_repo_file", file(".env")).await;
    assert!(refusal(&secret).contains("never shown"));
}

/// Every resource and template answers what the tool of the same name does.
async fn resources(editor: &Editor, task: &str) {
    let listed = editor.client.list_all_resources().await.unwrap();
    let uris: Vec<&str> = listed.iter().map(|r| r.uri.as_str()).collect();
    assert_eq!(uris, RESOURCES);
    for uri in RESOURCES {
        let name = uri.strip_prefix("ensemble://").unwrap();
        let mut read = editor.read(uri).await;
        let mut called = ask(editor, &format!("ensemble_{name}"), json!({})).await;
        // the days that are looked at begin with each question
        for answer in [&mut read, &mut called] {
            answer.as_object_mut().unwrap().remove("window");
        }
        assert_eq!(read, called, "{name}");
    }
    let listed = editor.client.list_all_resource_templates().await.unwrap();
    let uris: Vec<&str> = listed.iter().map(|t| t.uri_template.as_str()).collect();
    assert_eq!(uris, TEMPLATES);
    for list in ["projects", "repos", "skills", "people"] {
        let listed = ask(editor, &format!("ensemble_{list}"), json!({})).await;
        let id = listed[list][0]["id"].as_str().unwrap();
        let read = editor.read(&format!("ensemble://{list}/{id}")).await;
        assert!(read.to_string().contains(id), "{list}: {read}");
    }
    let read = editor.read(&format!("ensemble://items/task/{task}")).await;
    assert_eq!(read["title"], "Document the default timeout");
    let read = editor.read(&format!("ensemble://tasks/{task}")).await;
    assert_eq!(read["task"]["title"], "Document the default timeout");
    for (uri, sentence) in [
        ("ensemble://nothing", "Unknown resource"),
        ("ensemble://tasks/none", "There is no task with that id"),
        (
            "ensemble://items/task/none",
            "There is no task with that id",
        ),
    ] {
        let read = rmcp::model::ReadResourceRequestParams::new(uri);
        let error = editor.client.read_resource(read).await.unwrap_err();
        assert!(error.to_string().contains(sentence), "{uri}: {error}");
    }
}

async fn changes(editor: &Editor) {
    let title = "日本語 🚀 é: a task from the editor";
    let asked = json!({"title": title, "page": "# One\n\nمرحبا", "projectName": "HTTP client reliability", "people": ["Dev Okafor"], "due": "2031-02-28", "status": "todo"});
    let made = ask(editor, "ensemble_create_task", asked).await;
    let handle = made["task"]["ref"].clone();
    assert_eq!(made["task"]["title"], title);
    assert_eq!(made["task"]["due"], "2031-02-28");
    let moved = json!({"id": handle, "status": "in_progress", "note": "Begun."});
    let moved = ask(editor, "ensemble_update_task", moved).await;
    assert_eq!(moved["task"]["status"], "in_progress");
    let read = ask(editor, "ensemble_read", json!({"id": handle})).await;
    let body = read["body"]["text"].as_str().unwrap();
    assert!(
        body.contains("مرحبا") && body.contains("> Begun."),
        "{body}"
    );
    assert_eq!(names(&read["people"], "name"), ["Dev Okafor"]);
}

/// What only the newer generation has: it is discovered, and every answer says that it is whole.
async fn stateless(editor: &Editor) {
    let found = editor.client.discover(RequestMetaObject::new()).await;
    let found = serde_json::to_value(found.unwrap()).unwrap();
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2024-11-05")));
    let called = editor.call("ensemble_spaces", json!({})).await;
    assert_eq!(called["resultType"], "complete");
    assert_eq!(
        called["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "ensemble"
    );
}

#[tokio::test]
async fn every_kind_of_record_can_be_found_and_read() {
    let world = World::new(Grants::READ).await;
    let mut bridge = world.bridge().await;
    let decisions = bridge.call("ensemble_decisions", json!({})).await;
    let waiting = &answer(&decisions)["needsMe"];
    let mut handles = vec![
        ("approval", waiting["approvals"][0]["ref"].clone()),
        ("decision", waiting["editorDecisions"][0]["ref"].clone()),
    ];
    for (kind, words) in [
        ("task", "retry helper"),
        ("project", "reliability"),
        ("repo", "httpx"),
        ("skill", "documentation"),
        ("deliverable", "chapter"),
        ("person", "Sofía"),
        ("artifact", "surprises"),
        ("document", "survey"),
        ("meeting", "kickoff"),
        ("diagram", "request"),
        ("plot", "slowest"),
        ("page", "サンドボックス"),
        ("page", "الاجتماع"),
        ("page", "cafe zurich"),
    ] {
        let asked = json!({"query": words, "kinds": [kind]});
        let found = bridge.call("ensemble_search", asked).await;
        let hit = &answer(&found)["results"][0];
        assert_eq!(hit["kind"], kind, "{words}: {found}");
        handles.push((kind, hit["ref"].clone()));
    }
    for (kind, handle) in handles {
        let id = handle.as_str().unwrap().rsplit('/').next().unwrap();
        let by_handle = bridge.call("ensemble_read", json!({"id": handle})).await;
        let by_id = json!({"kind": kind, "id": id});
        let by_id = bridge.call("ensemble_read", by_id).await;
        assert_eq!(answer(&by_handle), answer(&by_id), "{kind}");
        let uri = json!({"uri": format!("ensemble://items/{kind}/{id}")});
        let read = bridge.request("resources/read", uri).await;
        let read = read["result"]["contents"][0]["text"].as_str().unwrap();
        let read: Value = serde_json::from_str(read).unwrap();
        assert_eq!(&read, answer(&by_id), "{kind}");
    }
    let notes = json!({"query": "kickoff", "kinds": ["meeting"]});
    let notes = bridge.call("ensemble_search", notes).await;
    let id = answer(&notes)["results"][0]["id"].clone();
    let notes = json!({"kind": "meeting_note", "id": id});
    let notes = bridge.call("ensemble_read", notes).await;
    let body = answer(&notes)["body"]["text"].as_str().unwrap();
    assert!(body.contains("Noor: Partners ask"), "{body}");
    let wrong = json!({"kind": "page", "id": id});
    let wrong = bridge.call("ensemble_read", wrong).await;
    assert!(refusal(&wrong).contains("not a page"), "{wrong}");
    end(bridge).await;
    world.hub.stop().await;
}
