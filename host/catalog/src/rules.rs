//! The rules that every tool keeps before it is shown to any client, because somewhere a client breaks on each:
//!
//! | rule | what breaks without it |
//! |---|---|
//! | a name is `[a-zA-Z0-9_-]`, at most 49 characters | clients prefix `mcp__ensemble__` and drop what passes 64 |
//! | names are unique | the second is never called |
//! | the input schema is an object, without a union or condition at its root | model APIs refuse the whole list |
//! | no reference, and every array says its items | parameters arrive untyped, or the list is refused |
//! | every property is described | the model guesses |
//! | a plugin that reads has no tool that is named like a write | a reviewer trusts the name |

use ensemble_model::surface::{Prompt, Tool};
use ensemble_model::{Grant, PluginId};
use serde_json::{Map, Value};

/// The longest tool name.
const MAX_NAME: usize = 49;

/// The longest description: lists are read by models at every start.
const MAX_DESCRIPTION: usize = 2_000;

/// A schema nested deeper than this describes nothing a model can fill in.
const MAX_DEPTH: usize = 24;

/// Keywords that no root may have.
const ROOT_UNIONS: [&str; 7] = ["anyOf", "oneOf", "allOf", "not", "if", "enum", "const"];

/// References, which clients do not resolve.
const REFERENCES: [&str; 5] = ["$ref", "$defs", "definitions", "$schema", "$dynamicRef"];

/// The only write-named tools there are; each stands in a plugin that needs changes allowed.
const NAMED_WRITES: [&str; 3] = [
    "ensemble_create_task",
    "ensemble_update_task",
    "ensemble_upload_file",
];

/// Tools of plugins that only read the hub which can write on the person's own computer, and so are not read-only to a client: `saveTo` writes a
/// file into the working folder. Nothing else may be on this list without the same kind of reason.
const WRITES_LOCALLY: [&str; 1] = ["ensemble_get_file"];

/// The one tool of a plugin that reads which runs whatever the hub lets its key run, and so can change everything that the key can.
const RUNS_ACTIONS: &str = "ensemble_act";

/// Words that promise a change.
const WRITE_WORDS: [&str; 22] = [
    "create", "update", "upload", "delete", "remove", "write", "add", "edit", "set", "move", "put",
    "post", "send", "insert", "rename", "replace", "archive", "restore", "import", "save", "patch",
    "assign",
];

/// A rule that a tool, a prompt or an address does not keep.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the tool “{tool}” of the plugin {plugin} cannot be offered: {rule}")]
pub struct RuleBroken {
    /// Whose tool.
    pub plugin: PluginId,
    /// Its name, cut.
    pub tool: String,
    /// Which rule, and where.
    pub rule: String,
}

/// Which schemas a tool may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schemas {
    /// Those that every client reads.
    Portable,
    /// Any.
    Any,
}

/// Checks one tool of a plugin that needs `grant`.
pub(crate) fn check(
    plugin: &PluginId,
    grant: Grant,
    schemas: Schemas,
    tool: &Tool,
) -> Result<(), RuleBroken> {
    let broken = |rule: String| RuleBroken {
        plugin: plugin.clone(),
        tool: tool.name.chars().take(64).collect(),
        rule,
    };
    name(&tool.name).map_err(broken)?;
    if tool.title.trim().is_empty() || tool.description.trim().is_empty() {
        return Err(broken("it has no title or no description".to_owned()));
    }
    if tool.description.chars().count() > MAX_DESCRIPTION {
        return Err(broken(format!(
            "its description is longer than {MAX_DESCRIPTION} characters"
        )));
    }
    writes(grant, tool).map_err(broken)?;
    if schemas == Schemas::Any {
        return Ok(());
    }
    root(&tool.input_schema).map_err(|rule| broken(format!("its input schema {rule}")))?;
    if let Some(output) = &tool.output_schema {
        root(output).map_err(|rule| broken(format!("its output schema {rule}")))?;
    }
    Ok(())
}

