//! The actions that read, each with an input that finds something.

use serde_json::json;

use super::inputs::Rows;

/// All of them.
#[expect(clippy::too_many_lines, reason = "one entry for each action")]
pub(super) fn reads() -> Rows {
    let nothing = [
        "hub_list_agent_sessions",
        "hub_list_agent_options",
        "hub_list_boards",
        "hub_list_events",
        "hub_weekly_recap",
        "hub_list_code_folders",
        "hub_list_agent_changes",
        "hub_list_approvals",
        "hub_list_desk_items",
        "hub_list_diagrams",
        "hub_list_files",
        "hub_how_to",
        "hub_read_import",
        "hub_read_layout",
        "hub_list_meeting_notes",
        "hub_list_pages",
        "hub_list_people",
        "hub_list_repos",
        "hub_list_plots",
        "hub_list_datasets",
        "hub_list_projects",
        "hub_list_deliverables",
        "hub_list_connections",
        "hub_list_app_relationships",
        "hub_list_reminders",
        "hub_list_watchers",
        "hub_list_routines",
        "hub_list_activity",
        "hub_list_runs",
        "hub_get_settings",
        "hub_list_model_choices",
        "hub_list_skills",
        "hub_list_tasks",
        "hub_list_due",
    ];
    let mut rows: Rows = nothing.into_iter().map(|name| (name, json!({}))).collect();
    rows.extend([
        ("hub_read_board", json!({"board": "Guide chapters"})),
        ("hub_repo_overview", json!({"repository": "encode/httpx"})),
        (
            "hub_repo_read_file",
            json!({"repository": "encode/httpx", "path": "README.md"}),
        ),
        ("hub_search_work", json!({"query": "timeout"})),
        ("hub_search_context", json!({"query": "timeout"})),
        ("hub_read_surface", json!({"surface": "today"})),
        (
            "hub_get_diagram",
            json!({"diagram": "What a retry does", "svg": true}),
        ),
        (
            "hub_validate_diagram",
            json!({"source": "flowchart LR\n A --> B"}),
        ),
        (
            "hub_explain_diagram",
            json!({"diagram": "What a retry does"}),
        ),
        (
            "hub_diagram_context",
            json!({"diagram": "What a retry does"}),
        ),
        ("hub_file_edit_info", json!({"file": "latency-readout.md"})),
        (
            "hub_read_meeting_note",
            json!({"meeting": "Client reliability weekly"}),
        ),
        ("hub_read_page", json!({"page": "Release checklist"})),
        ("hub_read_page_blocks", json!({"page": "Release checklist"})),
        (
            "hub_get_plot",
            json!({"plot": "Slowest requests by timeout", "svg": true}),
        ),
        ("hub_get_dataset", json!({"dataset": "Latency by timeout"})),
        ("hub_find_setting", json!({"query": "time zone"})),
        (
            "hub_read_skill",
            json!({"skill": "Review a network change"}),
        ),
        (
            "hub_get_task",
            json!({"task": "Document the default timeout"}),
        ),
        (
            "hub_read_task_page",
            json!({"task": "Document the default timeout"}),
        ),
    ]);
    rows
}
