//! Takes files in and adds them, also under names that nobody gave it.

use ensemble_sdk::bindings::imports::ensemble::hub::uploads;
use ensemble_sdk::{Error, Output, Tool, Tools, Value, files, json};

struct Probe;

impl Tools for Probe {
    fn tools() -> Vec<Tool> {
        ["data", "path", "name"]
            .iter()
            .map(|name| Tool::change(name, name, "One way to take a file in."))
            .collect()
    }

    fn call(name: &str, mut arguments: Value) -> Result<Output, Error> {
        let given = match arguments["given"].take() {
            Value::String(given) => given,
            _ => String::new(),
        };
        let added = match name {
            "data" => files::add(&files::from_base64(&given)?, "a.md", None, &json!({})),
            "path" => files::add(&files::from_folder(&given)?, "a.md", None, &json!({})),
            "name" => uploads::save(&given, "a.md", None, "{}"),
            other => Err(ensemble_sdk::unknown_tool(other)),
        };
        added.map(Output::json_text)
    }
}

ensemble_sdk::export!(Probe: tools);