/// Checks a tool that stands for an action of the hub: its name may be longer, and whoever needs which grant was decided for each.
pub(crate) fn check_named(plugin: &PluginId, tool: &Tool) -> Result<(), RuleBroken> {
    let broken = |rule: String| RuleBroken {
        plugin: plugin.clone(),
        tool: tool.name.clone(),
        rule,
    };
    if tool.description.chars().count() > MAX_DESCRIPTION {
        return Err(broken(format!(
            "its description is longer than {MAX_DESCRIPTION} characters"
        )));
    }
    root(&tool.input_schema).map_err(|rule| broken(format!("its input schema {rule}")))
}

/// Checks one prompt: its name as a tool's, because clients make commands of both, and its arguments for being told apart.
pub(crate) fn check_prompt(plugin: &PluginId, prompt: &Prompt) -> Result<(), RuleBroken> {
    let broken = |rule: String| RuleBroken {
        plugin: plugin.clone(),
        tool: prompt.name.chars().take(64).collect(),
        rule,
    };
    name(&prompt.name).map_err(broken)?;
    let described = prompt.description.as_deref().unwrap_or_default();
    if described.chars().count() > MAX_DESCRIPTION {
        return Err(broken(format!(
            "its description is longer than {MAX_DESCRIPTION} characters"
        )));
    }
    for (at, argument) in prompt.arguments.iter().enumerate() {
        let earlier = prompt.arguments.iter().take(at);
        if argument.name.is_empty() || earlier.clone().any(|e| e.name == argument.name) {
            return Err(broken(
                "an argument has no name, or two have the same".to_owned(),
            ));
        }
    }
    Ok(())
}

fn name(name: &str) -> Result<(), String> {
    let plain = name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if name.is_empty() || name.len() > MAX_NAME || !plain {
        return Err(format!(
            "a name has letters, digits, _ and -, and at most {MAX_NAME} characters"
        ));
    }
    Ok(())
}

fn writes(grant: Grant, tool: &Tool) -> Result<(), String> {
    if NAMED_WRITES.contains(&tool.name.as_str()) {
        return if grant == Grant::Read {
            Err("it writes, and its plugin needs no grant for changes".to_owned())
        } else {
            Ok(())
        };
    }
    let named_so = tool
        .name
        .split(['_', '-'])
        .any(|word| WRITE_WORDS.contains(&word));
    if grant == Grant::Read && named_so {
        return Err("it is named like a write in a plugin that only reads".to_owned());
    }
    if tool.name == RUNS_ACTIONS {
        let told = !tool.annotations.read_only_hint && tool.annotations.destructive_hint;
        return if told {
            Ok(())
        } else {
            Err(
                "it runs actions and does not say that it changes and may remove something"
                    .to_owned(),
            )
        };
    }
    let locally = WRITES_LOCALLY.contains(&tool.name.as_str());
    if locally && tool.annotations.read_only_hint {
        return Err("it writes into the working folder and says that it only reads".to_owned());
    }
    if grant == Grant::Read && !locally && !tool.annotations.read_only_hint {
        return Err("it says that it changes something in a plugin that only reads".to_owned());
    }
    Ok(())
}

fn root(schema: &Map<String, Value>) -> Result<(), String> {
    if schema.get("type") != Some(&Value::String("object".to_owned())) {
        return Err("is not an object at its root".to_owned());
    }
    if let Some(word) = ROOT_UNIONS
        .into_iter()
        .find(|word| schema.contains_key(*word))
    {
        return Err(format!("has {word} at its root"));
    }
    inside(schema, "", 0)
}

