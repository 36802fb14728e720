//! What the plugin lists.

use ensemble_sdk::{Tool, json};

pub(crate) fn list() -> Tool {
    Tool::read(
        "ensemble_files",
        "Files",
        "The person's files, newest first, each with name, format, media type, size, pages, summary, the app it came \
         from, and a ref for ensemble_get_file. Use it to find a file by its name, its summary or words inside it, or \
         to list the files of one record.",
    )
    .input(
        json!({
            "query": {
                "type": "string", "maxLength": 1000,
                "description": "Words that the name, the summary or the text of the file contains.",
            },
            "on": {
                "type": "string", "maxLength": 2000,
                "description": "The handle of a task, page, project, person or repository, such as ensemble://task/<id>: only the files on it.",
            },
            "limit": {
                "type": "integer", "minimum": 1, "maximum": 50, "default": 20,
                "description": "Files at the most.",
            },
            "offset": {
                "type": "integer", "minimum": 0, "maximum": 1_000_000, "default": 0,
                "description": "Files to skip: nextOffset of the answer before.",
            },
            "after": {
                "type": "string", "maxLength": 2000,
                "description": "next of the answer before, instead of offset: then each file comes once even while files are added.",
            },
        }),
        &[],
    )
}

pub(crate) fn get() -> Tool {
    // saveTo writes into the working folder, and with overwrite it replaces a file there.
    let mut tool = Tool::change(
        "ensemble_get_file",
        "Get one file",
        "One file: its details and summary; with text the text that Ensemble read out of it, in parts; and the file \
         itself, a picture as an image, text or code as text, anything else (PDF, Office) as a resource with its bytes. \
         To read a long document use text with content false. saveTo writes the original into the working folder \
         instead, whatever its size.",
    );
    tool.behaviour.destructive = true;
    tool.idempotent().input(
        json!({
            "id": {
                "type": "string", "minLength": 1, "maxLength": 2000,
                "description": "The file: its id, its ensemble://file/<id> handle, or its Hub link.",
            },
            "text": {
                "type": "boolean", "default": false,
                "description": "Add the text that Ensemble read out of the file.",
            },
            "offset": {
                "type": "integer", "minimum": 0, "maximum": 100_000_000, "default": 0,
                "description": "The character of the text to begin at: text.nextOffset of the answer before.",
            },
            "limit": {
                "type": "integer", "minimum": 1, "maximum": 20000, "default": 10000,
                "description": "Characters of the text at the most.",
            },
            "content": {
                "type": "boolean", "default": true,
                "description": "Add the file itself. Give false for its details, or its text, alone.",
            },
            "saveTo": {
                "type": "string", "minLength": 1, "maxLength": 4096,
                "description": "Write the file here instead: a path inside the working folder, relative or absolute, in a folder that is there.",
            },
            "overwrite": {
                "type": "boolean", "default": false,
                "description": "Let saveTo replace a file that is there.",
            },
        }),
        &["id"],
    )
}
