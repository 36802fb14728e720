//! Front matter: YAML between two lines `---` at the very beginning, or TOML between `+++`. It is bounded, and so is what its aliases
//! expand to.

use serde_json::{Map, Value};

/// Bytes of front matter.
const FRONT_MAX: usize = 64 * 1024;
/// What aliases may expand to, in events of the parser.
const ALIASES_MAX: usize = 5_000;
/// Words of one list.
const WORDS_MAX: usize = 50;

/// The front matter and the text after it.
pub(super) fn split(text: &str) -> Result<(Map<String, Value>, &str), String> {
    for (fence, yaml) in [("---", true), ("+++", false)] {
        let Some((front, body)) = fenced(text, fence) else {
            continue;
        };
        if front.len() > FRONT_MAX {
            return Err("Its front matter is larger than 64 KB.".to_owned());
        }
        let front = if yaml {
            from_yaml(front)?
        } else {
            from_toml(front)?
        };
        return Ok((front, body));
    }
    Ok((Map::new(), text))
}

fn fenced<'a>(text: &'a str, fence: &str) -> Option<(&'a str, &'a str)> {
    let (first, rest) = text.split_once('\n')?;
    if first.trim_end() != fence {
        return None;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        let end = line.trim_end();
        if end == fence || (fence == "---" && end == "...") {
            let (front, body) = rest.split_at(at);
            return Some((front, body.strip_prefix(line).unwrap_or_default()));
        }
        at += line.len();
    }
    // A line of dashes without a second one is a rule across the page.
    None
}

fn from_yaml(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let options = serde_saphyr::options! {
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: ALIASES_MAX },
    };
    let value = serde_saphyr::from_str_with_options::<Value>(text, options).map_err(|error| {
        let line = error.location().map_or(1, |at| at.line() + 1);
        format!("Its front matter cannot be read (line {line}).")
    })?;
    object(value)
}

fn from_toml(text: &str) -> Result<Map<String, Value>, String> {
    let table: toml::Table = text
        .parse()
        .map_err(|_| "Its front matter cannot be read.".to_owned())?;
    object(serde_json::to_value(table).map_err(|_| "Its front matter cannot be read.".to_owned())?)
}

fn object(value: Value) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        _ => Err("Its front matter is no list of names and values.".to_owned()),
    }
}

/// The words of a value: a list, or a text with commas between.
pub(super) fn words(value: Option<&Value>) -> Vec<String> {
    let all: Vec<&str> = match value {
        Some(Value::String(text)) => text.split(',').collect(),
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let words = all
        .into_iter()
        .map(|word| crate::store::one_line(word.trim().trim_start_matches('#')));
    words
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .collect()
}
