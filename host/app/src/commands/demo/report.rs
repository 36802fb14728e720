//! What `ensemble demo --json` prints.

use serde::Serialize;
use serde_json::Value;

/// The whole demo.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    /// `ensemble plugin list --json` with a key that may change things.
    pub(super) plugins: Value,
    /// The same with a key that may only read.
    pub(super) plugins_read_only: Value,
    /// What an editor sees with a key that may change things.
    pub(super) tools: Vec<Tool>,
    /// What it sees with a key that may only read.
    pub(super) tools_read_only: Vec<Tool>,
    pub(super) brief: Called,
    pub(super) search: Called,
    pub(super) created: Called,
    pub(super) read_back: Called,
    /// The answer to a changing tool that is called by name with the key that may only read.
    pub(super) unknown_tool: Value,
    /// The decision log of these calls.
    pub(super) decisions: Vec<Value>,
    /// The line that connects a real editor.
    pub(super) connect: String,
}

/// One tool, as listed.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) title: String,
}

/// The result of one call.
#[derive(Debug, Serialize)]
pub(super) struct Called {
    pub(super) text: String,
    pub(super) structured: Value,
}

impl Called {
    /// From an MCP result.
    pub(super) fn of(mut result: Value) -> Self {
        Self {
            text: text(&result),
            structured: result
                .get_mut("structuredContent")
                .map(Value::take)
                .unwrap_or_default(),
        }
    }
}

/// The text blocks of an MCP result.
pub(super) fn text(result: &Value) -> String {
    let blocks = result.get("content").and_then(Value::as_array);
    blocks
        .into_iter()
        .flatten()
        .filter_map(|block| block.get("text").and_then(Value::as_str))
        .collect::<Vec<_>>()
        .join("\n")
}
