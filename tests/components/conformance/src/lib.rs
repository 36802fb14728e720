//! What the official conformance suite of MCP asks a server for, from inside a sandbox: its tools, prompts and resources by the names that
//! the suite gives them. A component like any other: it declares nothing, and reaches nothing.
//!
//! | file | of the suite |
//! |---|---|
//! | `content` | answers of each kind, logging, progress, changes |
//! | `questions` | what is asked of the person, of the client's model, and for its folders |
//! | `prompts`, `resources` | the same named so |

mod content;
mod prompts;
mod questions;
mod resources;

use ensemble_sdk::{Error, Output, Resumption, Tool, ToolStep, Tools, Value, json};

pub(crate) struct Conformance;

impl Tools for Conformance {
    fn tools() -> Vec<Tool> {
        let mut tools: Vec<Tool> = content::TOOLS.iter().map(plain).collect();
        tools.extend(questions::TOOLS.iter().map(plain));
        tools.push(taking(
            "test_sampling",
            "prompt",
            "What the model is asked.",
        ));
        tools.push(taking(
            "test_elicitation",
            "message",
            "What the person is asked.",
        ));
        tools.push(with_header());
        tools.push(with_every_keyword());
        tools
    }

    fn call(name: &str, _: Value) -> Result<Output, Error> {
        content::answer(name).unwrap_or_else(|| Err(ensemble_sdk::unknown_tool(name)))
    }

    fn step(name: &str, arguments: Value, resumed: Option<Resumption>) -> Result<ToolStep, Error> {
        match questions::step(name, &arguments, resumed.as_ref()) {
            Some(step) => Ok(step),
            None => Self::call(name, arguments).map(ToolStep::Done),
        }
    }
}

fn plain(tool: &(&'static str, &'static str)) -> Tool {
    let (name, description) = *tool;
    Tool::read(name, name, description)
}

fn taking(name: &str, argument: &str, what: &str) -> Tool {
    let mut properties = json!({});
    properties[argument] = json!({ "type": "string", "description": what });
    Tool::read(name, name, what).input(properties, &[argument])
}

/// One whose argument is mirrored in a header of HTTP.
fn with_header() -> Tool {
    let what = "Answers with the region that it was given.";
    Tool::read("test_custom_header", "test_custom_header", what).input(
        json!({ "region": { "type": "string", "description": "Where.", "x-mcp-header": "Region" } }),
        &["region"],
    )
}

/// One whose schema has what JSON Schema 2020-12 has: it has to arrive as it is. No tool of a product has such a schema.
fn with_every_keyword() -> Tool {
    let what = "Is never called.";
    let mut tool = Tool::read("json_schema_2020_12_tool", "json_schema_2020_12_tool", what);
    tool.input_schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "$anchor": "addressDef", "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
        } },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" }
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false
    })
    .to_string();
    tool
}

ensemble_sdk::export!(Conformance: tools, resources, prompts, completion);
