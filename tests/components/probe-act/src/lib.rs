//! Runs the action that it is told to, with the text that it is told to.

use ensemble_sdk::bindings::imports::ensemble::hub::act;
use ensemble_sdk::{Error, Output, Tool, Tools, Value};

struct Probe;

impl Tools for Probe {
    fn tools() -> Vec<Tool> {
        vec![Tool::change("run", "Run", "Runs one action.")]
    }

    fn call(_: &str, arguments: Value) -> Result<Output, Error> {
        let text = |name: &str| arguments[name].as_str().unwrap_or_default();
        act::run(text("action"), text("input")).map(Output::json_text)
    }
}

ensemble_sdk::export!(Probe: tools);
