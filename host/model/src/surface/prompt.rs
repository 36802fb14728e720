//! A prompt of a surface: a message that a person picks by name, and the arguments that it takes.

use serde::{Deserialize, Serialize};

/// One prompt, under MCP's field names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Prompt {
    /// As for tools: `[a-zA-Z0-9_-]`, at most 49 characters.
    pub name: String,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it makes the model do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// In the order in which a person is asked for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<PromptArgument>,
}

/// One argument of a prompt; its value is always a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PromptArgument {
    /// Unique inside its prompt.
    pub name: String,
    /// For a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What belongs in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the prompt cannot do without it.
    #[serde(default)]
    pub required: bool,
}
