//! Asks which repository and branch the person works on.

use ensemble_sdk::{Error, Output, Tool, Tools, Value, workspace};

struct Probe;

impl Tools for Probe {
    fn tools() -> Vec<Tool> {
        vec![Tool::read("where", "Where", "Says repository and branch.")]
    }

    fn call(_: &str, _: Value) -> Result<Output, Error> {
        let found = workspace::locate()?;
        let said = |name: Option<String>| name.unwrap_or_else(|| "none".to_owned());
        Ok(Output::text(format!(
            "{} {}",
            said(found.repo),
            said(found.branch)
        )))
    }
}

ensemble_sdk::export!(Probe: tools);
