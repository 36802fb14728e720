//! The two changes as a client lists them, with the hub's own bounds.

use ensemble_sdk::{Tool, json};

pub(crate) fn create() -> Tool {
    Tool::change(
        "ensemble_create_task",
        "Create a task",
        "Adds a task to Ensemble at once and returns it. Use it when the person asks for a task, \
         or agreed that one is needed. Search first, so that there is not a second one of the same.",
    )
    .input(
        json!({
            "title": {
                "type": "string", "minLength": 1, "maxLength": 500,
                "description": "What is to be done, in one line.",
            },
            "page": {
                "type": "string", "maxLength": 100_000,
                "description": "The task's page, in Markdown.",
            },
            "projectId": {
                "type": "string", "maxLength": 128,
                "description": "The project's id. Give this or projectName.",
            },
            "projectName": {
                "type": "string", "maxLength": 200,
                "description": "The project's exact name. Give this or projectId.",
            },
            "due": {
                "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}$",
                "description": "The day it is due, as YYYY-MM-DD.",
            },
            "people": {
                "type": "array", "maxItems": 20,
                "items": { "type": "string", "minLength": 1, "maxLength": 200 },
                "description": "People on the task, by id or by name where one person has that name.",
            },
            "status": {
                "type": "string", "enum": ["proposed", "todo"], "default": "proposed",
                "description": "proposed leaves it to the person to accept; todo when they have asked for it.",
            },
            "from": {
                "type": "string", "maxLength": 2000,
                "description": "The handle of the record that it came from, such as ensemble://meeting/<id>; the two are linked.",
            },
        }),
        &["title"],
    )
}

pub(crate) fn update() -> Tool {
    Tool::change(
        "ensemble_update_task",
        "Update a task",
        "Moves a task to another status, adds a note to its page, or both, and returns the task. Use it when work on the \
         task starts, is blocked, is ready for review or is done. A move that the task's status does not allow is refused \
         with those that are.",
    )
    .input(
        json!({
            "id": {
                "type": "string", "minLength": 1, "maxLength": 200,
                "description": "The task's id or its ensemble://task/<id> handle.",
            },
            "status": {
                "type": "string",
                "enum": ["in_progress", "waiting_approval", "done", "blocked", "todo"],
                "description": "The new status; waiting_approval is ready for review.",
            },
            "note": {
                "type": "string", "maxLength": 20_000,
                "description": "What was done or found, in Markdown; added at the end of the task's page.",
            },
            "matchTitle": {
                "type": "string", "maxLength": 500,
                "description": "The title you expect the task to have. If it has another one, nothing changes.",
            },
        }),
        &["id"],
    )
}
