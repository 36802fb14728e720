//! Sleeps, reads the clocks and asks for randomness: refused where that is not declared.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ensemble_sdk::{Error, Output, Tool, Tools, Value};

struct Probe;

impl Tools for Probe {
    fn tools() -> Vec<Tool> {
        Vec::new()
    }

    fn call(name: &str, _: Value) -> Result<Output, Error> {
        match name {
            "sleep" => {
                std::thread::sleep(Duration::from_hours(1));
                Ok(Output::text("awake"))
            }
            "now" => {
                #[expect(
                    clippy::disallowed_methods,
                    reason = "which clock this is is what is tested"
                )]
                let now = SystemTime::now().duration_since(UNIX_EPOCH);
                Ok(Output::text(now.unwrap_or_default().as_secs().to_string()))
            }
            "hash" => {
                let keyed: HashMap<&str, u8> = HashMap::from([(name, 1)]);
                Ok(Output::text(keyed.len().to_string()))
            }
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

ensemble_sdk::export!(Probe: tools);
