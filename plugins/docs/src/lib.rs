//! The docs plugin: search over the published documentation. It reads no records of the workspace.

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Output, Tool, Tools, Value, args, json};
use serde::Deserialize;

struct Docs;

impl Tools for Docs {
    fn tools() -> Vec<Tool> {
        vec![
            Tool::read(
                "ensemble_docs",
                "Search Ensemble documentation",
                "Searches Ensemble's published product documentation, not workspace records: title, heading, public \
                 link and a short excerpt of each match. A miss says so and gives the documentation's home page. Use it \
                 for how Ensemble works or is set up.",
            )
            .input(
                json!({
                    "query": {
                        "type": "string", "minLength": 1, "maxLength": 200,
                        "description": "Words to search for.",
                    },
                    "limit": {
                        "type": "integer", "minimum": 1, "maximum": 20, "default": 8,
                        "description": "Matches at the most.",
                    },
                }),
                &["query"],
            ),
        ]
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_docs" => search(arguments),
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    limit: Option<u32>,
}

fn search(arguments: Value) -> Result<Output, Error> {
    let Search { query, limit } = args(arguments)?;
    let query = Query::none().with("query", query).maybe("limit", limit);
    hub::get_text("/api/bridge/docs", query).map(Output::json_text)
}

ensemble_sdk::export!(Docs: tools);

#[cfg(test)]
mod tests {
    use ensemble_sdk::surface::Surface;

    use super::Docs;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<Docs>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }
}
