//! What the plugin lists. The names of groups and actions are the hub's, and stand in its answers alone.

use ensemble_sdk::{Tool, json};

pub(crate) fn list() -> Tool {
    Tool::read(
        "ensemble_actions",
        "Actions",
        "What Ensemble can do for you besides the other tools: actions by group (tasks, pages, boards, diagrams, plots, \
         files, projects, people, meetings, comments, skills, routines, reminders, desk, calendar and more), each with \
         whether it writes and whether this key may run it. Without arguments the whole list, short; with groups or names \
         and schema, what each does and the input that it takes. Then run one with ensemble_act.",
    )
    .input(
        json!({
            "groups": {
                "type": "array", "maxItems": 40,
                "items": { "type": "string", "maxLength": 64 },
                "description": "Only these groups, such as [\"tasks\", \"pages\"].",
            },
            "names": {
                "type": "array", "maxItems": 50,
                "items": { "type": "string", "maxLength": 64 },
                "description": "Only these actions, always with description and inputSchema, such as [\"hub_create_tasks\"].",
            },
            "schema": {
                "type": "boolean", "default": false,
                "description": "With groups: add each action's description and the JSON Schema of its input.",
            },
        }),
        &[],
    )
}

pub(crate) fn act() -> Tool {
    Tool::change(
        "ensemble_act",
        "Run an action",
        "Runs one action that ensemble_actions lists, at once, and returns its result. A change says whether it can be undone \
         (undoable) and its changeId. Look up the input with ensemble_actions and names first: a wrong one is refused with \
         its schema, and nothing is changed. Ask the person before you delete something that they did not ask you to delete.",
    )
    .destructive()
    .input(
        json!({
            "action": {
                "type": "string", "minLength": 1, "maxLength": 64,
                "description": "The action's name, such as hub_list_boards.",
            },
            "input": {
                "type": "object", "additionalProperties": true,
                "description": "What the action takes, as its inputSchema says; leave it out where nothing is needed.",
            },
        }),
        &["action"],
    )
}
