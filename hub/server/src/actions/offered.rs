//! What Ensemble can do and keys cannot: named, so that an agent is told why instead of guessing another name.

/// Names that stay with the person, with the reason.
pub(super) const NOT_OFFERED: &[(&str, &str)] = &[
    ("hub_update_settings", "settings are changed in Ensemble."),
    ("hub_choose_model", "the person chooses models in Ensemble."),
    ("hub_edit_layout", "layouts are changed in Ensemble."),
    ("hub_stop_activity", "runs are stopped in Ensemble."),
    (
        "hub_assign_to_agent",
        "work is assigned to agents in Ensemble.",
    ),
    ("hub_run_workflow", "workflows are started in Ensemble."),
    ("hub_create_watcher", "watchers are made in Ensemble."),
    ("hub_cancel_watcher", "watchers are ended in Ensemble."),
    (
        "hub_edit_file",
        "a file's original is never edited from here; save a new file with ensemble_upload_file.",
    ),
    ("hub_view_file", "use ensemble_get_file."),
    (
        "hub_web_search",
        "it is the assistant's own; search with your own tools.",
    ),
    (
        "hub_read_web_page",
        "it is the assistant's own; read pages with your own tools.",
    ),
];

/// Why this name is not offered, when it is one of those.
pub(crate) fn why(name: &str) -> Option<&'static str> {
    NOT_OFFERED
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, why)| *why)
}
