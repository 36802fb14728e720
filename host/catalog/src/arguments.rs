//! From what a client sent to what a guest gets: the published schema is the contract, and an argument that does not keep
//! it is named, with what was expected and what came. Two habits of models are met halfway, and nothing else:
//!
//! - a number, boolean, array or object that came as its JSON text is read as what the schema wants;
//! - `null` for an argument that may be left out is left out.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::{Map, Value};

use crate::listed::Listed;
use crate::schema::SPACE;

/// How much of a wrong value is shown again.
const SHOWN: usize = 60;

/// Arguments that keep the schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The space that was named; the guest does not see it.
    pub space: Option<String>,
    /// Everything else.
    pub arguments: Map<String, Value>,
}

/// Why the arguments were refused; one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ArgumentError(String);

/// Checks the arguments of one call. Missing and `null` are an empty object.
pub fn prepare(listed: &Listed, arguments: Option<Value>) -> Result<Prepared, ArgumentError> {
    let mut arguments = match arguments {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(object)) => object,
        Some(other) => {
            return Err(ArgumentError(format!(
                "The arguments of {} have to be an object, and {} came.",
                listed.tool.name,
                shown(&other)
            )));
        }
    };
    meet_halfway(&listed.tool.input_schema, &mut arguments);
    let arguments = check(listed, Value::Object(arguments))?;
    let Value::Object(mut arguments) = arguments else {
        return Err(ArgumentError(
            "The arguments have to be an object.".to_owned(),
        ));
    };
    let space = if listed.takes_space {
        arguments
            .remove(SPACE)
            .and_then(|space| space.as_str().map(ToOwned::to_owned))
    } else {
        None
    };
    Ok(Prepared { space, arguments })
}

fn meet_halfway(schema: &Map<String, Value>, arguments: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return;
    };
    let required = |name: &str| {
        schema
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|required| required == name))
    };
    arguments.retain(|name, value| {
        !(value.is_null() && properties.contains_key(name) && !required(name))
    });
    for (name, value) in arguments.iter_mut() {
        let (Some(property), Value::String(text)) = (properties.get(name), &*value) else {
            continue;
        };
        let wanted = property
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or("string");
        if let Ok(read) = serde_json::from_str::<Value>(text.trim())
            && fits(wanted, &read)
        {
            *value = read;
        }
    }
}

