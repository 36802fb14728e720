//! The records plugin: the lists of a space, and single records as resources. It reads, and passes on what the hub says.

mod offer;
mod uris;

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{
    Embedded, Error, Listed, Output, Resources, Template, Tool, Tools, Value, args, given,
};
use serde::Deserialize;

struct Records;

impl Tools for Records {
    fn tools() -> Vec<Tool> {
        offer::tools()
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_meetings" => meetings(arguments),
            "ensemble_skills" => skills(arguments),
            _ => {
                let route = offer::route(name).ok_or_else(|| ensemble_sdk::unknown_tool(name))?;
                let list: List = args(arguments)?;
                answer(route, list.query())
            }
        }
    }
}

/// What every list takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    query: Option<String>,
    limit: Option<u32>,
    offset: Option<u32>,
    after: Option<String>,
}

impl List {
    fn query(self) -> Query {
        // Clients that fill in every argument send offset 0 beside `after`: it says nothing.
        let after = given(self.after);
        let offset = self.offset.filter(|offset| after.is_none() || *offset > 0);
        Query::none()
            .maybe("q", given(self.query))
            .maybe("limit", self.limit)
            .maybe("offset", offset)
            .maybe("after", after)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Meetings {
    from: Option<String>,
    to: Option<String>,
    query: Option<String>,
    limit: Option<u32>,
    offset: Option<u32>,
    after: Option<String>,
}

fn meetings(arguments: Value) -> Result<Output, Error> {
    let Meetings {
        from,
        to,
        query,
        limit,
        offset,
        after,
    } = args(arguments)?;
    let list = List {
        query,
        limit,
        offset,
        after,
    };
    let query = list
        .query()
        .maybe("from", given(from))
        .maybe("to", given(to));
    answer("/api/bridge/meetings", query)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Skills {
    id: Option<String>,
    query: Option<String>,
    limit: Option<u32>,
    offset: Option<u32>,
    after: Option<String>,
}

/// One skill with its body where an id is given, else the list.
fn skills(arguments: Value) -> Result<Output, Error> {
    let Skills {
        id,
        query,
        limit,
        offset,
        after,
    } = args(arguments)?;
    if let Some(id) = given(id) {
        let id = uris::skill(&id).to_owned();
        return answer(&hub::path("/api/bridge/skills/{id}", &id)?, Query::none());
    }
    let list = List {
        query,
        limit,
        offset,
        after,
    };
    answer("/api/bridge/skills", list.query())
}

fn answer(route: &str, query: Query) -> Result<Output, Error> {
    hub::get_text(route, query).map(Output::json_text)
}

impl Resources for Records {
    fn resources() -> Vec<Listed> {
        offer::resources()
    }

    fn templates() -> Vec<Template> {
        offer::templates()
    }

    fn read(uri: &str) -> Result<Vec<Embedded>, Error> {
        let json = hub::get_text(&uris::route(uri)?, Query::none())?;
        Ok(vec![Embedded::json(uri, json)])
    }
}

ensemble_sdk::export!(Records: tools, resources);

#[cfg(test)]
mod tests {
    use ensemble_sdk::json;
    use ensemble_sdk::surface::Surface;

    use super::*;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<Records>()
            .and_resources::<Records>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }

    #[test]
    fn empty_arguments_are_not_sent() {
        let list: List =
            args(json!({ "query": " ", "after": "abc", "offset": 0, "limit": 5.0 })).unwrap();
        let sent = Query::none().with("limit", 5).with("after", "abc");
        assert_eq!(list.query(), sent);
        let list: List = args(json!({ "after": "", "offset": 0 })).unwrap();
        assert_eq!(list.query(), Query::none().with("offset", 0));
    }
}
