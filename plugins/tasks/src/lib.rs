//! The tasks plugin: the list of tasks, and one task as a resource. It reads; changing is another component's.

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{
    Embedded, Error, Listed, Output, Resources, Template, Tool, Tools, Value, args, given, json,
};
use serde::Deserialize;

/// The route of the list and of the resource.
const ROUTE: &str = "/api/bridge/tasks";

struct Tasks;

impl Tools for Tasks {
    fn tools() -> Vec<Tool> {
        vec![
            Tool::read(
                "ensemble_tasks",
                "Tasks",
                "The tasks of the space, newest change first, each with status, priority, owner, due date, project and \
                 repository, and a ref to read it in full. Use it to list or filter tasks; for the task that is worked \
                 on now use ensemble_brief.",
            )
            .input(
                json!({
                    "query": {
                        "type": "string", "maxLength": 1000,
                        "description": "Words that the title contains.",
                    },
                    "status": {
                        "type": "string",
                        "enum": ["open", "proposed", "todo", "in_progress", "waiting_approval", "blocked", "done", "dropped"],
                        "description": "Only tasks in this status; open is all but done and dropped. Left out: all but dropped.",
                    },
                    "limit": {
                        "type": "integer", "minimum": 1, "maximum": 50, "default": 20,
                        "description": "Tasks at the most.",
                    },
                    "offset": {
                        "type": "integer", "minimum": 0, "maximum": 1_000_000, "default": 0,
                        "description": "Tasks to skip: nextOffset of the answer before.",
                    },
                    "after": {
                        "type": "string", "maxLength": 2000,
                        "description": "next of the answer before, instead of offset: then each task comes once even while tasks change.",
                    },
                }),
                &[],
            ),
        ]
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_tasks" => list(arguments),
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    query: Option<String>,
    status: Option<String>,
    limit: Option<u32>,
    offset: Option<u32>,
    after: Option<String>,
}

fn list(arguments: Value) -> Result<Output, Error> {
    let List {
        query,
        status,
        limit,
        offset,
        after,
    } = args(arguments)?;
    // Clients that fill in every argument send offset 0 beside `after`: it says nothing.
    let after = given(after);
    let offset = offset.filter(|offset| after.is_none() || *offset > 0);
    let query = Query::none()
        .maybe("q", given(query))
        .maybe("status", status)
        .maybe("limit", limit)
        .maybe("offset", offset)
        .maybe("after", after);
    hub::get_text(ROUTE, query).map(Output::json_text)
}

impl Resources for Tasks {
    fn resources() -> Vec<Listed> {
        vec![Listed::json(
            "ensemble://tasks",
            "tasks",
            "Tasks",
            "The tasks of the space, newest change first.",
        )]
    }

    fn templates() -> Vec<Template> {
        vec![Template::json(
            "ensemble://tasks/{id}",
            "task",
            "One task",
            "One task with its page.",
        )]
    }

    fn read(uri: &str) -> Result<Vec<Embedded>, Error> {
        let json = hub::get_text(&route(uri)?, Query::none())?;
        Ok(vec![Embedded::json(uri, json)])
    }
}

/// The hub route that a URI of this plugin names.
fn route(uri: &str) -> Result<String, Error> {
    match uri.strip_prefix("ensemble://tasks") {
        Some("") => Ok(ROUTE.to_owned()),
        Some(rest) => {
            let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            let id = rest
                .strip_prefix('/')
                .filter(|id| !id.is_empty() && id.len() <= 128 && id.chars().all(fits))
                .ok_or_else(|| Error::unknown_resource(uri))?;
            hub::path("/api/bridge/tasks/{id}", id)
        }
        None => Err(Error::unknown_resource(uri)),
    }
}

ensemble_sdk::export!(Tasks: tools, resources);

#[cfg(test)]
mod tests {
    use ensemble_sdk::surface::Surface;

    use super::*;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<Tasks>()
            .and_resources::<Tasks>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }

    #[test]
    fn a_uri_names_one_route() {
        assert_eq!(
            route("ensemble://tasks").as_deref(),
            Ok("/api/bridge/tasks")
        );
        assert_eq!(
            route("ensemble://tasks/0198-a").as_deref(),
            Ok("/api/bridge/tasks/0198-a")
        );
        for uri in [
            "ensemble://tasks/",
            "ensemble://tasks/a/b",
            "ensemble://tasks/..",
            "ensemble://tasks/a?x=1",
            "ensemble://tasksa",
            "ensemble://today",
            "https://tasks",
            "",
        ] {
            assert_eq!(route(uri), Err(Error::unknown_resource(uri)), "{uri}");
        }
    }
}
