//! Arguments are read into a type, and an error names the argument that was wrong.
//!
//! A model sends what it believes: `8.0` for `8`, `null` for what it leaves out. Both are taken as meant; an unknown
//! name or a wrong type is refused, because a dropped argument is an answer to another question.

use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use crate::Error;

/// Characters of an error text.
const MAX_SENTENCE: usize = 300;

/// Reads a call's arguments into `T`. Give `T` the attribute `#[serde(deny_unknown_fields)]`, and `Option` for each
/// argument that may be left out. `null` for the whole is an empty object.
///
/// # Errors
/// [`Error::Invalid`] with the name of the argument and what was expected.
pub fn args<T: DeserializeOwned>(arguments: Value) -> Result<T, Error> {
    let mut given = match arguments {
        Value::Null => Map::new(),
        Value::Object(given) => given,
        _ => {
            return Err(Error::Invalid(
                "The arguments must be an object.".to_owned(),
            ));
        }
    };
    given.values_mut().for_each(whole_numbers);
    given.retain(|_, value| !value.is_null());
    read::<T>(&given).map_err(|reason| {
        let blamed = blame::<T>(&given, &reason);
        let sentence = match blamed {
            Some(name) => format!("The argument {name} is wrong: {reason}."),
            None => format!("The arguments are wrong: {reason}."),
        };
        Error::Invalid(sentence.chars().take(MAX_SENTENCE).collect())
    })
}

/// The text, if there is one: clients that fill in every argument send an empty text for what they leave out.
#[must_use]
pub fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

fn read<T: DeserializeOwned>(given: &Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(given.clone())).map_err(|error| error.to_string())
}

/// The argument without which the error would be another one. A missing or unknown name stands in the error already.
fn blame<'a, T: DeserializeOwned>(given: &'a Map<String, Value>, reason: &str) -> Option<&'a str> {
    if reason.contains(" field `") {
        return None;
    }
    given.keys().map(String::as_str).find(|name| {
        let mut rest = given.clone();
        rest.remove(*name);
        read::<T>(&rest).err().as_deref() != Some(reason)
    })
}

/// Turns `8.0` into `8`, in depth: JSON has one kind of number, Rust has two.
fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(whole) = number.as_f64().filter(|_| number.is_f64()).and_then(whole) {
                *number = whole;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(fields) => fields.values_mut().for_each(whole_numbers),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Above 2^53 a float names no single whole number, so it stays what it is.
fn whole(float: f64) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    (float.fract() == 0.0 && float.abs() <= EXACT).then(|| Number::from(float as i64))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Ask {
        query: String,
        limit: Option<u32>,
        kinds: Option<Vec<String>>,
    }

    #[track_caller]
    fn check(arguments: Value, expected: Result<(&str, Option<u32>), &str>) {
        let got = args::<Ask>(arguments).map(|ask| (ask.query, ask.limit));
        let expected = expected
            .map(|(query, limit)| (query.to_owned(), limit))
            .map_err(|text| Error::Invalid(text.to_owned()));
        assert_eq!(got, expected);
    }

    #[test]
    fn what_is_meant_is_taken() {
        check(json!({ "query": "a" }), Ok(("a", None)));
        check(json!({ "query": "a", "limit": 8 }), Ok(("a", Some(8))));
        check(json!({ "query": "a", "limit": 8.0 }), Ok(("a", Some(8))));
        check(json!({ "query": "a", "limit": null }), Ok(("a", None)));
    }

    #[test]
    fn an_error_names_the_argument() {
        check(
            json!(null),
            Err("The arguments are wrong: missing field `query`."),
        );
        check(json!([1]), Err("The arguments must be an object."));
        check(
            json!({ "query": "a", "limit": "8" }),
            Err("The argument limit is wrong: invalid type: string \"8\", expected u32."),
        );
        check(
            json!({ "query": "a", "limit": 8.5 }),
            Err("The argument limit is wrong: invalid type: floating point `8.5`, expected u32."),
        );
        check(
            json!({ "query": 5 }),
            Err("The argument query is wrong: invalid type: integer `5`, expected a string."),
        );
        check(
            json!({ "query": "a", "kinds": ["task", 3] }),
            Err("The argument kinds is wrong: invalid type: integer `3`, expected a string."),
        );
        check(
            json!({ "query": "a", "workspace": "b" }),
            Err(
                "The arguments are wrong: unknown field `workspace`, expected one of `query`, `limit`, `kinds`.",
            ),
        );
    }
}
