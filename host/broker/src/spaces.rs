//! The space that a call names, by id or exact name, resolved from the hub's own list. Nothing falls back to another
//! space: what cannot be resolved is refused with a sentence.

use std::time::{Duration, Instant};

use ensemble_model::Space;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

use crate::fault::Fault;

/// How long the list of spaces is kept: a renamed space is seen within half a minute, and a burst of calls asks once.
pub(crate) const KEPT: Duration = Duration::from_secs(30);

/// The list and when it was asked for.
#[derive(Debug)]
pub(crate) struct KeptSpaces {
    pub(crate) asked: Instant,
    pub(crate) spaces: Vec<Space>,
}

#[derive(Deserialize)]
struct Answer {
    spaces: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    name: String,
    usable: bool,
    #[serde(default)]
    refusal: Option<String>,
}

/// Reads `GET /api/bridge/spaces`.
pub(crate) fn parse(json: &str) -> Result<Vec<Space>, Fault> {
    let answer: Answer = serde_json::from_str(json).map_err(|_| {
        Fault::Failed(
            "The hub answered with spaces in a form this version does not know.".to_owned(),
        )
    })?;
    let space = |listed: Listed| {
        let refusal = if listed.usable {
            None
        } else {
            Some(
                listed
                    .refusal
                    .unwrap_or_else(|| format!("This key cannot act in “{}”.", listed.name)),
            )
        };
        Space {
            id: listed.id,
            name: listed.name,
            refusal,
        }
    };
    Ok(answer.spaces.into_iter().map(space).collect())
}

/// Finds the space that `wanted` names: its id, else its exact name, else its name as the hub compares names: Unicode form,
/// case and white space do not count. Two spaces of one name are told apart by id only.
pub(crate) fn resolve(spaces: &[Space], wanted: &str) -> Result<Space, Fault> {
    let folded = fold(wanted);
    let by = |test: &dyn Fn(&Space) -> bool| -> Vec<Space> {
        spaces.iter().filter(|space| test(space)).cloned().collect()
    };
    let mut found = by(&|space| space.id == wanted);
    if found.is_empty() {
        found = by(&|space| space.name == wanted);
    }
    if found.is_empty() {
        found = by(&|space| fold(&space.name) == folded);
    }
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (None, _) => Err(Fault::NotFound(
            "This key's account cannot open that space: ensemble_spaces lists the ones it can."
                .to_owned(),
        )),
        (Some(first), Some(second)) => Err(Fault::Invalid(format!(
            "More than one space is called “{}” ({}, {}): name it by its id.",
            first.name, first.id, second.id
        ))),
        (Some(space), None) => match space.refusal {
            Some(sentence) => Err(Fault::Failed(sentence)),
            None => Ok(space),
        },
    }
}

fn fold(name: &str) -> String {
    let lower = name.nfkc().collect::<String>().to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    words.join(" ").nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spaces() -> Vec<Space> {
        parse(
            r#"{"spaces":[
                {"id":"s1","name":"Studio","access":"own","usable":true},
                {"id":"s2","name":"studio","access":"own","usable":true},
                {"id":"s3","name":"Räume","access":"own","usable":true},
                {"id":"s4","name":"Shared","access":"member","usable":false,"refusal":"“Shared” is shared with you."}
            ],"default":"s1"}"#,
        )
        .unwrap()
    }

    #[test]
    fn a_space_is_found_by_id_then_exact_name_then_folded_name() {
        let found = |wanted: &str| resolve(&spaces(), wanted).map(|space| space.id);
        assert_eq!(found("s2"), Ok("s2".to_owned()));
        assert_eq!(found("studio"), Ok("s2".to_owned()));
        for name in [" RÄUME ", "Ra\u{308}ume", "Räume\t", "Ｒäume"] {
            assert_eq!(found(name), Ok("s3".to_owned()), "{name:?}");
        }
    }

    #[test]
    fn what_is_not_one_usable_space_is_refused() {
        let sentence = |wanted: &str| resolve(&spaces(), wanted).unwrap_err().to_string();
        assert!(sentence("STUDIO").contains("s1, s2"));
        assert!(sentence("Studi").starts_with("This key's account cannot open that space"));
        assert_eq!(sentence("Shared"), "“Shared” is shared with you.");
        assert!(sentence("").contains("cannot open"));
    }
}
