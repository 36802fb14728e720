//! Which repository is meant: an id, a handle or a Hub link says it; `owner/name` is looked up in the space. Nothing is guessed: no match, and
//! more than one, are sentences.

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Value};

/// Repositories of one answer: as many as a list gives.
const LISTED: usize = 50;

#[derive(Debug, PartialEq)]
enum Named<'a> {
    Id(&'a str),
    Name(&'a str),
}

/// The id of the repository that `text` names.
pub(crate) fn id(text: &str) -> Result<String, Error> {
    match named(text)? {
        Named::Id(id) => Ok(id.to_owned()),
        Named::Name(name) => {
            let query = Query::none().with("q", name).with("limit", LISTED);
            found(name, &hub::get("/api/bridge/repos", query)?)
        }
    }
}

fn named(text: &str) -> Result<Named<'_>, Error> {
    let text = text.trim();
    if !text.contains('/') {
        return Ok(Named::Id(text));
    }
    if text.contains("://") || text.starts_with('/') {
        let path = text.split(['?', '#']).next().unwrap_or_default();
        let mut segments = path.trim_end_matches('/').rsplit('/');
        return match (segments.next(), segments.next()) {
            (Some(id), Some("repo" | "repos")) if !id.is_empty() => Ok(Named::Id(id)),
            _ => Err(no_repository()),
        };
    }
    if text.split('/').any(|part| part.trim().is_empty()) {
        return Err(no_repository());
    }
    Ok(Named::Name(text))
}

/// The one repository of this name in a list; upper and lower case are the same, as they are where repositories live.
fn found(name: &str, listed: &Value) -> Result<String, Error> {
    let repos = listed["repos"].as_array().map_or(&[][..], Vec::as_slice);
    let called = |repo: &&Value| {
        let full = repo["fullName"].as_str();
        full.is_some_and(|full| full.to_lowercase() == name.to_lowercase())
    };
    let mut found = repos.iter().filter(called);
    let (first, second) = (found.next(), found.next());
    match (first.and_then(|repo| repo["id"].as_str()), second) {
        (Some(id), None) => Ok(id.to_owned()),
        (Some(_), Some(_)) => Err(Error::Invalid(format!(
            "Several repositories are called “{name}”: give the id of one, as ensemble_repos lists it."
        ))),
        (None, _) if listed["hasMore"] == true => Err(Error::Invalid(format!(
            "More than {LISTED} repositories have the words of “{name}”: give its id, as ensemble_repos lists it."
        ))),
        (None, _) => Err(Error::NotFound(format!(
            "There is no repository called “{name}” in this space: ensemble_repos lists those that are there."
        ))),
    }
}

fn no_repository() -> Error {
    Error::Invalid(
        "That is not a repository: give owner/name, or its id, its ensemble://repo/<id> handle, or its Hub link, as \
         ensemble_repos lists it."
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use ensemble_sdk::json;

    use super::*;

    #[test]
    fn an_id_a_handle_and_a_link_say_it_themselves() {
        for text in [
            "0198-a",
            " ensemble://repo/0198-a ",
            "http://127.0.0.1:4000/repos/0198-a?x=1#y",
            "/repo/0198-a",
        ] {
            assert_eq!(named(text), Ok(Named::Id("0198-a")), "{text}");
        }
        for text in ["encode/httpx", "repos/httpx", "group/sub/name"] {
            assert_eq!(named(text), Ok(Named::Name(text)));
        }
        for text in [
            "ensemble://task/0198-a",
            "/repos/",
            "a//",
            "a/ /b",
            "https://github.com/a/b",
        ] {
            assert!(matches!(named(text), Err(Error::Invalid(_))), "{text}");
        }
    }

    #[test]
    fn a_name_is_one_repository_or_a_sentence() {
        let repo = |id: &str, name: &str| json!({ "id": id, "fullName": name });
        let list = |repos: &[Value], more: bool| json!({ "repos": repos, "hasMore": more });
        let (httpx, fork) = (repo("1", "encode/httpx"), repo("2", "encode/httpx-fork"));
        let both = list(&[fork.clone(), httpx.clone()], false);
        assert_eq!(found("Encode/HTTPX", &both), Ok("1".to_owned()));
        let says = |listed: &Value| found("encode/httpx", listed).unwrap_err().to_string();
        assert!(says(&list(std::slice::from_ref(&fork), false)).contains("no repository called"));
        assert!(says(&list(&[fork], true)).contains("More than 50"));
        assert!(says(&list(&[httpx.clone(), httpx], false)).contains("Several"));
    }
}
