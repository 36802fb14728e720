//! The actions plugin: lists what Ensemble can do for this key, and runs one action. It exists for every key; which actions a key
//! may run, what their input has to be, and which inputs a guard refuses, the hub decides each time.

mod offer;

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Output, Tool, Tools, Value, args, json};
use serde::Deserialize;

/// Characters of a list that a model can still work with: about 22,000 tokens.
const LIST_MAX: usize = 90_000;

struct Actions;

impl Tools for Actions {
    fn tools() -> Vec<Tool> {
        vec![offer::list(), offer::act()]
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_actions" => list(arguments),
            "ensemble_act" => act(arguments),
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    groups: Vec<String>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    schema: bool,
}

fn list(arguments: Value) -> Result<Output, Error> {
    let asked: List = args(arguments)?;
    let answer = hub::get_text("/api/bridge/actions", query(&asked)?)?;
    if answer.len() > LIST_MAX {
        return Err(Error::TooLarge(format!(
            "That list has {} characters, more than one answer should hold: ask for fewer groups, or for actions by their names.",
            answer.len()
        )));
    }
    Ok(Output::json_text(answer))
}

fn query(asked: &List) -> Result<Query, Error> {
    if asked.schema && asked.groups.is_empty() && asked.names.is_empty() {
        return Err(Error::Invalid(
            "schema is for some groups or some names: give which.".to_owned(),
        ));
    }
    Ok(Query::none()
        .maybe("groups", listed(&asked.groups)?)
        .maybe("names", listed(&asked.names)?)
        .maybe("schema", asked.schema.then_some(true)))
}

/// The words of a list, as the hub takes them. A word with a comma in it would be two.
fn listed(words: &[String]) -> Result<Option<String>, Error> {
    let words: Vec<&str> = words.iter().map(|word| word.trim()).collect();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let odd = words
        .iter()
        .find(|word| word.is_empty() || !word.chars().all(plain));
    match odd {
        Some(word) => {
            let shown: String = word.chars().filter(|c| !c.is_control()).take(80).collect();
            Err(Error::Invalid(format!(
                "“{shown}” is neither a group nor an action: ensemble_actions without arguments lists both."
            )))
        }
        None if words.is_empty() => Ok(None),
        None => Ok(Some(words.join(","))),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Act {
    action: String,
    #[serde(default = "nothing")]
    input: Value,
}

fn nothing() -> Value {
    json!({})
}

fn act(arguments: Value) -> Result<Output, Error> {
    let Act { action, input } = args(arguments)?;
    match hub::run(action.trim(), &input) {
        Ok(answer) => Ok(Output::json_text(answer)),
        // the schema that may stand below the sentence is longer than an error is shown
        Err(Error::Invalid(sentence)) => Ok(Output::unsuccessful(sentence)),
        Err(other) => Err(other),
    }
}

ensemble_sdk::export!(Actions: tools);

#[cfg(test)]
mod tests {
    use ensemble_sdk::surface::Surface;

    use super::*;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<Actions>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }

    fn asked(arguments: Value) -> Result<Query, String> {
        let asked = args::<List>(arguments).map_err(|e| e.sentence())?;
        query(&asked).map_err(|e| e.sentence())
    }

    #[test]
    fn a_list_is_asked_for_in_the_hubs_words() {
        assert_eq!(asked(json!({})), Ok(Query::none()));
        assert_eq!(asked(json!({ "schema": false })), Ok(Query::none()));
        assert_eq!(
            asked(json!({ "groups": ["tasks", " pages"], "schema": true })),
            Ok(Query::none()
                .with("groups", "tasks,pages")
                .with("schema", true))
        );
        assert_eq!(
            asked(json!({ "names": ["hub_get_task"] })),
            Ok(Query::none().with("names", "hub_get_task"))
        );
    }

    #[test]
    fn what_is_no_word_of_the_hub_is_named() {
        for word in ["", " ", "tasks,pages", "Tasks", "a b", "a\nb"] {
            let sentence = asked(json!({ "names": [word] })).unwrap_err();
            assert!(sentence.contains("neither"), "{word:?}: {sentence}");
        }
        let sentence = asked(json!({ "schema": true })).unwrap_err();
        assert!(sentence.contains("give which"), "{sentence}");
    }

    #[test]
    fn an_input_is_passed_on_as_it_is_and_may_be_left_out() {
        let act: Act = args(json!({ "action": "hub_list_boards" })).unwrap();
        assert_eq!(act.input, json!({}));
        let given = json!({ "title": "T", "due": null, "ids": [1, { "a": [] }] });
        let act: Act = args(json!({ "action": "a", "input": given })).unwrap();
        assert_eq!(act.input, given);
    }
}
