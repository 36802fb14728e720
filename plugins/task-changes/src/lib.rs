//! The task-changes plugin: adds tasks and moves them on. It exists only for a key that may make changes.
//!
//! The hub decides what may change; this component says what is wanted, in the hub's own words.

mod offer;

use ensemble_sdk::hub::{self, Method};
use ensemble_sdk::{Error, Output, Tool, Tools, Value, args, given, serde_json};
use serde::{Deserialize, Serialize};

struct TaskChanges;

impl Tools for TaskChanges {
    fn tools() -> Vec<Tool> {
        vec![offer::create(), offer::update()]
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_create_task" => create(arguments),
            "ensemble_update_task" => update(arguments),
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

/// The arguments and the body of the request: the names are the same.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Create {
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    people: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
}

fn create(arguments: Value) -> Result<Output, Error> {
    let create = args::<Create>(arguments)?.tidy();
    hub::send(Method::Post, "/api/bridge/write/tasks", &body(&create)?).map(Output::json_text)
}

impl Create {
    fn tidy(self) -> Self {
        Self {
            title: self.title,
            page: given(self.page),
            project_id: given(self.project_id),
            project_name: given(self.project_name),
            due: given(self.due),
            people: self.people,
            status: given(self.status),
            from: given(self.from),
        }
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Update {
    #[serde(skip_serializing)]
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    match_title: Option<String>,
}

fn update(arguments: Value) -> Result<Output, Error> {
    let update = args::<Update>(arguments)?.tidy();
    if update.status.is_none() && update.note.is_none() {
        return Err(Error::Invalid("Give a status, a note, or both.".to_owned()));
    }
    let path = hub::path("/api/bridge/write/tasks/{id}", task_id(&update.id))?;
    hub::send(Method::Patch, &path, &body(&update)?).map(Output::json_text)
}

impl Update {
    fn tidy(self) -> Self {
        Self {
            id: self.id,
            status: given(self.status),
            note: given(self.note),
            match_title: self.match_title,
        }
    }
}

/// A task's handle or its link in Ensemble names the task as well as its id does.
fn task_id(id: &str) -> &str {
    let id = id.trim();
    match id.rsplit_once("/task/") {
        Some((place, id)) if place == "ensemble:/" || place.starts_with("http") => id,
        _ => id,
    }
}

fn body(change: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(change)
        .map_err(|_| Error::Failed("The change could not be written as JSON.".to_owned()))
}

ensemble_sdk::export!(TaskChanges: tools);

#[cfg(test)]
mod tests {
    use ensemble_sdk::json;
    use ensemble_sdk::surface::Surface;

    use super::*;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<TaskChanges>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }

    #[test]
    fn a_new_task_is_sent_as_it_was_given() {
        let given = json!({
            "title": "T", "page": "# P", "projectName": "Docs", "due": "2027-03-01",
            "people": ["Zoë"], "status": "todo", "from": "ensemble://meeting/m1",
        });
        let create: Create = args(given.clone()).unwrap();
        assert_eq!(body(&create), Ok(given));
        let least: Create = args(json!({ "title": "T", "projectId": "" })).unwrap();
        assert_eq!(body(&least.tidy()), Ok(json!({ "title": "T" })));
    }

    #[test]
    fn an_update_leaves_the_id_to_the_path() {
        let given = json!({ "id": "t1", "note": "Done.", "matchTitle": "T" });
        let update: Update = args(given).unwrap();
        assert_eq!(
            body(&update),
            Ok(json!({ "note": "Done.", "matchTitle": "T" }))
        );
        assert_eq!(task_id(" ensemble://task/t1 "), "t1");
        assert_eq!(task_id("t1"), "t1");
    }

    #[test]
    fn an_update_of_nothing_is_refused() {
        let refused = update(json!({ "id": "t1", "note": " ", "matchTitle": "T" })).unwrap_err();
        assert_eq!(refused.sentence(), "Give a status, a note, or both.");
    }
}
