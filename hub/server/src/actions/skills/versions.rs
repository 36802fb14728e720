//! The versions of a skill. Two numbers count: `version` counts every change of the record and names a state to go back to; `skillVersion` is
//! the skill's own number and grows when what it says changes.

use serde_json::{Map, Value, json};

use crate::clock::instant;
use crate::store::{Record, Version};
use crate::text::trust::one_line;
use crate::view::{self, Card};

/// Versions of one answer.
const SHOWN_MAX: usize = 20;
/// The field of the skill's own number.
const OWN: &str = "version";
/// The fields that say what a skill is, besides title and text.
pub(super) const SAYS: [&str; 2] = ["slug", "description"];

/// The latest versions without their texts, the newest first, and how many more there are.
pub(super) fn shown(versions: &[Version]) -> (Vec<Value>, usize) {
    let rows = versions.iter().take(SHOWN_MAX).map(|version| {
        json!({
            "version": version.record.version,
            "skillVersion": own(&version.record),
            "name": view::title(&version.record),
            "at": instant(version.at),
            "by": one_line(&version.actor_name),
            "action": version.action,
            "characters": version.record.body.chars().count(),
        })
    });
    let more = versions.len().saturating_sub(SHOWN_MAX);
    (rows.collect(), more)
}

/// The skill's own number; one that has none is at its first.
pub(super) fn own(skill: &Record) -> u64 {
    skill.fields.get(OWN).and_then(Value::as_u64).unwrap_or(1)
}

/// Puts both numbers on a card.
pub(super) fn number(card: &mut Card, skill: &Record) {
    card.insert("version".to_owned(), skill.version.into());
    card.insert("skillVersion".to_owned(), own(skill).into());
}

/// Raises the skill's own number where the edit changes what it says.
pub(super) fn raise(before: &Record, edited: &mut Record) {
    let says = |skill: &Record, field: &str| skill.fields.get(field).cloned();
    let same = before.title == edited.title
        && before.body == edited.body
        && SAYS
            .iter()
            .all(|field| says(before, field) == says(edited, field));
    if !same {
        start(&mut edited.fields, own(before) + 1);
    }
}

/// Sets the skill's own number.
pub(super) fn start(fields: &mut Map<String, Value>, number: u64) {
    fields.insert(OWN.to_owned(), number.into());
}
