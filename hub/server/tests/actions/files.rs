//! The actions on files: pages of their text, pages as files, files from links.

use axum::Router;
use axum::http::header;
use axum::response::Redirect;
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_hub_api::Kind;
use ensemble_hub_server::CreateKey;
use serde_json::{Value, json};

use crate::bench::Bench;

async fn uploaded(bench: &Bench, name: &str, text: &str) -> String {
    let body = json!({ "filename": name, "dataBase64": STANDARD.encode(text) });
    let path = "/api/bridge/write/files";
    let answer = bench.rig.write("POST", &bench.key, path, &body).await;
    assert_eq!(answer.status, 201, "{:?}", answer.body);
    answer.body["file"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn files_are_listed_and_say_what_can_be_done_with_them() {
    let bench = Bench::new().await;
    let id = uploaded(&bench, "notes.md", "walrus").await;
    let list = bench
        .act_with(
            &bench.reader,
            "hub_list_files",
            &json!({ "query": "walrus" }),
        )
        .await;
    assert_eq!(Bench::ok(&list)["files"][0]["id"], json!(id));
    let info = bench
        .act("hub_file_edit_info", &json!({ "file": "notes.md" }))
        .await;
    let can = json!({ "replaceOriginal": false, "delete": false, "toPage": true, "textCharacters": 6, "pagesNeeded": 1 });
    assert_eq!(Bench::ok(&info)["can"], can);
    bench
        .wrong("hub_list_files", &json!({ "on": "nothing" }), "handle")
        .await;
    bench
        .wrong("hub_file_edit_info", &json!({}), "hub_file_edit_info")
        .await;
}

#[tokio::test]
async fn a_page_is_made_of_a_files_text_and_keeps_saying_who_wrote_it() {
    let bench = Bench::new().await;
    bench.rig.furnish().await;
    uploaded(&bench, "notes.md", "# Hi\n\nwalrus").await;
    let asked = json!({ "file": "notes.md", "title": "Notes", "project": "HTTP client" });
    let result = bench.change("hub_file_to_page", &asked).await;
    let page = &result["page"];
    assert_eq!(
        (&page["title"], &page["trust"]),
        (&json!("Notes"), &json!("untrusted"))
    );
    let record = bench
        .rig
        .store()
        .record(&bench.rig.home, page["id"].as_str().unwrap())
        .await;
    assert_eq!(record.unwrap().unwrap().body, "# Hi\n\nwalrus");

    uploaded(&bench, "long.txt", &"é".repeat(100_001)).await;
    let long = json!({ "file": "long.txt" });
    bench.wrong("hub_file_to_page", &long, "100,000").await;
    let behind = json!({ "file": "long.txt", "offset": 100_001 });
    bench
        .wrong("hub_file_to_page", &behind, "behind the end")
        .await;
    let first = json!({ "file": "long.txt", "offset": 0 });
    let first = bench.change("hub_file_to_page", &first).await;
    assert_eq!(first["nextOffset"], 100_000);
    let last = json!({ "file": "long.txt", "offset": 100_000 });
    let last = bench.change("hub_file_to_page", &last).await;
    assert!(last.get("nextOffset").is_none());

    uploaded(&bench, "a.bin", "x").await;
    let none = bench
        .act("hub_file_to_page", &json!({ "file": "a.bin" }))
        .await;
    assert_eq!(none.status, 409, "{:?}", none.body);
}

#[tokio::test]
async fn a_page_is_saved_as_a_new_file_and_never_over_an_old_one() {
    let bench = Bench::new().await;
    let body = "# One\n\n<script>x</script> **two**";
    let page = bench
        .rig
        .add(Kind::Page, "Plan: a/b", json!({ "body": body }))
        .await;
    for (format, name, kind) in [
        ("md", "Plan- a-b.md", "Markdown"),
        ("html", "Plan- a-b.html", "HTML"),
        ("txt", "Plan- a-b.txt", "Text"),
    ] {
        let asked = json!({ "page": page.id, "format": format });
        let result = bench.change("hub_export_page_file", &asked).await;
        assert_eq!(
            (&result["file"]["name"], &result["file"]["format"]),
            (&json!(name), &json!(kind))
        );
        let list = format!("/api/bridge/files?on={}&limit=1", page.handle());
        let list = bench.rig.get(&bench.reader, &list).await;
        assert_eq!(list.body["files"][0]["id"], result["file"]["id"]);
    }
    let before = bench.picture().await;
    let replace = json!({ "page": page.id, "format": "md", "replaceFileId": "x" });
    let refused = bench.act("hub_export_page_file", &replace).await;
    assert_eq!(refused.status, 403);
    assert!(
        refused.error().contains("is not replaced"),
        "{}",
        refused.error()
    );
    assert_eq!(bench.picture().await, before);
    let bad = json!({ "page": page.id, "format": "pdf" });
    bench.wrong("hub_export_page_file", &bad, "format").await;
    let bad = json!({ "page": page.id, "format": "md", "filename": "../x" });
    bench.wrong("hub_export_page_file", &bad, "no path").await;
}

/// A server of files on this computer; its address.
async fn server() -> String {
    let type_of = |media: &'static str| [(header::CONTENT_TYPE, media)];
    let big = || async { vec![0_u8; 26_214_401] };
    let app = Router::new()
        .route(
            "/notes.md",
            get(move || async move { (type_of("text/markdown"), "walrus") }),
        )
        .route(
            "/page",
            get(move || async move { (type_of("text/html; charset=utf-8"), "<p>Hi") }),
        )
        .route("/big.bin", get(big))
        .route("/once", get(|| async { Redirect::temporary("/notes.md") }))
        .route("/round", get(|| async { Redirect::temporary("/round") }))
        .route(
            "/away",
            get(|| async { Redirect::temporary("file:///etc/passwd") }),
        )
        .route(
            "/cloud",
            get(|| async { Redirect::temporary("http://169.254.169.254/latest") }),
        );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

#[tokio::test]
async fn the_file_behind_a_link_is_saved_once_the_person_lets_private_links_be() {
    let bench = Bench::new().await;
    let task = bench.rig.furnish().await.task;
    let base = server().await;
    let asked = json!({ "url": format!("{base}/once?sig=secret"), "attachTo": task.handle(), "summary": "Notes." });
    let before = bench.picture().await;
    let refused = bench.act("hub_save_file", &asked).await;
    assert_eq!(refused.status, 403, "{:?}", refused.body);
    assert!(
        refused.error().contains("private network"),
        "{}",
        refused.error()
    );
    assert_eq!(bench.picture().await, before);

    let owner = bench.rig.store().owner().await.unwrap().unwrap();
    let set = bench
        .rig
        .store()
        .set_setting(&owner.id, "savePrivateLinks", "true");
    set.await.unwrap();
    let result = bench.change("hub_save_file", &asked).await;
    let file = &result["file"];
    assert_eq!(
        (&file["name"], &file["size"], &file["trust"]),
        (&json!("notes.md"), &json!(6), &json!("untrusted"))
    );
    let record = bench
        .rig
        .store()
        .record(&bench.rig.home, file["id"].as_str().unwrap())
        .await;
    let record = record.unwrap().unwrap();
    assert_eq!(
        record.text("sourceUrl"),
        Some(format!("{base}/notes.md").as_str())
    );
    let page = bench
        .change("hub_save_file", &json!({ "url": format!("{base}/page") }))
        .await;
    assert_eq!(page["file"]["name"], "page.html");
}

#[tokio::test]
async fn a_link_that_leads_to_no_file_is_refused_and_nothing_is_saved() {
    let bench = Bench::new().await;
    let owner = bench.rig.store().owner().await.unwrap().unwrap();
    let set = bench
        .rig
        .store()
        .set_setting(&owner.id, "savePrivateLinks", "true");
    set.await.unwrap();
    let base = server().await;
    let of = |path: &str| json!({ "url": format!("{base}{path}") });
    bench.wrong("hub_save_file", &of("/none.md"), "404").await;
    bench
        .wrong("hub_save_file", &of("/round"), "redirected too often")
        .await;
    bench
        .wrong("hub_save_file", &of("/away"), "must not lead")
        .await;
    for url in [
        "ftp://a.test/x",
        "http://u:p@127.0.0.1/",
        "nothing",
        "file:///etc/passwd",
    ] {
        bench
            .wrong(
                "hub_save_file",
                &json!({ "url": url }),
                "http or https link",
            )
            .await;
    }
    let named = json!({ "url": format!("{base}/notes.md"), "filename": "CON.md" });
    bench.wrong("hub_save_file", &named, "device").await;
    let before = bench.picture().await;
    assert_eq!(bench.act("hub_save_file", &of("/cloud")).await.status, 403);
    assert_eq!(
        bench.act("hub_save_file", &of("/big.bin")).await.status,
        413
    );
    assert_eq!(bench.picture().await, before);
    let left = std::fs::read_dir(bench.rig.folder.path().join("originals"));
    assert_eq!(left.into_iter().flatten().count(), 0);
}

#[tokio::test]
async fn what_needs_an_app_says_which_one_and_does_nothing() {
    let bench = Bench::new().await;
    let asked = CreateKey {
        name: "apps".to_owned(),
        changes: true,
        apps: true,
        ..CreateKey::default()
    };
    let key = bench.rig.hub.admin().create_key(asked).await.unwrap();
    let key = key.value.expose();
    let before = bench.picture().await;
    let cases: [(&str, Value, &str); 7] = [
        (
            "hub_save_app_item_as_page",
            json!({ "app": "Notion", "item": "x" }),
            "“Notion”",
        ),
        (
            "hub_import_app_file",
            json!({ "app": "Slack", "file": "x" }),
            "“Slack”",
        ),
        (
            "hub_preview_board_import",
            json!({ "app": "Jira", "board": "x" }),
            "“Jira”",
        ),
        (
            "hub_start_board_import",
            json!({ "app": "Jira", "board": "x" }),
            "“Jira”",
        ),
        (
            "hub_manage_import",
            json!({ "operation": "undo", "import": "x" }),
            "the app of the board",
        ),
        (
            "hub_manage_app_relationship",
            json!({ "operation": "add", "app": "Jira", "record": "x", "item": "y" }),
            "“Jira”",
        ),
        ("hub_fetch_now", json!({ "app": "Zotero" }), "“Zotero”"),
    ];
    for (action, input, words) in cases {
        let refused = bench.act_with(key, action, &input).await;
        assert_eq!(refused.status, 409, "{action}: {:?}", refused.body);
        assert!(
            refused.error().contains(words),
            "{action}: {}",
            refused.error()
        );
        let without = bench.act(action, &input).await;
        assert_eq!(without.status, 403, "{action}");
        assert!(
            without.error().contains("--apps"),
            "{action}: {}",
            without.error()
        );
        let wrong = bench.act_with(key, action, &json!({ "x": 1 })).await;
        assert_eq!(wrong.status, 400, "{action}");
        assert_eq!(wrong.body["inputSchema"]["type"], "object", "{action}");
    }
    assert_eq!(bench.picture().await, before);
}
