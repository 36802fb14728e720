//! The files plugin: the list of files, and one file into the conversation or into the working folder. Bytes of a file stay in the host.

mod get;
mod offer;

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Output, Tool, Tools, Value, args, given};
use serde::Deserialize;

struct Files;

impl Tools for Files {
    fn tools() -> Vec<Tool> {
        vec![offer::list(), offer::get()]
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_files" => list(arguments),
            "ensemble_get_file" => get::answer(arguments),
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    query: Option<String>,
    on: Option<String>,
    limit: Option<u32>,
    offset: Option<u32>,
    after: Option<String>,
}

fn list(arguments: Value) -> Result<Output, Error> {
    let List {
        query,
        on,
        limit,
        offset,
        after,
    } = args(arguments)?;
    // Clients that fill in every argument send offset 0 beside `after`: it says nothing.
    let after = given(after);
    let offset = offset.filter(|offset| after.is_none() || *offset > 0);
    let query = Query::none()
        .maybe("query", given(query))
        .maybe("on", given(on))
        .maybe("limit", limit)
        .maybe("offset", offset)
        .maybe("after", after);
    hub::get_text("/api/bridge/files", query).map(Output::json_text)
}

ensemble_sdk::export!(Files: tools);

#[cfg(test)]
mod tests {
    use ensemble_sdk::surface::Surface;

    use super::Files;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<Files>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }
}
