//! Does a structured answer keep the schema that its tool published? A client reads the answer by that schema, so one that does not
//! is the plugin's fault and no answer.

use serde_json::Value;

use crate::listed::Listed;

/// Where the answer breaks the promise: a JSON pointer into it, empty for its root. `None` where it keeps it, or none was given.
pub fn broken(listed: &Listed, structured: &Value) -> Option<String> {
    let schema = listed.tool.output_schema.as_ref()?;
    let validator = listed.promise.get_or_init(|| {
        jsonschema::validator_for(&Value::Object(schema.clone())).map_err(|e| e.to_string())
    });
    match validator {
        Ok(validator) => {
            let error = validator.iter_errors(structured).next()?;
            Some(error.instance_path().to_string())
        }
        // a schema that cannot be read promises what nobody can keep
        Err(_) => Some(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn promising(schema: &Value) -> Listed {
        let tool = serde_json::from_value(json!({
                "name": "t", "title": "T", "description": "D", "inputSchema": {"type": "object"}, "outputSchema": schema,
                "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
            }))
            .unwrap();
        Listed::of("probe".parse().unwrap(), tool, false)
    }

    #[test]
    fn an_answer_that_breaks_its_schema_is_named_with_its_place() {
        let listed = promising(
            &json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}),
        );
        assert_eq!(broken(&listed, &json!({"n": 1})), None);
        assert_eq!(broken(&listed, &json!({"n": "one"})).as_deref(), Some("/n"));
        assert_eq!(broken(&listed, &json!({})).as_deref(), Some(""));
        let nobody_can = promising(&json!({"type": "nothing"}));
        assert_eq!(broken(&nobody_can, &json!({})).as_deref(), Some(""));
    }

    #[test]
    fn without_a_schema_nothing_is_promised() {
        let mut listed = promising(&json!({}));
        listed.tool.output_schema = None;
        assert_eq!(broken(&listed, &json!({"any": "thing"})), None);
    }
}