fn inside(schema: &Map<String, Value>, at: &str, depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("is nested deeper than {MAX_DEPTH}"));
    }
    if let Some(word) = REFERENCES
        .into_iter()
        .find(|word| schema.contains_key(*word))
    {
        return Err(format!("has {word} at “{at}”"));
    }
    let is_array = schema.get("type").is_some_and(|t| {
        t == "array"
            || t.as_array()
                .is_some_and(|types| types.iter().any(|t| t == "array"))
    });
    if is_array && !schema.get("items").is_some_and(Value::is_object) {
        return Err(format!("has an array without items at “{at}”"));
    }
    if let Some(Value::Object(properties)) = schema.get("properties") {
        for (name, property) in properties {
            let place = format!("{at}/{name}");
            let Some(property) = property.as_object() else {
                return Err(format!("has no schema at “{place}”"));
            };
            let described = property
                .get("description")
                .and_then(Value::as_str)
                .is_some_and(|d| !d.trim().is_empty());
            if !described {
                return Err(format!("has no description at “{place}”"));
            }
            inside(property, &place, depth + 1)?;
        }
    }
    for word in ["items", "additionalProperties", "not"] {
        if let Some(Value::Object(inner)) = schema.get(word) {
            inside(inner, &format!("{at}/{word}"), depth + 1)?;
        }
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        let Some(Value::Array(branches)) = schema.get(word) else {
            continue;
        };
        for branch in branches.iter().filter_map(Value::as_object) {
            inside(branch, &format!("{at}/{word}"), depth + 1)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn verdict(name: &str, grant: Grant, schema: &Value) -> String {
        let tool: Tool = serde_json::from_value(json!({
            "name": name, "title": "T", "description": "D", "inputSchema": schema,
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
        }))
        .unwrap();
        match check(&"probe".parse().unwrap(), grant, Schemas::Portable, &tool) {
            Ok(()) => "ok".to_owned(),
            Err(broken) => broken.rule,
        }
    }

    fn object(properties: &Value) -> Value {
        json!({"type": "object", "properties": properties})
    }

    #[test]
    fn names() {
        let empty = || object(&json!({}));
        assert_eq!(verdict("ensemble_brief", Grant::Read, &empty()), "ok");
        assert_eq!(verdict(&"a".repeat(49), Grant::Read, &empty()), "ok");
        for bad in ["", "a.b", "a/b", "ä", "a b", &"a".repeat(50)] {
            assert!(
                verdict(bad, Grant::Read, &empty()).starts_with("a name has"),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_reading_plugin_has_no_write() {
        let empty = || object(&json!({}));
        assert!(verdict("x_delete_y", Grant::Read, &empty()).contains("named like a write"));
        assert!(verdict("ensemble_create_task", Grant::Read, &empty()).contains("needs no grant"));
        assert_eq!(
            verdict("ensemble_create_task", Grant::Changes, &empty()),
            "ok"
        );
        assert_eq!(verdict("ensemble_dataset", Grant::Read, &empty()), "ok");
        assert!(verdict("ensemble_upload_file", Grant::Read, &empty()).contains("needs no grant"));
        // an action can change and remove: no client may be told otherwise
        assert!(verdict("ensemble_act", Grant::Read, &empty()).contains("runs actions"));
        // saveTo writes a file: no client may be told that it only reads
        assert!(verdict("ensemble_get_file", Grant::Read, &empty()).contains("working folder"));
    }

    #[test]
    fn schemas() {
        let cases = [
            (json!({"type": "string"}), "not an object"),
            (json!({"type": "object", "oneOf": []}), "oneOf at its root"),
            (
                object(&json!({"a": {"type": "array", "description": "d"}})),
                "array without items at “/a”",
            ),
            (
                object(&json!({"a": {"$ref": "#/x", "description": "d"}})),
                "$ref at “/a”",
            ),
            (
                object(&json!({"a": {"type": "string"}})),
                "no description at “/a”",
            ),
            (
                object(
                    &json!({"a": {"type": "array", "description": "d", "items": {"type": ["array", "null"]}}}),
                ),
                "array without items at “/a/items”",
            ),
            (
                object(&json!({"a": {"description": "d", "anyOf": [{"$defs": {}}]}})),
                "$defs at “/a/anyOf”",
            ),
        ];
        for (schema, rule) in cases {
            let verdict = verdict("t", Grant::Read, &schema);
            assert!(verdict.contains(rule), "{schema}: {verdict}");
        }
    }
}
