//! A tool is data (name, texts, schema, behaviour) and one function that answers its calls.
//!
//! To add a tool: 1. describe it in [`Tools::tools`]; 2. answer its name in [`Tools::call`]; 3. declare the routes it
//! uses in `plugin.toml`; 4. write the surface file again and read the difference.

use serde_json::{Value, json};

use crate::{Behaviour, Error, Output, Resumption, Tool, ToolStep};

/// The tools of a plugin: the export `tools`.
pub trait Tools {
    /// The tools, in the order in which they are listed.
    fn tools() -> Vec<Tool>;

    /// Answers one call. `arguments` is a JSON object; read it with [`args`](crate::args).
    ///
    /// # Errors
    /// What the host or the hub said, passed on unchanged, or [`Error::Invalid`] for arguments that cannot be right.
    fn call(name: &str, arguments: Value) -> Result<Output, Error>;

    /// Answers one call that may ask the person something first. Only a plugin that asks writes this one: it returns
    /// [`ToolStep::Ask`], and is called again with the same arguments and the answers in `resumed`.
    ///
    /// # Errors
    /// As [`Tools::call`]; [`Error::Invalid`] where answers come for a plugin that asked nothing.
    fn step(name: &str, arguments: Value, resumed: Option<Resumption>) -> Result<ToolStep, Error> {
        match resumed {
            None => Self::call(name, arguments).map(ToolStep::Done),
            Some(_) => Err(Error::Invalid(format!("{name} did not ask anything."))),
        }
    }
}

impl Tool {
    /// A tool that only reads: calling it twice is the same as once, and it stays inside Ensemble.
    ///
    /// `name` is what the client calls (`[a-zA-Z0-9_-]`, at most 49 characters), `title` what a person sees,
    /// `description` what a model chooses by.
    #[must_use]
    pub fn read(name: &str, title: &str, description: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            description: description.to_owned(),
            input_schema: object(&json!({}), &[]).to_string(),
            output_schema: None,
            behaviour: Behaviour {
                read_only: true,
                destructive: false,
                idempotent: true,
                open_world: false,
            },
        }
    }

    /// A tool that adds or changes something, destroys nothing, and does it again when called again.
    #[must_use]
    pub fn change(name: &str, title: &str, description: &str) -> Self {
        let mut tool = Self::read(name, title, description);
        tool.behaviour.read_only = false;
        tool.behaviour.idempotent = false;
        tool
    }

    /// The arguments: JSON Schemas by name, and the names that must be given. Other names are refused.
    ///
    /// Give each a `description` and its bounds, and each array its `items`; write types out, because clients do not
    /// follow `$ref`. The argument `space` is the host's: it adds it where `plugin.toml` says so.
    #[must_use]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "reads as `.input(json!({ … }), &[…])`"
    )]
    pub fn input(mut self, properties: Value, required: &[&str]) -> Self {
        self.input_schema = object(&properties, required).to_string();
        self
    }

    /// The JSON Schema of the structured result. Promise one only if every result keeps it.
    #[must_use]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "reads as `.output(json!({ … }))`"
    )]
    pub fn output(mut self, schema: Value) -> Self {
        self.output_schema = Some(schema.to_string());
        self
    }

    /// May overwrite or remove what was there.
    #[must_use]
    pub fn destructive(mut self) -> Self {
        self.behaviour.destructive = true;
        self
    }

    /// Calling it again with the same arguments changes nothing more.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.behaviour.idempotent = true;
        self
    }

    /// Reaches something outside Ensemble.
    #[must_use]
    pub fn open_world(mut self) -> Self {
        self.behaviour.open_world = true;
        self
    }
}

fn object(properties: &Value, required: &[&str]) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_takes_no_arguments_until_it_names_them() {
        let tool = Tool::read("a_tool", "A", "B");
        let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
        assert_eq!(
            schema,
            json!({ "type": "object", "properties": {}, "additionalProperties": false })
        );
    }

    #[test]
    fn required_names_stand_in_the_schema() {
        let tool =
            Tool::change("a_tool", "A", "B").input(json!({ "id": { "type": "string" } }), &["id"]);
        let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
        assert_eq!(schema["required"], json!(["id"]));
        assert!(!tool.behaviour.read_only && !tool.behaviour.idempotent);
    }
}
