//! Opens a file. It never runs: importing the interface is enough to be refused.

use ensemble_sdk::{Error, Output, Tool, Tools, Value};

struct Probe;

impl Tools for Probe {
    fn tools() -> Vec<Tool> {
        Vec::new()
    }

    fn call(name: &str, _: Value) -> Result<Output, Error> {
        std::fs::read_to_string(name)
            .map(Output::text)
            .map_err(|error| Error::Failed(error.to_string()))
    }
}

ensemble_sdk::export!(Probe: tools);
