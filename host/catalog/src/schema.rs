//! The argument `space`, which belongs to the host: it is added to a tool's published schema and taken out again before
//! the guest sees the arguments.

use ensemble_model::surface::Tool;
use serde_json::{Map, Value, json};

/// The name of the argument.
pub(crate) const SPACE: &str = "space";

/// The longest id or name of a space that is looked up.
const MAX_SPACE: usize = 200;

/// The tool with `space` in its schema.
pub(crate) fn with_space(mut tool: Tool) -> Tool {
    let property = json!({
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_SPACE,
        "description": "A space's id or exact name (see ensemble_spaces). Left out: the key's own default space."
    });
    let properties = tool
        .input_schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(properties) = properties {
        properties.insert(SPACE.to_owned(), property);
    }
    tool
}
