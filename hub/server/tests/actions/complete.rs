//! The list of actions is the one of the specification (§5.1, "The allowlist"): none missing, none more, in its groups.

use crate::bench::Bench;

/// Group, reads, changes.
const ALLOWED: [(&str, &str, &str); 24] = [
    ("guides", "hub_how_to", ""),
    (
        "tasks",
        "hub_list_tasks hub_get_task hub_read_task_page hub_list_due",
        "hub_create_tasks hub_update_task hub_delete_task hub_delete_tasks",
    ),
    (
        "pages",
        "hub_list_pages hub_read_page hub_read_page_blocks",
        "hub_create_page hub_update_page hub_edit_page hub_move_page hub_delete_page hub_delete_pages",
    ),
    (
        "boards",
        "hub_list_boards hub_read_board",
        "hub_create_board hub_update_board hub_move_to_board hub_remove_from_board hub_delete_board",
    ),
    (
        "diagrams",
        "hub_list_diagrams hub_get_diagram hub_validate_diagram hub_explain_diagram hub_diagram_context",
        "hub_create_diagram hub_update_diagram hub_edit_diagram",
    ),
    (
        "plots",
        "hub_list_plots hub_get_plot hub_list_datasets hub_get_dataset",
        "hub_import_dataset hub_create_plot hub_update_plot",
    ),
    (
        "files",
        "hub_list_files hub_file_edit_info",
        "hub_file_to_page hub_export_page_file hub_save_file hub_save_app_item_as_page hub_import_app_file",
    ),
    (
        "projects",
        "hub_list_projects hub_list_deliverables",
        "hub_create_project hub_update_project hub_create_deliverable hub_update_deliverable hub_complete_deliverable hub_delete_deliverable",
    ),
    (
        "people",
        "hub_list_people hub_list_repos",
        "hub_create_person hub_update_person hub_delete_person hub_link_repo hub_unlink_repo hub_update_repo",
    ),
    (
        "meetings",
        "hub_list_meeting_notes hub_read_meeting_note",
        "hub_create_meeting_note hub_update_meeting_note hub_delete_meeting_note hub_suggest_meeting_tasks hub_import_meeting_notes",
    ),
    ("comments", "hub_read_record_details", "hub_manage_record"),
    (
        "context",
        "hub_item_context hub_search_work hub_search_context hub_read_context hub_read_surface hub_list_approvals",
        "hub_delete_entity hub_restore_entity",
    ),
    (
        "skills",
        "hub_list_skills hub_read_skill",
        "hub_manage_skill",
    ),
    (
        "routines",
        "hub_list_routines",
        "hub_create_routine hub_update_routine",
    ),
    (
        "reminders",
        "hub_list_reminders hub_list_watchers",
        "hub_create_reminder hub_update_reminder hub_dismiss_reminder hub_delete_reminder",
    ),
    (
        "desk",
        "hub_list_desk_items",
        "hub_add_desk_item hub_update_desk_item hub_remove_desk_item",
    ),
    ("calendar", "hub_list_events hub_weekly_recap", ""),
    ("runs", "hub_list_activity hub_list_runs hub_get_run", ""),
    (
        "agents",
        "hub_list_agent_sessions hub_list_agent_options",
        "",
    ),
    (
        "code",
        "hub_repo_overview hub_repo_read_file hub_list_code_folders hub_list_agent_changes",
        "",
    ),
    (
        "settings",
        "hub_find_setting hub_get_settings hub_list_model_choices",
        "",
    ),
    ("layouts", "hub_read_layout", ""),
    (
        "imports",
        "hub_read_import hub_preview_board_import",
        "hub_start_board_import hub_manage_import",
    ),
    (
        "relationships",
        "hub_list_connections hub_list_app_relationships",
        "hub_manage_app_relationship hub_fetch_now",
    ),
];

/// Those of them that need a key with apps allowed.
const APPS: &str = "hub_save_app_item_as_page hub_import_app_file hub_import_meeting_notes hub_preview_board_import hub_start_board_import hub_manage_import hub_manage_app_relationship hub_fetch_now";

#[tokio::test]
async fn the_list_is_the_one_of_the_specification() {
    let bench = Bench::new().await;
    let all = bench.rig.get(&bench.key, "/api/bridge/actions").await;
    let mut offered = Vec::new();
    for group in all.body["groups"].as_array().unwrap() {
        for action in group["actions"].as_array().unwrap() {
            let (name, write) = (action["name"].as_str().unwrap(), action["write"] == true);
            let apps = action["apps"] == true;
            offered.push((group["group"].as_str().unwrap(), name, write, apps));
        }
    }
    let mut allowed = Vec::new();
    for (group, reads, changes) in ALLOWED {
        for (names, write) in [(reads, false), (changes, true)] {
            for name in names.split_whitespace() {
                allowed.push((
                    group,
                    name,
                    write,
                    APPS.split_whitespace().any(|one| one == name),
                ));
            }
        }
    }
    offered.sort_unstable();
    allowed.sort_unstable();
    assert_eq!(offered, allowed);
}
