//! The context plugin: what an editor or agent reads before and while it works. It passes on what the hub says.

mod brief;
mod brief_text;
mod context;
mod offer;
mod reads;
mod uris;

use ensemble_sdk::{Embedded, Error, Listed, Output, Resources, Template, Tool, Tools, Value};

struct Context;

impl Tools for Context {
    fn tools() -> Vec<Tool> {
        offer::tools()
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_brief" => brief::answer(arguments),
            "ensemble_context" => context::answer(arguments),
            "ensemble_search" => reads::search(arguments),
            "ensemble_read" => reads::read(arguments),
            "ensemble_today" => reads::fixed(arguments, "/api/bridge/today"),
            "ensemble_decisions" => reads::fixed(arguments, "/api/bridge/decisions"),
            "ensemble_gaps" => reads::fixed(arguments, "/api/bridge/gaps"),
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

impl Resources for Context {
    fn resources() -> Vec<Listed> {
        offer::resources()
    }

    fn templates() -> Vec<Template> {
        offer::templates()
    }

    fn read(uri: &str) -> Result<Vec<Embedded>, Error> {
        uris::read(uri)
    }
}

ensemble_sdk::export!(Context: tools, resources);

#[cfg(test)]
mod tests {
    use ensemble_sdk::surface::Surface;

    use super::Context;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<Context>()
            .and_resources::<Context>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }
}
