//! The code plugin: the outline of a repository and one file of it, where the person allowed a checkout. The hub decides what may be shown.

mod named;

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Output, Tool, Tools, Value, args, json};
use serde::Deserialize;

struct Code;

impl Tools for Code {
    fn tools() -> Vec<Tool> {
        vec![overview(), file()]
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        let (path, query) = match name {
            "ensemble_repo_overview" => {
                let Overview { repo } = args(arguments)?;
                let path = hub::path("/api/bridge/repos/{id}/overview", &named::id(&repo)?)?;
                (path, Query::none())
            }
            "ensemble_repo_file" => {
                let File {
                    repo,
                    path: asked,
                    offset,
                    limit,
                } = args(arguments)?;
                let path = hub::path("/api/bridge/repos/{id}/file", &named::id(&repo)?)?;
                let query = Query::none()
                    .with("path", asked)
                    .maybe("offset", offset)
                    .maybe("limit", limit);
                (path, query)
            }
            other => return Err(ensemble_sdk::unknown_tool(other)),
        };
        hub::get_text(&path, query).map(Output::json_text)
    }
}

fn repo() -> Value {
    json!({
        "type": "string", "minLength": 1, "maxLength": 2000,
        "description": "The repository: owner/name, or its id, its ensemble://repo/<id> handle, or its Hub link, as ensemble_repos lists it.",
    })
}

fn overview() -> Tool {
    Tool::read(
        "ensemble_repo_overview",
        "Outline of a repository",
        "The outline of a repository whose checkout the person allowed: a bounded tree, manifests, entry points, the \
         headings of its README and its languages. Secrets, protected paths and what .gitignore leaves out are skipped. \
         Use it before ensemble_repo_file.",
    )
    .input(json!({ "repo": repo() }), &["repo"])
}

fn file() -> Tool {
    Tool::read(
        "ensemble_repo_file",
        "File of a repository",
        "One text file of a repository whose checkout the person allowed, in parts. Secrets, protected paths, what \
         .gitignore leaves out, links and binary files are not shown.",
    )
    .input(
        json!({
            "repo": repo(),
            "path": {
                "type": "string", "minLength": 1, "maxLength": 1000,
                "description": "The file, from the top folder of the repository, such as src/lib.rs.",
            },
            "offset": {
                "type": "integer", "minimum": 0, "maximum": 100_000_000, "default": 0,
                "description": "The character to begin at: text.nextOffset of the answer before.",
            },
            "limit": {
                "type": "integer", "minimum": 1, "maximum": 20000, "default": 10000,
                "description": "Characters at the most.",
            },
        }),
        &["repo", "path"],
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Overview {
    repo: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    repo: String,
    path: String,
    offset: Option<u32>,
    limit: Option<u32>,
}

ensemble_sdk::export!(Code: tools);

#[cfg(test)]
mod tests {
    use ensemble_sdk::surface::Surface;

    use super::Code;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<Code>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }
}
