//! A client that keeps in mind what it asked, so that what nobody asks for fails the test: every tool, every argument, every value of an
//! argument that has only a few, every resource and every template, as the bridge lists them.

use std::collections::BTreeSet;
use std::sync::Mutex;

use rmcp::model::{ProtocolVersion, Tool};
use serde_json::Value;

use super::rows::Rows;
use crate::support::{Editor, World, answer, ask, refusal};

pub(super) struct Probe {
    editor: Editor,
    tools: Vec<Tool>,
    /// Tool, argument, value.
    asked: Mutex<BTreeSet<(String, String, String)>>,
    read: Mutex<BTreeSet<String>>,
}

impl Probe {
    pub(super) async fn start(world: &World) -> Self {
        let editor = Editor::start(world.command(), ProtocolVersion::V_2025_11_25).await;
        let tools = editor.client.list_all_tools().await.unwrap();
        Self {
            editor,
            tools,
            asked: Mutex::default(),
            read: Mutex::default(),
        }
    }

    /// Asks in the space of `rows`; every card of the answer is as they say.
    pub(super) async fn ask(&self, rows: &Rows, tool: &str, arguments: Value) -> Value {
        let arguments = rows.asking(arguments);
        self.note(tool, &arguments);
        let found = ask(&self.editor, tool, arguments).await;
        rows.vouch(tool, &found);
        found
    }

    /// The same with the whole result, for what stands beside the structure.
    pub(super) async fn call(&self, rows: &Rows, tool: &str, arguments: Value) -> Value {
        let arguments = rows.asking(arguments);
        self.note(tool, &arguments);
        let result = self.editor.call(tool, arguments).await;
        rows.vouch(tool, answer(&result));
        result
    }

    /// Writes; the answer is compared with rows that are read afterwards.
    pub(super) async fn write(&self, rows: &Rows, tool: &str, arguments: Value) -> Value {
        let arguments = rows.asking(arguments);
        self.note(tool, &arguments);
        self.editor.call(tool, arguments).await
    }

    /// What has to be refused, and the sentence of it.
    pub(super) async fn refused(&self, rows: &Rows, tool: &str, arguments: Value) -> String {
        let result = self.editor.call(tool, rows.asking(arguments)).await;
        refusal(&result).to_owned()
    }

    /// Reads a resource of the key's own space.
    pub(super) async fn read(&self, rows: &Rows, uri: &str) -> Value {
        self.read.lock().unwrap().insert(uri.to_owned());
        let found = self.editor.read(uri).await;
        rows.vouch(uri, &found);
        found
    }

    fn note(&self, tool: &str, arguments: &Value) {
        let mut asked = self.asked.lock().unwrap();
        let mut note = |name: &str, value: String| {
            asked.insert((tool.to_owned(), name.to_owned(), value));
        };
        note("", String::new());
        for (name, value) in arguments.as_object().unwrap() {
            match value {
                Value::Array(items) => items.iter().for_each(|item| note(name, item.to_string())),
                value => note(name, value.to_string()),
            }
        }
    }

    /// The values that a tool offers for an argument.
    #[track_caller]
    pub(super) fn values(&self, tool: &str, argument: &str) -> Vec<String> {
        let tool = self.tools.iter().find(|known| known.name == tool).unwrap();
        let of = &tool.input_schema["properties"][argument];
        let values = few(of);
        assert!(!values.is_empty(), "{of}");
        values
            .iter()
            .map(|value| value.as_str().unwrap().to_owned())
            .collect()
    }

    /// Nothing that the bridge offers was left out.
    pub(super) async fn leave(self) {
        let asked = self.asked.into_inner().unwrap();
        let tried = |tool: &str, name: &str| -> BTreeSet<&str> {
            let of = asked.iter().filter(|(t, n, _)| t == tool && n == name);
            of.map(|(.., value)| value.as_str()).collect()
        };
        let mut missing = Vec::new();
        for tool in &self.tools {
            if tried(&tool.name, "").is_empty() {
                missing.push(tool.name.to_string());
            }
            let offered = tool.input_schema["properties"].as_object().unwrap();
            for (argument, schema) in offered {
                let tried = tried(&tool.name, argument);
                if tried.is_empty() {
                    missing.push(format!("{}: {argument}", tool.name));
                }
                for value in few(schema) {
                    if !tried.contains(value.to_string().as_str()) {
                        missing.push(format!("{}: {argument}: {value}", tool.name));
                    }
                }
            }
        }
        let read = self.read.into_inner().unwrap();
        for resource in self.editor.client.list_all_resources().await.unwrap() {
            if !read.contains(&resource.uri) {
                missing.push(resource.uri.clone());
            }
        }
        let templates = self.editor.client.list_all_resource_templates().await;
        for template in templates.unwrap() {
            if !read.iter().any(|uri| fits(&template.uri_template, uri)) {
                missing.push(template.uri_template.clone());
            }
        }
        assert_eq!(
            missing,
            Vec::<String>::new(),
            "not compared with the database"
        );
        self.editor.leave().await;
    }
}

/// The values of an argument, or of the items of one, that has only these.
fn few(schema: &Value) -> Vec<Value> {
    let of = |schema: &Value| schema["enum"].as_array().cloned();
    of(schema)
        .or_else(|| of(&schema["items"]))
        .unwrap_or_default()
}

/// Whether `uri` is one of `template`, whose variables are whole parts.
fn fits(template: &str, uri: &str) -> bool {
    let (parts, given): (Vec<_>, Vec<_>) =
        (template.split('/').collect(), uri.split('/').collect());
    parts.len() == given.len()
        && parts
            .iter()
            .zip(given)
            .all(|(part, given)| part.starts_with('{') || *part == given)
}
