//! Resource URIs name hub routes, nothing else: `ensemble://<list>` and, for some lists, `ensemble://<list>/<id>`.

use ensemble_sdk::{Error, hub};

/// The lists that are resources, and whether their records are too.
pub(crate) const LISTS: [(&str, bool); 6] = [
    ("projects", true),
    ("repos", true),
    ("skills", true),
    ("deliverables", false),
    ("meetings", false),
    ("people", true),
];

/// The hub route that a URI of this plugin names.
pub(crate) fn route(uri: &str) -> Result<String, Error> {
    let unknown = || Error::unknown_resource(uri);
    let name = uri.strip_prefix("ensemble://").ok_or_else(unknown)?;
    let (list, id) = match name.split_once('/') {
        Some((list, id)) => (list, Some(id)),
        None => (name, None),
    };
    let (list, records) = LISTS
        .into_iter()
        .find(|(known, _)| *known == list)
        .ok_or_else(unknown)?;
    match id {
        None => Ok(format!("/api/bridge/{list}")),
        Some(id) if records && is_id(id) => hub::path(&format!("/api/bridge/{list}/{{id}}"), id),
        Some(_) => Err(unknown()),
    }
}

fn is_id(id: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    !id.is_empty() && id.len() <= 128 && id.chars().all(fits)
}

/// The id of a skill that is named by its id or by its handle.
pub(crate) fn skill(name: &str) -> &str {
    let name = name.trim();
    ["ensemble://skill/", "ensemble://skills/"]
        .iter()
        .find_map(|start| name.strip_prefix(start))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_one_route() {
        for (uri, path) in [
            ("ensemble://projects", "/api/bridge/projects"),
            ("ensemble://people/0198-a", "/api/bridge/people/0198-a"),
            ("ensemble://skills/b_2", "/api/bridge/skills/b_2"),
            ("ensemble://meetings", "/api/bridge/meetings"),
        ] {
            assert_eq!(route(uri).as_deref(), Ok(path));
        }
    }

    #[test]
    fn anything_else_is_unknown() {
        for uri in [
            "ensemble://projects/",
            "ensemble://projects/a/b",
            "ensemble://projects/..",
            "ensemble://projects/a?x=1",
            "ensemble://meetings/0198-a",
            "ensemble://deliverables/0198-a",
            "ensemble://diagrams",
            "ensemble://tasks",
            "ensemble://project",
            "https://projects",
            "",
        ] {
            assert_eq!(route(uri), Err(Error::unknown_resource(uri)), "{uri}");
        }
    }

    #[test]
    fn a_skill_is_named_by_id_or_handle() {
        for name in [
            "0198-a",
            " ensemble://skill/0198-a ",
            "ensemble://skills/0198-a",
        ] {
            assert_eq!(skill(name), "0198-a");
        }
    }
}
