//! From the input that came to the type that an action takes. `null` for a property that may be left out is the same as leaving it out, but
//! for a [`Patch`], where it empties the field.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use ensemble_hub_api::sentences;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::{Action, GROUPS};
use crate::error::RouteError;
use crate::text::{cut, trust};

/// The longest detail of a refusal that is passed on, in characters.
const DETAIL_MAX: usize = 300;

/// An action's schema, and what checks it; built at its first use.
struct Ready {
    schema: Value,
    validator: Option<jsonschema::Validator>,
}

static READY: LazyLock<BTreeMap<&'static str, OnceLock<Ready>>> = LazyLock::new(|| {
    GROUPS
        .iter()
        .flat_map(|group| group.actions)
        .map(|action| (action.name, OnceLock::new()))
        .collect()
});

fn ready(action: &Action) -> Option<&'static Ready> {
    let ready = READY.get(action.name)?;
    Some(ready.get_or_init(|| {
        let schema = (action.schema)();
        Ready {
            validator: jsonschema::validator_for(&schema).ok(),
            schema,
        }
    }))
}

/// The published schema of an action.
pub(crate) fn schema_of(action: &Action) -> Value {
    ready(action).map_or_else(|| json!({}), |ready| ready.schema.clone())
}

/// The input without nulls that mean nothing, if it keeps the schema of the action.
pub(crate) fn checked(action: &Action, mut input: Value) -> Result<Value, RouteError> {
    let broken = || RouteError::Broken(sentences::INTERNAL);
    let ready = ready(action).ok_or_else(broken)?;
    let validator = ready.validator.as_ref().ok_or_else(broken)?;
    if input.is_null() {
        input = Value::Object(Map::new());
    }
    leave_out_nulls(&ready.schema, &mut input);
    let wrong = validator.iter_errors(&input).next().map(|error| {
        let path = error.instance_path().to_string();
        let place = path.trim_start_matches('/').replace('/', ".");
        // The value itself is not repeated: it can be long, and it is the caller's.
        (place, error.masked_with("the value").to_string())
    });
    match wrong {
        None => Ok(input),
        Some((place, what)) => {
            let what = cut::excerpt(&trust::one_line(&what), DETAIL_MAX).0;
            Err(RouteError::BadRequest(sentences::bad_input(
                action.name,
                &place,
                &what,
            )))
        }
    }
}

/// `null` for an optional property that does not take it is left out, at any depth.
fn leave_out_nulls(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(object) => {
            let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
                return;
            };
            object.retain(|name, value| {
                !value.is_null() || properties.get(name).is_none_or(takes_null)
            });
            for (name, value) in object.iter_mut() {
                if let Some(property) = properties.get(name) {
                    leave_out_nulls(property, value);
                }
            }
        }
        Value::Array(values) => {
            if let Some(items) = schema.get("items") {
                for value in values {
                    leave_out_nulls(items, value);
                }
            }
        }
        _ => {}
    }
}

fn takes_null(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|one| one == "null"),
        Some(Value::String(one)) => one == "null",
        _ => true,
    }
}

/// The input as the type of the action. What the schema cannot say is refused here.
pub(crate) fn parsed<T: DeserializeOwned>(input: Value) -> Result<T, RouteError> {
    serde_json::from_value(input).map_err(|error| {
        let what = cut::excerpt(&trust::one_line(&error.to_string()), DETAIL_MAX).0;
        RouteError::BadRequest(sentences::bad_json("", &what))
    })
}

/// A field of an update: left out it stays, `null` empties it, a value sets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Patch<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<T> Patch<T> {
    /// Whether it changes nothing.
    pub(crate) const fn keeps(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// The new value, when there is one.
    pub(crate) const fn set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Option::<T>::deserialize(from).map(|value| value.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Patch_{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        if let Some(Value::String(one)) = schema.get("type").cloned() {
            schema.insert("type".to_owned(), json!([one, "null"]));
        }
        if let Some(Value::Array(values)) = schema.get_mut("enum") {
            values.push(Value::Null);
        }
        schema.insert("x-clears".to_owned(), Value::Bool(true));
        schema
    }
}
