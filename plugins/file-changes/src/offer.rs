//! What the plugin lists.

use ensemble_sdk::{Tool, json};

pub(crate) fn upload() -> Tool {
    Tool::change(
        "ensemble_upload_file",
        "Add a file",
        "Adds a file to Ensemble at once: give path, a file of the working folder, or dataBase64. Prefer path: a long \
         base64 text is easily cut on its way. At most 25 MB. Returns the file with the size and SHA-256 of what Ensemble \
         keeps. Keys, passwords and .env files are never added.",
    )
    .input(
        json!({
            "path": {
                "type": "string", "maxLength": 4096,
                "description": "The file: a path inside the working folder, relative or absolute. Give this or dataBase64.",
            },
            "dataBase64": {
                // the largest file in base64, with a line end after it
                "type": "string", "maxLength": 34_952_540,
                "description": "The file's bytes in base64: the standard alphabet with its padding, in one piece. Give this or path.",
            },
            "filename": {
                "type": "string", "maxLength": 255,
                "description": "Its name in Ensemble, such as report.pdf; the name in path where it is left out.",
            },
            "mediaType": {
                "type": "string", "maxLength": 127,
                "description": "Its media type, such as text/markdown; worked out where it is left out.",
            },
            "attachTo": {
                "type": "string", "maxLength": 2000,
                "description": "The handle of a task, page, project, person or repository that it belongs to, such as ensemble://task/<id>.",
            },
            "summarize": {
                "type": "boolean", "default": false,
                "description": "Have Ensemble write a summary of it.",
            },
        }),
        &[],
    )
}
