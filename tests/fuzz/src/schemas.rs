//! Tool schemas: a tool that is listed can be called by every client, and arguments that were let through keep its schema. The first line is
//! the schema, the second one the arguments, both JSON.

use ensemble_catalog::{Catalog, Entry, Listed, prepare};
use ensemble_model::{KeyGrants, Manifest, Origin, Surface};
use serde_json::{Value, json};

const MANIFEST: &str = "id = \"x\"\nversion = \"0.1.0\"\ngroup = \"x\"\ntitle = \"X\"\ndescription = \"d\"\nworld = \"reader\"\ngrant = \"read\"\nspace = true\n";

pub(crate) fn run(data: &[u8]) {
    let text = crate::text(data);
    let (schema, arguments) = text.split_once('\n').unwrap_or((&text, "{}"));
    let Ok(schema) = serde_json::from_str::<Value>(schema) else {
        return;
    };
    for origin in [Origin::BuiltIn, Origin::Installed] {
        let Some(catalog) = catalog(&schema, origin) else {
            continue;
        };
        let view = catalog.view(KeyGrants {
            changes: false,
            apps: false,
        });
        let [listed] = view.tools() else {
            panic!("one tool was listed, and there are {}", view.tools().len())
        };
        portable(listed);
        if let Ok(arguments) = serde_json::from_str::<Value>(arguments) {
            kept(listed, &arguments);
        }
    }
}

fn catalog(schema: &Value, origin: Origin) -> Option<Catalog> {
    let tool = json!({
        "name": "x_one", "title": "One", "description": "Does one thing.", "inputSchema": schema,
        "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
    });
    let surface = Surface::parse(&json!({ "tools": [tool] }).to_string()).ok()?;
    let entry = Entry {
        manifest: Manifest::parse(MANIFEST).unwrap(),
        surface,
        origin,
    };
    match Catalog::new(vec![entry]) {
        Ok(catalog) => Some(catalog),
        Err(refused) => {
            assert!(!refused.to_string().is_empty());
            None
        }
    }
}

/// What clients stumble over is not there.
fn portable(listed: &Listed) {
    let schema = Value::Object(listed.tool.input_schema.clone());
    assert_eq!(schema["type"], "object", "{schema}");
    for word in ["oneOf", "anyOf", "allOf", "if"] {
        assert!(schema.get(word).is_none(), "{word} at the top: {schema}");
    }
    assert!(!has_reference(&schema), "{schema}");
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        assert!(
            property["description"]
                .as_str()
                .is_some_and(|says| !says.is_empty()),
            "{name} is not described"
        );
        assert!(
            property["type"] != "array" || property.get("items").is_some(),
            "{name} has no items"
        );
    }
}

/// The members of a schema that hold a schema, a list of them, or some by name. What else stands in it refers to nothing.
const SCHEMAS: [&str; 20] = [
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "unevaluatedProperties",
    "dependentSchemas",
    "items",
    "prefixItems",
    "contains",
    "unevaluatedItems",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "$defs",
    "definitions",
    "additionalItems",
];

fn has_reference(schema: &Value) -> bool {
    let below = |name: &str, value: &Value| match value {
        _ if !SCHEMAS.contains(&name) => false,
        Value::Array(items) => items.iter().any(has_reference),
        Value::Object(named)
            if name == "properties"
                || name == "patternProperties"
                || name.ends_with("efs")
                || name == "definitions"
                || name == "dependentSchemas" =>
        {
            named.values().any(has_reference)
        }
        one => has_reference(one),
    };
    let members = schema.as_object().into_iter().flatten();
    let mut members = members.map(|(name, value)| name == "$ref" || below(name, value));
    members.any(|found| found)
}

fn kept(listed: &Listed, arguments: &Value) {
    let Ok(prepared) = prepare(listed, Some(arguments.clone())) else {
        return;
    };
    let mut whole = prepared.arguments.clone();
    if let Some(space) = &prepared.space {
        whole.insert("space".to_owned(), json!(space));
    }
    let schema = Value::Object(listed.tool.input_schema.clone());
    let keeps = jsonschema::is_valid(&schema, &Value::Object(whole.clone()));
    assert!(
        keeps,
        "{arguments} was let through as {whole:?}, which {schema} does not allow"
    );
    // what was met halfway is met: nothing more is changed
    assert_eq!(prepare(listed, Some(Value::Object(whole))), Ok(prepared));
}
