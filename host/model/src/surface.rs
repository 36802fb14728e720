//! What a plugin offers, as the client will see it. The approved surface of a plugin is stored as JSON of exactly this
//! shape, so that a list needs no component.

mod difference;
mod prompt;

pub use difference::Difference;
pub use prompt::{Prompt, PromptArgument};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Everything that one plugin offers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Surface {
    /// In the plugin's own order.
    pub tools: Vec<Tool>,
    /// Resources with a fixed address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<Resource>,
    /// Resources with a parameter in the address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resource_templates: Vec<ResourceTemplate>,
    /// Messages that a person picks by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<Prompt>,
    /// Whether it helps to fill in the arguments of its prompts and templates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub completes: bool,
}

/// One tool, under MCP's field names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Tool {
    /// `[a-zA-Z0-9_-]`, at most 49 characters, so that `mcp__ensemble__` and the name fit into 64.
    pub name: String,
    /// For a person.
    pub title: String,
    /// For the model that chooses.
    pub description: String,
    /// JSON Schema; an object at the top.
    pub input_schema: Map<String, Value>,
    /// JSON Schema of the structured answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
    /// What the client may assume of a call.
    pub annotations: Annotations,
}

/// MCP's hints about a tool's behaviour. All four are always said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Annotations {
    /// Changes nothing.
    pub read_only_hint: bool,
    /// May remove or overwrite.
    pub destructive_hint: bool,
    /// A second equal call changes nothing more.
    pub idempotent_hint: bool,
    /// Reaches beyond the hub.
    pub open_world_hint: bool,
}

/// A resource with a fixed address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Resource {
    /// Its address.
    pub uri: String,
    /// Its programmatic name.
    pub name: String,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What reading it gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type of what it gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

/// A family of resources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ResourceTemplate {
    /// RFC 6570; only simple `{name}` expressions, each matching one segment.
    pub uri_template: String,
    /// Its programmatic name.
    pub name: String,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What reading one gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type of what it gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

impl Surface {
    /// Reads an approved surface.
    pub fn parse(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// The form in which surfaces are stored and compared: two spaces, one newline at the end.
    pub fn render(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
