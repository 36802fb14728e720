//! Changes records. The manifest that the tests give it declares reading only, so that it never runs.

use ensemble_sdk::hub::{self, Method};
use ensemble_sdk::{Error, Output, Tool, Tools, Value};

struct Probe;

impl Tools for Probe {
    fn tools() -> Vec<Tool> {
        vec![Tool::change("send", "Send", "Sends a change.")]
    }

    fn call(_: &str, arguments: Value) -> Result<Output, Error> {
        hub::send(Method::Post, "/api/bridge/write/tasks", &arguments).map(Output::json_text)
    }
}

ensemble_sdk::export!(Probe: tools);