fn fits(wanted: &str, value: &Value) -> bool {
    match wanted {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

fn check(listed: &Listed, arguments: Value) -> Result<Value, ArgumentError> {
    let validator = listed.validator.get_or_init(|| {
        let schema = Value::Object(listed.tool.input_schema.clone());
        jsonschema::validator_for(&schema).map_err(|e| e.to_string())
    });
    let validator = validator.as_ref().map_err(|_| {
        ArgumentError(format!(
            "The schema of {} is not a JSON Schema.",
            listed.tool.name
        ))
    })?;
    let sentence = validator.iter_errors(&arguments).next().map(|error| {
        let path = error.instance_path().to_string();
        sentence(listed, &path, error.kind(), error.instance())
    });
    match sentence {
        Some(sentence) => Err(ArgumentError(sentence)),
        None => Ok(arguments),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "keywords that no schema here uses share one sentence"
)]
fn sentence(listed: &Listed, path: &str, kind: &ValidationErrorKind, came: &Value) -> String {
    let argument = format!(
        "The argument “{}”",
        path.trim_start_matches('/').replace('/', ".")
    );
    let wanted = match kind {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            return format!("The argument “{name}” is missing.");
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let known = listed
                .tool
                .input_schema
                .get("properties")
                .and_then(Value::as_object);
            let known: Vec<_> = known
                .map(|p| p.keys().map(String::as_str).collect())
                .unwrap_or_default();
            return format!(
                "There is no argument “{}”: {} takes {}.",
                cut(&unexpected.join("”, “")),
                listed.tool.name,
                if known.is_empty() {
                    "none".to_owned()
                } else {
                    known.join(", ")
                }
            );
        }
        ValidationErrorKind::Type { kind } => format!("has to be {}", type_name(kind)),
        ValidationErrorKind::Enum { options } => {
            let options: Vec<_> = options
                .as_array()
                .into_iter()
                .flatten()
                .map(shown)
                .collect();
            format!("has to be one of {}", options.join(", "))
        }
        ValidationErrorKind::Minimum { limit } => format!("has to be at least {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("has to be at most {limit}"),
        ValidationErrorKind::MinLength { limit: 1 } => {
            return format!("{argument} must not be empty.");
        }
        ValidationErrorKind::MinLength { limit } => format!("needs at least {limit} characters"),
        ValidationErrorKind::MaxLength { limit } => {
            let length = came.as_str().map_or(0, |text| text.chars().count());
            return format!("{argument} may have at most {limit} characters, and {length} came.");
        }
        ValidationErrorKind::MinItems { limit } => format!("needs at least {limit} entries"),
        ValidationErrorKind::MaxItems { limit } => format!("may have at most {limit} entries"),
        ValidationErrorKind::Pattern { .. } => return unlike(listed, &argument, path, came),
        _ => "does not keep the schema of the tool".to_owned(),
    };
    format!("{argument} {wanted}, and {} came.", shown(came))
}

/// A pattern says little to a person; what the argument is described as says more.
fn unlike(listed: &Listed, argument: &str, path: &str, came: &Value) -> String {
    let name = path
        .trim_start_matches('/')
        .split('/')
        .next()
        .unwrap_or_default();
    let properties = listed.tool.input_schema.get("properties");
    let description = properties.and_then(|p| p.get(name)?.get("description")?.as_str());
    format!(
        "{argument} does not fit, {} came. It is described as: {}",
        shown(came),
        description.unwrap_or("nothing more")
    )
}

fn type_name(kind: &TypeKind) -> String {
    let names: Vec<String> = match kind {
        TypeKind::Single(one) => vec![one.to_string()],
        TypeKind::Multiple(set) => set.iter().map(|one| one.to_string()).collect(),
    };
    names
        .iter()
        .map(|name| match name.as_str() {
            "integer" | "array" | "object" => format!("an {name}"),
            other => format!("a {other}"),
        })
        .collect::<Vec<_>>()
        .join(" or ")
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("“{}”", cut(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => cut(&value.to_string()),
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(SHOWN).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed() -> Listed {
        let tool = serde_json::from_value(json!({
                "name": "t", "title": "T", "description": "D",
                "inputSchema": {
                    "type": "object", "additionalProperties": false, "required": ["query"],
                    "properties": {
                        "query": {"type": "string", "minLength": 1, "maxLength": 10, "description": "q"},
                        "limit": {"type": "integer", "minimum": 1, "maximum": 20, "description": "l"},
                        "labels": {"type": "array", "items": {"type": "string"}, "description": "l"},
                        "done": {"type": "boolean", "description": "d"},
                        "status": {"enum": ["todo", "done"], "description": "s"},
                        "input": {"type": "object", "description": "i"},
                        "space": {"type": "string", "description": "s"}
                    }
                },
                "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
            }))
            .unwrap();
        Listed {
            takes_space: true,
            ..Listed::of("probe".parse().unwrap(), tool, false)
        }
    }

    fn said(arguments: Value) -> String {
        match prepare(&listed(), Some(arguments)) {
            Ok(prepared) => format!("{} {:?}", Value::Object(prepared.arguments), prepared.space),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_keeps_the_schema_passes_and_space_is_taken_out() {
        assert_eq!(
            said(json!({"query": "x", "space": "Studio"})),
            r#"{"query":"x"} Some("Studio")"#
        );
        assert_eq!(
            said(json!({"query": "x", "limit": null})),
            r#"{"query":"x"} None"#
        );
    }

    #[test]
    fn json_text_is_read_as_what_the_schema_wants() {
        assert_eq!(
            said(json!({"query": "10", "limit": "10", "labels": "[\"a\",\"b\"]", "done": "true"})),
            r#"{"query":"10","limit":10,"labels":["a","b"],"done":true} None"#
        );
        assert_eq!(
            said(json!({"query": "x", "input": " {\"a\":\"1\"}\n"})),
            r#"{"query":"x","input":{"a":"1"}} None"#
        );
        for text in ["{", "[1]", "x", "null"] {
            let sentence = said(json!({"query": "x", "input": text}));
            assert!(
                sentence.contains("“input” has to be an object"),
                "{sentence}"
            );
        }
        assert_eq!(
            said(json!({"query": "x", "labels": "a, b"})),
            "The argument “labels” has to be an array, and “a, b” came."
        );
    }

    #[test]
    fn what_does_not_is_named() {
        let cases = [
            (json!({}), "The argument “query” is missing."),
            (
                json!({"query": null}),
                "The argument “query” has to be a string, and null came.",
            ),
            (
                json!({"query": ""}),
                "The argument “query” must not be empty.",
            ),
            (
                json!({"query": "x".repeat(11)}),
                "The argument “query” may have at most 10 characters, and 11 came.",
            ),
            (
                json!({"query": "x", "limit": 0}),
                "The argument “limit” has to be at least 1, and 0 came.",
            ),
            (
                json!({"query": "x", "limit": 1.5}),
                "The argument “limit” has to be an integer, and 1.5 came.",
            ),
            (
                json!({"query": "x", "labels": [1]}),
                "The argument “labels.0” has to be a string, and 1 came.",
            ),
            (
                json!({"query": "x", "status": "x"}),
                "The argument “status” has to be one of “todo”, “done”, and “x” came.",
            ),
            (
                json!({"query": "x", "colour": 1}),
                "There is no argument “colour”: t takes query, limit, labels, done, status, input, space.",
            ),
        ];
        for (arguments, sentence) in cases {
            assert_eq!(said(arguments), sentence);
        }
    }

    #[test]
    fn arguments_are_an_object_or_left_out() {
        let mut optional = listed();
        optional.tool.input_schema.remove("required");
        for none in [None, Some(Value::Null), Some(json!({}))] {
            assert!(prepare(&optional, none).unwrap().arguments.is_empty());
        }
        for wrong in [json!([]), json!("x"), json!(5)] {
            assert!(prepare(&optional, Some(wrong)).is_err());
        }
    }
}
