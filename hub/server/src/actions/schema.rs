//! The JSON Schema of an action's input, in the form that clients take: an object at the top, everything in place (no `$ref`), optional
//! properties left out rather than null, and a description for each property.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

/// The schema of `T`.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    Plain.transform(&mut schema);
    let mut value = schema.to_value();
    if let Some(object) = value.as_object_mut() {
        object.entry("properties").or_insert_with(|| json!({}));
        object.remove("description");
    }
    value
}

/// Takes out what a client does not need: titles, formats of numbers, and the null of a property that may be left out.
#[derive(Clone, Copy)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("title");
        schema.remove("format");
        // Marks a property whose null means something.
        let clears = schema.remove("x-clears").is_some();
        if !clears {
            without_null(schema);
        }
        if schema.get("default") == Some(&Value::Null) {
            schema.remove("default");
        }
        transform_subschemas(self, schema);
    }
}

fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|one| !one.is_null());
    }
    // An optional choice comes as “this, or null”.
    let only = match schema.get("anyOf") {
        Some(Value::Array(either))
            if either.len() == 2 && either.get(1) == Some(&json!({ "type": "null" })) =>
        {
            either.first().cloned()
        }
        _ => None,
    };
    if let Some(Value::Object(only)) = only {
        schema.remove("anyOf");
        for (name, value) in only {
            if schema.get(&name).is_none() {
                schema.insert(name, value);
            }
        }
    }
}
