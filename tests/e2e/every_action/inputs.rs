//! A valid input for every action, on the records of the demo.

use std::collections::BTreeMap;

use ensemble_hub_api::Kind;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::{Stage, reads};

/// What a valid input comes to.
pub(super) enum Input {
    /// It is done.
    Runs(Value),
    /// It is refused, because no app is connected.
    NeedsApp(Value),
}

/// A server whose every answer is one small text file.
pub(super) async fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = [0; 4096];
            let _read = stream.read(&mut asked).await;
            let reply = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsaved\n";
            let _written = stream.write_all(reply.as_bytes()).await;
        }
    });
    format!("http://{address}/saved.txt")
}

pub(super) async fn all(stage: &Stage) -> BTreeMap<&'static str, Input> {
    let mut rows = BTreeMap::new();
    for (name, input) in [
        reads::reads(),
        work(),
        texts(),
        own(),
        needing_handles(stage).await,
    ]
    .into_iter()
    .flatten()
    {
        assert!(
            rows.insert(name, Input::Runs(input)).is_none(),
            "{name} twice"
        );
    }
    for (name, input) in apps(stage).await {
        assert!(
            rows.insert(name, Input::NeedsApp(input)).is_none(),
            "{name} twice"
        );
    }
    rows
}

pub(super) type Rows = Vec<(&'static str, Value)>;

/// Tasks, projects, people, meetings, boards.
#[expect(clippy::too_many_lines, reason = "one entry for each action")]
fn work() -> Rows {
    let (task, project, repo) = (
        "Document the default timeout",
        "HTTP client reliability",
        "encode/httpx",
    );
    vec![
        (
            "hub_create_tasks",
            json!({"tasks": [{"title": "One", "project": project}, {"title": "Two", "people": ["Dev Okafor"]}]}),
        ),
        (
            "hub_update_task",
            json!({"task": task, "status": "waiting_approval", "due": null}),
        ),
        ("hub_delete_task", json!({"task": task})),
        (
            "hub_delete_tasks",
            json!({"tasks": [task, "Test the retry helper against slow servers"]}),
        ),
        (
            "hub_create_board",
            json!({"name": "Launch", "columns": ["To do", "Done"]}),
        ),
        (
            "hub_update_board",
            json!({"board": "Guide chapters", "addColumns": [{"name": "Later"}]}),
        ),
        (
            "hub_move_to_board",
            json!({"board": "Guide chapters", "task": task, "column": "Published"}),
        ),
        (
            "hub_remove_from_board",
            json!({"board": "Guide chapters", "page": "Release checklist"}),
        ),
        ("hub_delete_board", json!({"board": "Guide chapters"})),
        (
            "hub_create_project",
            json!({"name": "Another project", "people": ["Dev Okafor"]}),
        ),
        (
            "hub_update_project",
            json!({"project": project, "summary": "Shorter."}),
        ),
        (
            "hub_create_deliverable",
            json!({"title": "A chapter", "project": project, "due": "2027-03-01"}),
        ),
        (
            "hub_update_deliverable",
            json!({"deliverable": "Timeout chapter of the guide", "due": null}),
        ),
        (
            "hub_complete_deliverable",
            json!({"deliverable": "Timeout chapter of the guide"}),
        ),
        (
            "hub_delete_deliverable",
            json!({"deliverable": "Timeout chapter of the guide"}),
        ),
        (
            "hub_create_person",
            json!({"name": "Ana Souza", "email": "ana@example.com"}),
        ),
        (
            "hub_update_person",
            json!({"person": "Dev Okafor", "team": "Network"}),
        ),
        ("hub_delete_person", json!({"person": "Dev Okafor"})),
        (
            "hub_link_repo",
            json!({"repository": "example-labs/client-guide", "project": project}),
        ),
        (
            "hub_unlink_repo",
            json!({"repository": repo, "project": project}),
        ),
        (
            "hub_update_repo",
            json!({"repository": repo, "description": "A client."}),
        ),
        (
            "hub_create_meeting_note",
            json!({"title": "Stand-up", "notes": "Short.", "participants": ["Dev Okafor"]}),
        ),
        (
            "hub_update_meeting_note",
            json!({"meeting": "Client reliability weekly", "notes": "Shorter.", "version": 1}),
        ),
        (
            "hub_delete_meeting_note",
            json!({"meeting": "Client reliability weekly"}),
        ),
        (
            "hub_suggest_meeting_tasks",
            json!({"meeting": "Client reliability weekly", "tasks": [
                {"title": "Keep the values", "words": "values to be agreed by Dev"},
            ]}),
        ),
        (
            "hub_delete_entity",
            json!({"kind": "project", "entity": project}),
        ),
    ]
}

/// Pages, diagrams, plots, files.
fn texts() -> Rows {
    let (page, diagram) = ("Release checklist", "What a retry does");
    let spec = json!({"mark": "bar", "encoding": {"x": {"field": "of"}, "y": {"field": "seconds", "aggregate": "mean"}}});
    vec![
        (
            "hub_create_page",
            json!({"title": "Notes", "content": "# Notes\n\nText.\n", "project": "HTTP client reliability"}),
        ),
        (
            "hub_update_page",
            json!({"page": page, "content": "Replaced.\n", "version": 1}),
        ),
        (
            "hub_edit_page",
            json!({"page": page, "edits": [{"operation": "append", "text": "One more."}]}),
        ),
        (
            "hub_move_page",
            json!({"page": page, "parent": "How a request waits, in pictures"}),
        ),
        (
            "hub_delete_page",
            json!({"page": page, "withChildren": true}),
        ),
        (
            "hub_delete_pages",
            json!({"pages": [page, "How a request waits, in pictures"], "withChildren": true}),
        ),
        (
            "hub_create_diagram",
            json!({"title": "Flow", "source": "flowchart LR\n A[Start] --> B[End]"}),
        ),
        (
            "hub_update_diagram",
            json!({"diagram": diagram, "title": "What a second try does"}),
        ),
        (
            "hub_import_dataset",
            json!({"name": "Rain", "csv": "\u{feff}\"day\";mm\r\n2026-01-01;3\r\n"}),
        ),
        (
            "hub_create_plot",
            json!({"title": "Means", "dataset": "Latency by timeout", "spec": spec}),
        ),
        (
            "hub_update_plot",
            json!({"plot": "Slowest requests by timeout", "title": "Slow requests"}),
        ),
        ("hub_file_to_page", json!({"file": "latency-readout.md"})),
        (
            "hub_export_page_file",
            json!({"page": page, "format": "html"}),
        ),
    ]
}

/// What the person keeps for themselves.
fn own() -> Rows {
    vec![
        (
            "hub_manage_skill",
            json!({"operation": "create", "name": "Write plainly", "description": "Short words.", "body": "Say what is so."}),
        ),
        (
            "hub_create_routine",
            json!({"name": "Plan", "instructions": "Plan the day.", "rule": "FREQ=DAILY", "start": "2027-01-04T09:00"}),
        ),
        (
            "hub_update_routine",
            json!({"routine": "Sum up the week", "operation": "pause"}),
        ),
        (
            "hub_create_reminder",
            json!({"title": "Call", "day": "2027-01-04"}),
        ),
        (
            "hub_update_reminder",
            json!({"reminder": "Ask Dev for the pool numbers", "title": "Ask Dev"}),
        ),
        (
            "hub_dismiss_reminder",
            json!({"reminder": "Ask Dev for the pool numbers"}),
        ),
        (
            "hub_delete_reminder",
            json!({"reminder": "Ask Dev for the pool numbers"}),
        ),
        ("hub_add_desk_item", json!({"text": "Buy tea"})),
        (
            "hub_update_desk_item",
            json!({"deskItem": "Bring the readout to the weekly", "text": "Bring it"}),
        ),
        (
            "hub_remove_desk_item",
            json!({"deskItem": "Bring the readout to the weekly"}),
        ),
    ]
}

/// Those that name a record by its handle, or what the stage made.
async fn needing_handles(stage: &Stage) -> Rows {
    let task = stage
        .handle(Kind::Task, "Document the default timeout")
        .await;
    let diagram = stage.find(Kind::Diagram, "What a retry does").await;
    let first = diagram
        .body
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap()
        .to_owned();
    vec![
        ("hub_item_context", json!({"item": task})),
        ("hub_read_context", json!({"item": task})),
        ("hub_read_record_details", json!({"record": task})),
        (
            "hub_manage_record",
            json!({"operation": "comment_add", "record": task, "text": "Seen."}),
        ),
        (
            "hub_restore_entity",
            json!({"entity": stage.trashed.handle()}),
        ),
        (
            "hub_edit_diagram",
            json!({"diagram": diagram.handle(), "oldText": first, "newText": format!("%% edited\n{first}")}),
        ),
        (
            "hub_save_file",
            json!({"url": stage.served, "attachTo": task}),
        ),
        ("hub_get_run", json!({"run": "import.csv"})),
    ]
}

async fn apps(stage: &Stage) -> Rows {
    let task = stage
        .handle(Kind::Task, "Document the default timeout")
        .await;
    vec![
        (
            "hub_save_app_item_as_page",
            json!({"app": "notion", "item": "x"}),
        ),
        (
            "hub_import_app_file",
            json!({"app": "google_drive", "file": "x"}),
        ),
        (
            "hub_preview_board_import",
            json!({"app": "jira", "board": "x"}),
        ),
        (
            "hub_start_board_import",
            json!({"app": "jira", "board": "x"}),
        ),
        (
            "hub_manage_import",
            json!({"operation": "cancel", "import": "x"}),
        ),
        (
            "hub_import_meeting_notes",
            json!({"app": "zoom", "item": "x"}),
        ),
        (
            "hub_manage_app_relationship",
            json!({"operation": "add", "app": "jira", "record": task, "item": "x"}),
        ),
        ("hub_fetch_now", json!({"app": "jira"})),
    ]
}
