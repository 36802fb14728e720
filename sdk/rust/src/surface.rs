//! A plugin's surface as a file: what a client lists, written down and approved, so that no component has to run for it.
//!
//! The golden file `surface.json` stands beside `plugin.toml` and is embedded with the component. A test of each plugin
//! renders it again from the code and compares; the host compares once more with what the component says.

use serde::Serialize;
use serde_json::Value;

use crate::{Behaviour, Completion, Listed, Prompt, Prompts, Resources, Template, Tool, Tools};

/// Everything that a plugin lists, in the order and under the names of the protocol.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Surface {
    tools: Vec<ToolEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<ResourceEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_templates: Vec<TemplateEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    prompts: Vec<PromptEntry>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    completes: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolEntry {
    name: String,
    title: String,
    description: String,
    input_schema: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Value>,
    annotations: Annotations,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    read_only_hint: bool,
    destructive_hint: bool,
    idempotent_hint: bool,
    open_world_hint: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceEntry {
    uri: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TemplateEntry {
    uri_template: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PromptEntry {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<ArgumentEntry>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArgumentEntry {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    required: bool,
}

impl Surface {
    /// The tools of a plugin.
    ///
    /// # Panics
    /// On a schema that is not JSON.
    #[must_use]
    pub fn of_tools<P: Tools>() -> Self {
        Self {
            tools: P::tools().into_iter().map(ToolEntry::from).collect(),
            ..Self::default()
        }
    }

    /// Adds the resources and templates of a plugin.
    #[must_use]
    pub fn and_resources<P: Resources>(mut self) -> Self {
        self.resources = P::resources()
            .into_iter()
            .map(ResourceEntry::from)
            .collect();
        self.resource_templates = P::templates()
            .into_iter()
            .map(TemplateEntry::from)
            .collect();
        self
    }

    /// Adds the prompts of a plugin.
    #[must_use]
    pub fn and_prompts<P: Prompts>(mut self) -> Self {
        self.prompts = P::prompts().into_iter().map(PromptEntry::from).collect();
        self
    }

    /// Says that a plugin helps to fill in arguments.
    #[must_use]
    pub fn and_completion<P: Completion>(mut self) -> Self {
        self.completes = true;
        self
    }

    /// The text of `surface.json`: two spaces, fixed order of keys, a line end at the end.
    ///
    /// # Panics
    /// Never: strings, booleans and JSON values always serialize.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Compares with the file `surface.json` in `folder`, and writes it instead where `bless` is set.
    ///
    /// # Errors
    /// The first line that differs and how to accept it, or why the file cannot be read or written.
    pub fn check(&self, folder: &str, bless: bool) -> Result<(), String> {
        let file = std::path::Path::new(folder).join("surface.json");
        let now = self.text();
        if bless {
            return std::fs::write(&file, now)
                .map_err(|error| format!("{}: {error}", file.display()));
        }
        let approved = std::fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}; write it with BLESS=1", file.display()))?;
        if approved == now {
            return Ok(());
        }
        let differs = approved
            .lines()
            .zip(now.lines())
            .position(|(was, is)| was != is);
        let line = differs.unwrap_or_else(|| approved.lines().count().min(now.lines().count()));
        Err(format!(
            "surface.json, line {}:\n- {}\n+ {}\naccept the change with BLESS=1",
            line + 1,
            approved.lines().nth(line).unwrap_or("(end)"),
            now.lines().nth(line).unwrap_or("(end)"),
        ))
    }
}

#[expect(
    clippy::expect_used,
    reason = "a schema that is not JSON is the plugin author's mistake, found by the golden test"
)]
fn schema(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).expect("a schema is JSON");
    value.sort_all_objects();
    value
}

impl From<Tool> for ToolEntry {
    fn from(tool: Tool) -> Self {
        Self {
            input_schema: schema(&tool.input_schema),
            output_schema: tool.output_schema.as_deref().map(schema),
            annotations: tool.behaviour.into(),
            name: tool.name,
            title: tool.title,
            description: tool.description,
        }
    }
}

impl From<Behaviour> for Annotations {
    fn from(behaviour: Behaviour) -> Self {
        Self {
            read_only_hint: behaviour.read_only,
            destructive_hint: behaviour.destructive,
            idempotent_hint: behaviour.idempotent,
            open_world_hint: behaviour.open_world,
        }
    }
}

impl From<Listed> for ResourceEntry {
    fn from(listed: Listed) -> Self {
        Self {
            uri: listed.uri,
            name: listed.name,
            title: listed.title,
            description: listed.description,
            mime_type: listed.mime_type,
        }
    }
}

impl From<Template> for TemplateEntry {
    fn from(template: Template) -> Self {
        Self {
            uri_template: template.uri_template,
            name: template.name,
            title: template.title,
            description: template.description,
            mime_type: template.mime_type,
        }
    }
}

impl From<Prompt> for PromptEntry {
    fn from(prompt: Prompt) -> Self {
        let argument = |argument: crate::Argument| ArgumentEntry {
            name: argument.name,
            title: argument.title,
            description: argument.description,
            required: argument.required,
        };
        Self {
            name: prompt.name,
            title: prompt.title,
            description: prompt.description,
            arguments: prompt.arguments.into_iter().map(argument).collect(),
        }
    }
}
