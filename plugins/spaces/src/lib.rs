//! The spaces plugin: which spaces the key can open. Alone among the tools its one takes no space.

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Output, Tool, Tools, Value, args};
use serde::Deserialize;

struct Spaces;

impl Tools for Spaces {
    fn tools() -> Vec<Tool> {
        vec![Tool::read(
            "ensemble_spaces",
            "Spaces",
            "The spaces that this key's account can open: id, name, access and role, the key's default and whether a \
             call may name it. Use it to find the name or id for another tool's space argument.",
        )]
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_spaces" => {
                let Nothing {} = args(arguments)?;
                hub::get_text("/api/bridge/spaces", Query::none()).map(Output::json_text)
            }
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

ensemble_sdk::export!(Spaces: tools);

#[cfg(test)]
mod tests {
    use ensemble_sdk::surface::Surface;

    use super::Spaces;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<Spaces>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }
}
