//! In what one surface is otherwise than another: tool by tool, text by text, and inside schemas value by value. Nothing that
//! a client could be shown differently is left out.

use std::fmt;

use serde_json::Value;

use super::Surface;

/// One thing that is otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where: `tool “x”, description`.
    pub place: String,
    /// As it was; `None` where there was nothing.
    pub before: Option<String>,
    /// As it is; `None` where there is nothing.
    pub after: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            before,
            after,
        } = self;
        match (before, after) {
            (None, Some(after)) => write!(f, "{place}: new: {after}"),
            (Some(before), None) => write!(f, "{place}: gone: {before}"),
            (Some(before), Some(after)) => write!(f, "{place}: was {before}, is {after}"),
            (None, None) => f.write_str(place),
        }
    }
}

impl Surface {
    /// What is otherwise in `now`; empty where both are the same to every client. The order of keys in a schema means nothing.
    #[must_use]
    pub fn differences(&self, now: &Self) -> Vec<Difference> {
        let mut found = Vec::new();
        let (was, is) = (self.named(), now.named());
        for (name, before) in &was {
            match is.iter().find(|(other, _)| other == name) {
                None => found.push(Difference {
                    place: name.clone(),
                    before: Some(before.to_string()),
                    after: None,
                }),
                Some((_, after)) => inside(name, before, after, &mut found),
            }
        }
        for (name, after) in &is {
            if !was.iter().any(|(other, _)| other == name) {
                found.push(Difference {
                    place: name.clone(),
                    before: None,
                    after: Some(after.to_string()),
                });
            }
        }
        let order = |all: &[(String, Value)]| -> Vec<String> {
            all.iter().map(|(name, _)| name.clone()).collect()
        };
        if found.is_empty() && order(&was) != order(&is) {
            found.push(Difference {
                place: "the order".to_owned(),
                before: Some(order(&was).join(", ")),
                after: Some(order(&is).join(", ")),
            });
        }
        found
    }

    /// Everything that is listed, each under a name that no other has; a second of one name gets a number.
    fn named(&self) -> Vec<(String, Value)> {
        let Self {
            tools,
            resources,
            resource_templates,
            prompts,
            completes,
        } = self;
        let json = |value: Result<Value, serde_json::Error>| value.unwrap_or_default();
        let mut all: Vec<(String, Value)> = Vec::new();
        let mut add = |name: String, value: Value| {
            let same = all.iter().filter(|(other, _)| *other == name).count();
            let name = match same {
                0 => name,
                _ => format!("{name} ({})", all.len()),
            };
            all.push((name, value));
        };
        for tool in tools {
            add(
                format!("tool “{}”", tool.name),
                json(serde_json::to_value(tool)),
            );
        }
        for resource in resources {
            add(
                format!("resource “{}”", resource.uri),
                json(serde_json::to_value(resource)),
            );
        }
        for template in resource_templates {
            add(
                format!("resources “{}”", template.uri_template),
                json(serde_json::to_value(template)),
            );
        }
        for prompt in prompts {
            add(
                format!("prompt “{}”", prompt.name),
                json(serde_json::to_value(prompt)),
            );
        }
        if *completes {
            add("completion".to_owned(), Value::Bool(true));
        }
        all
    }
}

/// Goes down as deep as both have the same shape; surfaces are bounded in depth by the JSON reader.
fn inside(place: &str, before: &Value, after: &Value, found: &mut Vec<Difference>) {
    match (before, after) {
        (Value::Object(was), Value::Object(is)) => {
            for (name, before) in was {
                let place = format!("{place}, {name}");
                match is.get(name) {
                    Some(after) => inside(&place, before, after, found),
                    None => found.push(Difference {
                        place,
                        before: Some(before.to_string()),
                        after: None,
                    }),
                }
            }
            for (name, after) in is.iter().filter(|(name, _)| !was.contains_key(*name)) {
                found.push(Difference {
                    place: format!("{place}, {name}"),
                    before: None,
                    after: Some(after.to_string()),
                });
            }
        }
        (before, after) if before != after => found.push(Difference {
            place: place.to_owned(),
            before: Some(before.to_string()),
            after: Some(after.to_string()),
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn surface(tools: &[Value]) -> Surface {
        Surface::parse(&json!({ "tools": tools }).to_string()).unwrap()
    }

    fn tool(name: &str, description: &str, schema: &Value) -> Value {
        json!({
            "name": name, "title": "T", "description": description, "inputSchema": schema,
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
        })
    }

    fn said(before: &[Value], after: &[Value]) -> Vec<String> {
        let found = surface(before).differences(&surface(after));
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_change_that_a_client_could_see_is_named_with_both_texts() {
        let plain = || json!({"type": "object", "properties": {}});
        let a = || tool("a", "Reads.", &plain());
        let b = || tool("b", "Also.", &plain());
        assert!(said(&[a(), b()], &[a(), b()]).is_empty());
        assert_eq!(
            said(&[a()], &[tool("a", "Sends.", &plain())]),
            ["tool “a”, description: was \"Reads.\", is \"Sends.\""]
        );
        let wider = json!({"properties": {"to": {"type": "string"}}, "type": "object"});
        assert_eq!(
            said(&[a()], &[tool("a", "Reads.", &wider)]),
            ["tool “a”, inputSchema, properties, to: new: {\"type\":\"string\"}"]
        );
        let mut writes = a();
        writes["annotations"]["readOnlyHint"] = json!(false);
        assert_eq!(
            said(&[a()], &[writes]),
            ["tool “a”, annotations, readOnlyHint: was true, is false"]
        );
        assert!(said(&[a()], &[a(), b()])[0].starts_with("tool “b”: new: "));
        assert!(said(&[a(), b()], &[a()])[0].starts_with("tool “b”: gone: "));
        assert_eq!(said(&[a(), b()], &[b(), a()]).len(), 1);
        // twice the same name is one more than once
        assert_eq!(said(&[a()], &[a(), a()]).len(), 1);
    }

    #[test]
    fn the_order_of_keys_means_nothing() {
        let one = json!({"type": "object", "properties": {}});
        let other = json!({"properties": {}, "type": "object"});
        assert!(said(&[tool("a", "d", &one)], &[tool("a", "d", &other)]).is_empty());
    }
}
